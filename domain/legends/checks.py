"""LB-1 and LB-2: checks, luck dice, advantage and disadvantage, standing orders."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.cast import hidden, known_to
from domain.kernel.command import CharacterId, Command, Context, Deciders, Small, owner
from domain.kernel.dice import Dice, everything, highest, lowest
from domain.kernel.fold import State, find
from domain.kernel.refusal import NOT_GM, require
from domain.legends.refusals import (
    ADVANTAGE_NOT_APPLICABLE,
    CHECK_OF_ANOTHER,
    DIFFICULTY_REQUIRED,
    LUCK_DIE_NOT_ALLOWED,
    TERMS_ALREADY_SET,
    UNKNOWN_CHECK,
    UNKNOWN_CHECK_KIND,
    UNKNOWN_STAT,
)
from domain.legends.state import Fighter, PendingCheck, fighter, for_gm, name_of, on_their_feet, require_luck, ruling
from domain.legends.stats import SIX, basis_value, modifier
from events.envelope import Fact, Roll
from events.legends import (
    CheckCalled,
    CheckRolled,
    CheckWithdrawn,
    Comparison,
    LuckDieSpent,
    Modifier,
    Outcome,
    StatChecked,
)

Short = Annotated[str, Meta(max_length=200, pattern=r"^[^\x00-\x1f\x7f\u2028\u2029]*$")]
CheckId = Annotated[str, Meta(min_length=1, max_length=64)]
KINDS = ("die", "stat")
TERMS = ("basis", "dc", "kind", "comparison", "advantage", "disadvantage", "gift")
GIFT = 2
"""LB-4.1.20."""


class CallCheck(Command, frozen=True, tag="legends.call_check"):
    """The game master asks for a check. `kind` is `die`, or `stat` for a comparison without dice.

    `basis` is one of the six statistics, or `speed`, `perception`, `stealth`, `precision`. `dc` is the value to
    reach; a `stat` check asks for more than it (`gt`, written +N) or for at least it (`ge`, written N and +).
    `gift` names the gift that helps here.
    """

    character: CharacterId
    basis: Short
    dc: Small | None = None
    kind: Short = "die"
    comparison: Comparison = "gt"
    advantage: bool = False
    disadvantage: bool = False
    gift: Short = ""
    reason: Short = ""


class WithdrawCheck(Command, frozen=True, tag="legends.withdraw_check"):
    check: CheckId


class RollCheck(Command, frozen=True, tag="legends.roll_check"):
    """Roll a check that was called for (`check`, on its terms); or the game master rolls one on terms named here.

    With `check` no terms may be named but its own.
    """

    character: CharacterId
    check: CheckId | None = None
    use_luck_die: bool = False
    basis: Short = ""
    dc: Small | None = None
    kind: Short = "die"
    comparison: Comparison = "gt"
    advantage: bool = False
    disadvantage: bool = False
    gift: Short = ""


class Cast(Struct, frozen=True):
    """A D20 as it fell: the face that counts, the luck added, the dice shown."""

    kept: int
    luck: tuple[Modifier, ...]
    rolls: tuple[Roll, ...]


def cast_d20(
    dice: Dice,
    luck: bool,
    advantages: Sequence[str] = (),
    disadvantages: Sequence[str] = (),
    *,
    purpose: str,
    secret: bool,
) -> Cast:
    """LB-2.2: two dice with the larger or the smaller kept; both sides cancel out. LB-0.3: the luck die falls last."""
    if bool(advantages) == bool(disadvantages):
        base = dice.throw(1, 20, purpose, everything, secret=secret)
    else:
        base = dice.throw(2, 20, purpose, highest if advantages else lowest, secret=secret)
    if not luck:
        return Cast(base.kept[0], (), (base,))
    lucky = dice.throw(1, 4, purpose="luck die", secret=secret)
    return Cast(base.kept[0], (Modifier("luck_die", lucky.faces[0], "LB-2.1.1"),), (base, lucky))


def spend_luck(who: str, one: Fighter, announced: bool) -> list[Fact]:
    """LB-2.1.2: announced before the roll and spent whatever it shows."""
    return [LuckDieSpent(who, one.luck_dice - 1, "command", "LB-2.1.2")] if announced else []


def outcome(choice: str, natural: int, total: int, dc: int) -> Outcome:
    """LB-1.3: at least the difficulty. LB-0.7: a natural 20 succeeds and is critical, unless LB-A4 was settled else."""
    if natural == 20 and choice != "a":
        return "critical"
    if natural == 1 and choice == "c":
        return "failure"
    return "success" if total >= dc else "failure"


def check(
    state: State,
    who: str,
    one: Fighter,
    dice: Dice,
    *,
    basis: str,
    dc: int,
    luck: bool,
    advantages: Sequence[str] = (),
    disadvantages: Sequence[str] = (),
    more: Sequence[Modifier] = (),
    value: int | None = None,
    cause: str = "legends.check",
    called: str | None = None,
) -> list[Fact]:
    """LB-1.3: D20 and the modifier of what the roll rests on, against a difficulty. `value`: the effective one."""
    shown = basis_value(state, one, basis) if value is None else value
    choice = ruling(state, "LB-A4", "b", "abc")
    cast = cast_d20(dice, luck, advantages, disadvantages, purpose="check", secret=hidden(state, who))
    modifiers = (Modifier(basis, modifier(shown), "LB-1.4"), *more, *cast.luck)
    total = cast.kept + sum(each.amount for each in modifiers)
    rolled = CheckRolled(
        who,
        basis,
        shown,
        dc,
        cast.kept,
        modifiers,
        total,
        total - dc,
        outcome(choice, cast.kept, total, dc),
        tuple(advantages),
        tuple(disadvantages),
        "LB-1.3",
        check=called,
        cause=cause,
        rolls=cast.rolls,
    )
    return [*spend_luck(who, one, luck), rolled]


def compare(
    state: State, who: str, one: Fighter, basis: str, dc: int, how: Comparison, called: str | None
) -> StatChecked:
    """LB-1.2, LB-A1: no die; `+N` wants more than N, `N and +` at least N."""
    require(basis in SIX, UNKNOWN_STAT, "LB-1.2", stat=basis, choices=list(SIX))
    value = basis_value(state, one, basis)
    at_least = how == "ge" or ruling(state, "LB-A1", "b", "ab") == "a"
    return StatChecked(who, basis, value, dc, how, value >= dc if at_least else value > dc, "LB-1.2", check=called)


def call_check(state: State, command: CallCheck, context: Context) -> Iterable[Fact]:
    """LB-1.3.1, LB-2.2.1: difficulty, advantage and disadvantage are the game master's."""
    one = fighter(state, command.character)
    _require_kind(command.kind)
    dc = _difficulty(command.dc)
    _require_no_advantage(command.kind, command.advantage or command.disadvantage)
    if command.kind == "stat":
        require(command.basis in SIX, UNKNOWN_STAT, "LB-1.2", stat=command.basis, choices=list(SIX))
    basis_value(state, one, command.basis)
    return [
        CheckCalled(
            command.character,
            context.new_id("q"),
            "stat" if command.kind == "stat" else "die",
            command.basis,
            dc,
            command.comparison,
            command.advantage,
            command.disadvantage,
            command.gift,
            command.reason,
            "LB-1.3.1",
        )
    ]


def withdraw_check(state: State, command: WithdrawCheck, _: Context) -> Iterable[Fact]:
    return [CheckWithdrawn(_pending(state, command.check).character, command.check)]


def roll_check(state: State, command: RollCheck, context: Context) -> Iterable[Fact]:
    """LB-1.1: by a die or by the statistic alone, on the terms of the game master."""
    who = command.character
    own_terms = command.dc is not None or command.advantage or command.disadvantage or command.gift
    require(context.is_gm or not own_terms, NOT_GM, "LB-0.8")
    one = on_their_feet(state, who, context)
    kind = command.kind if command.check is None else _called(state, command, command.check, context).kind
    require_luck(one, command.use_luck_die and kind != "stat", name_of(state, who))
    terms = _terms(state, command, context)
    if terms.kind == "stat":
        require(not command.use_luck_die, LUCK_DIE_NOT_ALLOWED, "LB-1.2", reason="stat_check")
        _require_no_advantage(terms.kind, terms.advantage or terms.disadvantage)
        return [compare(state, who, one, terms.basis, terms.dc, terms.comparison, command.check)]
    gift = (Modifier(terms.gift, GIFT, "LB-4.1.20"),) if terms.gift else ()
    return check(
        state,
        who,
        one,
        context.dice,
        basis=terms.basis,
        dc=terms.dc,
        luck=command.use_luck_die,
        advantages=("gm",) if terms.advantage else (),
        disadvantages=("gm",) if terms.disadvantage else (),
        more=gift,
        called=command.check,
    )


def _terms(state: State, command: RollCheck, context: Context) -> PendingCheck:
    """What the game master called for, or names with the roll."""
    if command.check is None:
        dc = _difficulty(command.dc)
        _require_kind(command.kind)
        return PendingCheck(
            command.character,
            "stat" if command.kind == "stat" else "die",
            command.basis,
            dc,
            command.comparison,
            command.advantage,
            command.disadvantage,
            command.gift,
        )
    pending = _called(state, command, command.check, context)
    plain = RollCheck(character=command.character)
    others = [name for name in TERMS if getattr(command, name) not in (getattr(plain, name), getattr(pending, name))]
    require(not others, TERMS_ALREADY_SET, "LB-1.3.1", fields=others)
    return pending


def _called(state: State, command: RollCheck, name: str, context: Context) -> PendingCheck:
    """The check called for. One of a character that the member does not know of is as good as none."""
    pending = _pending(state, name)
    require(known_to(state, pending.character, context), UNKNOWN_CHECK, "LB-1.3")
    mine = pending.character == command.character
    require(mine, CHECK_OF_ANOTHER, "LB-1.3", character=name_of(state, pending.character))
    return pending


def _difficulty(dc: int | None) -> int:
    if dc is None:
        DIFFICULTY_REQUIRED.because("LB-1.3")
    return dc


def _pending(state: State, name: str) -> PendingCheck:
    found = find(state, PendingCheck, name)
    if found is None:
        UNKNOWN_CHECK.because("LB-1.3")
    return found


def _require_kind(kind: str) -> None:
    require(kind in KINDS, UNKNOWN_CHECK_KIND, "LB-1.1", kind=kind, choices=list(KINDS))


def _require_no_advantage(kind: str, offered: bool) -> None:
    require(kind != "stat" or not offered, ADVANTAGE_NOT_APPLICABLE, "LB-1.2")


DECIDE: Deciders = {
    CallCheck: for_gm("character")(call_check),
    WithdrawCheck: for_gm()(withdraw_check),
    RollCheck: owner("character")(roll_check),
}
