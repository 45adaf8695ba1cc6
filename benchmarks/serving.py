"""Commands over HTTP, on a server that is a process of its own, against our log alone."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from benchmarks.line import Line

SECONDS, CALLERS = 4.0, 32


async def measure(url: str, folder: Path, alone: float) -> list[Line]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "services.cli", "serve", "--port", str(port)],
        env=os.environ | {"GREFFIER_DATABASE_URL": url, "GREFFIER_LOG_LEVEL": "error"},
        stdout=(folder / "server.log").open("wb"),
        stderr=subprocess.STDOUT,
    )
    try:
        await _ready(port)
        rate = await _commands(port)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
    return [Line(f"commands over HTTP, {CALLERS} callers", rate, "our log alone", alone)]


async def _ready(port: int) -> None:
    async with asyncio.timeout(60), httpx.AsyncClient() as http:
        while True:
            try:
                if (await http.get(f"http://127.0.0.1:{port}/health/ready")).status_code == 200:
                    return
            except httpx.TransportError:
                await asyncio.sleep(0.05)


async def _commands(port: int) -> float:
    """Each caller talks at a table of its own, one command after another, over one kept connection."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as http:
        tables = [(await http.post("/api/campaigns", json={"name": "bench"})).json() for _ in range(CALLERS)]
    body = json.dumps({"type": "campaign.narrate", "text": "La nuit tombe sur la ville"}).encode()
    until, done = time.perf_counter() + SECONDS, 0

    async def call(table: dict[str, str]) -> None:
        nonlocal done
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        request = (
            f"POST /api/campaigns/{table['campaign']}/commands HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {table['token']}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        ).encode() + body
        while time.perf_counter() < until:
            writer.write(request)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 201"), head
            size = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
            await reader.readexactly(size)
            done += 1
        writer.close()

    start = time.perf_counter()
    await asyncio.gather(*(call(table) for table in tables))
    return done / (time.perf_counter() - start)
