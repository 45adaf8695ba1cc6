"""The servers that tests share: `tests/support/servers.py`."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import asyncpg
import redis.asyncio as redis

from tests.support.servers import DESK, OTHERS, drop_database, fresh_database, template_database

ROOT = Path(__file__).parents[3]


async def tables(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    names = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
    await connection.close()
    return [row["tablename"] for row in names]


async def test_each_test_gets_an_empty_database(postgres_server: str, database_url: str) -> None:
    async def with_a_table(url: str) -> None:
        connection = await asyncpg.connect(url)
        await connection.execute("CREATE TABLE dice (faces int)")
        await connection.close()

    assert await tables(database_url) == []
    await with_a_table(database_url)
    assert await tables(database_url) == ["dice"]
    other = await fresh_database(postgres_server)
    assert await tables(other) == []
    await drop_database(postgres_server, other)


async def test_a_template_is_prepared_once(postgres_server: str) -> None:
    prepared = []

    async def prepare(url: str) -> None:
        prepared.append(url)
        connection = await asyncpg.connect(url)
        await connection.execute("CREATE TABLE dice (faces int)")
        await connection.close()

    name = f"greffier_template_{os.getpid()}"
    for _ in range(2):
        copy = await fresh_database(postgres_server, await template_database(postgres_server, name, prepare))
        assert await tables(copy) == ["dice"]
        await drop_database(postgres_server, copy)
    assert len(prepared) == 1


async def test_redis_answers(redis_server: str) -> None:
    async with redis.from_url(redis_server) as client:
        assert await client.ping()


async def test_servers_end_with_a_run_that_is_killed(tmp_path: Path) -> None:
    test = tmp_path / "test_it.py"
    test.write_text(
        "import os, signal\n"
        "def test_it(postgres_server, redis_server):\n"
        "    print('', postgres_server, redis_server, sep='\\n', flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    names = {DESK, *OTHERS.values()}
    environment = {name: value for name, value in os.environ.items() if name not in names}
    command = [sys.executable, "-m", "pytest", "-s", "-p", "no:cacheprovider", "-p", "tests.support.servers", str(test)]
    run = await asyncio.to_thread(
        subprocess.run,
        command,
        cwd=ROOT,
        env={**environment, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
    )
    assert run.returncode == -signal.SIGKILL
    for url in run.stdout.splitlines()[-2:]:
        assert await refuses(url)


async def refuses(url: str) -> bool:
    """Whether nobody listens there any more, within a minute."""
    where = urlsplit(url)
    folder = parse_qs(where.query).get("host")
    for _ in range(600):
        try:
            if folder:
                _, writer = await asyncio.open_unix_connection(f"{folder[0]}/.s.PGSQL.5432")
            else:
                _, writer = await asyncio.open_connection(where.hostname, where.port)
            writer.close()
        except OSError:
            return True
        await asyncio.sleep(0.1)
    return False
