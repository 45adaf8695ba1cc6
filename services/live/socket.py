"""The WebSocket: `GET /api/campaigns/{campaign}/live`."""

import asyncio
import contextlib
from typing import Any

import msgspec
import structlog
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from services.http.commands import read_command
from services.http.parts import Parts, parts
from services.live.connection import Connection
from services.live.hub import Hub, watched
from services.live.protocol import MOST_PRESENCE, Give, Hello, Ping, Presence, Said, Watch, frame, read
from services.pipeline import Order, Trouble
from services.problems import locale_of, malformed, problem_of

HELLO_WITHIN = 10.0
RATE, BURST = 50.0, 200.0
"""Frames a second that a client may send in the long run, and at once."""
IN_FLIGHT = 16
"""Commands of one client that may be under way at once."""
MISTAKES = 5
LAST_WORDS = 1.0
"""Seconds that a goodbye may take."""
MOST_BYTES = 65_536

Socket = WebSocket[Any, Any, Any]
_log = structlog.get_logger()


@websocket("/campaigns/{campaign:str}/live")
async def live(socket: Socket, campaign: str) -> None:
    """Follow a campaign. The first frame is `hello`."""
    have = parts(socket)
    locale = locale_of(socket)
    await socket.accept()
    try:
        seat = await have.door.seat(socket, campaign)
        hello = await _hello(socket)
        connection = await have.hub.attach(seat, hello.resume, locale=locale, views=hello.views)
    except WebSocketDisconnect:
        return
    except Exception as error:  # noqa: BLE001 - whatever it is, the client is told in words it can read
        problem, _ = problem_of(error, locale)
        if problem.status == 500:
            _log.exception("socket_failed")
        await _farewell(socket, frame("bye", reason="refused", problem=problem), 4000 + problem.status % 1000)
        return
    client = _Client(socket, have.hub, connection, have, locale)
    try:
        await client.run()
    finally:
        await have.hub.detach(connection)


async def _hello(socket: Socket) -> Hello:
    try:
        async with asyncio.timeout(HELLO_WITHIN):
            text = await socket.receive_data("text")
    except TimeoutError as error:
        raise Trouble(408, "NO_HELLO", seconds=int(HELLO_WITHIN)) from error
    said = _read(text[: MOST_BYTES + 1])
    if not isinstance(said, Hello):
        raise malformed(ValueError("the first frame is “hello”"))
    return said


def _read(text: str) -> Said:
    """What a client said. Raises what is malformed, nested without end included."""
    try:
        return read.decode(text)
    except RecursionError as error:
        raise malformed(ValueError("nested too deeply")) from error


class _Client:
    """Reads what the client says while another task sends what is on its way."""

    def __init__(self, socket: Socket, hub: Hub, connection: Connection, have: Parts, locale: str) -> None:
        pipeline, self._door = have.pipeline, have.door
        self._socket, self._hub, self._connection, self._pipeline = socket, hub, connection, pipeline
        self._locale, self._mistakes = locale, 0
        self._commands: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        reading = asyncio.create_task(self._read())
        writing = asyncio.create_task(self._write())
        done, _ = await asyncio.wait({reading, writing}, return_when=asyncio.FIRST_COMPLETED)
        if writing not in done:
            self._connection.close("gone")
        for task in (reading, writing):
            task.cancel()
        results = await asyncio.gather(reading, writing, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                _log.info("socket_ended", error=repr(result))
        with contextlib.suppress(Exception):
            async with asyncio.timeout(1):
                await self._socket.close(1000)

    async def _write(self) -> None:
        """Send until the goodbye is sent. Whoever does not read is cut off once the connection ends."""
        async for data, _ in self._connection.frames():
            try:
                async with asyncio.timeout(LAST_WORDS if self._connection.ending else None) as patience:
                    self._connection.patience = patience
                    await self._socket.send_data(data.decode(), "text")
            finally:
                self._connection.patience = None

    async def _read(self) -> None:
        clock = asyncio.get_running_loop().time
        allowance, last = BURST, clock()
        while True:
            text = await self._socket.receive_data("text")
            allowance, last = min(BURST, allowance + (clock() - last) * RATE), clock()
            if allowance < 1:
                await asyncio.sleep((1 - allowance) / RATE)
            allowance -= 1
            try:
                if len(text) > MOST_BYTES:
                    raise malformed(ValueError(f"a frame has at most {MOST_BYTES} bytes"))
                await self._hear(_read(text))
            except WebSocketDisconnect:
                raise
            except Exception as error:  # noqa: BLE001 - told to the client
                problem, _ = problem_of(error, self._locale)
                self._connection.offer(frame("error", problem=problem))
                self._mistakes += 1
                if self._mistakes >= MISTAKES:
                    self._connection.close("mistakes")
                    return

    async def _hear(self, said: Said) -> None:
        match said:
            case Give():
                if len(self._commands) >= IN_FLIGHT:
                    await asyncio.wait(self._commands, return_when=asyncio.FIRST_COMPLETED)
                task = asyncio.create_task(self._give(said))
                self._commands.add(task)
                task.add_done_callback(self._commands.discard)
            case Watch():
                self._connection.views = {watched(name): -1 for name in said.views}
                self._hub.poke(self._connection)
            case Presence():
                if len(msgspec.json.encode(said.state)) > MOST_PRESENCE:
                    raise malformed(ValueError(f"presence has at most {MOST_PRESENCE} bytes"))
                self._hub.present(self._connection, said.state)
            case Ping():
                self._connection.offer(frame("pong"))
            case Hello():
                raise malformed(ValueError("“hello” is said once"))

    async def _give(self, said: Give) -> None:
        """A command on the socket: its events come through the feed, its answer here."""
        try:
            seat = await self._door.still(self._connection.seat)
            order = Order(seat, read_command(bytes(said.command)), id=said.id)
            outcome = await self._pipeline.submit(order)
        except Exception as error:  # noqa: BLE001 - told to the client
            problem, _ = problem_of(error, self._locale)
            if problem.status == 500:
                _log.exception("command_failed")
            self._connection.offer(frame("refused", id=said.id, problem=problem))
        else:
            self._connection.offer(frame("done", id=said.id, first=outcome.first or None, last=outcome.last or None))


async def _farewell(socket: Socket, data: bytes, code: int) -> None:
    with contextlib.suppress(Exception):
        async with asyncio.timeout(2):
            await socket.send_data(data.decode(), "text")
            await socket.close(code)


HANDLERS = [live]
