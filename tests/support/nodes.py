"""Nodes of the server inside one process, on one log and one bus."""

import asyncio
import json

from domain.campaign.opening import OpenCampaign
from domain.campaign.seats import Join, MakeInvite
from events.table import InviteMade
from services.broker.memory import MemoryBroker, MemoryBus
from services.live.hub import Hub
from services.log.memory import MemoryLog
from services.pipeline import Order, Pipeline
from services.seat import Seat
from services.states import CODEC, States

CAMPAIGN = "c_1"
GM = Seat(CAMPAIGN, "m_gm")


class Node:
    """Pipeline and live feed, as `services.app` puts them together."""

    def __init__(self, log=None, broker=None, **hub):
        self.log = log or MemoryLog()
        self.states = States(self.log)
        self.broker = broker or MemoryBroker(MemoryBus())
        self.hub = Hub(self.log, self.states, self.broker, **hub)
        self.now = 1_000_000
        self.pipeline = Pipeline(self.log, self.states, self._clock, lambda hint, held: self.hub.committed(hint))

    def _clock(self):
        self.now += 1
        return self.now

    async def __aenter__(self):
        await self.hub.start()
        return self

    async def __aexit__(self, *_):
        await self.pipeline.close()
        await self.hub.close()
        await self.states.close()

    async def open(self):
        command = OpenCampaign(name="Brume", systems=("legends", "dnd35"))
        await self.pipeline.submit(Order(GM, command, role="gm"))

    async def give(self, command, seat=GM, **more):
        return await self.pipeline.submit(Order(seat, command, **more))

    async def seat(self, name, role="player"):
        """A new member."""
        made = await self.give(MakeInvite(role=role))
        invite = CODEC.decode(made.events[0].type, 1, made.events[0].body).fact
        assert isinstance(invite, InviteMade)
        seat = Seat(CAMPAIGN, name)
        await self.pipeline.submit(Order(seat, Join(invite=invite.invite), role="player"))
        return seat


class Client:
    """Somebody who follows, and keeps everything that came."""

    def __init__(self, node, seat=GM):
        self.node, self.seat = node, seat
        self.frames, self.connection, self._task = [], None, None

    async def follow(self, resume=None, **more):
        self.connection = await self.node.hub.attach(self.seat, resume, **more)
        self._task = asyncio.create_task(self._read(self.connection))
        return self

    async def _read(self, connection):
        async for data, _ in connection.frames():
            self.frames.append(json.loads(data))

    async def leave(self):
        """Cut, as a lost connection is: what was on its way is lost."""
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self.node.hub.detach(self.connection)

    def said(self, op):
        return [frame for frame in self.frames if frame["op"] == op]

    @property
    def record(self):
        """The events as they came, open or sealed, in the form of the wire."""
        found = []
        for frame in self.frames:
            if frame["op"] == "event":
                found.append(frame["event"])
            elif frame["op"] == "sealed":
                found.append({name: value for name, value in frame.items() if name != "op"})
        return found

    @property
    def seqs(self):
        return [event["seq"] for event in self.record]

    async def until(self, check, seconds=10):
        async with asyncio.timeout(seconds):
            while not check(self):
                await asyncio.sleep(0.002)
        return self

    async def until_seq(self, seq):
        return await self.until(lambda one: one.seqs and one.seqs[-1] >= seq)

    async def until_live(self):
        return await self.until(lambda one: one.said("live"))
