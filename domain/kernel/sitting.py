"""Sessions of play and the row of the server's dice.

The index of the next die never goes back: not on undo, not on a fork, not on a retry.
"""

from msgspec.structs import replace

from domain.kernel.fold import Leaf, Reducers, State, begin, find, key, on, reducers, step, the
from events.envelope import Fact, Roll
from events.table import CampaignOpened, EntropyAdded, SessionClosed, SessionOpened


class DiceRow(Leaf, frozen=True, tag="dice"):
    """`next` is the index of the server die that falls next; `session` the open session, 0 for none."""

    next: int = 0
    session: int = 0
    sessions: int = 0


class Sitting(Leaf, frozen=True, tag="session"):
    """One session. `commitment` is SHA-256 of its seed; the seed is empty until it is revealed."""

    commitment: str
    first_die: int
    title: str
    entropy: tuple[tuple[str, str], ...] = ()
    seed: str = ""


def row(state: State) -> DiceRow:
    return the(state, DiceRow)


def sitting(state: State) -> Sitting | None:
    """The open session."""
    number = row(state).session
    return find(state, Sitting, str(number)) if number else None


def after(rolls: tuple[Roll, ...], next_die: int) -> int:
    """The index after these rolls."""
    return max((roll.index + len(roll.faces) for roll in rolls if roll.index is not None), default=next_die)


def counting(facts: tuple[type[Fact], ...]) -> Reducers:
    """Every server die of every fact moves the index on."""
    at = key(DiceRow)

    def count(leaf: DiceRow, told: Fact) -> DiceRow:
        return replace(leaf, next=max(leaf.next, after(told.rolls, leaf.next))) if told.rolls else leaf

    return reducers(*(step(fact, lambda _: at, count) for fact in facts))


EVOLVE = reducers(
    begin(CampaignOpened, DiceRow, "", lambda _: DiceRow()),
    on(
        SessionOpened,
        DiceRow,
        "",
        lambda leaf, told: replace(leaf, session=told.session, sessions=told.session),
    ),
    on(SessionClosed, DiceRow, "", lambda leaf, _: replace(leaf, session=0)),
    begin(
        SessionOpened,
        Sitting,
        "session",
        lambda told: Sitting(told.commitment, told.first_die, told.title),
    ),
    on(
        EntropyAdded,
        Sitting,
        "session",
        lambda leaf, told: replace(leaf, entropy=(*leaf.entropy, (told.member, told.entropy))),
    ),
    on(SessionClosed, Sitting, "session", lambda leaf, told: replace(leaf, seed=told.seed)),
)
