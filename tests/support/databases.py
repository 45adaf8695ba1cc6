"""Fresh databases in this build's shape."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from services.log.migrate import known, migrate
from tests.support.servers import drop_database, fresh_database, template_database


async def _migrated(url: str) -> None:
    await migrate(url)


@asynccontextmanager
async def in_shape(server: str) -> AsyncIterator[str]:
    """The URL of a fresh database in this build's shape, dropped afterwards."""
    shape = "".join(one.checksum[:8] for one in known())
    template = await template_database(server, f"greffier_shape_{shape}"[:60], _migrated)
    url = await fresh_database(server, template)
    yield url
    await drop_database(server, url)


@pytest.fixture
async def migrated_url(postgres_server: str) -> AsyncIterator[str]:
    """The URL of a fresh database in this build's shape."""
    async with in_shape(postgres_server) as url:
        yield url
