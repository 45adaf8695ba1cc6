"""Heads without end, bodies that never come: the server lets go, and serves the others."""

import asyncio

import pytest

from services.http import bounds

REQUEST = b"POST /api/join HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"

CHUNKED = b"POST /api/join HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"


async def answer_to(server, *pieces, within=15):
    """What the server says to these bytes before it closes; nothing when it stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        async with asyncio.timeout(within):
            return await reader.read(65_536)
    except (ConnectionResetError, BrokenPipeError):
        return b""
    finally:
        writer.close()


@pytest.mark.parametrize(
    "pieces",
    [
        [b"GET / HTTP/1.1\r\nHost: x\r\nX: ", *[b"a" * 4_096] * 40],
        [b"GET / HTTP/1.1\r\nHost: x\r\n", *[b"X-%d: y\r\n" % n for n in range(20_000)]],
        [b"GET /", *[b"a" * 4_096] * 40],
        [b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 100_000 + b"\r\n\r\n"],
        [CHUNKED + b"0\r\nX-T: ", *[b"a" * 4_096] * 40],
        [CHUNKED + b"0\r\n", *[b"X-T%d: a\r\n" % n for n in range(20_000)]],
        [CHUNKED + b"2;x=", *[b"a" * 4_096] * 40],
    ],
    ids=["one header", "many headers", "an address", "all at once", "a trailer", "trailers", "a chunk's extension"],
)
async def test_a_head_without_end_is_cut_off(server, http, pieces):
    told = await answer_to(server, *pieces)
    assert not told or told.startswith(b"HTTP/1.1 4")
    assert (await http.get("/health/live")).status_code == 200


async def test_an_ordinary_head_of_some_size_is_served(http):
    assert (await http.get("/health/live", headers={"X": "a" * 10_000})).status_code == 200
    for _ in range(8):  # the same connection, whose heads together are more than one may be
        assert (await http.get("/health/live", headers={"X": "a" * 8_000})).status_code == 200


async def test_what_does_not_arrive_in_time_is_let_go(monkeypatch):
    """The protocol in this process, with less patience than the server has."""
    import uvicorn

    async def app(scope, receive, send):
        message = await receive()
        while message["type"] == "http.request" and message["more_body"]:
            message = await receive()
        if message["type"] == "http.request":
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body", "body": b""})

    monkeypatch.setattr(bounds, "ARRIVES_WITHIN", 0.2)
    config = uvicorn.Config(app, port=0, http=bounds.BoundedProtocol, lifespan="off", log_config=None, ws="none")
    one = uvicorn.Server(config)
    running = asyncio.create_task(one.serve())
    while not one.started:
        await asyncio.sleep(0.01)
    port = one.servers[0].sockets[0].getsockname()[1]
    try:
        for slow in (b"", b"GET / HT", REQUEST):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(slow)
            async with asyncio.timeout(10):
                assert await reader.read(10) == b""
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(REQUEST + b"x" * 99)
        async with asyncio.timeout(10):
            assert (await reader.readline()).startswith(b"HTTP/1.1 204")
        writer.close()
    finally:
        one.should_exit = True
        await running
