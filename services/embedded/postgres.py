"""The Postgres that comes along: durable, for one program at a time, nothing to install and nothing to set up.

A data directory of ours holds `cluster/` (Postgres's own folder), `password`, `lock` and `postgres.log`.
"""

import asyncio
import os
import secrets
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self
from urllib.parse import quote, urlencode

from services.embedded import ServerFailed
from services.embedded.binaries import programs, programs_for, version
from services.embedded.kept import Account, Kept, ending, free_port, size
from services.embedded.leftovers import FAREWELL, cluster_name, end_leftovers, forget_another_life
from services.embedded.lock import Lock

RUN_AS = "GREFFIER_POSTGRES_USER"
OWNER = "greffier"
DATABASE = "postgres"
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "unix_socket_directories": ".",
    "listen_addresses": "",
    "port": "5432",
}
LONGEST_SOCKET_PATH = 103
"""What every system takes: 104 bytes with the closing zero on macOS, 108 on Linux."""
STAYS_WHERE_STARTED = 16
"""Older programs leave the folder they were started in, to find out where they are themselves."""
LARGEST_LOG = 10_000_000


class Address(NamedTuple):
    """How to reach a database. `host` is a folder when it is reached over a Unix socket."""

    host: str
    port: int
    user: str
    password: str
    database: str

    @property
    def url(self) -> str:
        """Understood by asyncpg and by everything made with libpq."""
        who = f"{quote(self.user)}:{quote(self.password)}"
        if self.host.startswith("/"):
            where = urlencode({"host": self.host, "port": self.port})
            return f"postgresql://{who}@/{quote(self.database)}?{where}"
        return f"postgresql://{who}@{self.host}:{self.port}/{quote(self.database)}"


class EmbeddedPostgres:
    """`async with EmbeddedPostgres(data) as postgres: … postgres.url …`, or `start()` and `stop()`, which wait.

    Run as root, Postgres goes to the owner of the cluster; a new one belongs to the account named in
    GREFFIER_POSTGRES_USER, or to `nobody`. Nothing outside the data directory is changed for it, save for a copy of the
    programs when it cannot read them. `folder` holds other programs than those that come along.
    """

    def __init__(
        self,
        data: Path,
        *,
        settings: Mapping[str, str] | None = None,
        patience: float = 120,
        folder: Path | None = None,
    ) -> None:
        self.data = data.absolute()
        self.cluster = self.data / "cluster"
        self.log = self.data / "postgres.log"
        self._settings = {**SETTINGS, **(settings or {})}
        self._patience = patience
        self._folder = folder
        self._lock: Lock | None = None
        self._kept: Kept | None = None
        self._address: Address | None = None

    @property
    def address(self) -> Address:
        assert self._address is not None, "not started"
        return self._address

    @property
    def url(self) -> str:
        return self.address.url

    def url_of(self, database: str) -> str:
        return self.address._replace(database=database).url

    @property
    def running(self) -> bool:
        return self._kept is not None and self._kept.running

    @property
    def pid(self) -> int:
        """Postgres's main process."""
        assert self._kept is not None, "not started"
        return self._kept.pid

    def start(self) -> None:
        """Returns when connections are welcome. Raises `ServerFailed`."""
        if sys.platform == "win32":
            raise ServerFailed("Postgres comes along on Linux and macOS only: give the URL of a database of yours.")
        assert self._lock is None, "already started"
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = Lock(self.data)
            self._begin()
        except (OSError, subprocess.SubprocessError) as error:
            self.stop()
            raise ServerFailed(f"Postgres cannot be started in {self.data}: {error}.") from error
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Returns when Postgres has gone. May be called at any time, and again."""
        kept, self._kept = self._kept, None
        lock, self._lock = self._lock, None
        try:
            if kept:
                kept.stop()
        finally:
            if lock:
                lock.release()

    def kill(self) -> None:
        """Kills Postgres as a crash would; `stop` and `start` bring it back."""
        assert self._kept is not None, "not started"
        self._kept.kill()

    async def __aenter__(self) -> Self:
        starting = asyncio.create_task(asyncio.to_thread(self.start))
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            await asyncio.wait([starting])
            await asyncio.to_thread(self.stop)
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await asyncio.to_thread(self.stop)

    def _begin(self) -> None:
        account = self._account()
        folder = programs_for(account, self._folder) if account else programs(self._folder)
        if account and version(folder) < STAYS_WHERE_STARTED and not _walkable(self.cluster):
            raise ServerFailed(
                f"The account {account.uid} cannot walk to {self.cluster}, which Postgres older than"
                f" {STAYS_WHERE_STARTED} needs. Let everybody walk through the folders above it, choose another data"
                " directory, or a newer Postgres."
            )
        password = self._password()
        if self.log.exists() and size(self.log) > LARGEST_LOG:
            self.log.replace(self.log.with_suffix(".log.1"))
        if not self.cluster.exists():
            self._create(folder, account, password)
        end_leftovers(self.cluster)
        forget_another_life(self.cluster)
        for attempts_left in (2, 1, 0):
            settings = self._reachable(self._settings)
            heard = size(self.log)
            if self._serves(folder, account, settings):
                break
            said = ending(self.log, heard)
            self._kept = None
            if "could not bind" in said and attempts_left:
                continue
            raise ServerFailed(
                f"Postgres did not start in {self.cluster}. The end of {self.log}:\n{said}\n"
                "Put right what it complains about and start again, or use a database of your own by its URL."
            )
        host = settings["listen_addresses"] if not self._socket_fits() else str(self.cluster)
        self._address = Address(host, int(settings["port"]), OWNER, password, DATABASE)

    def _account(self) -> Account | None:
        """Whom Postgres runs as: the owner of the cluster. None when that is us."""
        owner = self.cluster.stat() if self.cluster.exists() else None
        if os.geteuid():
            if owner and owner.st_uid != os.geteuid():
                raise ServerFailed(
                    f"{self.cluster} belongs to the account {owner.st_uid}, not to the one running Greffier"
                    f" ({os.geteuid()}). Run Greffier as that account or as root, or choose another data directory."
                )
            return None
        if sys.platform != "linux":
            raise ServerFailed("Postgres refuses to run as root. Run Greffier as an ordinary user.")
        if owner and owner.st_uid:
            return Account(owner.st_uid, owner.st_gid)
        import pwd

        name = os.environ.get(RUN_AS, "nobody")
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            raise ServerFailed(
                f"Postgres refuses to run as root, and there is no account {name}. Name one in {RUN_AS}."
            ) from None
        if not entry.pw_uid:
            raise ServerFailed(f"Postgres refuses to run as root, which {RUN_AS} names. Name another account.")
        account = Account(entry.pw_uid, entry.pw_gid)
        if owner:  # brought back by root from a backup
            for path in (self.cluster, *self.cluster.rglob("*")):
                os.chown(path, *account, follow_symlinks=False)
        return account

    def _password(self) -> str:
        file = self.data / "password"
        if not file.exists():
            partial = file.with_suffix(".partial")
            partial.unlink(missing_ok=True)
            with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as output:
                output.write(secrets.token_urlsafe(24))
                output.flush()
                os.fsync(output.fileno())
            partial.rename(file)
        return file.read_text().strip()

    def _create(self, folder: Path, account: Account | None, password: str) -> None:
        """Makes a cluster, which appears whole or not at all."""
        partial = self.cluster.with_suffix(".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        if account:
            os.chown(partial, *account)
        command = [
            str(folder / "initdb"),
            f"--pgdata={_here(partial, account)}",
            f"--username={OWNER}",
            "--auth=scram-sha-256",
            "--pwfile=/dev/stdin",
            "--encoding=UTF8",
            *(["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] if version(folder) >= 17 else []),
            "--locale=C",
            *(["--no-sync"] if self._settings["fsync"] == "off" else []),
        ]
        with _readable_by(account, password) as stdin:
            made = subprocess.run(
                command,
                cwd=partial,
                env=_environment(),
                stdin=stdin,
                capture_output=True,
                text=True,
                timeout=self._patience,
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
            )
        with self.log.open("a") as log:
            log.write(made.stdout + made.stderr)
        if made.returncode:
            raise ServerFailed(
                f"Postgres could not create its files in {self.cluster}. The end of {self.log}:\n"
                f"{ending(self.log, 0)}\nPut right what it complains about and start again."
            )
        partial.rename(self.cluster)
        _sync(self.data)

    def _socket_fits(self) -> bool:
        path = str(self.cluster / f".s.PGSQL.{self._settings['port']}")
        return len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and "," not in path  # a comma would part two hosts

    def _reachable(self, settings: Mapping[str, str]) -> dict[str, str]:
        if self._socket_fits():
            return dict(settings)
        loopback = {"listen_addresses": "127.0.0.1", "port": str(free_port()), "unix_socket_directories": ""}
        return {**settings, **loopback}

    def _serves(self, folder: Path, account: Account | None, settings: Mapping[str, str]) -> bool:
        """Starts Postgres; whether it came to welcome connections."""
        before = self._status()
        named = {**settings, "cluster_name": cluster_name(self.cluster)}
        command = [str(folder / "postgres"), "-D", _here(self.cluster, account)]
        for name, value in named.items():
            command += ["-c", f"{name}={value}"]
        self._kept = Kept(
            command, cwd=self.cluster, env=_environment(), log=self.log, farewell=FAREWELL[:2], account=account
        )
        deadline = time.monotonic() + self._patience
        while self._kept.running:
            status = self._status()
            if status != before and status[:1] == [str(self.pid)] and status[7:] and status[7].strip() == "ready":
                return True
            if time.monotonic() > deadline:
                self._kept.stop()
                break
            time.sleep(0.01)
        return False

    def _status(self) -> list[str]:
        """Postgres's own note about itself, which a crash leaves behind: process, folder, start, port, …, state."""
        try:
            return (self.cluster / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return []


def _here(folder: Path, account: Account | None) -> str:
    """Another account that cannot walk to the folder is put there and told to stay."""
    return "/proc/self/cwd" if account and not _walkable(folder) else str(folder)


def _walkable(folder: Path) -> bool:
    return all(parent.stat().st_mode & stat.S_IXOTH for parent in folder.parents)


def _environment() -> dict[str, str]:
    """Nothing of ours that Postgres would take for settings, and no secrets."""
    kept = ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    return {"LC_ALL": "C", **{name: os.environ[name] for name in kept if name in os.environ}}


@contextmanager
def _readable_by(account: Account | None, text: str) -> Iterator[int]:
    """A pipe that holds a short text, and that the account may open again by name."""
    reading, writing = os.pipe()
    try:
        if account:
            os.fchown(reading, *account)
        os.write(writing, text.encode())
        os.close(writing)
        yield reading
    finally:
        os.close(reading)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
