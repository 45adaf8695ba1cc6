"""One client that follows: what is on its way to it, within bounds."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator

from services.live.protocol import Token, frame
from services.seat import Seat


class Connection:
    """`position` is the last event put on the way. Nothing waits for a slow client: it is let go, and may resume."""

    def __init__(self, seat: Seat, most_bytes: int) -> None:
        self.seat = seat
        self.position = 0
        self.resume = self._left = Token(0, 0, bytes(32))
        self.live = False
        self.views: dict[tuple[str, str | None], int] = {}
        self.locale = "fr"
        self.presence: dict[str, object] = {}
        self.closing: str | None = None
        self.patience: asyncio.Timeout | None = None
        self._frames: deque[tuple[bytes, Token | None]] = deque()
        self._most, self._size = most_bytes, 0
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._room.set()

    @property
    def ending(self) -> bool:
        """Nothing more is put on the way."""
        return self.closing is not None

    def offer(self, data: bytes, place: Token | None = None) -> None:
        """Put a frame on the way. A full buffer ends the connection; one frame always fits into an empty one."""
        if self.closing is not None:
            return
        if self._size and self._size + len(data) > self._most:
            self.close("slow")
            return
        self._frames.append((data, place))
        self._size += len(data)
        if place is not None:
            self.resume = place
        if self._size > self._most // 2:
            self._room.clear()
        self._some.set()

    def begin(self, place: Token) -> None:
        """The client has seen everything up to here."""
        self.position, self.resume, self._left = place.seq, place, place

    def close(self, reason: str) -> None:
        """Say goodbye after what is on its way; a slow client gets the goodbye alone."""
        if self.closing is not None:
            return
        self.closing = reason
        self.live = False
        if reason == "slow":
            # What waited was never seen: the client resumes from the last event that left for it.
            self._frames.clear()
            self._size = 0
            self.resume = self._left
        self._frames.append((frame("bye", reason=reason, resume=str(self.resume)), None))
        self._some.set()
        self._room.set()
        if self.patience is not None and not self.patience.expired():
            # A send that hangs gets a last second.
            self.patience.reschedule(asyncio.get_running_loop().time() + 1.0)

    async def room(self) -> None:
        """Wait until at most half of the buffer is waiting."""
        await self._room.wait()

    async def frames(self) -> AsyncIterator[tuple[bytes, Token | None]]:
        """What goes to the client, in order, with the place after it where there is one; ends with the goodbye."""
        while True:
            while self._frames:
                data, place = self._frames.popleft()
                self._size = max(0, self._size - len(data))
                if self._size <= self._most // 2:
                    self._room.set()
                self._left = place or self._left
                yield data, place
            if self.closing is not None:
                return
            self._some.clear()
            await self._some.wait()
