"""A view is filled anew, or in a new version, beside the rows that are being read."""

import asyncio

import pytest

from events.table import Narrated
from projections.contents import VIEWS
from projections.view import View
from services.views.projector import RebuildFailed
from tests.support.projecting import (
    COUNTER,
    Shelf,
    counted,
    in_memory,
    keep,
    projector,
    rows,
    talk,
)


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
