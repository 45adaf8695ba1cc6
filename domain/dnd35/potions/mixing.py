"""What two potions make of each other (HM-16.1 to 16.5), and that it is always the same (HM-17.1).

The decision is for the game master alone: it stands in `MixtureJudged` and in secret leaves.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import get_args

from msgspec import Struct

from domain.dnd35.potions.compatibility import Identity, identity, key, reasons_against
from domain.dnd35.potions.measures import ratio
from domain.dnd35.refusals import GAME_MASTER_MIXES
from domain.dnd35.state import Constant, Discovery
from domain.kernel.command import Context
from domain.kernel.dice import NoDice
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.kernel.tables import read
from events.envelope import Roll
from events.potions import Dose, Mark, Medium, MixtureJudged

HALF, WHOLE = Fraction(1, 2), Fraction(1)


class Row(Struct, frozen=True):
    """One row of the table, and the marks it leaves on the potions in its two roles."""

    low: int
    high: int
    key: str
    mark_first: Mark
    mark_second: Mark


ROWS = read(
    "domain.dnd35",
    "mixing_table",
    lambda line: Row(
        int(line["low"]),
        int(line["high"]),
        line["key"],
        line["mark_first"],  # type: ignore[arg-type]
        line["mark_second"],  # type: ignore[arg-type]
    ),
)
BY_KEY = {row.key: row for row in ROWS}

assert [face for row in ROWS for face in range(row.low, row.high + 1)] == list(range(1, 101))
assert {mark for row in ROWS for mark in (row.mark_first, row.mark_second)} == set(get_args(Mark))


class Meeting(Struct, frozen=True):
    """Two doses about to react: the lower or earlier one, the other, and how much of the first still counts."""

    pair: str
    medium: Medium
    one: Dose
    other: Dose
    f: Fraction = WHOLE
    k: int = 0


def row_of(face: int) -> Row:
    """HM-16.1: the row of a d100 face; the printed 00 is face 100."""
    return next(row for row in ROWS if row.low <= face <= row.high)


def share_left(total: int | None, k: int) -> Fraction:
    """HM-16.3: the share of the first potion that counts in its round `k`: what is left of it, at most one half.

    HM-A46: one half throughout where the spell has no number of rounds.
    """
    return HALF if total is None else min(HALF, Fraction(total - k, total))


def mix_sum(f: Fraction, one: int, other: int) -> int:
    """HM-16.2: the caster levels added, the first one reduced, rounded down once at the end."""
    return int(f * one + other)


def difficulty(s: int) -> int:
    """HM-16.5: 10 and half of S, rounded down."""
    return 10 + s // 2


def keep_the_secret(state: State, context: Context, pairs: Iterable[tuple[Identity, Identity]]) -> None:
    """HM-0.6: where a player throws no dice, whatever may hide a mixture's outcome is refused alike.

    A refusal only when a die is due, or one that names it, would tell a player what a flask has become. What the table
    has learnt of these pairs already is no secret any more, nor is what becomes of compatible ones.
    """
    secret = any(reasons_against(*pair) and find(state, Discovery, key(*pair)) is None for pair in pairs)
    require(not secret or context.is_gm or not isinstance(context.dice, NoDice), GAME_MASTER_MIXES, "HM-0.6")


def judge(state: State, meeting: Meeting, context: Context) -> MixtureJudged:
    """HM-16.1: incompatible potions follow the table, by the row already known for them or by a d100.

    HM-12.2, 15.6: compatible ones do not react, and no die falls.
    """
    one, other = identity(meeting.one), identity(meeting.other)
    reasons = reasons_against(one, other)
    s = mix_sum(meeting.f, one.nls, other.nls)
    known = find(state, Constant, key(one, other))
    rolls: tuple[Roll, ...] = ()
    constant = Constant("", "", "", "")
    marks: tuple[Mark, Mark] = ("normal", "normal")
    if reasons:
        constant, rolls = (known, ()) if known else _found_out(meeting, one, other, context)
        marks = _mark(constant, one, meeting.one), _mark(constant, other, meeting.other)
    return MixtureJudged(
        meeting.pair,
        meeting.medium,
        (meeting.one.id, meeting.other.id),
        key(one, other),
        not reasons,
        marks,
        (one.nls, other.nls),
        ratio(meeting.f),
        s,
        difficulty(s),
        k=meeting.k,
        reasons=reasons,
        row=constant.row,
        known=bool(reasons and known),
        first=constant.first,
        second=constant.second,
        prolonged=constant.prolonged,
        rolls=rolls,
    )


def _found_out(meeting: Meeting, one: Identity, other: Identity, context: Context) -> tuple[Constant, tuple[Roll, ...]]:
    """HM-17.1: the first time decides row, roles and which one is prolonged, for ever.

    HM-16.16: an instantaneous potion is never the prolonged one; a d2 chooses between two that last.
    """
    roll = context.dice.throw(1, 100, purpose="mixing table", secret=True)
    row = row_of(roll.faces[0]).key
    lasting = [who for who, dose in ((one, meeting.one), (other, meeting.other)) if dose.duration != 0]
    if row != "discovery" or not lasting:
        return Constant(row, str(one), str(other), ""), (roll,)
    if len(lasting) == 1:
        return Constant(row, str(one), str(other), str(lasting[0])), (roll,)
    chosen = context.dice.throw(1, 2, purpose="prolonged potion", secret=True)
    prolonged = other if chosen.faces[0] == 1 else one
    return Constant(row, str(one), str(other), str(prolonged)), (roll, chosen)


def _mark(constant: Constant, who: Identity, dose: Dose) -> Mark:
    """HM-16.17: the mark of one dose, by the role its identity has in the row."""
    row = BY_KEY[constant.row]
    if row.key != "discovery":
        return row.mark_first if str(who) == constant.first else row.mark_second
    if not constant.prolonged:
        return "enhanced"
    return "long" if str(who) == constant.prolonged and dose.duration != 0 else "normal"
