"""Logs with views beside them, projectors that keep them up, and a view that counts."""

import asyncio
from collections.abc import Callable, Iterable

from msgspec import Struct

from domain.campaign.book import EVOLVE
from domain.kernel.fold import State
from events.codec import Codec
from events.envelope import TABLE
from events.table import Narrated
from projections.contents import VIEWS
from projections.view import ALL, Event, Row, View
from projections.visibility import Viewer
from services.log import Log
from services.log.memory import MemoryLog
from services.states import CODEC
from services.views.memory import MemoryViews
from services.views.projector import Projector
from services.views.retries import Retries
from services.views.store import Stored, ViewStore
from tests.support.recording import Recording

MO = Viewer("gm", "gm")


class Shelf(Struct):
    """A log with its views beside it."""

    log: Log
    store: ViewStore


def in_memory() -> Shelf:
    log = MemoryLog()
    return Shelf(log, MemoryViews(lambda: {name: head.seq for name, head in log._heads.items()}))


class Total(Struct, frozen=True):
    seq: int


def counted(_: State, event: Event, __: State) -> Iterable[Row]:
    """One line for every event."""
    yield Row(ALL, event.seq, Total(event.seq), TABLE)


COUNTER = View("counter", 1, counted)


def projector(shelf: Shelf, *views: View, codec: Codec = CODEC, **more: object) -> Projector:
    made: dict[str, object] = {"sweep_seconds": 0.02, "retries": Retries(first=0.01, longest=0.02), **more}
    return Projector(shelf.log, shelf.store, codec, EVOLVE, views or VIEWS.values(), lambda: 5, **made)  # type: ignore[arg-type]


async def keep(shelf: Shelf, recording: Recording, first: int = 0) -> None:
    """The recorded batches, as the pipeline would store them."""
    for batch in recording.batches[first:]:
        done = await (shelf.log.create if batch.expected_seq == 0 else shelf.log.append)(batch)
        assert done.status == "written"


async def rows(shelf: Shelf, view: str, campaign: str = "c_test") -> list[Stored]:
    found: list[Stored] = []
    while page := await shelf.store.changed(campaign, view, MO, found[-1].seq if found else 0):
        found += page
        if len(page) < 1_000:
            break
    return found


async def all_rows(shelf: Shelf, campaign: str = "c_test") -> dict[tuple[str, str, int], Stored]:
    return {(name, r.key, r.line): r for name, v in VIEWS.items() for r in await rows(shelf, v.projection, campaign)}


async def until(holds: Callable[[], object], seconds: float = 20) -> None:
    """Wait, bounded, for something that another task brings about."""
    end = asyncio.get_running_loop().time() + seconds
    while True:
        found = holds()
        if asyncio.iscoroutine(found):
            found = await found
        if found:
            return
        assert asyncio.get_running_loop().time() < end, "it did not come to pass"
        await asyncio.sleep(0.01)


def talk(number: int, campaign: str = "c_test") -> Recording:
    """A campaign of `number` events."""
    recording = Recording(campaign)
    while len(recording.events) < number:
        recording.tell(Narrated(f"word {len(recording.events)}"))
    return recording


async def reached(shelf: Shelf, campaign: str, seq: int) -> bool:
    """Whether the counter stands at this event."""
    cursors = await shelf.store.cursors(campaign)
    return "counter@1" in cursors and cursors["counter@1"].seq == seq
