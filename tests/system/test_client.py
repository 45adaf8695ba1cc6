"""The client library and the demo against a running server."""

import asyncio
import re
import subprocess
import sys

import pytest

from services.client import Client, Problem, Unreachable
from services.client.live import Follower, Tampered
from tests.support.running import ROOT, Running, free_port, greffier


@pytest.fixture
def home(tmp_path):
    return tmp_path / "home"


async def test_a_follower_comes_back_after_a_kill_and_misses_nothing(tmp_path):
    running = Running(tmp_path / "data").start()
    try:
        async with Client(running.url) as client:
            await client.open("Essai")
            seen, follower = [], Follower(client)

            async def follow():
                async for frame in follower:
                    if frame["op"] == "event":
                        seen.append(frame["event"]["seq"])

            following = asyncio.create_task(follow())
            for n in range(5):
                await client.command("campaign.narrate", text=f"{n}")
            running.kill()
            running.start()
            for n in range(5):
                await client.command("campaign.narrate", text=f"{n}")
            async with asyncio.timeout(30):
                while not following.done() and (not seen or seen[-1] < 12):
                    await asyncio.sleep(0.02)
            following.cancel()
            assert seen == list(range(1, 13))
    finally:
        running.stop()


async def test_a_feed_that_is_not_the_log_is_noticed(server):
    async with Client(server.url) as client:
        await client.open("Essai")
        follower = Follower(client)
        follower._take({"op": "event", "event": await anext(client.events())})
        with pytest.raises(Tampered):
            follower._take({"op": "live", "resume": "1:1:" + "00" * 32})
        with pytest.raises(Tampered):
            follower._take({"op": "sealed", "seq": 3, "at": "2026-01-01T00:00:00.000000Z", "digest": "00" * 32})


async def test_problems_and_silence_are_told_apart(server):
    async with Client(server.url) as client:
        await client.open("Essai")
        with pytest.raises(Problem) as problem:
            await client.command("campaign.grant", character="x", coins=1, reason="x")
        assert problem.value.code == "UNKNOWN_CHARACTER"
    async with Client(f"http://127.0.0.1:{free_port()}") as nobody:
        with pytest.raises(Unreachable):
            await nobody.open("Essai")


async def test_something_that_answers_and_is_no_greffier_is_said():
    async def page(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>")

    web = await asyncio.start_server(page, "127.0.0.1", 0)
    port = web.sockets[0].getsockname()[1]
    async with web, Client(f"http://127.0.0.1:{port}", "c_1", "token") as client:
        with pytest.raises(Problem) as problem:
            await client.get("head")
    assert problem.value.code == "NO_GREFFIER"


def test_the_demo_passes_and_leaves_an_export_that_both_verifiers_accept(server, home, tmp_path):
    file = tmp_path / "demo.ndjson"
    played = greffier("demo", "--url", server.url, "--file", str(file), home=home)
    assert played.returncode == 0, played.stdout + played.stderr
    commands = int(re.search(r"(\d+) commands", played.stdout)[1])
    assert commands >= 60
    verified = greffier("verify", str(file), home=home)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    alone = subprocess.run([sys.executable, "tests/independent_verifier.py", str(file)], cwd=ROOT, capture_output=True)
    assert alone.returncode == 0, alone.stdout
    spoiled = file.read_bytes().replace(b"Brume", b"Brune")
    file.write_bytes(spoiled)
    assert greffier("verify", str(file), home=home).returncode == 1


def test_the_demo_speaks_english_too(server, home):
    played = greffier("demo", "--url", server.url, "--lang", "en", home=home)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "joins the table" in played.stdout
