"""What cannot be read or shown stops one view of one campaign, and nothing is skipped."""

import asyncio
from collections.abc import Iterable

import msgspec

from domain.campaign.book import FACTS
from domain.kernel.fold import State
from events.codec import Codec, kind_of
from events.table import Narrated
from projections.contents import VIEWS
from projections.view import Event, Row, View
from services.log import LogUnavailable
from services.log.memory import MemoryLog
from services.views.retries import Retries
from services.views.store import Cursor
from tests.support.projecting import (
    COUNTER,
    Shelf,
    counted,
    in_memory,
    keep,
    projector,
    reached,
    rows,
    talk,
    until,
)
from tests.support.recording import Recording


async def test_an_event_of_a_newer_build_parks_its_campaign_and_no_other(shelf: Shelf) -> None:
    blind = Codec(fact for fact in FACTS if kind_of(fact) != "campaign.narrated")
    ill, well = Recording("c_ill"), Recording("c_well")
    ill.tell(Narrated("?"))
    await keep(shelf, ill)
    await keep(shelf, well)
    one = projector(shelf, COUNTER, codec=blind)
    await one.catch_up("c_ill")
    await one.catch_up("c_well")
    parked, other = (
        (await shelf.store.cursors("c_ill"))["counter@1"],
        (await shelf.store.cursors("c_well"))["counter@1"],
    )
    assert (parked.seq, parked.status, other.seq, other.status) == (5, "parked", 5, "live")
    assert "event 6" in parked.error
    assert "unknown_type" in parked.error
    assert [row.line for row in await rows(shelf, "counter@1", "c_ill")] == [1, 2, 3, 4, 5]
    await projector(shelf, COUNTER).catch_up("c_ill")  # the newer build
    mended = (await shelf.store.cursors("c_ill"))["counter@1"]
    assert (mended.seq, mended.status, mended.error) == (6, "live", "")


async def test_a_view_that_stumbles_is_parked_alone_and_resumes_after_the_fix(shelf: Shelf) -> None:
    ill = [True]

    def stumbling(before: State, event: Event, after: State) -> Iterable[Row]:
        if ill[0] and event.seq == 7:
            raise ZeroDivisionError("seven")
        return counted(before, event, after)

    await keep(shelf, talk(300))
    one = projector(shelf, COUNTER, View("stumbling", 1, stumbling), retries=Retries(first=60))
    await one.catch_up("c_test")
    cursors = await shelf.store.cursors("c_test")
    assert (cursors["counter@1"].seq, cursors["counter@1"].status) == (300, "live")
    assert (cursors["stumbling@1"].seq, cursors["stumbling@1"].status) == (6, "parked")
    assert cursors["stumbling@1"].error == "event 7: ZeroDivisionError: seven"
    ill[0] = False
    await one.catch_up("c_test")
    assert (await shelf.store.cursors("c_test"))["stumbling@1"].seq == 6  # its pause is not over
    one.resume("c_test", "stumbling")
    await one.catch_up("c_test")
    assert [row.line for row in await rows(shelf, "stumbling@1")] == list(range(1, 301))
    assert (await shelf.store.cursors("c_test"))["stumbling@1"].status == "live"


async def test_a_parked_view_is_tried_again_by_itself(shelf: Shelf) -> None:
    tries = [0]

    def mending(before: State, event: Event, after: State) -> Iterable[Row]:
        tries[0] += event.seq == 7
        if event.seq == 7 and tries[0] < 4:
            raise ValueError("not yet")
        return counted(before, event, after)

    await keep(shelf, talk(10))
    one = projector(shelf, View("mending", 1, mending))
    one.start()
    try:
        await until(lambda: tries[0] >= 4)
        assert await one.wait_for("c_test", "mending", 10, 5)
    finally:
        await one.close()


async def test_nobody_waits_for_a_parked_view() -> None:
    shelf = in_memory()
    await keep(shelf, talk(6))
    broken = View("broken", 1, lambda *_: 1 / 0)  # type: ignore[arg-type, return-value]
    one = projector(shelf, broken)
    one.start()
    try:
        async with asyncio.timeout(5):
            assert not await one.wait_for("c_test", "broken", 6, 60)
    finally:
        await one.close()


class Flaky(MemoryLog):
    """Cannot be reached two times out of three."""

    calls = 0

    async def read(self, campaign: str, after: int, limit: int = 1_000) -> list[object]:  # type: ignore[override]
        Flaky.calls += 1
        if Flaky.calls % 3:
            raise LogUnavailable("away", retry_after=0)
        return await super().read(campaign, after, limit)  # type: ignore[return-value]


async def test_a_store_that_is_away_parks_nothing() -> None:
    shelf = in_memory()
    await keep(shelf, talk(300))
    flaky = Flaky()
    flaky.__dict__.update(shelf.log.__dict__)
    one = projector(Shelf(flaky, shelf.store), COUNTER)
    one.start()
    try:
        await until(lambda: reached(shelf, "c_test", 300))
        assert (await shelf.store.cursors("c_test"))["counter@1"].status == "live"
    finally:
        await one.close()


async def test_erased_words_do_not_stop_the_journal() -> None:
    shelf = in_memory()
    recording = talk(8)
    await keep(shelf, recording)
    events = shelf.log._events["c_test"]  # type: ignore[attr-defined]
    events[6] = msgspec.structs.replace(events[6], body=b"", salt=b"")
    await projector(shelf).catch_up("c_test")
    assert b"have been erased" in (await rows(shelf, VIEWS["journal"].projection))[6].doc


def test_pauses_grow_to_the_longest() -> None:
    now = [0.0]
    retries = Retries(first=1, longest=3, clock=lambda: now[0])
    parked = Cursor("v@1", 3, "parked", "broken")
    assert retries.due("c", None)
    assert retries.due("c", parked)
    for pause in (1, 2, 3, 3):
        retries.failed("c", "v@1")
        now[0] += pause - 0.5
        assert not retries.due("c", parked)
        now[0] += 0.5
        assert retries.due("c", parked)
    retries.passed("c", "v@1")
    assert retries.due("c", parked)
