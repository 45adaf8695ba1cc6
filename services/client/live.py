"""Following a campaign: reconnects by itself, resumes where it was, and checks every link of the chain."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from services.client import Client, Problem
from services.client.checking import Checker

PAUSE = 0.2
LONGEST_PAUSE = 5.0


class Tampered(Exception):
    """The feed is not the log: an event is missing, repeated, or not what was committed."""


class Follower:
    """`async for frame in Follower(client): …` gives every frame, for as long as one listens.

    A lost connection is made again. `views` such as `journal` or `sheet:aelys` arrive as frames `view`.
    """

    def __init__(self, client: Client, *, views: tuple[str, ...] = (), check: bool = True) -> None:
        self._client, self._views, self._check = client, views, check
        self._epoch: str | None = None
        self._checker = Checker(client.campaign)
        self._socket: ClientConnection | None = None

    @property
    def resume(self) -> str | None:
        """Where a new connection goes on: after the last event that came."""
        if self._epoch is None:
            return None
        return f"{self._epoch}:{self._checker.seq}:{self._checker.head.hex()}"

    async def __aiter__(self) -> AsyncIterator[dict[str, Any]]:
        pause = PAUSE
        url = f"{self._client.url.replace('http', 'ws', 1)}{self._client.path('live')}"
        while True:
            try:
                async with connect(url, additional_headers=self._client.headers, max_size=2**25) as socket:
                    self._socket = socket
                    hello = {"op": "hello", "views": self._views} | ({"resume": self.resume} if self.resume else {})
                    await socket.send(json.dumps(hello))
                    async for text in socket:
                        frame = json.loads(text)
                        self._take(frame)
                        pause = PAUSE
                        yield frame
                        if frame["op"] == "bye" and frame["reason"] in ("removed", "refused"):
                            if "problem" in frame:
                                raise Problem(frame["problem"])
                            return
            except (ConnectionClosed, OSError, InvalidHandshake, InvalidMessage):
                self._socket = None
            await asyncio.sleep(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    async def command(self, kind: str, /, **fields: Any) -> str:
        """Send a command on the socket; its answer is the frame `done` or `refused` with this id."""
        assert self._socket is not None
        name = secrets.token_hex(8)
        await self._socket.send(json.dumps({"op": "command", "id": name, "command": {"type": kind, **fields}}))
        return name

    def _take(self, frame: dict[str, Any]) -> None:
        match frame["op"]:
            case "event" | "sealed":
                event = frame["event"] if frame["op"] == "event" else frame
                wrong = self._checker.take(event) if self._check else None
                if wrong:
                    raise Tampered(f"event {event['seq']}: {wrong}")
            case "state":
                self._epoch = str(frame["epoch"])
                self._checker = Checker(self._client.campaign, frame["seq"], bytes.fromhex(frame["hash"]))
            case "live":
                self._epoch = frame["resume"].partition(":")[0]
                if self._check and frame["resume"] != self.resume:
                    raise Tampered(f"the server stands at {frame['resume']}, and its events lead to {self.resume}")
