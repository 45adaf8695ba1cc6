"""Views kept in Postgres, beside the log."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from events.envelope import TABLE, Audience
from projections.view import patched
from projections.visibility import Viewer, may_see, principals
from services.database import Database
from services.sql import statements
from services.views.store import MOST, Change, Cursor, Stored, Write, coalesced

_SQL = statements("services.views", "queries.sql")
_EVERYBODY = "*"
"""Stands for the whole table in a row's audience: no member has this id."""
_FIRST, _LAST = -(2**63), 2**63 - 1

Connection: TypeAlias = "PoolConnectionProxy[asyncpg.Record]"


class PostgresViews:
    """Shares the log's database: the sweep compares the heads of the log with the cursors."""

    def __init__(self, database: Database) -> None:
        self._connection = database.connection

    async def write(self, campaign: str, writes: Sequence[Write], now_us: int) -> set[str]:
        async with self._connection() as connection, connection.transaction():
            new = [write.projection for write in writes if write.expected == 0]
            if new:
                await connection.execute(_SQL["begin"], campaign, new, now_us)
            locked = await connection.fetch(_SQL["lock"], campaign, [write.projection for write in writes])
            stands = {row["projection"]: row["seq"] for row in locked}
            due = [write for write in writes if stands.get(write.projection) == write.expected]
            if due:
                rows = [(write.projection, change) for write in due for change in coalesced(write.changes)]
                await self._change(connection, campaign, rows)
                await connection.execute(
                    _SQL["move"],
                    campaign,
                    [write.projection for write in due],
                    [write.reached for write in due],
                    [write.error for write in due],
                    now_us,
                )
        return {write.projection for write in due}

    async def cursors(self, campaign: str) -> dict[str, Cursor]:
        async with self._connection() as connection:
            found = await connection.fetch(_SQL["cursors"], campaign)
        return {row["projection"]: Cursor(*row) for row in found}

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
        async with self._connection() as connection:
            found = await connection.fetch(
                _SQL["read_back" if newest_first else "read"],
                campaign,
                projection,
                key,
                _FIRST if after is None else after,
                _LAST if before is None else before,
                _principals(who),
                min(limit, MOST),
            )
        return _seen(who, found)

    async def changed(
        self, campaign: str, projection: str, who: Viewer, after_seq: int, key: str | None = None, limit: int = MOST
    ) -> list[Stored]:
        async with self._connection() as connection:
            found = await connection.fetch(
                _SQL["changed"], campaign, projection, after_seq, key, _principals(who), min(limit, MOST)
            )
        return _seen(who, found)

    async def behind(self, projections: Sequence[str], after: str = "", limit: int = 200) -> tuple[list[str], str]:
        async with self._connection() as connection:
            page = await connection.fetch(_SQL["behind"], list(projections), after, limit)
        found = [row["campaign_id"] for row in page if row["behind"]]
        return found, page[-1]["campaign_id"] if len(page) == limit else ""

    async def reset(self, campaign: str, projection: str) -> None:
        async with self._connection() as connection, connection.transaction():
            await connection.fetch(_SQL["lock"], campaign, [projection])
            await connection.execute(_SQL["forget_rows"], campaign, projection)
            await connection.execute(_SQL["forget_cursor"], campaign, projection)

    async def swap(self, campaign: str, staged: str, projection: str, now_us: int) -> bool:
        async with self._connection() as connection, connection.transaction():
            await connection.execute(_SQL["begin"], campaign, [projection], now_us)
            locked = await connection.fetch(_SQL["lock"], campaign, [staged, projection])
            stands = {row["projection"]: row["seq"] for row in locked}
            if stands.get(staged, -1) < stands[projection]:
                return False
            await connection.execute(_SQL["forget_rows"], campaign, projection)
            await connection.execute(_SQL["rename_rows"], campaign, staged, projection)
            await connection.execute(_SQL["forget_cursor"], campaign, staged)
            await connection.execute(_SQL["move"], campaign, [projection], [stands[staged]], [""], now_us)
        return True

    async def _change(self, connection: Connection, campaign: str, rows: list[tuple[str, Change]]) -> None:
        gone = [(view, change) for view, change in rows if change.doc is None]
        if gone:
            await connection.execute(_SQL["remove"], campaign, *_places(gone))
        patches = [(view, change) for view, change in rows if change.doc is not None and change.patch]
        known: dict[tuple[str, str, int], bytes] = {}
        if patches:
            docs = await connection.fetch(_SQL["docs"], campaign, *_places(patches))
            known = {(row["view"], row["key"], row["line"]): row["doc"] for row in docs}
        put: list[tuple[str, Change]] = []
        written: list[bytes] = []
        for view, change in rows:
            if change.doc is None:
                continue
            there = known.get((view, change.key, change.line))
            if not change.patch or there is not None:
                put.append((view, change))
                written.append(patched(there, change.doc) if change.patch and there is not None else change.doc)
        if put:
            seqs = [change.seq for _, change in put]
            audiences = [_stored(change.audience) for _, change in put]
            await connection.execute(_SQL["put"], campaign, *_places(put), seqs, audiences, written)


def _places(rows: list[tuple[str, Change]]) -> tuple[list[str], list[str], list[int]]:
    return [view for view, _ in rows], [change.key for _, change in rows], [change.line for _, change in rows]


def _stored(audience: Audience) -> str:
    return _EVERYBODY if audience == TABLE else " ".join(audience)


def _principals(who: Viewer) -> list[str]:
    return [_EVERYBODY, *principals(who)]


def _seen(who: Viewer, found: list[Any]) -> list[Stored]:
    rows = []
    for row in found:
        audience: Audience = TABLE if _EVERYBODY in row["audience"] else tuple(row["audience"])
        if may_see(who, audience):
            rows.append(Stored(row["key"], row["line"], row["seq"], audience, row["doc"]))
    return rows
