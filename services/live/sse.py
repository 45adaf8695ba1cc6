"""The same feed as Server-Sent Events, for simple clients: `GET /api/campaigns/{campaign}/live/events`.

`Last-Event-ID` is the resume token; each event's `id` is the token after it.
"""

from collections.abc import AsyncIterator

import msgspec
from litestar import get
from litestar.response import Stream

from services.http.parts import Req, parts
from services.live.hub import Hub
from services.live.protocol import frame
from services.log import LogUnavailable
from services.pipeline import Trouble
from services.problems import locale_of, problem_of
from services.seat import Seat


@get("/campaigns/{campaign:str}/live/events")
async def follow(request: Req, campaign: str, resume: str | None = None) -> Stream:
    """Every frame of the socket as an event named by its `op`."""
    have = parts(request)
    seat = await have.door.seat(request, campaign)
    place = request.headers.get("last-event-id") or resume
    return Stream(
        _events(have.hub, seat, place[:200] if place else None, locale_of(request)),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


class _Op(msgspec.Struct):
    op: str


_op = msgspec.json.Decoder(_Op)


async def _events(hub: Hub, seat: Seat, resume: str | None, locale: str) -> AsyncIterator[bytes]:
    """Attached only once the stream is read: one that never starts leaves nothing behind."""
    try:
        connection = await hub.attach(seat, resume, locale=locale)
    except (Trouble, LogUnavailable) as error:
        problem, _ = problem_of(error, locale)
        yield b"event: bye\ndata: %s\n\n" % frame("bye", reason="refused", problem=problem)
        return
    try:
        async for data, place in connection.frames():
            name = _op.decode(data).op.encode()
            mark = b"id: %s\n" % str(place).encode() if place else b""
            yield b"%sevent: %s\ndata: %s\n\n" % (mark, name, data)
    finally:
        await hub.detach(connection)


HANDLERS = [follow]
