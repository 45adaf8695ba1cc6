"""Connections to Postgres: a bounded pool whose every wait ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg
from asyncpg.pool import PoolConnectionProxy

from services.log import LogUnavailable

LOST = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # raised when a session ends while it is being handed back
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
)
"""The server is gone, restarting, or ended the session: whether it carried out what was asked is unknown."""
UNREACHED = (OSError, TimeoutError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""What connecting may end with: nobody there, no such database, a wrong password, an address that is none."""
WAIT = 5.0
"""Seconds to wait for a connection before the answer is 503."""


def unreached(url: str, error: Exception) -> LogUnavailable:
    """The sentence for whoever started the program; it keeps the password to itself."""
    where = url.partition("://")[2].rpartition("@")[2]
    return LogUnavailable(f"Postgres cannot be reached at {where}: {str(error).rstrip('.') or 'no answer in time'}.")


class Database:
    """A pool of connections under the application's role."""

    def __init__(self, pool: asyncpg.Pool, url: str, settings: dict[str, str]) -> None:
        self.pool, self._url, self._settings = pool, url, settings

    @classmethod
    async def connect(cls, url: str, *, size: int = 10, role: str | None = None) -> "Database":
        """Raises `LogUnavailable` when the server cannot be reached."""
        settings = {"application_name": "greffier", **({"role": role} if role else {})}
        try:
            pool = await asyncpg.create_pool(
                url, min_size=1, max_size=size, command_timeout=30, timeout=WAIT, server_settings=settings
            )
        except UNREACHED as error:
            raise unreached(url, error) from error
        return cls(pool, url, settings)

    async def connect_one(self) -> asyncpg.Connection:
        """A connection of its own, for whoever holds it for long."""
        return await asyncpg.connect(self._url, timeout=WAIT, command_timeout=30, server_settings=self._settings)

    @asynccontextmanager
    async def connection(self) -> AsyncIterator["PoolConnectionProxy[asyncpg.Record]"]:
        """A connection for one use. Raises `LogUnavailable` when none is free in time, or the server is gone."""
        try:
            async with self.pool.acquire(timeout=WAIT) as connection:
                yield connection
        except LOST as error:
            raise LogUnavailable(f"Postgres did not answer: {error!r}") from error

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self.pool.close(), 5)
        except TimeoutError:
            self.pool.terminate()
