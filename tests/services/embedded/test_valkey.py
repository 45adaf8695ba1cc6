import asyncio
from pathlib import Path

import pytest
import redis.asyncio as redis
from redis import exceptions

from services.embedded import ServerFailed
from services.embedded.valkey import EmbeddedValkey


async def test_it_answers_those_who_know_its_password() -> None:
    async with EmbeddedValkey() as valkey:
        async with redis.from_url(valkey.url) as client:
            assert await client.ping()
        async with redis.Redis(port=valkey.port, retry=None) as stranger:
            with pytest.raises(exceptions.AuthenticationError):
                await stranger.ping()


async def test_messages_reach_subscribers() -> None:
    async with EmbeddedValkey() as valkey, redis.from_url(valkey.url) as client, client.pubsub() as ear:
        await ear.subscribe("table")
        await client.publish("table", "roll!")
        async with asyncio.timeout(30):
            async for message in ear.listen():
                if message["type"] == "message":
                    assert message["data"] == b"roll!"
                    break


@pytest.mark.parametrize("crash", [False, True])
async def test_it_comes_back_on_the_same_port_and_remembers_nothing(crash: bool) -> None:
    async with EmbeddedValkey() as valkey:
        before = valkey.url
        async with redis.from_url(valkey.url) as client:
            await client.set("dice", 20)
        if crash:
            valkey.kill()
            assert not valkey.running
        await asyncio.to_thread(valkey.restart)
        assert valkey.url == before
        async with redis.from_url(valkey.url) as client:
            assert await client.get("dice") is None


async def test_it_goes_when_stopped() -> None:
    async with EmbeddedValkey() as valkey:
        pass
    async with redis.from_url(valkey.url) as client:
        with pytest.raises(exceptions.ConnectionError):
            await client.ping()


def test_a_failed_start_shows_the_end_of_the_log() -> None:
    with pytest.raises(ServerFailed, match="Bad directive"):
        EmbeddedValkey(settings={"no-such-setting": "1"}).start()


def test_a_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GREFFIER_REDIS_BIN", str(tmp_path / "nowhere"))
    with pytest.raises(ServerFailed, match="GREFFIER_REDIS_BIN names"):
        EmbeddedValkey().start()
