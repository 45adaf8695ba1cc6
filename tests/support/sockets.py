"""A client on a real WebSocket."""

import asyncio
import json
from typing import Any

from websockets.asyncio.client import connect

from tests.support.running import Table


class Following:
    """`async with Following(url, table, "ana") as one:` keeps everything that the server says."""

    def __init__(self, url: str, table: Table, by: str, resume: str | None = None, views: tuple[str, ...] = ()) -> None:
        self.url = f"{url.replace('http', 'ws', 1)}/api/campaigns/{table.campaign}/live"
        self.headers = table.headers(by)
        self.hello = {"op": "hello", "views": views} | ({"resume": resume} if resume else {})
        self.frames: list[dict[str, Any]] = []

    async def __aenter__(self) -> "Following":
        self.socket = await connect(self.url, additional_headers=self.headers, max_size=2**24)
        await self.say(**self.hello)
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.socket.close()

    async def say(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))

    async def _read(self) -> None:
        async for text in self.socket:
            self.frames.append(json.loads(text))

    def said(self, op: str) -> list[dict[str, Any]]:
        return [frame for frame in self.frames if frame["op"] == op]

    @property
    def record(self) -> list[dict[str, Any]]:
        found = []
        for frame in self.frames:
            if frame["op"] == "event":
                found.append(frame["event"])
            elif frame["op"] == "sealed":
                found.append({name: value for name, value in frame.items() if name != "op"})
        return found

    @property
    def seqs(self) -> list[int]:
        return [event["seq"] for event in self.record]

    async def until(self, check: Any, seconds: float = 15) -> "Following":
        async with asyncio.timeout(seconds):
            while not check(self):
                await asyncio.sleep(0.005)
        return self

    async def until_live(self) -> "Following":
        return await self.until(lambda one: one.said("live"))

    async def until_seq(self, seq: int) -> "Following":
        return await self.until(lambda one: one.seqs and one.seqs[-1] >= seq)
