"""The log in Postgres: one function call per command, or one for everything that is queued."""

import asyncio
import secrets
from collections.abc import Mapping

import asyncpg

from events.envelope import Audience, Recorded
from services.database import Database
from services.log import Appended, Batch, Head, LogUnavailable, Snapshot, Strategy
from services.log.grouping import PAUSES, GroupedWriter

_APPEND = "SELECT status, first_seq, last_seq FROM greffier.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)"  # noqa: E501
_READ = (
    "SELECT campaign_id, seq, at_us, type, version, session, command_id, command_index, actor_id, audience,"
    " fingerprint, salt, body, digest, hash"
    " FROM greffier.event WHERE campaign_id = $1 AND seq > $2 ORDER BY seq LIMIT $3"
)


class PostgresLog:
    """`strategy` is how commands of different campaigns reach the store; callers see no difference."""

    def __init__(self, database: Database, strategy: Strategy = "grouped") -> None:
        self._database = database
        self._writer = GroupedWriter(database.connect_one, self._waiting) if strategy == "grouped" else None

    async def close(self) -> None:
        """Store what is queued. The database stays open."""
        if self._writer is not None:
            await self._writer.close()

    async def create(self, batch: Batch) -> Appended:
        return await self._single(batch, create=True)

    async def append(self, batch: Batch) -> Appended:
        if self._writer is not None:
            return await self._writer.append(batch)
        return await self._single(batch, create=False)

    async def _waiting(self, batch: Batch) -> Appended:
        return await self._single(batch, create=False)

    async def _single(self, batch: Batch, *, create: bool) -> Appended:
        events = batch.events
        error: LogUnavailable | None = None
        for pause in PAUSES:
            await asyncio.sleep(pause)
            try:
                async with self._database.connection() as connection:
                    row = await connection.fetchrow(
                        _APPEND,
                        batch.campaign,
                        create,
                        batch.expected_seq,
                        batch.expected_hash,
                        batch.command,
                        batch.fingerprint,
                        [event.seq for event in events],
                        [event.at_us for event in events],
                        [event.type for event in events],
                        [event.version for event in events],
                        [event.session for event in events],
                        [event.actor for event in events],
                        [_written(event.audience) for event in events],
                        [event.salt for event in events],
                        [event.body for event in events],
                        [event.digest for event in events],
                        [event.hash for event in events],
                    )
            except LogUnavailable as lost:
                error = lost
                continue
            assert row is not None
            return Appended(row["status"], row["first_seq"] or 0, row["last_seq"] or 0)
        assert error is not None
        raise error

    async def answer(self, campaign: str, command: str, fingerprint: bytes) -> Appended | None:
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                "SELECT status, first_seq, last_seq FROM greffier.answer($1, $2, $3)", campaign, command, fingerprint
            )
        if row is None or row["status"] is None:
            return None
        return Appended(row["status"], row["first_seq"] or 0, row["last_seq"] or 0)

    async def head(self, campaign: str) -> Head | None:
        if "\0" in campaign:
            return None
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                "SELECT campaign_id, epoch, last_seq, last_hash FROM greffier.head"
                " WHERE campaign_id = $1 AND last_seq > 0",
                campaign,
            )
        return _head(row) if row else None

    async def heads(self, above: Mapping[str, int]) -> list[Head]:
        if not above:
            return []
        async with self._database.connection() as connection:
            rows = await connection.fetch(
                "SELECT h.campaign_id, h.epoch, h.last_seq, h.last_hash FROM greffier.head AS h"
                " JOIN unnest($1::text[], $2::bigint[]) AS known(campaign, seq)"
                " ON h.campaign_id = known.campaign AND h.last_seq > known.seq",
                list(above.keys()),
                list(above.values()),
            )
        return [_head(row) for row in rows]

    async def read(self, campaign: str, after: int, limit: int = 1_000) -> list[Recorded]:
        async with self._database.connection() as connection:
            rows = await connection.fetch(_READ, campaign, after, limit)
        return [_recorded(row) for row in rows]

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        async with self._database.connection() as connection:
            await connection.execute(
                "INSERT INTO greffier.snapshot (campaign_id, reducer, seq, event_hash, state)"
                " VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING",
                snapshot.campaign,
                snapshot.reducer,
                snapshot.seq,
                snapshot.hash,
                snapshot.state,
            )

    async def load_snapshot(self, campaign: str, reducer: str, at: int | None = None) -> Snapshot | None:
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                "SELECT campaign_id, reducer, seq, event_hash, state FROM greffier.snapshot"
                " WHERE campaign_id = $1 AND reducer = $2"
                " AND ($3::bigint IS NULL OR seq <= $3) ORDER BY seq DESC LIMIT 1",
                campaign,
                reducer,
                at,
            )
        if row is None:
            return None
        return Snapshot(row["campaign_id"], row["reducer"], row["seq"], row["event_hash"], row["state"])

    async def delete_snapshots(self, campaign: str) -> int:
        async with self._database.connection() as connection:
            done: str = await connection.execute("DELETE FROM greffier.snapshot WHERE campaign_id = $1", campaign)
        return int(done.rpartition(" ")[2])

    async def keep_seed(self, campaign: str, commitment: str, seed: bytes) -> None:
        async with self._database.connection() as connection:
            await connection.execute(
                "INSERT INTO greffier.dice_seed (campaign_id, commitment, seed) VALUES ($1, $2, $3)"
                " ON CONFLICT DO NOTHING",
                campaign,
                commitment,
                seed,
            )

    async def seed(self, campaign: str, commitment: str) -> bytes | None:
        async with self._database.connection() as connection:
            found: bytes | None = await connection.fetchval(
                "SELECT seed FROM greffier.dice_seed WHERE campaign_id = $1 AND commitment = $2", campaign, commitment
            )
        return found

    async def secret(self, campaign: str) -> bytes:
        async with self._database.connection() as connection:
            await connection.execute(
                "INSERT INTO greffier.campaign_secret (campaign_id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING",
                campaign,
                secrets.token_bytes(32),
            )
            found: bytes = await connection.fetchval(
                "SELECT secret FROM greffier.campaign_secret WHERE campaign_id = $1", campaign
            )
        return found


def _written(audience: Audience) -> str:
    return audience if isinstance(audience, str) else " ".join(audience)


def _head(row: asyncpg.Record) -> Head:
    return Head(row["campaign_id"], row["epoch"], row["last_seq"], row["last_hash"])


def _recorded(row: asyncpg.Record) -> Recorded:
    (campaign, seq, at_us, kind, version, session, command, index, actor, audience, *rest) = row
    seen: Audience = "table" if audience == ["table"] else tuple(audience)
    return Recorded(campaign, seq, at_us, kind, version, session, command, index, actor, seen, *rest)
