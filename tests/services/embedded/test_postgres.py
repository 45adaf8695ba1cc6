# ruff: noqa: ASYNC240 (looking at small local files does not make a test wait)

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

import services.embedded
from services.embedded import ServerFailed, binaries
from services.embedded.kept import Account, Kept
from services.embedded.leftovers import FAREWELL, _of
from services.embedded.postgres import EmbeddedPostgres

ROOT = Path(services.embedded.__file__).parents[2]
NOBODY = Account(65534, 65534)
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root has other accounts to give a server to")

PROGRAM = """
import sys, time
from pathlib import Path
from services.embedded.postgres import EmbeddedPostgres

postgres = EmbeddedPostgres(Path(sys.argv[1]))
postgres.start()
print(postgres.url, postgres.pid, postgres._kept._keeper.pid, flush=True)
sys.stdin.read()
postgres.stop()
"""


@contextmanager
def another_program(
    data: Path, *, python: str = sys.executable, home: Path = ROOT, **run_as: object
) -> Iterator[tuple[subprocess.Popen[str], str, int, int]]:
    """Another Greffier on the same data directory: itself, its Postgres's URL and process, and its keeper."""
    program = subprocess.Popen(  # type: ignore[call-overload]
        [python, "-c", PROGRAM, str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(home)},
        cwd=home,
        **run_as,
    )
    try:
        url, server, keeper = program.stdout.readline().split()
        yield program, url, int(server), int(keeper)
    finally:
        program.communicate(timeout=60)


async def remember(url: str, word: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE IF NOT EXISTS words (word text)")
    await connection.execute("INSERT INTO words VALUES ($1)", word)
    await connection.close()


async def remembered(url: str) -> list[str]:
    connection = await asyncpg.connect(url)
    words = await connection.fetch("SELECT word FROM words ORDER BY word")
    await connection.close()
    return [row["word"] for row in words]


def postgres_pid_in(note: Path) -> int:
    return int(note.read_text().splitlines()[0])


async def gone(cluster: Path) -> bool:
    for _ in range(600):
        if not _of(cluster):
            return True
        await asyncio.sleep(0.1)
    return False


async def test_a_first_start_makes_a_durable_cluster(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path / "new" / "data") as postgres:
        connection = await asyncpg.connect(postgres.url)
        settings = dict(await connection.fetch("SELECT name, setting FROM pg_settings"))
        provider, locale = await connection.fetchrow(
            "SELECT datlocprovider, datlocale FROM pg_database WHERE datname = current_database()"
        )
        await connection.close()

    wanted = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on", "max_connections": "100"}
    assert {name: settings[name] for name in wanted} == wanted
    assert settings["server_encoding"] == "UTF8"
    assert settings["listen_addresses"] == ""
    assert (provider, locale) == (b"b", "C.UTF-8")


async def test_a_setting_may_be_chosen(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path, settings={"max_connections": "7", "fsync": "off"}) as postgres:
        connection = await asyncpg.connect(postgres.url)
        assert await connection.fetchval("SHOW max_connections") == "7"
        await connection.close()


async def test_only_the_password_opens_it(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path) as postgres:
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(postgres.address._replace(password="guess").url)

        assert (tmp_path / "password").read_text() == postgres.address.password
        assert (tmp_path / "password").stat().st_mode & 0o777 == 0o600


async def test_rows_outlive_a_restart(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path) as postgres:
        await remember(postgres.url, "once")
    async with EmbeddedPostgres(tmp_path) as postgres:
        assert await remembered(postgres.url) == ["once"]


async def test_rows_outlive_a_killed_postgres(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path)
    async with postgres:
        await remember(postgres.url, "once")
        os.kill(postgres.pid, signal.SIGKILL)
    async with postgres:
        assert await remembered(postgres.url) == ["once"]
        await remember(postgres.url, "twice")
        postgres.kill()
        assert not postgres.running
    async with postgres:
        assert await remembered(postgres.url) == ["once", "twice"]


async def test_postgres_goes_when_its_program_is_killed(tmp_path: Path) -> None:
    with another_program(tmp_path) as (program, url, *_):
        await remember(url, "once")
        program.kill()

    assert await gone(tmp_path / "cluster")
    async with EmbeddedPostgres(tmp_path) as postgres:
        assert await remembered(postgres.url) == ["once"]


async def test_the_next_start_need_not_wait_for_the_killed_ones_postgres(tmp_path: Path) -> None:
    with another_program(tmp_path) as (program, url, *_):
        await remember(url, "once")
        program.kill()
        program.wait(30)
        async with EmbeddedPostgres(tmp_path) as postgres:
            assert await remembered(postgres.url) == ["once"]


async def test_a_postgres_left_behind_is_replaced(tmp_path: Path) -> None:
    with another_program(tmp_path) as (program, url, left_behind, keeper):
        os.kill(keeper, signal.SIGKILL)
        program.kill()
        program.wait(30)
        await remember(url, "once")
        async with EmbeddedPostgres(tmp_path) as postgres:
            assert await remembered(postgres.url) == ["once"]
            assert postgres.pid != left_behind


async def test_a_postgres_started_by_hand_is_left_alone(tmp_path: Path) -> None:
    ours = EmbeddedPostgres(tmp_path)
    async with ours:
        account = ours._account()
        command = [str(binaries.programs_for(account) if account else binaries.programs()) + "/postgres", "-D"]
    command += ["/proc/self/cwd" if account else str(ours.cluster), "-c", "listen_addresses="]
    command += ["-c", "unix_socket_directories=."]
    theirs = Kept(command, cwd=ours.cluster, env={}, log=tmp_path / "theirs", farewell=FAREWELL[:2], account=account)
    try:
        async with asyncio.timeout(60):
            while not ours._status():
                await asyncio.sleep(0.01)
        with pytest.raises(ServerFailed, match="Is another postmaster"):
            await asyncio.to_thread(ours.start)
        assert theirs.running
    finally:
        theirs.stop()


async def test_a_note_of_another_life_is_forgotten(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path) as postgres:
        await remember(postgres.url, "once")
        owner = postgres.cluster.stat().st_uid
        postgres.kill()
    same_number = await asyncio.to_thread(subprocess.Popen, ["sleep", "600"], user=owner)
    note = tmp_path / "cluster" / "postmaster.pid"
    note.write_text(note.read_text().replace(str(postgres_pid_in(note)), str(same_number.pid), 1))
    try:
        async with EmbeddedPostgres(tmp_path) as postgres:
            assert await remembered(postgres.url) == ["once"]
        assert same_number.poll() is None
    finally:
        same_number.kill()
        same_number.wait()


async def test_a_second_program_is_told_who_has_the_directory(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path) as postgres:
        with pytest.raises(ServerFailed) as refusal:
            EmbeddedPostgres(tmp_path).start()
        assert f"{tmp_path} is in use by another Greffier (process {os.getpid()})" in str(refusal.value)

        assert postgres.running


def test_a_directory_is_locked_against_other_programs(tmp_path: Path) -> None:
    with another_program(tmp_path) as (program, *_):
        with pytest.raises(ServerFailed, match=rf"in use by another Greffier \(process {program.pid}\)"):
            EmbeddedPostgres(tmp_path).start()
        assert program.poll() is None


async def test_stop_leaves_no_process_behind(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path) as postgres:
        await remember(postgres.url, "once")
        assert postgres.pid in {process.pid for process in _of(postgres.cluster)}
        lingering = await asyncpg.connect(postgres.url)

    assert not _of(postgres.cluster)
    lingering.terminate()
    postgres.stop()


async def test_a_first_start_cut_short_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / "cluster.partial").mkdir()
    (tmp_path / "cluster.partial" / "PG_VERSION").write_text("18\n")
    async with EmbeddedPostgres(tmp_path) as postgres:
        await remember(postgres.url, "once")


async def test_a_failed_start_shows_the_end_of_the_log(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path):
        pass
    with pytest.raises(ServerFailed) as failure:
        EmbeddedPostgres(tmp_path, settings={"shared_buffers": "plenty"}).start()

    assert 'invalid value for parameter "shared_buffers": "plenty"' in str(failure.value)
    assert str(tmp_path / "postgres.log") in str(failure.value)
    async with EmbeddedPostgres(tmp_path):
        pass  # and nothing holds the directory


async def test_a_cancelled_start_leaves_nothing(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path)
    starting = asyncio.create_task(postgres.__aenter__())
    await asyncio.sleep(0.05)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting

    assert not postgres.running
    async with EmbeddedPostgres(tmp_path):
        pass


async def test_a_path_too_long_for_a_socket_is_reached_over_the_loopback(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path / ("long" * 30)) as postgres:
        assert postgres.address.host == "127.0.0.1"
        await remember(postgres.url, "once")


async def test_a_path_with_odd_letters_is_no_matter(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path / "l'été, 100% & co") as postgres:
        await remember(postgres.url, "once")


async def test_pgbench_understands_the_url(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path, settings={"fsync": "off"}) as postgres:
        command = [binaries.programs() / "pgbench", "--initialize", "--quiet", postgres.url]
        ran = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr


def test_missing_programs_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREFFIER_POSTGRES_BIN", str(tmp_path / "nowhere"))
    with pytest.raises(ServerFailed, match="GREFFIER_POSTGRES_BIN names it"):
        EmbeddedPostgres(tmp_path / "data").start()


@as_root
async def test_root_may_keep_its_data_where_nobody_else_can_go(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    async with EmbeddedPostgres(tmp_path / "data") as postgres:
        await remember(postgres.url, "once")
        assert Path(f"/proc/{postgres.pid}").stat().st_uid == postgres.cluster.stat().st_uid != 0

    assert (tmp_path.stat().st_mode & 0o777, tmp_path.stat().st_uid) == (0o700, 0)


@as_root
async def test_a_cluster_brought_back_by_root_changes_hands(tmp_path: Path) -> None:
    async with EmbeddedPostgres(tmp_path / "data") as postgres:
        await remember(postgres.url, "once")
    shutil.copytree(tmp_path / "data", tmp_path / "restored")

    async with EmbeddedPostgres(tmp_path / "restored") as postgres:
        assert await remembered(postgres.url) == ["once"]


@as_root
async def test_root_lends_a_copy_of_programs_out_of_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = binaries._packaged().parent
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    shutil.copytree(package, hidden / package.name)
    shutil.copytree(package.with_name(f"{package.name}.libs"), hidden / f"{package.name}.libs")
    monkeypatch.setattr(binaries, "_packaged", lambda: hidden / package.name / "pginstall")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setattr(binaries, "LENT", Path(folder) / "greffier")
        async with EmbeddedPostgres(tmp_path / "data") as postgres:
            await remember(postgres.url, "once")
            assert Path(f"/proc/{postgres.pid}/exe").resolve().is_relative_to(folder)
        async with EmbeddedPostgres(tmp_path / "data") as postgres:
            assert await remembered(postgres.url) == ["once"]


@as_root
async def test_an_ordinary_user_needs_none_of_this() -> None:
    python = next((python for python in (sys.executable, "/usr/bin/python3") if runs_for_nobody(python)), None)
    if python is None:
        pytest.skip("no Python here that an ordinary user may run")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        shutil.copytree(ROOT / "services" / "embedded", home / "services" / "embedded")
        (home / "data").mkdir()
        for path in (home, *home.rglob("*")):
            os.chown(path, *NOBODY)
        run_as = {"user": NOBODY.uid, "group": NOBODY.gid, "extra_groups": []}
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("GREFFIER_POSTGRES_BIN", str(binaries.programs_for(NOBODY)))
            for word in ("once", "twice"):
                with another_program(home / "data", python=python, home=home, **run_as) as (_, url, *_):
                    await remember(url, word)
                    assert word in await remembered(url)
        assert not _of(home / "data" / "cluster")


def runs_for_nobody(python: str) -> bool:
    check = [python, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    try:
        return subprocess.run(check, user=NOBODY.uid, group=NOBODY.gid, extra_groups=[], cwd="/").returncode == 0
    except OSError:
        return False
