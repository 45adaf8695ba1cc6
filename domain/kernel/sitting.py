"""Sessions of play and the rows of the server's dice.

The index of the next die never goes back: not on undo, not on a fork, not on a retry.
"""

from msgspec.structs import replace

from domain.kernel.fold import Leaf, State, begin, find, key, on, reducers, step, the
from events.envelope import Fact, Roll
from events.table import CampaignOpened, EntropyAdded, SessionClosed, SessionOpened


class DiceRow(Leaf, frozen=True, tag="dice"):
    """`next` is the index of the server die that falls next; `session` the open session, 0 for none."""

    next: int = 0
    session: int = 0
    sessions: int = 0


class SecretRow(Leaf, frozen=True, tag="secret_dice"):
    """The same row for dice that not everybody sees: their number is a secret too."""

    SECRET = True

    next: int = 0


class Sitting(Leaf, frozen=True, tag="session"):
    """One session. `commitment` is SHA-256 of its seed; the seed is empty until it is revealed.

    `secret_commitment` is that of the secret row; empty in a session that has none.
    """

    commitment: str
    first_die: int
    title: str
    entropy: tuple[tuple[str, str], ...] = ()
    seed: str = ""
    secret_commitment: str = ""


def row(state: State) -> DiceRow:
    return the(state, DiceRow)


def sitting(state: State) -> Sitting | None:
    """The open session."""
    number = row(state).session
    return find(state, Sitting, str(number)) if number else None


def secret_row(state: State) -> SecretRow:
    return find(state, SecretRow) or SecretRow()


def after(rolls: tuple[Roll, ...], next_die: int) -> int:
    """The index in the open row after these rolls."""
    ends = (roll.index + len(roll.faces) for roll in rolls if roll.index is not None and roll.source == "server")
    return max(ends, default=next_die)


def _count(leaf: DiceRow, told: Fact) -> DiceRow:
    return replace(leaf, next=max(leaf.next, after(told.rolls, leaf.next)))


def _count_secret(leaf: SecretRow | None, told: Fact) -> SecretRow | None:
    more = sum(len(roll.faces) for roll in told.rolls if roll.source == "secret")
    return SecretRow((leaf.next if leaf else 0) + more) if more else leaf


EVOLVE = reducers(
    # Of whatever fact dice fell for.
    on(Fact, DiceRow, "", _count),
    step(Fact, lambda _: key(SecretRow), _count_secret),
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
        lambda told: Sitting(told.commitment, told.first_die, told.title, secret_commitment=told.secret_commitment),
    ),
    on(
        EntropyAdded,
        Sitting,
        "session",
        lambda leaf, told: replace(leaf, entropy=(*leaf.entropy, (told.member, told.entropy))),
    ),
    on(SessionClosed, Sitting, "session", lambda leaf, told: replace(leaf, seed=told.seed)),
)
