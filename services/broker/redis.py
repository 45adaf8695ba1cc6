"""Hints over Redis pub/sub. Redis may be down, restart or lose messages: commands go on, and nothing is lost.

One task reads, one writes; a bounded queue lies before the writer, and what does not fit is dropped: every node also
compares heads with the log.
"""

import asyncio
import contextlib
from collections.abc import Callable

import msgspec
import structlog
from redis.asyncio import Redis
from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from services.broker import Hint

CHANNEL = "greffier:"
HEARTBEAT = "greffier:heartbeat"
BEAT = 2.0
SILENT = 10.0
"""Seconds: a beat goes out at least this often, and a reader that hears none for long connects anew."""
QUEUED = 1_000
PIPELINED = 100
PAUSE = 0.1
LONGEST_PAUSE = 3.0
"""Seconds between two attempts to reach Redis again."""

_LOST = (RedisError, OSError, TimeoutError)
_log = structlog.get_logger()
_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Hint).decode


class RedisBroker:
    """`url` is a `redis://` address."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._redis = Redis.from_url(url, socket_timeout=5, socket_connect_timeout=3, health_check_interval=0)
        self._queue: asyncio.Queue[Hint] = asyncio.Queue(QUEUED)
        self._watched: set[str] = set()
        self._changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.dropped = 0
        self.reconnects = 0
        self.ready = asyncio.Event()
        """Set while subscribed."""

    async def start(self, on_hint: Callable[[Hint], None], on_reconnect: Callable[[], None]) -> None:
        self._tasks = [asyncio.create_task(self._read(on_hint, on_reconnect)), asyncio.create_task(self._write())]

    def publish(self, hint: Hint) -> None:
        try:
            self._queue.put_nowait(hint)
        except asyncio.QueueFull:
            self.dropped += 1

    async def watch(self, campaign: str) -> None:
        self._watched.add(campaign)
        self._changed.set()

    async def unwatch(self, campaign: str) -> None:
        self._watched.discard(campaign)
        self._changed.set()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with contextlib.suppress(*_LOST):
            await asyncio.wait_for(self._redis.aclose(), 2)

    async def _read(self, on_hint: Callable[[Hint], None], on_reconnect: Callable[[], None]) -> None:
        """Listen for ever: a lost connection is made again, with all that was watched."""
        pause = PAUSE
        while True:
            client = Redis.from_url(self._url, socket_timeout=None, socket_connect_timeout=3)
            try:
                async with client.pubsub(ignore_subscribe_messages=True) as pubsub:
                    await pubsub.subscribe(HEARTBEAT)
                    subscribed: set[str] = set()
                    await self._subscribe(pubsub, subscribed)
                    pause = PAUSE
                    self.reconnects += 1
                    self.ready.set()
                    on_reconnect()
                    await self._listen(pubsub, subscribed, on_hint)
            except _LOST as error:
                _log.warning("redis_lost", error=str(error))
            except Exception:  # noqa: BLE001 - the reader never ends before its node
                _log.exception("redis_reader_failed")
            finally:
                self.ready.clear()
                with contextlib.suppress(*_LOST):
                    await client.aclose()
            await asyncio.sleep(pause)
            pause = min(pause * 2, LONGEST_PAUSE)

    async def _listen(self, pubsub: PubSub, subscribed: set[str], on_hint: Callable[[Hint], None]) -> None:
        """Raises `TimeoutError` when not even our own heartbeat comes back."""
        clock = asyncio.get_running_loop().time
        heard = clock()
        while True:
            if clock() - heard > SILENT:
                raise TimeoutError("Redis is silent")
            if self._changed.is_set():
                await self._subscribe(pubsub, subscribed)
            message = await pubsub.get_message(timeout=0.2)
            if message is None:
                continue
            heard = clock()
            if message["channel"] == HEARTBEAT.encode():
                continue
            try:
                hint = _decode(message["data"])
            except (msgspec.MsgspecError, TypeError):
                _log.warning("malformed_hint", channel=str(message.get("channel"))[:100])
                continue
            if hint.campaign in self._watched:
                on_hint(hint)

    async def _subscribe(self, pubsub: PubSub, subscribed: set[str]) -> None:
        """Listen to what is watched now, and to nothing else."""
        self._changed.clear()
        wanted = set(self._watched)
        if new := wanted - subscribed:
            await pubsub.subscribe(*(CHANNEL + name for name in new))
        if gone := subscribed - wanted:
            await pubsub.unsubscribe(*(CHANNEL + name for name in gone))
        subscribed.clear()
        subscribed.update(wanted)

    async def _write(self) -> None:
        while True:
            hints = []
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT):
                    hints.append(await self._queue.get())
            while len(hints) < PIPELINED and not self._queue.empty():
                hints.append(self._queue.get_nowait())
            try:
                async with self._redis.pipeline(transaction=False) as pipe:
                    pipe.publish(HEARTBEAT, b"")
                    for hint in hints:
                        pipe.publish(CHANNEL + hint.campaign, _encode(hint))
                    await pipe.execute()
            except _LOST as error:
                self.dropped += len(hints)
                _log.warning("redis_publish_lost", error=str(error), hints=len(hints))
                await asyncio.sleep(PAUSE)
            except Exception:  # noqa: BLE001 - the writer never ends before its node
                self.dropped += len(hints)
                _log.exception("redis_writer_failed")
                await asyncio.sleep(PAUSE)
