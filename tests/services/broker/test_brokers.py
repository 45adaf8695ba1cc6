"""Hints between nodes, in one process and over a real Redis."""

import asyncio
import secrets

import pytest
from redis.asyncio import Redis

from domain.campaign.talk import Narrate
from services.broker import Hint
from services.broker.memory import MemoryBroker, MemoryBus
from services.broker.redis import RedisBroker
from services.embedded.valkey import EmbeddedValkey
from tests.support.batches import Writer
from tests.support.nodes import Client, Node
from tests.support.servers import INSTALLED_REDIS


class Heard:
    """A broker and what it was told."""

    def __init__(self, broker):
        self.broker, self.hints, self.reconnects = broker, [], 0

    async def start(self):
        await self.broker.start(self.hints.append, self._again)
        if isinstance(self.broker, RedisBroker):
            await asyncio.wait_for(self.broker.ready.wait(), 10)
        return self

    def _again(self):
        self.reconnects += 1

    async def until(self, check):
        async with asyncio.timeout(15):
            while not check(self):
                await asyncio.sleep(0.005)


@pytest.fixture(params=["memory", "redis_server", *INSTALLED_REDIS])
async def two(request):
    """Two nodes' brokers that hear each other."""
    if request.param == "memory":
        bus = MemoryBus()
        made = [MemoryBroker(bus) for _ in range(2)]
    else:
        made = [RedisBroker(request.getfixturevalue(request.param)) for _ in range(2)]
    heard = [await Heard(broker).start() for broker in made]
    yield heard
    for broker in made:
        await broker.close()


def hint(campaign, last=1):
    return Hint(campaign, 1, last, last, b"h" * 32, Writer(campaign).batch("k").events)


async def watch(heard, campaign):
    """Watched, and known to be: hints are sent until one arrives."""
    await heard.broker.watch(campaign)
    for _ in range(200):
        heard.broker.publish(hint(campaign, 0))
        await asyncio.sleep(0.02)
        if any(one.campaign == campaign for one in heard.hints):
            break
    await asyncio.sleep(0.1)
    heard.hints.clear()


async def test_a_hint_reaches_the_node_that_watches(two):
    campaign = f"c_{secrets.token_hex(6)}"
    await watch(two[1], campaign)
    sent = hint(campaign)
    two[0].broker.publish(sent)
    await two[1].until(lambda heard: heard.hints)
    assert two[1].hints == [sent]


async def test_a_node_hears_nothing_of_what_it_does_not_watch(two):
    here, elsewhere = (f"c_{secrets.token_hex(6)}" for _ in range(2))
    await watch(two[1], here)
    two[0].broker.publish(hint(elsewhere))
    two[0].broker.publish(hint(here))
    await two[1].until(lambda heard: heard.hints)
    assert {one.campaign for one in two[1].hints} == {here}
    await two[1].broker.unwatch(here)


async def test_hints_keep_their_order(two):
    campaign = f"c_{secrets.token_hex(6)}"
    await watch(two[1], campaign)
    for last in range(1, 200):
        two[0].broker.publish(hint(campaign, last))
    await two[1].until(lambda heard: len(heard.hints) == 199)
    assert [one.last for one in two[1].hints] == list(range(1, 200))


async def test_malformed_messages_are_passed_over(redis_server):
    heard = await Heard(RedisBroker(redis_server)).start()
    campaign = f"c_{secrets.token_hex(6)}"
    await watch(heard, campaign)
    async with Redis.from_url(redis_server) as redis:
        for data in (b"", b"\xff\x00", b"{}", b"\xc0"):
            await redis.publish(f"greffier:{campaign}", data)
    heard.broker.publish(hint(campaign, 7))
    await heard.until(lambda one: one.hints)
    assert [one.last for one in heard.hints] == [7]
    await heard.broker.close()


async def test_publishing_never_blocks_nor_fails_without_a_redis():
    broker = RedisBroker("redis://127.0.0.1:1/0")
    await broker.start(lambda _: None, lambda: None)
    for last in range(5_000):
        broker.publish(hint("c_1", last))
    assert broker.dropped >= 4_000
    await broker.close()


async def test_a_redis_that_dies_and_comes_back_loses_no_event_of_any_client(monkeypatch):
    """Restarted twice, its connections killed in between: no gap, no repeat, still subscribed."""
    monkeypatch.setattr("services.live.hub.RECONCILE", 0.1)
    redis = EmbeddedValkey()
    await asyncio.to_thread(redis.start)
    try:
        async with Node(broker=RedisBroker(redis.url)) as here, Node(here.log, RedisBroker(redis.url)) as there:
            await here.open()
            clients = [await (await Client(node).follow()).until_live() for node in (here, there)]
            for n in range(60):
                await (here, there)[n % 2].give(Narrate(text=f"{n}"))
                if n in (15, 40):
                    await asyncio.to_thread(redis.restart)
                if n in (25, 30):
                    async with Redis.from_url(redis.url, retry=None) as admin:
                        await admin.execute_command("CLIENT", "KILL", "TYPE", "pubsub")
                await asyncio.sleep(0.01)
            for client in clients:
                await client.until_seq(62)
                assert client.seqs == list(range(1, 63))
            async with asyncio.timeout(15):
                await there.broker.ready.wait()
            assert there.broker.reconnects >= 3
    finally:
        await asyncio.to_thread(redis.stop)
