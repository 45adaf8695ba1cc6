"""The views follow the log exactly once, whatever dies, races or cannot be read on the way."""

import asyncio
import random
from collections.abc import Callable, Iterable

import msgspec
import pytest
from msgspec import Struct

from domain.campaign.book import EVOLVE, FACTS
from domain.kernel.fold import State
from domain.kernel.members import Member
from events.codec import Codec, kind_of
from events.envelope import TABLE
from events.table import MemberJoined, Narrated
from projections.contents import VIEWS
from projections.view import ALL, Event, Row, View, encode
from projections.visibility import Viewer
from services import fingerprint
from services.log import Head, Log, LogUnavailable, Snapshot
from services.log.memory import MemoryLog
from services.states import CODEC, Held, freeze
from services.views.kept import Kept
from services.views.projector import Projector, RebuildFailed
from services.views.retries import Retries
from services.views.stepping import Standing
from services.views.store import Cursor, Stored
from tests.services.views.conftest import Shelf, in_memory
from tests.support.recording import Recording
from tests.support.wandering import Wanderer

MO = Viewer("gm", "gm")


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


async def test_what_the_projector_kept_is_what_the_views_tell(shelf: Shelf) -> None:
    recording = Wanderer(7).wander(150)
    await keep(shelf, recording)
    assert not await projector(shelf).catch_up("c_test")
    cursors = await shelf.store.cursors("c_test")
    assert {cursor.seq for cursor in cursors.values()} == {len(recording.events)}
    journal = await rows(shelf, VIEWS["journal"].projection)
    expected = [row for step in recording.steps for row in VIEWS["journal"].lines(*step)]
    gm_sees = [(r.line, encode(r.doc)) for r in expected if r.doc and (r.audience == TABLE or {"gm"} & set(r.audience))]
    assert [(row.line, row.doc) for row in journal] == gm_sees


async def test_step_by_step_equals_at_once_equals_rebuilt(shelf: Shelf) -> None:
    recording = Wanderer(11).wander(120)
    one = projector(shelf)
    for batch in recording.batches:
        await (shelf.log.create if batch.expected_seq == 0 else shelf.log.append)(batch)
        await one.catch_up("c_test")
    by_steps = await all_rows(shelf)
    other = in_memory()
    await keep(other, recording)
    await projector(other).catch_up("c_test")
    assert await all_rows(other) == by_steps
    for name in VIEWS:
        assert await one.rebuild("c_test", name) == len(recording.events)
    assert await all_rows(shelf) == by_steps


async def test_killed_at_random_the_total_is_the_number_of_events(shelf: Shelf) -> None:
    recording = talk(600)
    chance = random.Random(5)
    await keep(shelf, recording)
    for _ in range(200):
        task = asyncio.create_task(projector(shelf, COUNTER).catch_up("c_test"))
        for _ in range(chance.randint(0, 30)):
            await asyncio.sleep(0)
        if chance.random() < 0.5:
            await asyncio.sleep(chance.random() * 0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await projector(shelf, COUNTER).catch_up("c_test")
    assert [row.line for row in await rows(shelf, "counter@1")] == list(range(1, 601))
    assert (await shelf.store.cursors("c_test"))["counter@1"].seq == 600


async def test_many_projectors_and_a_writer_at_once(shelf: Shelf) -> None:
    recordings = [talk(80, f"c_{n}") for n in range(4)]
    racing = [projector(shelf, *VIEWS.values(), COUNTER) for _ in range(3)]
    for one in racing:
        one.start()

    async def play(recording: Recording) -> None:
        for batch in recording.batches:
            await (shelf.log.create if batch.expected_seq == 0 else shelf.log.append)(batch)
            random.choice(racing).nudge(recording.campaign)
            await asyncio.sleep(0)

    try:
        await asyncio.gather(*(play(recording) for recording in recordings))
        for recording in recordings:
            for view in ("counter", "journal", "sheet"):
                assert await racing[0].wait_for(recording.campaign, view, 80, 20)
            assert [row.line for row in await rows(shelf, "counter@1", recording.campaign)] == list(range(1, 81))
    finally:
        await asyncio.gather(*(one.close() for one in racing))


async def test_the_sweep_finds_what_no_hint_told_of(shelf: Shelf) -> None:
    for n in range(5):
        await keep(shelf, talk(8, f"c_{n}"))
    one = projector(shelf, COUNTER)
    one.start()
    try:
        for n in range(5):
            await until(lambda n=n: _reached(shelf, f"c_{n}", 8))  # type: ignore[misc]
    finally:
        await one.close()


async def _reached(shelf: Shelf, campaign: str, seq: int) -> bool:
    cursors = await shelf.store.cursors(campaign)
    return "counter@1" in cursors and cursors["counter@1"].seq == seq


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


async def test_waiting_for_what_one_wrote(shelf: Shelf) -> None:
    recording = talk(6)
    await keep(shelf, recording)
    one = projector(shelf, COUNTER)
    assert not await one.wait_for("c_test", "counter", 6, 0.05)  # nobody works
    one.start()
    try:
        assert await one.wait_for("c_test", "counter", 6, 5)
        recording.tell(Narrated("more"))
        waiting = asyncio.create_task(one.wait_for("c_test", "counter", 7, 5))
        await asyncio.sleep(0.01)
        await keep(shelf, recording, -1 + len(recording.batches))
        one.nudge("c_test")
        assert await waiting
        assert not await one.wait_for("c_test", "counter", 8, 0.05)
        assert one._watchers == {}
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


async def test_a_new_version_is_filled_beside_the_old_one(shelf: Shelf) -> None:
    recording = talk(450)
    await keep(shelf, recording)
    await projector(shelf, COUNTER).catch_up("c_test")
    two = projector(shelf, View("counter", 2, counted), VIEWS["journal"])
    assert await two.projection("c_test", "counter") == "counter@1"
    while await two.catch_up("c_test"):
        pass
    assert await two.projection("c_test", "counter") == "counter@2"
    assert len(await rows(shelf, "counter@2")) == 450


async def test_a_follower_does_not_hold_up_those_in_front() -> None:
    """New events reach the live views before a new version has caught up."""
    shelf = in_memory()
    recording = talk(1_000)
    await keep(shelf, recording)
    await projector(shelf, COUNTER).catch_up("c_test")
    recording.tell(Narrated("news"))
    await keep(shelf, recording, -1 + len(recording.batches))
    order: list[tuple[str, int]] = []
    both = projector(
        shelf, COUNTER, View("late", 1, counted), moved=lambda campaign, name, seq: order.append((name, seq))
    )
    while await both.catch_up("c_test"):
        pass
    assert order[0] == ("counter@1", 1_001)
    assert order[-1] == ("late@1", 1_001)


async def test_a_rebuild_that_fails_leaves_the_old_rows() -> None:
    shelf = in_memory()
    await keep(shelf, talk(20))
    await projector(shelf, COUNTER).catch_up("c_test")
    stumbling = View("counter", 1, lambda _, event, __: counted(_, event, __) if event.seq < 9 else 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(RebuildFailed, match="event 9"):
        await projector(shelf, stumbling).rebuild("c_test", "counter")
    assert len(await rows(shelf, "counter@1")) == 20
    assert list(await shelf.store.cursors("c_test")) == ["counter@1"]


async def test_a_rebuild_under_load(shelf: Shelf) -> None:
    recording = talk(300)
    await keep(shelf, recording)
    one = projector(shelf, COUNTER)
    one.start()

    async def play() -> None:
        for _ in range(60):
            recording.tell(Narrated("more"))
            await keep(shelf, recording, -1 + len(recording.batches))
            one.nudge("c_test")

    try:
        playing = asyncio.create_task(play())
        for _ in range(4):
            assert await one.rebuild("c_test", "counter") >= 300
        await playing
        assert await one.wait_for("c_test", "counter", 360, 10)
        assert [row.line for row in await rows(shelf, "counter@1")] == list(range(1, 361))
    finally:
        await one.close()


async def test_nothing_to_rebuild() -> None:
    assert await projector(in_memory(), COUNTER).rebuild("c_none", "counter") == 0


async def test_a_restored_log_is_not_read_on_from_a_state_it_never_had() -> None:
    """The cached state belongs to events that the restored log no longer holds."""
    seen: list[int] = []

    def members(_: State, event: Event, after: State) -> Iterable[Row]:
        seen.append(sum(isinstance(leaf, Member) for leaf in after.values()))
        return counted(_, event, after)

    first, second = Recording(), Recording()
    first.tell(MemberJoined("extra", "player"))
    second.tell(Narrated("instead"))
    for recording in (first, second):
        recording.tell(Narrated("and on"))
    shelf = in_memory()
    one = projector(shelf, View("members", 1, members))
    for batch in first.batches[:2]:
        await (shelf.log.create if batch.expected_seq == 0 else shelf.log.append)(batch)
    await one.catch_up("c_test")
    assert seen[-1] == 5
    one._log = restored = MemoryLog()
    await keep(Shelf(restored, shelf.store), second)
    await one.catch_up("c_test")
    assert seen[-1] == 4


async def test_it_begins_at_a_snapshot_where_there_is_one() -> None:
    shelf = in_memory()
    recording = talk(900)
    await keep(shelf, recording)
    await projector(shelf, COUNTER).catch_up("c_test")
    recording.tell(Narrated("more"))
    await keep(shelf, recording, -1 + len(recording.batches))
    at = recording.events[799]
    held = Held("c_test", 1, 800, at.hash, at.at_us, recording.steps[799][2])
    await shelf.log.save_snapshot(Snapshot("c_test", fingerprint.reducers(), 800, at.hash, freeze(held)))
    reads: list[int] = []
    one = projector(shelf, COUNTER)
    one._log = Watched(shelf.log, reads)  # type: ignore[assignment]
    await one.catch_up("c_test")
    assert reads[0] == 800
    assert (await shelf.store.cursors("c_test"))["counter@1"].seq == 901


class Watched:
    """A log that notes where it is read from."""

    def __init__(self, log: Log, reads: list[int]) -> None:
        self._log, self._reads = log, reads

    async def read(self, campaign: str, after: int, limit: int = 1_000) -> object:
        self._reads.append(after)
        return await self._log.read(campaign, after, limit)

    def __getattr__(self, name: str) -> object:
        return getattr(self._log, name)


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
        await until(lambda: _reached(shelf, "c_test", 300))
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


def test_states_are_kept_for_the_campaigns_in_use() -> None:
    kept = Kept(2)
    for n in range(5):
        kept.put(f"c_{n}", Standing(), Standing(n + 1))
    assert len(kept) == 2
    kept.put("c_4", Standing(5), Standing(9))
    kept.put("c_4", Standing(1), Standing(3))
    assert [one.seq if (one := kept.nearest("c_4", seq)) else None for seq in (2, 3, 8, 9, 99)] == [None, 3, 3, 9, 9]
    assert kept.nearest("c_0", 99) is None


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


async def test_the_sweep_goes_round(shelf: Shelf) -> None:
    for n in range(7):
        await keep(shelf, talk(6, f"c_{n}"))
    await projector(shelf, COUNTER).catch_up("c_3")
    found, place, rounds = [], "", 0
    while rounds == 0 or place:
        page, place = await shelf.store.behind(["counter@1"], place, 3)
        found += page
        rounds += 1
    assert found == [f"c_{n}" for n in range(7) if n != 3]
    assert rounds == 3
    assert await shelf.log.head("c_3") == Head("c_3", 1, 6, (await shelf.log.read("c_3", 5))[0].hash)
