"""Finds and ends a Postgres that was left behind on a cluster of ours, after this program and its keeper were killed.

A process is known by the cluster name on its command line, which everybody may read; where it works may be read only by
its own account, or by a root with more rights than a container gives.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from services.embedded import ServerFailed

FAREWELL = (("SIGINT", 30.0), ("SIGQUIT", 10.0), ("SIGKILL", 10.0))
"""Fast shutdown, immediate shutdown, the end."""


class Process(NamedTuple):
    pid: int
    uid: int
    words: list[str]


def cluster_name(cluster: Path) -> str:
    """Names a cluster by where it lies on the disk, so that a copy of it is another cluster."""
    stat = cluster.stat()
    return f"greffier-{stat.st_dev:x}-{stat.st_ino:x}"


def end_leftovers(cluster: Path) -> None:
    """Stops what still runs on this cluster, as gently as it lets us."""
    for name, patience in FAREWELL:
        left = _of(cluster)
        # helpers give SIGINT a meaning of their own, and go away by themselves when the main process has gone
        for process in _main(left) if name == "SIGINT" else left:
            with suppress(ProcessLookupError):
                os.kill(process.pid, getattr(signal, name))
        deadline = time.monotonic() + patience
        while left and time.monotonic() < deadline:
            time.sleep(0.02)
            left = _of(cluster)
        if not left:
            return
    pids = ", ".join(str(process.pid) for process in _of(cluster))
    raise ServerFailed(
        f"An earlier Postgres on {cluster} does not end (process {pids}). End it by hand and start again."
    )


def forget_another_life(cluster: Path) -> None:
    """Removes the note of a Postgres that has gone, when its number now belongs to a process that is no Postgres.

    A restarted container gives the same few numbers out again, and Postgres would take the other for itself.
    """
    note = cluster / "postmaster.pid"
    if note.exists():
        number = note.read_text().partition("\n")[0]
        if not any(str(process.pid) == number and _is_postgres(process) for process in _processes()):
            note.unlink()


def _is_postgres(process: Process) -> bool:
    return Path(process.words[0]).name.startswith("postgres")


def _main(processes: list[Process]) -> list[Process]:
    return [process for process in processes if any(word.startswith("cluster_name=") for word in process.words)]


def _of(cluster: Path) -> list[Process]:
    name, uid = cluster_name(cluster), cluster.stat().st_uid
    return [
        process
        for process in _processes()
        if process.uid == uid
        and _is_postgres(process)
        and any(word == f"cluster_name={name}" or f": {name}: " in word for word in process.words)
    ]


def _processes() -> Iterator[Process]:
    if sys.platform == "linux":
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                with suppress(OSError):  # it has just ended
                    words = (folder / "cmdline").read_bytes().rstrip(b"\0").decode(errors="replace").split("\0")
                    yield Process(int(folder.name), folder.stat().st_uid, words)
    else:
        listing = ["/bin/ps", "-axww", "-o", "pid=,uid=,command="]
        for line in subprocess.run(listing, capture_output=True, text=True, check=True).stdout.splitlines():
            pid, uid, command = line.split(None, 2)
            words = [command] if command.startswith("postgres: ") else command.split()
            yield Process(int(pid), int(uid), words)
