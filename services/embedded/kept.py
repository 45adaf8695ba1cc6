"""A server that lives no longer than this program, however this program ends."""

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

KEEPER = Path(__file__).with_name("keeper.py")


class Account(NamedTuple):
    """Whom a server runs as, when this program runs as root."""

    uid: int
    gid: int


class Kept:
    """Starts `command` under a keeper, in a session of its own, where a Ctrl-C at our terminal does not reach it.

    `farewell` are the signals that end it, each with the seconds it is given. A pipe and not Linux's parent-death
    signal: that one fires when the *thread* that started the server ends.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        log: Path,
        farewell: Sequence[tuple[str, float]],
        account: Account | None = None,
    ) -> None:
        order = {"command": command, "cwd": str(cwd), "env": env, "account": account, "farewell": farewell}
        self._patience = sum(seconds for _, seconds in farewell) + 10
        with log.open("ab") as output:
            self._keeper = subprocess.Popen(
                [sys.executable, "-I", "-S", str(KEEPER), json.dumps(order)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                bufsize=0,
                start_new_session=True,
            )
        assert self._keeper.stdout is not None
        with self._keeper.stdout as said:
            self.pid = int(said.readline() or 0)
            """The server's process; 0 when it could not be started at all."""

    @property
    def running(self) -> bool:
        return self._keeper.poll() is None

    def stop(self) -> None:
        """Hangs up, and waits until the server has gone."""
        self._hang_up("")

    def kill(self) -> None:
        """Kills the server without a word, as a power cut would."""
        self._hang_up("kill\n")

    def _hang_up(self, last_word: str) -> None:
        assert self._keeper.stdin is not None
        if not self._keeper.stdin.closed:
            with self._keeper.stdin, contextlib.suppress(BrokenPipeError):  # it has gone already
                self._keeper.stdin.write(last_word.encode())
        self._keeper.wait(self._patience)


def free_port() -> int:
    """A port of the loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def ending(log: Path, since: int, lines: int = 12) -> str:
    """The last lines that were added to a log after its first `since` bytes, to be shown to a person."""
    with contextlib.suppress(FileNotFoundError), log.open("rb") as file:
        file.seek(since)
        said = file.read().decode(errors="replace").strip().splitlines()
        return "\n".join(f"  | {line}" for line in said[-lines:])
    return ""


def size(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0
