"""Views kept in memory."""

import asyncio
from collections.abc import Callable, Mapping, Sequence

from projections.view import patched
from projections.visibility import Viewer, may_see
from services.views.store import MOST, Change, Cursor, Stored, Write, coalesced

_Rows = dict[tuple[str, int], Stored]


class MemoryViews:
    """Everything is lost with the process. `heads` answers how far each campaign's log goes."""

    def __init__(self, heads: Callable[[], Mapping[str, int]]) -> None:
        self._heads = heads
        self._rows: dict[tuple[str, str], _Rows] = {}
        self._cursors: dict[str, dict[str, Cursor]] = {}

    async def write(self, campaign: str, writes: Sequence[Write], now_us: int) -> set[str]:
        await asyncio.sleep(0)
        cursors = self._cursors.setdefault(campaign, {})
        done = set()
        for write in writes:
            cursor = cursors.get(write.projection) or Cursor(write.projection)
            if cursor.seq != write.expected:
                continue
            rows = self._rows.setdefault((campaign, write.projection), {})
            for change in coalesced(write.changes):
                _apply(rows, change)
            cursors[write.projection] = Cursor(
                write.projection, write.reached, "parked" if write.error else "live", write.error, now_us
            )
            done.add(write.projection)
        return done

    async def cursors(self, campaign: str) -> dict[str, Cursor]:
        await asyncio.sleep(0)
        return dict(self._cursors.get(campaign, {}))

    async def read(
        self,
        campaign: str,
        projection: str,
        key: str,
        who: Viewer,
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = MOST,
        newest_first: bool = False,
    ) -> list[Stored]:
        await asyncio.sleep(0)
        rows = [
            row
            for row in self._rows.get((campaign, projection), {}).values()
            if row.key == key
            and may_see(who, row.audience)
            and (after is None or row.line > after)
            and (before is None or row.line < before)
        ]
        rows.sort(key=lambda row: row.line, reverse=newest_first)
        return rows[: min(limit, MOST)]

    async def changed(
        self, campaign: str, projection: str, who: Viewer, after_seq: int, key: str | None = None, limit: int = MOST
    ) -> list[Stored]:
        await asyncio.sleep(0)
        rows = [
            row
            for row in self._rows.get((campaign, projection), {}).values()
            if row.seq > after_seq and key in (None, row.key) and may_see(who, row.audience)
        ]
        rows.sort(key=lambda row: (row.seq, row.key, row.line))
        return rows[: min(limit, MOST)]

    async def behind(self, projections: Sequence[str], after: str = "", limit: int = 200) -> tuple[list[str], str]:
        await asyncio.sleep(0)
        heads = self._heads()
        page = sorted(campaign for campaign in heads if campaign > after)[:limit]
        found = [
            campaign
            for campaign in page
            if any(self._seq(campaign, projection) < heads[campaign] for projection in projections)
        ]
        return found, page[-1] if len(page) == limit else ""

    async def reset(self, campaign: str, projection: str) -> None:
        await asyncio.sleep(0)
        self._rows.pop((campaign, projection), None)
        self._cursors.get(campaign, {}).pop(projection, None)

    async def swap(self, campaign: str, staged: str, projection: str, now_us: int) -> bool:
        await asyncio.sleep(0)
        cursors = self._cursors.get(campaign, {})
        if staged not in cursors or cursors[staged].seq < self._seq(campaign, projection):
            return False
        self._rows[campaign, projection] = self._rows.pop((campaign, staged), {})
        cursors[projection] = Cursor(projection, cursors.pop(staged).seq, updated_us=now_us)
        return True

    def _seq(self, campaign: str, projection: str) -> int:
        cursor = self._cursors.get(campaign, {}).get(projection)
        return cursor.seq if cursor else 0


def _apply(rows: _Rows, change: Change) -> None:
    place = change.key, change.line
    doc = change.doc
    if doc is None:
        rows.pop(place, None)
        return
    if change.patch:
        if place not in rows:
            return
        doc = patched(rows[place].doc, doc)
    rows[place] = Stored(change.key, change.line, change.seq, change.audience, doc)
