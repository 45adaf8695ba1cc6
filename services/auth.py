"""Tokens, invites and names: what stands beside the log.

Secrets are 256-bit, shown once and stored as hashes. Personal names live here and nowhere in events, so that they
can be erased.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

import asyncpg
from msgspec import Struct

from services import ids
from services.database import Database
from services.seat import Seat

Kind = Literal["token", "invite", "ticket"]
PREFIX: dict[Kind, str] = {"token": "gt", "invite": "gi", "ticket": "gk"}
TICKET_US = 60_000_000
_COLUMNS = "campaign_id, hash, kind, subject, scopes, name, expires_us"
MOST_TOKENS = 200
"""Per campaign and member."""


class Credential(Struct, frozen=True):
    """What a secret stands for: a member (`token`, `ticket`) or an invite of the campaign."""

    campaign: str
    kind: Kind
    subject: str
    scopes: tuple[str, ...]
    name: str
    expires_us: int
    id: str


class Registry:
    """Every call may raise `LogUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def issue(
        self,
        kind: Kind,
        campaign: str,
        subject: str,
        now_us: int,
        *,
        scopes: tuple[str, ...] = (),
        name: str = "",
        expires_us: int = 0,
    ) -> str:
        """A new secret for `subject`. It cannot be read again."""
        secret = ids.new_token(PREFIX[kind], campaign)
        async with self._database.connection() as connection:
            await connection.execute(
                "INSERT INTO greffier.credential"
                " (campaign_id, hash, kind, subject, scopes, name, expires_us, created_us)"
                " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                campaign,
                ids.hashed(secret),
                kind,
                subject,
                list(scopes),
                name,
                expires_us,
                now_us,
            )
        return secret

    async def find(self, kind: Kind, secret: str, now_us: int) -> Credential | None:
        """What this secret stands for, unless it is unknown, revoked or expired."""
        campaign = ids.campaign_of(secret)
        if campaign is None or "\0" in campaign:
            return None
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                f"SELECT {_COLUMNS} FROM greffier.credential"
                " WHERE campaign_id = $1 AND hash = $2 AND kind = $3 AND NOT revoked"
                " AND (expires_us = 0 OR expires_us > $4)",
                campaign,
                ids.hashed(secret),
                kind,
                now_us,
            )
        return _credential(row) if row else None

    async def redeem(self, secret: str, now_us: int) -> Credential | None:
        """A ticket, which this call uses up."""
        campaign = ids.campaign_of(secret)
        if campaign is None or "\0" in campaign:
            return None
        async with self._database.connection() as connection:
            row = await connection.fetchrow(
                "UPDATE greffier.credential SET revoked = true WHERE campaign_id = $1 AND hash = $2"
                " AND kind = 'ticket' AND NOT revoked AND expires_us > $3 RETURNING " + _COLUMNS,
                campaign,
                ids.hashed(secret),
                now_us,
            )
        return _credential(row) if row else None

    async def listed(self, campaign: str, member: str) -> list[Credential]:
        """The narrower tokens of a member that still hold, oldest first."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(
                f"SELECT {_COLUMNS} FROM greffier.credential WHERE campaign_id = $1 AND subject = $2 AND kind = 'token'"
                " AND NOT revoked AND cardinality(scopes) > 0 ORDER BY created_us LIMIT $3",
                campaign,
                member,
                MOST_TOKENS,
            )
        return [_credential(row) for row in rows]

    async def holds(self, seat: Seat, now_us: int) -> bool:
        """Whether the token behind a seat still holds."""
        return bool(await self.holding([seat], now_us))

    async def holding(self, seats: Sequence[Seat], now_us: int) -> list[Seat]:
        """Those of the seats whose tokens still hold."""
        if not seats:
            return []
        async with self._database.connection() as connection:
            rows = await connection.fetch(
                "SELECT asked.n FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked(campaign, token, n)"
                " WHERE EXISTS (SELECT 1 FROM greffier.credential AS c WHERE c.campaign_id = asked.campaign"
                " AND c.kind = 'token' AND NOT c.revoked AND (c.expires_us = 0 OR c.expires_us > $3)"
                " AND left(encode(c.hash, 'hex'), 16) = asked.token)",
                [seat.campaign for seat in seats],
                [seat.token for seat in seats],
                now_us,
            )
        return [seats[row["n"] - 1] for row in rows]

    async def revoke(self, campaign: str, member: str, token_id: str) -> bool:
        """End one of a member's tokens by its id."""
        async with self._database.connection() as connection:
            done = await connection.execute(
                "UPDATE greffier.credential SET revoked = true WHERE campaign_id = $1 AND subject = $2"
                " AND kind = 'token' AND encode(hash, 'hex') LIKE $3 || '%' AND NOT revoked",
                campaign,
                member,
                token_id,
            )
        return str(done) != "UPDATE 0"

    async def call(self, campaign: str, member: str, name: str, now_us: int) -> None:
        """Give a member a name, or another one."""
        async with self._database.connection() as connection:
            await connection.execute(
                "INSERT INTO greffier.member (campaign_id, member_id, name, created_us) VALUES ($1, $2, $3, $4)"
                " ON CONFLICT (campaign_id, member_id) DO UPDATE SET name = excluded.name",
                campaign,
                member,
                name,
                now_us,
            )

    async def names(self, campaign: str) -> Mapping[str, str]:
        """Member ids to names, as far as they are known."""
        async with self._database.connection() as connection:
            rows = await connection.fetch(
                "SELECT member_id, name FROM greffier.member WHERE campaign_id = $1", campaign
            )
        return {row["member_id"]: row["name"] for row in rows}


def _credential(row: asyncpg.Record) -> Credential:
    return Credential(
        row["campaign_id"],
        row["kind"],
        row["subject"],
        tuple(row["scopes"] or ()),
        row["name"],
        row["expires_us"],
        bytes(row["hash"]).hex()[:16],
    )
