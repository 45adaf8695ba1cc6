"""A log and a store of views, in memory and in Postgres, under the same contract."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from msgspec import Struct

from services.database import Database
from services.log import Log
from services.log.memory import MemoryLog
from services.log.migrate import application_role
from services.log.postgres import PostgresLog
from services.views.memory import MemoryViews
from services.views.postgres import PostgresViews
from services.views.store import ViewStore
from tests.support.databases import in_shape


class Shelf(Struct):
    """A log with its views beside it."""

    log: Log
    store: ViewStore


def in_memory() -> Shelf:
    log = MemoryLog()
    return Shelf(log, MemoryViews(lambda: {name: head.seq for name, head in log._heads.items()}))


@asynccontextmanager
async def in_postgres(server: str) -> AsyncIterator[Shelf]:
    async with in_shape(server) as url:
        database = await Database.connect(url, size=10, role=await application_role(url))
        log = PostgresLog(database)
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
