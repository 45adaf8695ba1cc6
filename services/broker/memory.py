"""Hints inside one process: the default, and two nodes side by side in tests."""

import asyncio
from collections.abc import Callable

from services.broker import Hint


class MemoryBus:
    """What the brokers of one process share."""

    def __init__(self) -> None:
        self.brokers: list[MemoryBroker] = []


class MemoryBroker:
    """Delivers to every broker of the bus that watches, its own node included."""

    def __init__(self, bus: MemoryBus | None = None) -> None:
        self._bus = bus or MemoryBus()
        self._watched: set[str] = set()
        self._on_hint: Callable[[Hint], None] | None = None

    async def start(self, on_hint: Callable[[Hint], None], on_reconnect: Callable[[], None]) -> None:
        self._on_hint = on_hint
        self._bus.brokers.append(self)

    def publish(self, hint: Hint) -> None:
        for broker in self._bus.brokers:
            if hint.campaign in broker._watched and broker._on_hint is not None:
                asyncio.get_running_loop().call_soon(broker._on_hint, hint)

    async def watch(self, campaign: str) -> None:
        self._watched.add(campaign)

    async def unwatch(self, campaign: str) -> None:
        self._watched.discard(campaign)

    async def close(self) -> None:
        self._watched.clear()
        if self in self._bus.brokers:
            self._bus.brokers.remove(self)
