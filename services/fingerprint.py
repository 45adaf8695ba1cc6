"""A fingerprint of the code that folds events: changed code never reads a stale snapshot."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

import msgspec


@cache
def reducers() -> str:
    """SHA-256 over every module of `events` and `domain`, and the version of the decoder."""
    whole = sha256(msgspec.__version__.encode())
    for package in ("events", "domain"):
        for name, source in sorted(_sources(files(package), package)):
            whole.update(name.encode() + b"\0" + sha256(source).digest())
    return whole.hexdigest()[:32]


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.is_dir() and entry.name != "__pycache__":
            found += _sources(entry, f"{name}/{entry.name}")
        elif entry.name.endswith(".py"):
            found.append((f"{name}/{entry.name}", entry.read_bytes()))
    return found
