"""The two logs under the same contract."""

import pytest

from services.database import Database
from services.log.memory import MemoryLog
from services.log.migrate import application_role
from services.log.postgres import PostgresLog
from tests.support.databases import in_shape
from tests.support.servers import INSTALLED_POSTGRES


@pytest.fixture
async def database(migrated_url):
    """A fresh database in this build's shape, reached under the application's role."""
    found = await Database.connect(migrated_url, size=20, role=await application_role(migrated_url))
    yield found
    await found.close()


@pytest.fixture(params=["memory", "grouped", "single", *INSTALLED_POSTGRES])
async def log(request):
    """Every log there is, and the Postgres that is installed on this machine."""
    if request.param == "memory":
        yield MemoryLog()
        return
    installed = request.param in INSTALLED_POSTGRES
    server = request.getfixturevalue(request.param if installed else "postgres_server")
    async with in_shape(server) as url:
        database = await Database.connect(url, size=20, role=await application_role(url))
        made = PostgresLog(database, "grouped" if installed else request.param)
        yield made
        await made.close()
        await database.close()
