"""Rows and cursors change together, once, and are read by whom they are meant for."""

import asyncio

import pytest

from events.envelope import GM, TABLE, Audience
from projections.visibility import Viewer
from services.views.store import Change, Cursor, Stored, ViewStore, Write, coalesced, serving
from tests.support.projecting import Shelf

MO, ANA, BO = Viewer("m_mo", "gm"), Viewer("m_ana", "player"), Viewer("m_bo", "player")


@pytest.fixture
def store(shelf: Shelf) -> ViewStore:
    return shelf.store


def put(
    line: int, doc: bytes | None = b"{}", audience: Audience = TABLE, key: str = "all", patch: bool = False
) -> Change:
    return Change(key, line, line, audience, doc, patch)


async def write(store: ViewStore, expected: int, reached: int, *changes: Change, view: str = "v@1") -> bool:
    return view in await store.write("c", [Write(view, expected, reached, changes)], 7)


async def lines(store: ViewStore, who: Viewer = MO, **more: object) -> list[int]:
    return [row.line for row in await store.read("c", "v@1", "all", who, **more)]  # type: ignore[arg-type]


async def test_rows_and_cursor_go_on_together(store: ViewStore) -> None:
    assert await write(store, 0, 3, put(1), put(2), put(3))
    assert await lines(store) == [1, 2, 3]
    assert await store.cursors("c") == {"v@1": Cursor("v@1", 3, "live", "", 7)}


async def test_a_step_from_anywhere_else_leaves_no_trace(store: ViewStore) -> None:
    assert await write(store, 0, 3, put(1))
    for expected in (0, 2, 4):
        assert not await write(store, expected, 9, put(5))
    assert await lines(store) == [1]
    assert (await store.cursors("c"))["v@1"].seq == 3


async def test_a_step_that_is_late_does_not_hold_up_the_others(store: ViewStore) -> None:
    assert await write(store, 0, 3)
    done = await store.write("c", [Write("v@1", 0, 3, [put(1)]), Write("w@1", 0, 3, [put(1)])], 7)
    assert done == {"w@1"}
    assert await lines(store) == []


async def test_of_many_racing_steps_one_is_done(store: ViewStore) -> None:
    for start in range(5):
        done = await asyncio.gather(*(write(store, start, start + 1, put(start, b'{"by":%d}' % n)) for n in range(8)))
        assert sum(done) == 1
    assert await lines(store) == [0, 1, 2, 3, 4]


async def test_a_row_is_overwritten_patched_and_taken_away(store: ViewStore) -> None:
    await write(store, 0, 1, put(1, b'{"a":1,"b":1}'), put(2, b'{"a":1}'), put(3))
    await write(
        store, 1, 2, put(1, b'{"b":2}', patch=True), put(2, b'{"a":2}'), put(3, None), put(4, b"{}", patch=True)
    )
    assert [(row.line, row.doc) for row in await store.read("c", "v@1", "all", MO)] == [
        (1, b'{"a":1,"b":2}'),
        (2, b'{"a":2}'),
    ]


async def test_one_step_may_change_a_row_many_times(store: ViewStore) -> None:
    patch = b'{"n":%d}'
    await write(
        store, 0, 1, put(1, b'{"n":0}'), *(put(1, patch % n, patch=True) for n in range(1, 5)), put(2), put(2, None)
    )
    assert [row.doc for row in await store.read("c", "v@1", "all", MO)] == [b'{"n":4}']


async def test_everybody_reads_their_own(store: ViewStore) -> None:
    await write(
        store, 0, 1, put(1), put(2, audience=GM), put(3, audience=("gm", "m_ana")), put(4, audience=("m_ana", "m_bo"))
    )
    assert await lines(store, MO) == [1, 2, 3]
    assert await lines(store, ANA) == [1, 3, 4]
    assert await lines(store, BO) == [1, 4]
    assert await lines(store, Viewer("table", "player")) == [1]
    row = (await store.read("c", "v@1", "all", ANA, after=2, limit=1))[0]
    assert row == Stored("all", 3, 3, ("gm", "m_ana"), b"{}")


async def test_a_row_that_is_hidden_is_gone_for_whom_it_is_hidden_from(store: ViewStore) -> None:
    await write(store, 0, 1, put(1))
    await write(store, 1, 2, put(1, audience=GM))
    assert (await lines(store, MO), await lines(store, ANA)) == ([1], [])


async def test_pages(store: ViewStore) -> None:
    await write(store, 0, 9, *(put(n, audience=GM if n % 3 == 0 else TABLE) for n in range(-1, 10)))
    assert await lines(store, after=2, limit=3) == [3, 4, 5]
    assert await lines(store, ANA, after=2, limit=3) == [4, 5, 7]
    assert await lines(store, before=5, limit=2, newest_first=True) == [4, 3]
    assert await lines(store, after=2, before=5) == [3, 4]
    assert await lines(store) == list(range(-1, 10))


async def test_what_changed_since(store: ViewStore) -> None:
    await write(store, 0, 3, put(1), put(2, key="bonk"), put(3, key="bonk", audience=GM))
    assert [(row.key, row.seq) for row in await store.changed("c", "v@1", MO, 1)] == [("bonk", 2), ("bonk", 3)]
    assert [row.seq for row in await store.changed("c", "v@1", ANA, 0)] == [1, 2]
    assert [row.seq for row in await store.changed("c", "v@1", MO, 0, "all")] == [1]
    assert len(await store.changed("c", "v@1", MO, 0, limit=2)) == 2


async def test_parking_and_going_on(store: ViewStore) -> None:
    await store.write("c", [Write("v@1", 0, 2, [put(1)], "event 3: broken")], 7)
    assert (await store.cursors("c"))["v@1"] == Cursor("v@1", 2, "parked", "event 3: broken", 7)
    await write(store, 2, 3)
    assert (await store.cursors("c"))["v@1"] == Cursor("v@1", 3, "live", "", 7)


async def test_reset_forgets_one_projection_of_one_campaign(store: ViewStore) -> None:
    await write(store, 0, 1, put(1))
    await write(store, 0, 1, put(1), view="w@1")
    await store.write("d", [Write("v@1", 0, 1, [put(1)])], 7)
    await store.reset("c", "v@1")
    assert await lines(store) == []
    assert list(await store.cursors("c")) == ["w@1"]
    assert await store.read("d", "v@1", "all", MO)


async def test_staged_rows_take_the_place_of_the_old_ones(store: ViewStore) -> None:
    await write(store, 0, 5, put(1), put(2))
    await write(store, 0, 4, put(1, b'{"new":1}'), view="v@1~")
    assert not await store.swap("c", "v@1~", "v@1", 8)
    await write(store, 4, 5, put(3, b'{"new":3}'), view="v@1~")
    assert await store.swap("c", "v@1~", "v@1", 8)
    assert [(row.line, row.doc) for row in await store.read("c", "v@1", "all", MO)] == [
        (1, b'{"new":1}'),
        (3, b'{"new":3}'),
    ]
    assert await store.cursors("c") == {"v@1": Cursor("v@1", 5, "live", "", 8)}


def test_changes_of_one_row_come_to_one() -> None:
    assert coalesced([put(1, b'{"a":1}'), put(1, b'{"b":1}', patch=True)]) == [put(1, b'{"a":1,"b":1}')]
    assert coalesced([put(1, b'{"a":1}', patch=True), put(1, b'{"b":1}', patch=True)]) == [
        put(1, b'{"a":1,"b":1}', patch=True)
    ]
    assert coalesced([put(1, None), put(1, b'{"b":1}', patch=True)]) == [put(1, None)]
    assert coalesced([put(1, b'{"b":1}', patch=True), put(1, b"{}")]) == [put(1, b"{}")]


def test_the_newest_version_serves_once_it_has_caught_up() -> None:
    cursors = {name: Cursor(name, seq) for name, seq in (("v@1", 9), ("v@2", 4), ("v@2~", 99), ("v@10", 99))}
    assert serving(cursors, "v", 2) == "v@1"
    assert serving(cursors | {"v@2": Cursor("v@2", 9)}, "v", 2) == "v@2"
    assert serving({}, "v", 2) == "v@2"
