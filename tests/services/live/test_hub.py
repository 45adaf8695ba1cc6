"""In order, no gap, no repeat, whatever the hints do."""

import asyncio
import json
import random

import pytest

from domain.campaign.cast import CreateCharacter
from domain.campaign.seats import ChangeRole, RemoveMember
from domain.campaign.talk import GmNote, Narrate, Whisper
from domain.dnd35.sheet import Sheet
from services.broker import Hint
from services.broker.memory import MemoryBroker, MemoryBus
from services.live.sse import _events as events_of
from services.log import LogUnavailable
from services.pipeline import Trouble
from services.seat import Seat
from tests.support.chain import verified_head
from tests.support.nodes import CAMPAIGN, GM, Client, Node


@pytest.fixture
async def node():
    async with Node() as one:
        await one.open()
        yield one


async def head(node):
    return (await node.log.head(CAMPAIGN)).seq


async def test_a_client_gets_the_log_from_the_beginning_then_that_it_is_live_then_what_comes(node):
    client = await Client(node).follow()
    await client.until_live()
    assert client.seqs == [1, 2]
    await node.give(Narrate(text="La nuit tombe"))
    await client.until_seq(3)
    assert [frame["op"] for frame in client.frames] == ["event", "event", "live", "event"]


async def test_a_client_that_comes_back_gets_only_what_it_missed(node):
    client = await (await Client(node).follow()).until_live()
    resume = client.said("live")[0]["resume"]
    await client.leave()
    for n in range(5):
        await node.give(Narrate(text=f"{n}"))
    again = await (await Client(node).follow(resume)).until_live()
    assert again.seqs == [3, 4, 5, 6, 7]
    assert again.said("live")[0]["resume"] == str(again.connection.resume)


async def test_reconnecting_at_every_index_gives_exactly_the_log(node):
    for n in range(498):
        await node.give(Narrate(text=f"{n}"))
    whole = (await (await Client(node).follow()).until_live()).record
    for at in range(1, len(whole)):
        resume = f"1:{at}:{whole[at - 1]['hash']}"
        client = await (await Client(node).follow(resume)).until_live()
        assert client.record == whole[at:]
        await client.leave()


@pytest.mark.parametrize(
    "resume",
    ["1:3:" + "00" * 32, "2:2:{hash}", "1:99:{hash}", "nonsense", "1:-1:00", "", "1:0:" + "11" * 32, "٣:1:00"],
)
async def test_a_token_that_the_log_does_not_know_gets_the_state_and_then_the_tail(node, resume):
    await node.give(Narrate(text="un"))
    events = await node.log.read(CAMPAIGN, 0)
    client = await (await Client(node).follow(resume.replace("{hash}", events[1].hash.hex()))).until_live()
    (state,) = client.said("state")
    assert (state["seq"], state["hash"]) == (3, events[2].hash.hex())
    assert client.seqs == []
    await node.give(Narrate(text="deux"))
    assert (await client.until_seq(4)).seqs == [4]


async def test_a_client_too_far_behind_gets_the_state(node, monkeypatch):
    monkeypatch.setattr("services.live.hub.TAIL", 10)
    for n in range(20):
        await node.give(Narrate(text=f"{n}"))
    client = await (await Client(node).follow()).until_live()
    assert [frame["op"] for frame in client.frames] == ["state", "live"]


class Mute(MemoryBroker):
    """A broker that loses, doubles, delays and shuffles."""

    def __init__(self, bus, chance):
        super().__init__(bus)
        self.chance, self.held = chance, []

    def publish(self, hint: Hint) -> None:
        self.held.append(hint)
        self.chance.shuffle(self.held)
        for _ in range(self.chance.randrange(3)):
            if self.held:
                one = self.held.pop() if self.chance.random() < 0.7 else self.held[-1]
                if self.chance.random() < 0.3:
                    one = Hint(one.campaign, one.epoch, one.first, one.last, one.hash)
                if self.chance.random() < 0.8:
                    super().publish(one)


@pytest.mark.parametrize("seed", range(6))
async def test_hints_late_doubled_shuffled_or_lost_change_nothing(seed, monkeypatch):
    monkeypatch.setattr("services.live.hub.RECONCILE", 0.05)
    chance, bus = random.Random(seed), MemoryBus()
    async with Node(broker=Mute(bus, chance)) as here, Node(here.log, Mute(bus, chance)) as there:
        await here.open()
        clients = [await Client(one).follow() for one in (here, there, there)]
        for n in range(60):
            await chance.choice((here, there)).give(Narrate(text=f"{n}"))
            if chance.random() < 0.2:
                clients.append(await Client(chance.choice((here, there))).follow())
            if chance.random() < 0.3:
                await asyncio.sleep(0.003)
        last = await head(here)
        for client in clients:
            await client.until_seq(last)
            assert client.seqs == list(range(1, last + 1))


async def test_a_lost_last_hint_shows_when_heads_are_compared(monkeypatch):
    monkeypatch.setattr("services.live.hub.RECONCILE", 0.05)
    async with Node() as here, Node(here.log) as there:  # no bus between them at all
        await here.open()
        client = await (await Client(there).follow()).until_live()
        await here.give(Narrate(text="ailleurs"))
        await client.until_seq(3)
        assert client.seqs == [1, 2, 3]


async def test_clients_that_come_while_events_are_stored_miss_nothing(node):
    async def play():
        for n in range(150):
            await node.give(Narrate(text=f"{n}"))
            await asyncio.sleep(0)

    async def come(delay):
        await asyncio.sleep(delay)
        return await Client(node).follow()

    _, *clients = await asyncio.gather(play(), *(come(n * 0.002) for n in range(30)))
    for client in clients:
        await client.until_seq(152)
        assert client.seqs == list(range(1, 153))


async def test_everybody_verifies_the_chain_sealed_or_not(node):
    ana, bo = await node.seat("m_ana"), await node.seat("m_bo")
    clients = {seat: await Client(node, seat).follow() for seat in (GM, ana, bo)}
    await node.give(GmNote(text="secret"))
    await node.give(Whisper(to=("m_bo",), text="psst"))
    await node.give(CreateCharacter(name="Ombre", sheet=Sheet(), kind="non_player", hidden=True))
    await node.give(Narrate(text="rien"))
    last = await head(node)
    heads = set()
    for client in clients.values():
        await client.until_seq(last)
        heads.add(verified_head(CAMPAIGN, client.record))
    assert heads == {(await node.log.head(CAMPAIGN)).hash.hex()}
    assert "secret" not in str(clients[ana].frames)
    assert "Ombre" not in str(clients[bo].frames)
    assert "psst" in str(clients[bo].frames)
    assert "psst" not in str(clients[ana].frames)


async def test_a_removed_member_receives_nothing_from_that_very_event_on(node):
    ana = await node.seat("m_ana")
    client = await (await Client(node, ana).follow()).until_live()
    before = client.seqs[-1]
    await node.give(RemoveMember(member="m_ana"))
    await node.give(Narrate(text="bon débarras"))
    await client.until(lambda one: one.said("bye"))
    await asyncio.sleep(0.02)
    assert client.frames[-1]["reason"] == "removed"
    assert client.seqs[-1] == before
    with pytest.raises(Trouble):
        await Client(node, ana).follow()


async def test_a_new_role_counts_from_its_event_on(node):
    ana = await node.seat("m_ana")
    client = await (await Client(node, ana).follow()).until_live()
    await node.give(GmNote(text="avant"))
    await node.give(ChangeRole(member="m_ana", role="gm"))
    await node.give(GmNote(text="après"))
    await client.until_seq(await head(node))
    assert "avant" not in str(client.frames)
    assert "après" in str(client.frames)


async def test_a_stranger_follows_nothing(node):
    with pytest.raises(Trouble):
        await Client(node, Seat(CAMPAIGN, "m_stranger")).follow()
    with pytest.raises(Trouble):
        await Client(node, Seat("c_none", "m_gm")).follow()


async def test_a_client_that_stops_reading_is_let_go_and_delays_nobody():
    async with Node(buffer=20_000) as node:
        await node.open()
        quick = await (await Client(node).follow()).until_live()
        slow = await node.hub.attach(GM, None)
        for n in range(100):
            await node.give(Narrate(text="x" * 500))
            assert (await quick.until_seq(3 + n)).seqs[-1] == 3 + n
        assert slow.closing == "slow"
        assert slow._size == 0
        (goodbye,) = [data async for data, _ in slow.frames()]
        assert b'"slow"' in goodbye
        # It comes back where it really was: before anything had left for it.
        again = await (await Client(node).follow(str(slow.resume))).until_live()
        assert again.seqs == list(range(slow.resume.seq + 1, 103))


async def test_a_long_history_waits_for_the_client_and_does_not_overflow():
    async with Node(buffer=20_000) as node:
        await node.open()
        for _ in range(200):
            await node.give(Narrate(text="x" * 500))
        client = await (await Client(node).follow()).until_live()
        assert client.seqs == list(range(1, 203))


async def test_a_node_takes_only_so_many_clients():
    async with Node(most_connections=2) as node:
        await node.open()
        first = await Client(node).follow()
        await Client(node).follow()
        with pytest.raises(Trouble) as trouble:
            await Client(node).follow()
        assert (trouble.value.status, trouble.value.code) == (503, "TOO_MANY_CONNECTIONS")
        await first.leave()
        await Client(node).follow()


async def test_a_node_that_stops_says_where_to_go_on(node):
    client = await (await Client(node).follow()).until_live()
    node.hub.farewell()
    await client.until(lambda one: one.said("bye"))
    assert client.frames[-1]["reason"] == "restart"
    assert client.frames[-1]["resume"].startswith("1:2:")


async def test_presence_reaches_those_at_the_same_table_and_is_no_event(node):
    ana = await node.seat("m_ana")
    one, other = await (await Client(node).follow()).until_live(), await (await Client(node, ana).follow()).until_live()
    before = await head(node)
    node.hub.present(one.connection, {"typing": True})
    await other.until(lambda client: client.said("presence"))
    assert other.said("presence")[0] == {"op": "presence", "member": "m_gm", "state": {"typing": True}}
    await one.leave()
    await other.until(lambda client: len(client.said("presence")) == 2)
    assert await head(node) == before


async def test_nobody_listening_leaves_nothing_behind(node):
    client = await (await Client(node).follow()).until_live()
    await client.leave()
    assert not node.hub._channels
    assert not node.broker._watched
    assert node.hub.connections == 0


async def test_a_client_cut_off_before_its_state_left_comes_back_to_where_it_was(monkeypatch):
    monkeypatch.setattr("services.live.hub.TAIL", 5)
    async with Node(buffer=20_000) as node:
        await node.open()
        for _ in range(10):
            await node.give(Narrate(text="x"))
        slow = await node.hub.attach(GM, None)
        for _ in range(100):
            await node.give(Narrate(text="x" * 500))
        (goodbye,) = [json.loads(data) async for data, _ in slow.frames()]
        assert goodbye["reason"] == "slow"
        assert goodbye["resume"].split(":")[1] == "0"


async def test_a_state_larger_than_the_buffer_is_sent_all_the_same(monkeypatch):
    monkeypatch.setattr("services.live.hub.TAIL", 1)
    async with Node(buffer=200) as node:
        await node.open()
        client = await Client(node).follow()
        await client.until(lambda one: one.frames)
        assert client.frames[0]["op"] == "state"


async def test_a_stream_that_never_starts_leaves_nothing_behind(node):
    await events_of(node.hub, GM, None, "fr").aclose()
    assert node.hub.connections == 0


class Failing:
    """A log whose second reading fails."""

    def __init__(self, log):
        self.log, self.reads = log, 0

    def __getattr__(self, name):
        return getattr(self.log, name)

    async def read(self, campaign, after, limit=500):
        self.reads += 1
        if self.reads == 2:
            raise LogUnavailable("down")
        return await self.log.read(campaign, after, limit)


async def test_a_log_that_fails_while_a_client_comes_back_repeats_nothing(monkeypatch):
    monkeypatch.setattr("services.live.hub.RECONCILE", 0.1)
    async with Node() as here, Node(here.log) as there:
        await here.open()
        keep = await (await Client(there).follow()).until_live()
        for n in range(5):
            await here.give(Narrate(text=f"{n}"))
        events = await here.log.read(CAMPAIGN, 0)
        there.hub._log = Failing(here.log)
        client = await Client(there).follow(f"1:7:{events[6].hash.hex()}")
        await keep.until_seq(7)
        await client.until(lambda one: one.said("bye") or one.said("live"))
        assert client.seqs == []
