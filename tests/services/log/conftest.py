"""The two logs under the same contract."""

import pytest

from services.database import Database
from services.log.memory import MemoryLog
from services.log.migrate import application_role
from services.log.postgres import PostgresLog
from tests.support.databases import in_shape
from tests.support.servers import of_this_machine


@pytest.fixture
async def database(migrated_url):
    """A fresh database in this build's shape, reached under the application's role."""
    found = await Database.connect(migrated_url, size=20, role=await application_role(migrated_url))
    yield found
    await found.close()


EVERY = ["memory", "grouped", "single", *(["machine"] if of_this_machine() else [])]


@pytest.fixture(params=EVERY)
async def log(request):
    """Every log there is; on the Postgres of this machine too, where one is on the path."""
    if request.param == "memory":
        yield MemoryLog()
        return
    machine = request.param == "machine"
    server = request.getfixturevalue("machine_postgres" if machine else "postgres_server")
    async with in_shape(server) as url:
        database = await Database.connect(url, size=20, role=await application_role(url))
        made = PostgresLog(database, "grouped" if machine else request.param)
        yield made
        await made.close()
        await database.close()
