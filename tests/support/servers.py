"""Servers for the tests: started when a test first asks, shared by all workers of a run, gone with the run.

The process that runs pytest owns them, and its workers ask it over a socket; so they outlive every worker, and end with
that process even when it is killed. Servers named in GREFFIER_TEST_DATABASE_URL and GREFFIER_TEST_REDIS_URL are used
instead; the account in the first must be allowed to create databases. What stores and what delivers is tested on the
Postgres and the Redis installed on this machine as well, wherever their programs are on the path.

The shared Postgres loses nothing when it is killed, but would in a power cut, and nobody may kill it: a test about
crashes starts an `EmbeddedPostgres` of its own. The shared Redis is one for all: take names of your own in it.
"""

import json
import os
import shutil
import socket
import socketserver
import tempfile
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import asyncpg
import pytest

from services.embedded import ServerFailed
from services.embedded.postgres import EmbeddedPostgres
from services.embedded.valkey import EmbeddedValkey

DESK = "GREFFIER_TEST_SERVERS"
OTHERS = {"postgres": "GREFFIER_TEST_DATABASE_URL", "redis": "GREFFIER_TEST_REDIS_URL"}
QUICK = {"fsync": "off", "full_page_writes": "off", "max_connections": "200"}
INSTALLED = {
    "postgres": shutil.which("postgres") if shutil.which("initdb") else None,
    "redis": shutil.which("redis-server") or shutil.which("valkey-server"),
}
"""The programs on the path."""
INSTALLED_POSTGRES = ["installed_postgres"] if INSTALLED["postgres"] else []
INSTALLED_REDIS = ["installed_redis"] if INSTALLED["redis"] else []
"""The fixtures that can be asked for here."""


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The URL of a Postgres where databases may be created."""
    return _ask("postgres")


@pytest.fixture(scope="session")
def redis_server() -> str:
    """The URL of a Redis or Valkey, shared by all tests of the run."""
    return _ask("redis")


@pytest.fixture(scope="session")
def installed_postgres() -> str:
    """The same with the Postgres that is installed on this machine."""
    return _ask("installed postgres")


@pytest.fixture(scope="session")
def installed_redis() -> str:
    """The same with the Redis that is installed on this machine."""
    return _ask("installed redis")


@pytest.fixture
async def database_url(postgres_server: str) -> AsyncIterator[str]:
    """The URL of an empty database for one test."""
    url = await fresh_database(postgres_server)
    yield url
    await drop_database(postgres_server, url)


async def fresh_database(server: str, template: str = "template1") -> str:
    """Creates a database as a copy of another, and returns its URL. Ten milliseconds."""
    name = f"greffier_test_{uuid4().hex}"
    await _execute(server, f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
    return _url_of(server, name)


async def drop_database(server: str, url: str) -> None:
    """Drops a database, whoever is still connected to it."""
    await _execute(server, f'DROP DATABASE IF EXISTS "{_name_in(url)}" WITH (FORCE)')


async def template_database(server: str, name: str, prepare: Callable[[str], Awaitable[None]]) -> str:
    """A database to copy from, prepared by the first who asks for it; put into its name what it depends on."""
    connection = await asyncpg.connect(server)
    try:
        await connection.execute("SELECT pg_advisory_lock(hashtext($1))", name, timeout=120)
        if not await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name):
            partial = await fresh_database(server)
            await prepare(partial)
            await connection.execute(f'ALTER DATABASE "{_name_in(partial)}" WITH ALLOW_CONNECTIONS false')
            await connection.execute(f'ALTER DATABASE "{_name_in(partial)}" RENAME TO "{name}"')
    finally:
        await connection.close()
    return name


async def _execute(server: str, statement: str) -> None:
    connection = await asyncpg.connect(server)
    try:
        await connection.execute(statement, timeout=60)
    finally:
        await connection.close()


def _url_of(server: str, database: str) -> str:
    return urlsplit(server)._replace(path=f"/{database}").geturl()


def _name_in(url: str) -> str:
    return urlsplit(url).path.removeprefix("/")


def _ask(name: str) -> str:
    other = OTHERS.get(name, "")
    if url := os.environ.get(other):
        return url
    with socket.socket(socket.AF_UNIX) as desk, desk.makefile("rw") as talk:
        desk.settimeout(180)
        desk.connect(os.environ[DESK])
        talk.write(f"{name}\n")
        talk.flush()
        answer = json.loads(talk.readline())
    if "failed" in answer:
        advice = f"\nOr name a server in {other}." if other else ""
        pytest.fail(f"{answer['failed']}{advice}", pytrace=False)
    return str(answer["url"])


class Landlord:
    """Owns the servers of a run."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="greffier-tests-", ignore_cleanup_errors=True)
        self._servers: dict[str, EmbeddedPostgres | EmbeddedValkey] = {}
        self._one_at_a_time = threading.Lock()
        landlord = self

        class Desk(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                answer = landlord.answer(self.rfile.readline().decode().strip())
                self.wfile.write(f"{json.dumps(answer)}\n".encode())

        self.address = str(Path(self._folder.name) / "desk")
        self._desk = socketserver.ThreadingUnixStreamServer(self.address, Desk)
        self._desk.daemon_threads = True
        threading.Thread(target=self._desk.serve_forever, args=(0.05,), daemon=True).start()

    def answer(self, name: str) -> dict[str, str]:
        with self._one_at_a_time:
            try:
                if name not in self._servers:
                    server = self._new(name)
                    server.start()
                    self._servers[name] = server
                return {"url": self._servers[name].url}
            except ServerFailed as failure:
                return {"failed": str(failure)}

    def close(self) -> None:
        self._desk.shutdown()
        self._desk.server_close()
        with self._one_at_a_time:
            for server in self._servers.values():
                server.stop()
        self._folder.cleanup()

    def _new(self, name: str) -> EmbeddedPostgres | EmbeddedValkey:
        installed, kind = name.startswith("installed "), name.removeprefix("installed ")
        program = Path(INSTALLED[kind] or "") if installed else None
        if kind == "redis":
            return EmbeddedValkey(program=program)
        data = Path(self._folder.name) / name.replace(" ", "-")
        data.mkdir(exist_ok=True)
        for each in (data, data.parent):
            each.chmod(0o711)  # for the account Postgres runs as under root
        return EmbeddedPostgres(data, settings=QUICK, folder=program.parent if program else None)


_landlord: Landlord | None = None


def pytest_configure(config: pytest.Config) -> None:
    global _landlord
    if not hasattr(config, "workerinput") and DESK not in os.environ:
        _landlord = Landlord()
        os.environ[DESK] = _landlord.address


def pytest_unconfigure() -> None:
    global _landlord
    if _landlord:
        del os.environ[DESK]
        _landlord.close()
        _landlord = None
