"""The two logs under the same contract."""

import pytest

from services.database import Database
from services.log.memory import MemoryLog
from services.log.migrate import application_role
from services.log.postgres import PostgresLog
from tests.support.databases import in_shape


@pytest.fixture
async def database(migrated_url):
    """A fresh database in this build's shape, reached under the application's role."""
    found = await Database.connect(migrated_url, size=20, role=await application_role(migrated_url))
    yield found
    await found.close()


@pytest.fixture(params=["memory", "grouped", "single"])
async def log(request, postgres_server):
    """Every log there is."""
    if request.param == "memory":
        yield MemoryLog()
        return
    async with in_shape(postgres_server) as url:
        database = await Database.connect(url, size=20, role=await application_role(url))
        made = PostgresLog(database, request.param)
        yield made
        await made.close()
        await database.close()
