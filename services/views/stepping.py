"""One page of a campaign's events, stepped through by its views. Pure: what cannot be read or shown is answered."""

from collections.abc import Sequence

from msgspec import Struct

from domain.kernel.fold import Reducers, State, fold
from events import chain
from events.codec import Codec
from events.envelope import Happened, Recorded
from projections.view import Erased, Event, View
from services.views.store import Change, Write, changes


class Standing(Struct, frozen=True):
    """The state after event `seq`, whose chain hash is `hash`."""

    seq: int = 0
    hash: bytes = chain.GENESIS
    state: State = {}


class Due(Struct, frozen=True):
    """A view that has read up to `seq`, and the projection it writes under."""

    view: View
    projection: str
    seq: int


def read(codec: Codec, event: Recorded) -> Happened:
    """The fact as it was, or what stands for it once its text is erased. Raises `Unreadable`."""
    if not event.body:
        return Happened(event.actor, event.audience, event.command, event.session, Erased(event.type))
    return codec.decode(event.type, event.version, event.body)


def follows(standing: Standing, campaign: str, event: Recorded) -> bool:
    """Whether the event is the very next one after this state."""
    expected = chain.link(campaign, event.seq, event.at_us, standing.hash, event.digest)
    return event.seq == standing.seq + 1 and expected == event.hash


def step(
    codec: Codec, evolve: Reducers, standing: Standing, events: Sequence[Recorded], due: Sequence[Due]
) -> tuple[Standing, list[Write]]:
    """The state after these events, and every view's step. A view that fails stops before the event it fails at."""
    running: dict[str, tuple[Due, list[Change]]] = {one.projection: (one, []) for one in due}
    writes: list[Write] = []

    def stop(projection: str, seq: int, error: Exception) -> None:
        one, made = running.pop(projection)
        text = f"event {seq}: {type(error).__name__}: {error}"[:2_000]
        writes.append(Write(projection, one.seq, max(one.seq, seq - 1), made, text))

    for event in events:
        try:
            happened = read(codec, event)
            after = fold(evolve, standing.state, [happened.fact])
        except Exception as error:  # noqa: BLE001 - whatever is wrong with an event parks what waits for it
            for projection in list(running):
                stop(projection, event.seq, error)
            break
        told = Event(event.seq, event.at_us, happened)
        for projection, (one, made) in list(running.items()):
            if one.seq < event.seq:
                try:
                    made += changes(event.seq, one.view.lines(standing.state, told, after))
                except Exception as error:  # noqa: BLE001 - a view's fault parks that view and no other
                    stop(projection, event.seq, error)
        standing = Standing(event.seq, event.hash, after)
    reached = standing.seq
    writes += [Write(name, one.seq, reached, made) for name, (one, made) in running.items() if reached > one.seq]
    return standing, writes
