"""Migrations: numbered SQL, forward only, each in a transaction of its own, safe to run twice and by two at once."""

import re
from hashlib import sha256
from importlib.resources import files

import asyncpg
import structlog
from msgspec import Struct

from services.database import UNREACHED, unreached

ROLE = "greffier_app"
"""The role of the application: it reads, and writes history only through the log's functions."""
LOCK_TIMEOUT = "10s"

_log = structlog.get_logger()

_READS = ("head", "event", "dice_seed", "campaign_secret")
_WRITES = ("snapshot", "cursor", "view", "member", "credential")


class MigrationError(Exception):
    """The database cannot be brought to this build's shape; the text says what to do."""


class Migration(Struct, frozen=True):
    number: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        return sha256(self.sql.encode()).hexdigest()


def known() -> list[Migration]:
    """The migrations of this build, in order."""
    found = []
    for entry in files("services.log").joinpath("migrations").iterdir():
        named = re.fullmatch(r"(\d{4})_([a-z0-9_]+)\.sql", entry.name)
        if named:
            found.append(Migration(int(named[1]), named[2], entry.read_text("utf-8")))
    found.sort(key=lambda one: one.number)
    if [one.number for one in found] != list(range(1, len(found) + 1)):
        raise MigrationError(f"migrations are not numbered from 1 on: {[one.number for one in found]}")
    return found


async def migrate(url: str) -> list[str]:
    """Bring the database at `url` to this build's shape, as its owner. Answers the names of what was applied.

    Raises `LogUnavailable`, and `MigrationError` for a database of a newer build, for one whose past is not ours, and
    for one that does not let us.
    """
    connection = await _connected(url)
    try:
        await connection.execute(f"SET lock_timeout = '{LOCK_TIMEOUT}'")
        await _prepare(connection)
        applied = []
        for migration in known():
            async with connection.transaction():
                # The lock is the transaction's: whoever comes second waits here, and finds the work done.
                await connection.execute("LOCK TABLE greffier.migration IN ACCESS EXCLUSIVE MODE")
                done = await connection.fetchrow(
                    "SELECT checksum FROM greffier.migration WHERE number = $1", migration.number
                )
                if done is not None:
                    if done["checksum"] != migration.checksum:
                        raise MigrationError(
                            f"migration {migration.number:04} ({migration.name}) was applied with other contents: "
                            "this database belongs to another build"
                        )
                    continue
                await connection.execute(migration.sql)
                await connection.execute(
                    "INSERT INTO greffier.migration (number, name, checksum) VALUES ($1, $2, $3)",
                    migration.number,
                    migration.name,
                    migration.checksum,
                )
                applied.append(f"{migration.number:04}_{migration.name}")
        newest = await connection.fetchval("SELECT max(number) FROM greffier.migration")
        if newest > known()[-1].number:
            raise MigrationError(
                f"the database is at migration {newest} and this build knows {known()[-1].number}: run a newer build"
            )
        await _grant(connection)
        return applied
    except asyncpg.PostgresError as error:
        raise MigrationError(f"the database refuses: {error}") from error
    finally:
        await connection.close(timeout=5)


async def application_role(url: str) -> str | None:
    """The role to work under, when it is there and the user of `url` may take it."""
    connection = await _connected(url)
    try:
        may = await connection.fetchval(
            "SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = $1", ROLE
        )
    finally:
        await connection.close(timeout=5)
    if not may:
        _log.warning("no_application_role", role=ROLE, hint="history is protected by triggers only")
    return ROLE if may else None


async def _connected(url: str) -> asyncpg.Connection:
    try:
        return await asyncpg.connect(url, timeout=10)
    except UNREACHED as error:
        raise unreached(url, error) from error


async def _prepare(connection: asyncpg.Connection) -> None:
    """The schema and the list of migrations, made by whoever comes first."""
    for _ in range(5):
        try:
            await connection.execute("CREATE SCHEMA IF NOT EXISTS greffier")
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS greffier.migration"
                " (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL)"
            )
        except (asyncpg.UniqueViolationError, asyncpg.DuplicateObjectError, asyncpg.DuplicateTableError):
            # Two programs at once, and the other one was faster.
            continue
        else:
            return
    raise MigrationError("the schema could not be made: another program keeps making it")


async def _grant(connection: asyncpg.Connection) -> None:
    """Let the application's role do what it needs, and no more. Roles are the server's: others may be doing it too."""
    try:
        await connection.execute(
            f"DO $$ BEGIN CREATE ROLE {ROLE} NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL;"
            f" WHEN unique_violation THEN NULL; END $$"
        )
        member = await connection.fetchval(f"SELECT pg_has_role(current_user, '{ROLE}', 'MEMBER')")
        if not member:
            await connection.execute(f"GRANT {ROLE} TO CURRENT_USER")
    except asyncpg.InsufficientPrivilegeError:
        if not await connection.fetchval("SELECT count(*) FROM pg_roles WHERE rolname = $1", ROLE):
            _log.warning("application_role_not_made", role=ROLE, hint="create it once as a superuser")
            return
    except (asyncpg.InternalServerError, asyncpg.UniqueViolationError) as error:
        _log.info("application_role_made_elsewhere", error=str(error))
    async with connection.transaction():
        await connection.execute("LOCK TABLE greffier.migration IN ACCESS EXCLUSIVE MODE")
        await connection.execute(f"GRANT USAGE ON SCHEMA greffier TO {ROLE}")
        for table in _READS:
            await connection.execute(f"GRANT SELECT ON greffier.{table} TO {ROLE}")
        await connection.execute(f"GRANT INSERT ON greffier.dice_seed, greffier.campaign_secret TO {ROLE}")
        for table in _WRITES:
            await connection.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON greffier.{table} TO {ROLE}")
        await connection.execute(f"GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA greffier TO {ROLE}")
