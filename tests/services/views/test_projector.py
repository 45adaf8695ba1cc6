"""The views follow the log exactly once, whoever races and whatever dies on the way."""

import asyncio
import random
from collections.abc import Iterable

from domain.kernel.fold import State
from domain.kernel.members import Member
from events.envelope import TABLE
from events.table import MemberJoined, Narrated
from projections.contents import VIEWS
from projections.view import Event, Row, View, encode
from services import fingerprint
from services.log import Head, Log, Snapshot
from services.log.memory import MemoryLog
from services.states import Held, freeze
from services.views.kept import Kept
from services.views.stepping import Standing
from tests.services.views.conftest import in_postgres
from tests.support.projecting import (
    COUNTER,
    Shelf,
    all_rows,
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
from tests.support.wandering import Wanderer


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
            await until(lambda n=n: reached(shelf, f"c_{n}", 8))  # type: ignore[misc]
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


def test_states_are_kept_for_the_campaigns_in_use() -> None:
    kept = Kept(2)
    for n in range(5):
        kept.put(f"c_{n}", Standing(), Standing(n + 1))
    assert len(kept) == 2
    kept.put("c_4", Standing(5), Standing(9))
    kept.put("c_4", Standing(1), Standing(3))
    assert [one.seq if (one := kept.nearest("c_4", seq)) else None for seq in (2, 3, 8, 9, 99)] == [None, 3, 3, 9, 9]
    assert kept.nearest("c_0", 99) is None


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


async def test_one_connection_is_enough(postgres_server: str) -> None:
    async with in_postgres(postgres_server, connections=1) as shelf:
        recordings = [talk(250, f"c_{n}") for n in range(3)]
        for recording in recordings:
            await keep(shelf, recording)
        one = projector(shelf)
        one.start()
        try:
            waiting = [one.wait_for(f"c_{n}", view, 250, 20) for n in range(3) for view in VIEWS]
            assert all(await asyncio.gather(*waiting, one.rebuild("c_0", "journal"))) is True
        finally:
            await one.close()
