"""The sessions of a campaign: when they were, what their dice were committed to, how much happened."""

from collections.abc import Iterable

from msgspec import UNSET, Struct, UnsetType

from domain.kernel.fold import State, find
from domain.kernel.sitting import Sitting, row
from events.envelope import TABLE
from events.table import SessionClosed, SessionOpened
from projections.view import ALL, Event, Row, View


class Session(Struct, frozen=True, kw_only=True):
    """Times are microseconds since 1970. `seed` is there once revealed, `closed_us` once closed.

    `last_seq` is the session's newest event. `dice` counts the server's dice that fell.
    """

    number: int | UnsetType = UNSET
    title: str | UnsetType = UNSET
    opened_us: int | UnsetType = UNSET
    closed_us: int | UnsetType = UNSET
    commitment: str | UnsetType = UNSET
    seed: str | UnsetType = UNSET
    first_seq: int | UnsetType = UNSET
    last_seq: int | UnsetType = UNSET
    dice: int | UnsetType = UNSET


def lines(_: State, event: Event, after: State) -> Iterable[Row]:
    """A session's line begins when it opens and moves with every event in it."""
    told, number = event.happened.fact, event.happened.session
    if isinstance(told, SessionOpened):
        opened = Session(
            number=told.session,
            title=told.title,
            opened_us=event.at_us,
            commitment=told.commitment,
            first_seq=event.seq,
            last_seq=event.seq,
            dice=0,
        )
        yield Row(ALL, told.session, opened, TABLE)
        return
    sitting = find(after, Sitting, str(number)) if number else None
    if sitting is None:
        return
    closed = isinstance(told, SessionClosed)
    so_far = Session(
        closed_us=event.at_us if closed else UNSET,
        seed=sitting.seed or UNSET,
        last_seq=event.seq,
        dice=row(after).next - sitting.first_die,
    )
    yield Row(ALL, number, so_far, TABLE, patch=True)


def events_in(session: Session) -> int:
    """How many events a session has: they stand in one row, from its opening on."""
    if session.first_seq is UNSET or session.last_seq is UNSET:
        return 0
    return session.last_seq - session.first_seq + 1


SESSIONS = View("sessions", 1, lines)
