"""Opening and closing a session: its dice are committed first and revealed last."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.command import Command, Context, Deciders, gm, member
from domain.kernel.fold import State
from domain.kernel.refusal import SEED_LOST, Refusal, require
from domain.kernel.sitting import row, sitting
from events.envelope import Fact
from events.table import EntropyAdded, SecretDiceRevealed, SessionClosed, SessionOpened

SESSION_ALREADY_OPEN = Refusal("SESSION_ALREADY_OPEN", "Session {session} is still open: close it first.")
NO_SESSION = Refusal("SESSION_NOT_OPEN", "No session is open.")
DICE_ALREADY_FELL = Refusal(
    "DICE_ALREADY_FELL", "The first die of this session has fallen: nothing can be added to it."
)
ENTROPY_FULL = Refusal("ENTROPY_FULL", "A session takes at most 64 contributions.")


class OpenSession(Command, frozen=True, tag="campaign.open_session"):
    title: Annotated[str, Meta(max_length=120, pattern=r"^[^\x00-\x1f\x7f]*$")] = ""


class AddEntropy(Command, frozen=True, tag="campaign.add_entropy"):
    """A few words of one's own that every server die of the session depends on; only before the first roll."""

    entropy: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]


class CloseSession(Command, frozen=True, tag="campaign.close_session"):
    """Reveals the seed: that of the secret dice to the game masters only."""


def open_session(state: State, command: OpenSession, context: Context) -> Iterable[Fact]:
    dice = row(state)
    require(not dice.session, SESSION_ALREADY_OPEN, session=dice.session)
    assert context.seeds is not None
    assert context.seeds.next_commitment is not None
    return [
        SessionOpened(
            dice.sessions + 1,
            context.seeds.next_commitment,
            dice.next,
            title=command.title,
            secret_commitment=context.seeds.next_secret_commitment,
        )
    ]


def add_entropy(state: State, command: AddEntropy, context: Context) -> Iterable[Fact]:
    now = sitting(state)
    if now is None:
        NO_SESSION.because()
    require(row(state).next == now.first_die, DICE_ALREADY_FELL)
    require(len(now.entropy) < 64, ENTROPY_FULL)
    return [EntropyAdded(row(state).session, context.actor, command.entropy)]


def close_session(state: State, _: CloseSession, context: Context) -> Iterable[Fact]:
    number = row(state).session
    require(number, NO_SESSION)
    if context.seeds is None or context.seeds.current is None:
        SEED_LOST.because()
    now = sitting(state)
    require(context.seeds.secret is not None or not (now and now.secret_commitment), SEED_LOST)
    secret = context.seeds.secret
    told = [] if secret is None else [SecretDiceRevealed(number, secret.hex())]
    return [*told, SessionClosed(number, context.seeds.current.hex())]


DECIDE: Deciders = {OpenSession: gm(open_session), AddEntropy: member(add_entropy), CloseSession: gm(close_session)}
