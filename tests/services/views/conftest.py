"""A log and a store of views, in memory and in Postgres, under the same contract."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from services.database import Database
from services.log.migrate import application_role
from services.log.postgres import PostgresLog
from services.views.postgres import PostgresViews
from tests.support.databases import in_shape
from tests.support.projecting import Shelf, in_memory


@asynccontextmanager
async def in_postgres(server: str, connections: int = 10) -> AsyncIterator[Shelf]:
    async with in_shape(server) as url:
        database = await Database.connect(url, size=connections, role=await application_role(url))
        log = PostgresLog(database, "single")
        yield Shelf(log, PostgresViews(database))
        await log.close()
        await database.close()


@pytest.fixture
async def postgres_shelf(postgres_server: str) -> AsyncIterator[Shelf]:
    async with in_postgres(postgres_server) as made:
        yield made


@pytest.fixture(params=["memory", "postgres"])
async def shelf(request: pytest.FixtureRequest, postgres_server: str) -> AsyncIterator[Shelf]:
    """Every shelf there is."""
    if request.param == "memory":
        yield in_memory()
        return
    async with in_postgres(postgres_server) as made:
        yield made
