"""What only a real Postgres can show: roles, guards, migrations, lost connections."""

import asyncio
from urllib.parse import urlsplit

import asyncpg
import pytest

from services.database import Database
from services.log import LogUnavailable
from services.log.migrate import MigrationError, application_role, known, migrate
from services.log.postgres import PostgresLog
from tests.support.batches import Writer


@pytest.fixture
async def pglog(database):
    log = PostgresLog(database)
    yield log
    await log.close()


@pytest.fixture
async def written(pglog):
    one = Writer()
    batch = one.batch("open", 3)
    await pglog.create(batch)
    one.went_on(batch)
    return one


STATEMENTS = {
    "insert": "INSERT INTO greffier.event SELECT * FROM greffier.event",
    "update": "UPDATE greffier.event SET type = 'x'",
    "delete": "DELETE FROM greffier.event",
    "truncate": "TRUNCATE greffier.event",
    "head": "UPDATE greffier.head SET last_seq = 0",
    "no head": "DELETE FROM greffier.head",
    "seed": "UPDATE greffier.dice_seed SET seed = ''",
    "secret": "DELETE FROM greffier.campaign_secret",
    "drop": "DROP TABLE greffier.event",
    "trigger": "ALTER TABLE greffier.event DISABLE TRIGGER ALL",
    "function": "CREATE FUNCTION greffier.answer(integer) RETURNS integer LANGUAGE sql AS 'SELECT 1'",
}


@pytest.mark.parametrize("statement", STATEMENTS)
async def test_the_application_cannot_touch_history(database, written, statement):
    async with database.connection() as connection:
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute(STATEMENTS[statement])


@pytest.mark.parametrize("statement", ["update", "delete", "truncate", "no head"])
async def test_the_owner_does_not_change_history_by_mistake_either(migrated_url, written, statement):
    owner = await asyncpg.connect(migrated_url)
    try:
        with pytest.raises(asyncpg.InsufficientPrivilegeError, match="stays as it happened"):
            await owner.execute(STATEMENTS[statement])
    finally:
        await owner.close()


async def test_migrating_twice_changes_nothing(migrated_url):
    assert await migrate(migrated_url) == []


async def test_many_programs_migrate_at_once(database_url):
    applied = await asyncio.gather(*(migrate(database_url) for _ in range(6)))
    assert sorted(name for one in applied for name in one) == [f"{m.number:04}_{m.name}" for m in known()]


async def test_a_database_of_a_newer_build_is_refused_by_name(migrated_url):
    owner = await asyncpg.connect(migrated_url)
    await owner.execute("INSERT INTO greffier.migration VALUES (9999, 'future', '')")
    await owner.close()
    with pytest.raises(MigrationError, match="newer build"):
        await migrate(migrated_url)


async def test_a_migration_with_other_contents_is_refused(migrated_url):
    owner = await asyncpg.connect(migrated_url)
    await owner.execute("UPDATE greffier.migration SET checksum = 'x' WHERE number = 1")
    await owner.close()
    with pytest.raises(MigrationError, match="another build"):
        await migrate(migrated_url)


async def _kick(url: str) -> None:
    """End every other session, as a failover would."""
    owner = await asyncpg.connect(url)
    await owner.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await owner.close()


@pytest.mark.parametrize("strategy", ["grouped", "single"])
async def test_a_lost_connection_loses_and_doubles_nothing(migrated_url, strategy):
    database = await Database.connect(migrated_url, size=5, role=await application_role(migrated_url))
    log = PostgresLog(database, strategy)
    writers = [Writer() for _ in range(8)]
    for one in writers:
        first = one.batch("open")
        await log.create(first)
        one.went_on(first)

    async def play(one: Writer) -> None:
        for n in range(40):
            batch = one.batch(f"k{n}")
            for _ in range(20):
                try:
                    answer = await log.append(batch)
                except LogUnavailable:
                    continue
                assert answer.status in ("written", "replayed")
                assert (answer.first, answer.last) == (one.seq + 1, one.seq + 1)
                break
            else:
                raise AssertionError("never stored")
            one.went_on(batch)

    async def kicks() -> None:
        for _ in range(8):
            await asyncio.sleep(0.03)
            await _kick(migrated_url)

    await asyncio.gather(*(play(one) for one in writers), kicks())
    for one in writers:
        assert [e.command for e in await _read(log, one)] == ["open", *(f"k{n}" for n in range(40))]
    await log.close()
    await database.close()


async def _read(log: PostgresLog, one: Writer):
    for _ in range(20):
        try:
            return await log.read(one.campaign, 0)
        except LogUnavailable:
            continue
    raise AssertionError("not readable")


@pytest.mark.parametrize("strategy", ["grouped", "single"])
async def test_a_campaign_held_by_somebody_else_holds_up_nobody_else(migrated_url, pglog, written, strategy):
    """An append kept open in its transaction: another campaign goes on, the same one waits and is told."""
    other = Writer()
    first = other.batch("open")
    await pglog.create(first)
    other.went_on(first)
    holder = await asyncpg.connect(migrated_url)
    transaction = holder.transaction()
    await transaction.start()
    await holder.execute("UPDATE greffier.head SET last_seq = last_seq WHERE campaign_id = $1", written.campaign)
    log = PostgresLog(pglog._database, strategy)
    waiting = asyncio.create_task(log.append(written.batch("k1")))
    for n in range(5):
        batch = other.batch(f"k{n}")
        assert (await asyncio.wait_for(log.append(batch), 10)).status == "written"
        other.went_on(batch)
    assert len(await log.read(written.campaign, 0)) == 3
    assert not waiting.done()
    await transaction.rollback()
    assert (await asyncio.wait_for(waiting, 10)).status == "written"
    await holder.close()
    await log.close()


async def test_a_batch_that_postgres_cannot_take_spoils_nobody_elses(pglog, written):
    other = Writer()
    first = other.batch("open")
    await pglog.create(first)
    other.went_on(first)
    bad, good = await asyncio.gather(
        pglog.append(written.batch("k\0")), pglog.append(other.batch("k1")), return_exceptions=True
    )
    assert isinstance(bad, LogUnavailable)
    assert good.status == "written"


async def test_one_connection_serves_everything(migrated_url):
    database = await Database.connect(migrated_url, size=1, role=await application_role(migrated_url))
    log = PostgresLog(database, "single")
    one = Writer()
    first = one.batch("open")
    await log.create(first)
    one.went_on(first)
    batch = one.batch("k1")
    await asyncio.gather(
        log.append(batch), log.head(one.campaign), log.read(one.campaign, 0), log.secret(one.campaign), log.heads({})
    )
    assert (await log.head(one.campaign)).seq == 2
    await log.close()
    await database.close()


@pytest.mark.parametrize("connect", [Database.connect, migrate, application_role])
@pytest.mark.parametrize("where", ["127.0.0.1:1/none", "127.0.0.1:port/none"])
async def test_a_server_that_is_not_there_is_named_without_its_password(connect, where):
    with pytest.raises(LogUnavailable, match=f"cannot be reached at {where}") as unavailable:
        await connect(f"postgresql://nobody:secret@{where}")
    assert "secret" not in str(unavailable.value)


async def test_a_database_that_is_not_there_is_named(database_url):
    elsewhere = urlsplit(database_url)._replace(path="/no_such_database").geturl()
    with pytest.raises(LogUnavailable, match="no_such_database"):
        await migrate(elsewhere)


async def test_a_closed_campaign_takes_no_more(migrated_url, pglog, written):
    owner = await asyncpg.connect(migrated_url)
    await owner.execute("UPDATE greffier.head SET state = 'closed'")
    await owner.close()
    assert (await pglog.append(written.batch("k1"))).status == "closed"


async def test_prepared_statements_survive_a_migration(migrated_url, pglog, written):
    batch = written.batch("k1")
    await pglog.append(batch)
    written.went_on(batch)
    owner = await asyncpg.connect(migrated_url)
    await owner.execute("ALTER TABLE greffier.event ADD COLUMN later integer")
    await owner.execute("ALTER TABLE greffier.head ADD COLUMN later integer")
    await owner.close()
    batch = written.batch("k2")
    assert (await pglog.append(batch)).status == "written"
    assert len(await pglog.read(written.campaign, 0)) == 5
