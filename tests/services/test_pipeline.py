"""Acknowledged means stored once; refused means nothing changed."""

import asyncio
import random

import pytest
from msgspec.structs import replace

from domain.campaign.belongings import Grant
from domain.campaign.cast import CreateCharacter
from domain.campaign.opening import OpenCampaign, RenameCampaign
from domain.campaign.rolls import RollDice
from domain.campaign.seats import RemoveMember
from domain.campaign.sessions import CloseSession, OpenSession
from domain.campaign.talk import Narrate, Say
from domain.dnd35.sheet import Sheet
from domain.kernel.dice import blend, commitment, face
from domain.kernel.fold import state_hash
from domain.kernel.refusal import Refused
from events.chain import Stub, follow
from events.table import SessionClosed, SessionOpened
from services.log import Batch, LogUnavailable
from services.log.memory import MemoryLog
from services.pipeline import Order, Pipeline, Trouble
from services.seat import Seat
from services.states import CODEC, States

GM = Seat("c_1", "m_gm")


class Node:
    """One node of the server: its own states and pipeline on a log that it may share."""

    def __init__(self, log=None, most=256):
        self.log = log or MemoryLog()
        self.states = States(self.log, most)
        self.hints = []
        self.now = 1_000_000
        self.pipeline = Pipeline(self.log, self.states, self.clock, lambda hint, held: self.hints.append(hint))

    def clock(self):
        self.now += 1
        return self.now

    async def open(self, **more):
        command = OpenCampaign(name="Brume", systems=("legends", "dnd35"), **more)
        return await self.pipeline.submit(Order(GM, command, role="gm"))

    async def give(self, command, seat=GM, **more):
        return await self.pipeline.submit(Order(seat, command, **more))

    async def events(self):
        return await self.log.read("c_1", 0, 100_000)


@pytest.fixture
async def node():
    node = Node()
    await node.open()
    return node


async def test_a_command_is_stored_then_told(node):
    outcome = await node.give(Narrate(text="La nuit tombe"))
    assert (outcome.first, outcome.last, outcome.replayed) == (3, 3, False)
    assert [event.seq for event in await node.events()] == [1, 2, 3]
    assert node.hints[-1].last == 3


async def test_the_chain_holds(node):
    for n in range(20):
        await node.give(Narrate(text=f"{n}"))
    events = await node.events()
    assert follow("c_1", [Stub(e.seq, e.at_us, e.digest) for e in events]) == (22, events[-1].hash)


async def test_a_refusal_changes_nothing(node):
    before = await node.events()
    with pytest.raises(Refused) as refused:
        await node.give(Grant(character="nobody", coins=1, reason="x"))
    assert refused.value.code == "UNKNOWN_CHARACTER"
    assert await node.events() == before


async def test_the_same_key_sent_fifty_times_at_once_has_one_effect_and_fifty_equal_answers(node):
    outcomes = await asyncio.gather(*(node.give(Narrate(text="une fois"), id="k1") for _ in range(50)))
    assert {(one.first, one.last) for one in outcomes} == {(3, 3)}
    assert sum(not one.replayed for one in outcomes) == 1
    assert len({one.events for one in outcomes}) == 1
    assert len(await node.events()) == 3


async def test_the_same_key_on_two_nodes_has_one_effect(node):
    other = Node(node.log)
    outcomes = await asyncio.gather(*((node, other)[n % 2].give(Narrate(text="une fois"), id="k1") for n in range(50)))
    assert {(one.first, one.last) for one in outcomes} == {(3, 3)}
    assert sum(not one.replayed for one in outcomes) == 1


@pytest.mark.parametrize("fresh", [True, False])
async def test_the_same_key_for_something_else_is_a_conflict(node, fresh):
    await node.give(Narrate(text="une fois"), id="k1")
    asked = Node(node.log) if fresh else node
    with pytest.raises(Trouble) as trouble:
        await asked.give(Narrate(text="autre chose"), id="k1")
    assert (trouble.value.status, trouble.value.code) == (409, "KEY_REUSED")


@pytest.mark.parametrize("fresh", [True, False])
async def test_a_known_command_is_answered_as_before_even_where_it_would_now_be_refused(node, fresh):
    made = await node.give(CreateCharacter(name="Cy", sheet=_sheet(), id="cy"), id="k1")
    asked = Node(node.log) if fresh else node
    again = await asked.give(CreateCharacter(name="Cy", sheet=_sheet(), id="cy"), id="k1")
    assert again.replayed
    assert again.events == made.events
    with pytest.raises(Refused) as refused:
        await asked.give(CreateCharacter(name="Cy", sheet=_sheet(), id="cy"), id="k2")
    assert refused.value.code == "ID_TAKEN"


async def test_sixteen_nodes_race_and_nothing_is_lost_or_doubled(node):
    nodes = [Node(node.log) for _ in range(16)]
    outcomes = await asyncio.gather(
        *(each.give(Narrate(text=f"{n}-{k}"), id=f"{n}-{k}") for n, each in enumerate(nodes) for k in range(6)),
        return_exceptions=True,
    )
    written = [one for one in outcomes if not isinstance(one, BaseException)]
    told = [one for one in outcomes if isinstance(one, BaseException)]
    assert all(isinstance(one, Trouble) and one.status == 503 for one in told)
    events = await node.events()
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len(events) == 2 + len(written)
    assert len({event.command for event in events[2:]}) == len(written)


async def test_a_node_that_fell_behind_decides_on_the_newest_state(node):
    other = Node(node.log)
    await other.give(Narrate(text="elsewhere"))
    await node.give(CreateCharacter(name="Cy", sheet=_sheet(), id="cy"))
    assert (await other.give(Grant(character="cy", coins=5, reason="x"))).last > 0
    assert state_hash((await node.states.current("c_1")).state) == state_hash(other.states.cached("c_1").state)


async def test_if_match_refuses_when_the_table_has_moved_on(node):
    await node.give(Narrate(text="a"), if_match=2)
    with pytest.raises(Trouble) as trouble:
        await node.give(Narrate(text="b"), if_match=2)
    assert (trouble.value.status, trouble.value.params["seq"]) == (409, 3)


async def test_a_removed_member_commands_nothing_more(node):
    with pytest.raises(Trouble) as trouble:
        await node.give(Say(text="x"), Seat("c_1", "m_stranger"))
    assert trouble.value.status == 404
    with pytest.raises(Refused):
        await node.give(RemoveMember(member="m_gm"))


async def test_an_unknown_campaign_is_a_404(node):
    with pytest.raises(Trouble) as trouble:
        await node.give(Narrate(text="x"), Seat("c_other", "m_gm"))
    assert trouble.value.status == 404


async def test_what_changes_nothing_is_acknowledged_without_an_event(node):
    outcome = await node.give(RenameCampaign(name="Brume"))
    assert (outcome.first, outcome.last, outcome.events) == (0, 0, ())


async def test_time_never_decreases_within_a_campaign(node):
    await node.give(Narrate(text="a"))
    node.now -= 3_600_000_000
    await node.give(Narrate(text="b"))
    times = [event.at_us for event in await node.events()]
    assert times == sorted(times)


async def test_random_evictions_leave_the_state_equal_to_a_cold_replay(node):
    small, chance = Node(node.log, most=1), random.Random(7)
    for n in range(60):
        await small.give(Narrate(text=f"{n}") if n % 3 else RenameCampaign(name=f"Brume {n}"))
        if chance.random() < 0.5:
            small.states.forget("c_1")
        cold = await Node(node.log).states.current("c_1")
        assert state_hash(cold.state) == state_hash((await small.states.current("c_1")).state)


async def test_a_snapshot_is_read_again_as_the_state_it_was(node):
    await node.give(CreateCharacter(name="Cy", sheet=_sheet(), id="cy"))
    for n in range(1_100):
        await node.give(Grant(character="cy", coins=1, reason=f"{n}"))
    await node.states.close()
    cold = Node(node.log)
    assert await cold.log.load_snapshot("c_1", __import__("services.fingerprint").fingerprint.reducers()) is not None
    held = await cold.states.current("c_1")
    assert held.state == node.states.cached("c_1").state
    assert (held.seq, held.hash, held.at_us) == (lambda h: (h.seq, h.hash, h.at_us))(node.states.cached("c_1"))


async def test_a_request_that_is_cancelled_leaves_the_command_whole():
    """Cancelled at random: the retry with the same key gives the original answer, once."""
    node, chance = Node(), random.Random(3)
    await node.open()
    for n in range(300):
        task = asyncio.create_task(node.give(Narrate(text=f"{n}"), id=f"k{n}"))
        for _ in range(chance.randrange(6)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await node.give(Narrate(text=f"{n}"), id=f"k{n}")
    await node.pipeline.close()
    assert len(await node.events()) == 302


class Flaky(MemoryLog):
    """A store that loses the answer, before or after it has stored."""

    def __init__(self, chance):
        super().__init__()
        self.chance = chance

    async def append(self, batch):
        lost = self.chance.random()
        if lost < 0.2:
            raise LogUnavailable("lost before")
        done = await super().append(batch)
        if lost < 0.4:
            raise LogUnavailable("lost after")
        return done


async def test_an_unknown_outcome_is_settled_by_the_same_key():
    node = Node(Flaky(random.Random(5)))
    await node.open()
    for n in range(100):
        for _ in range(50):
            try:
                await node.give(Narrate(text=f"{n}"), id=f"k{n}")
            except Trouble as trouble:
                assert trouble.status == 503
                assert trouble.retry_after
            else:
                break
    assert [event.command for event in await node.events()][2:] == [f"k{n}" for n in range(100)]


async def test_server_dice_are_those_that_the_seed_fixed(node):
    await node.give(OpenSession())
    for _ in range(5):
        await node.give(RollDice(expression="2d6"))
    with pytest.raises(Refused):
        await node.give(RollDice(expression="2d6", dice=(6, 6)))
    await node.give(RollDice(expression="1d20"))
    await node.give(CloseSession())
    facts = [CODEC.decode(e.type, e.version, e.body).fact for e in await node.events()]
    opened = next(fact for fact in facts if isinstance(fact, SessionOpened))
    closed = next(fact for fact in facts if isinstance(fact, SessionClosed))
    seed = bytes.fromhex(closed.seed)
    assert commitment(seed) == opened.commitment
    dice = [roll for fact in facts for roll in fact.rolls]
    assert [roll.index for roll in dice] == [0, 2, 4, 6, 8, 10]
    for roll in dice:
        assert roll.faces == tuple(
            face(seed, "c_1", 1, blend(()), roll.index + n, roll.sides) for n in range(len(roll.faces))
        )


async def test_no_secret_seed_is_in_what_is_stored_or_said_before_the_reveal(node):
    await node.give(OpenSession())
    outcome = await node.give(RollDice(expression="1d20"))
    seeds = list(node.log._seeds.values())
    everything = b"".join(e.body + e.salt for e in await node.events()) + repr((outcome, node.hints)).encode()
    assert seeds
    for seed in seeds:
        assert seed not in everything
        assert seed.hex().encode() not in everything


@pytest.mark.parametrize(
    ("kind", "version", "body", "reason"),
    [
        ("legends.from_the_future", 1, b"{}", "unknown_type"),
        ("campaign.said", 99, b"{}", "newer_version"),
        ("campaign.said", 1, b"{", "broken"),
    ],
)
async def test_an_event_of_a_newer_build_stops_commands_and_is_named_and_the_rest_stays_readable(
    node, kind, version, body, reason
):
    last = (await node.events())[-1]
    strange = replace(last, seq=3, index=0, command="k", type=kind, version=version, body=body, hash=b"x" * 32)
    await node.log.append(Batch("c_1", 2, last.hash, "k", bytes(32), (strange,)))
    for asked in (node, Node(node.log)):
        with pytest.raises(Trouble) as trouble:
            await asked.give(Narrate(text="x"))
        assert (trouble.value.status, trouble.value.code) == (503, "CAMPAIGN_UNREADABLE")
        assert (trouble.value.params["seq"], trouble.value.params["reason"]) == (3, reason)
    assert [event.seq for event in await node.events()] == [1, 2, 3]
    assert (await node.states.at("c_1", 2)).seq == 2


@pytest.mark.parametrize(
    ("scopes", "command", "passes"),
    [
        (("read",), RollDice(expression="1d20", secret=False), False),
        (("roll",), Say(text="x"), True),
        (("roll",), Narrate(text="x"), False),
        (("gm",), Narrate(text="x"), True),
        (("act:cy",), Say(text="x", character="cy"), True),
        (("act:other",), Say(text="x", character="cy"), False),
        (("act:cy",), Grant(character="cy", coins=1, reason="x"), False),
    ],
)
async def test_a_narrower_token_does_what_its_scopes_say(node, scopes, command, passes):
    await node.give(CreateCharacter(name="Cy", sheet=_sheet(), id="cy"))
    seat = Seat("c_1", "m_gm", scopes)
    if passes:
        assert (await node.give(command, seat)).last
    else:
        with pytest.raises(Refused) as refused:
            await node.give(command, seat)
        assert refused.value.code == "SCOPE_FORBIDS"


def _sheet():
    return Sheet()


async def test_a_refused_session_keeps_no_seed(node):
    await node.give(OpenSession())
    before = dict(node.log._seeds)
    with pytest.raises(Refused):
        await node.give(OpenSession())
    assert node.log._seeds == before
