"""Hints between nodes: after a commit, what was committed. They may be lost; correctness never depends on them."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from events.envelope import Recorded


class Hint(Struct, frozen=True, gc=False):
    """A campaign moved on to `last`. `events` are first..last when they are small, otherwise none."""

    campaign: str
    epoch: int
    first: int
    last: int
    hash: bytes
    events: tuple[Recorded, ...] = ()


class Broker(Protocol):
    async def start(self, on_hint: Callable[[Hint], None], on_reconnect: Callable[[], None]) -> None:
        """`on_hint` gets the hints of watched campaigns; `on_reconnect` is told that some may have been lost."""
        ...

    def publish(self, hint: Hint) -> None:
        """Never blocks and never raises; a full queue drops the hint."""
        ...

    async def watch(self, campaign: str) -> None: ...

    async def unwatch(self, campaign: str) -> None: ...

    async def close(self) -> None: ...
