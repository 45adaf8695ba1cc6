"""The live feed of a node: in order, without gap or repeat, whatever the hints do.

A hint that continues the campaign is delivered; an older one is dropped; a newer one, or none at all, makes the node
read the log. Postgres is the truth, the numbering is the judge.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence

import structlog

from events.envelope import Recorded
from projections.visibility import viewer, visible
from projections.wire import rfc3339
from services.broker import Broker, Hint
from services.live.channel import Channel, Ready
from services.live.connection import Connection
from services.live.protocol import Token, frame, token
from services.log import Log, LogUnavailable
from services.pipeline import Trouble
from services.seat import Seat
from services.states import States, UnreadableCampaign

TAIL = 2_000
"""A client further behind than this many events gets the state instead."""
PAGE = 500
RECONCILE = 1.0
"""Seconds between two looks at the heads of what is watched; more when thousands are."""
BEAT = 12.0

_log = structlog.get_logger()


class Hub:
    """`moved` is told when new events went out, so that watched views can follow."""

    def __init__(
        self,
        log: Log,
        states: States,
        broker: Broker,
        *,
        most_connections: int = 5_000,
        most_per_campaign: int = 1_000,
        buffer: int = 1_048_576,
        moved: Callable[[Channel], None] | None = None,
        holding: Callable[[Sequence[Seat]], Coroutine[None, None, list[Seat]]] | None = None,
    ) -> None:
        self._log, self._states, self._broker = log, states, broker
        self._most, self._most_here, self._buffer = most_connections, most_per_campaign, buffer
        self.moved, self._holding = moved, holding
        self._channels: dict[str, Channel] = {}
        self._opening: dict[str, _Opening] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._running: list[asyncio.Task[None]] = []
        self.connections = 0
        self.delivered = 0
        self.gaps = 0
        self.slow = 0

    async def start(self) -> None:
        await self._broker.start(self.on_hint, self.look_again)
        self._running = [asyncio.create_task(self._reconcile()), asyncio.create_task(self._beat())]

    def farewell(self) -> None:
        """Tell everybody to come back."""
        for channel in self._channels.values():
            for connection in tuple(channel.connections):
                connection.close("restart")

    async def close(self) -> None:
        self.farewell()
        for task in (*self._running, *self._tasks):
            task.cancel()
        await asyncio.gather(*self._running, *self._tasks, return_exceptions=True)
        await self._broker.close()

    def committed(self, hint: Hint) -> None:
        """This node stored something: elsewhere by the broker, here at once."""
        self._broker.publish(hint)
        self.on_hint(hint)

    def on_hint(self, hint: Hint) -> None:
        channel = self._channels.get(hint.campaign)
        if channel is None or (hint.epoch == channel.epoch and hint.last <= channel.seq):
            return
        if hint.epoch != channel.epoch:
            self._dissolve(channel)
            return
        if hint.events and hint.first <= channel.seq + 1:
            self._deliver(channel, hint.events)
        if channel.seq < hint.last:
            self._fill(channel, hint.last)

    def look_again(self) -> None:
        """Hints may have been lost."""
        self._spawn(self._compare())

    async def attach(
        self, seat: Seat, resume: str | None, *, locale: str = "fr", views: tuple[str, ...] = ()
    ) -> Connection:
        """Begin to follow: the client is sent everything after `resume`, then that it is live, then what comes.

        Raises `Trouble` 404 for who has no seat, 503 when the node is full.
        """
        if self.connections >= self._most:
            raise Trouble(503, "TOO_MANY_CONNECTIONS", retry_after=5)
        channel = await self._channel(seat.campaign)
        connection = Connection(seat, self._buffer)
        connection.locale = locale
        if channel.viewer(connection) is None:
            await self._leave(channel)
            raise Trouble(404, "UNKNOWN_CAMPAIGN")
        if len(channel.connections) >= self._most_here:
            raise Trouble(503, "TOO_MANY_CONNECTIONS", retry_after=5)
        channel.connections.add(connection)
        self.connections += 1
        connection.views = {watched(name): -1 for name in views}
        self._spawn(self._bring_up(channel, connection, resume))
        return connection

    async def detach(self, connection: Connection) -> None:
        """The client is gone."""
        connection.close("gone")
        self.slow += connection.closing == "slow"
        channel = self._channels.get(connection.seat.campaign)
        self.connections -= 1
        if channel is None or connection not in channel.connections:
            return
        channel.connections.discard(connection)
        if connection.presence:
            self.announce(channel, connection.seat.member, {})
        await self._leave(channel)

    def poke(self, connection: Connection) -> None:
        """The client watches other views now."""
        channel = self._channels.get(connection.seat.campaign)
        if channel is not None and self.moved is not None:
            self.moved(channel)

    def present(self, connection: Connection, state: dict[str, object]) -> None:
        """A member's presence, to everybody of the campaign on this node."""
        connection.presence = state
        channel = self._channels.get(connection.seat.campaign)
        if channel is not None:
            self.announce(channel, connection.seat.member, state)

    def announce(self, channel: Channel, member: str, state: dict[str, object]) -> None:
        data = frame("presence", member=member, state=state)
        for other in tuple(channel.connections):
            if other.live:
                other.offer(data)

    async def _channel(self, campaign: str) -> Channel:
        channel = self._channels.get(campaign)
        if channel is not None:
            return channel
        opening = self._opening.setdefault(campaign, _Opening())
        opening.waiting += 1
        try:
            async with opening.lock:
                channel = self._channels.get(campaign)
                if channel is None:
                    # Watch first, then look: what is committed in between is told or found by comparing heads.
                    await self._broker.watch(campaign)
                    held = await self._states.current(campaign)
                    if held is None:
                        await self._broker.unwatch(campaign)
                        raise Trouble(404, "UNKNOWN_CAMPAIGN")
                    channel = self._channels[campaign] = Channel(held)
                return channel
        finally:
            opening.waiting -= 1
            if not opening.waiting:
                self._opening.pop(campaign, None)

    async def _leave(self, channel: Channel) -> None:
        if not channel.connections and self._channels.get(channel.campaign) is channel:
            del self._channels[channel.campaign]
            await self._broker.unwatch(channel.campaign)

    def _dissolve(self, channel: Channel) -> None:
        """The log was restored from a backup: everybody starts again from the state."""
        for connection in tuple(channel.connections):
            connection.close("restart")
        if self._channels.pop(channel.campaign, None) is not None:
            self._spawn(self._broker.unwatch(channel.campaign))

    def _deliver(self, channel: Channel, events: Sequence[Recorded]) -> None:
        before = channel.seq
        self.delivered += channel.deliver(events)
        if channel.seq != before and self.moved is not None:
            self.moved(channel)

    def _fill(self, channel: Channel, wanted: int) -> None:
        channel.wanted = max(channel.wanted, wanted)
        if not channel.filling:
            channel.filling = True
            self.gaps += 1
            self._spawn(self._read_on(channel))

    async def _read_on(self, channel: Channel) -> None:
        try:
            while channel.seq < channel.wanted and self._channels.get(channel.campaign) is channel:
                events = await self._log.read(channel.campaign, channel.seq, PAGE)
                if not events:
                    channel.wanted = channel.seq
                    break
                self._deliver(channel, events)
        except LogUnavailable as error:
            _log.warning("gap_not_filled_yet", campaign=channel.campaign, error=str(error))
        finally:
            channel.filling = False

    async def _bring_up(self, channel: Channel, connection: Connection, resume: str | None) -> None:
        try:
            await self._catch_up(channel, connection, resume)
        except (LogUnavailable, UnreadableCampaign) as error:
            _log.warning("client_not_brought_up", campaign=channel.campaign, error=str(error))
            connection.close("unavailable")

    async def _catch_up(self, channel: Channel, connection: Connection, resume: str | None) -> None:
        place = await self._place(channel, resume)
        if place is None or channel.seq - place.seq > TAIL:
            await self._send_state(channel, connection)
        else:
            connection.begin(place)
        while not connection.ending:
            await connection.room()
            if connection.position >= channel.seq:
                # No await between this look and going live: nothing can slip through.
                connection.live = True
                connection.offer(frame("live", resume=str(connection.resume)))
                for other in channel.connections:
                    if other.presence and other is not connection:
                        connection.offer(frame("presence", member=other.seat.member, state=other.presence))
                if self.moved is not None and connection.views:
                    self.moved(channel)
                return
            page = channel.since(connection.position, PAGE)
            if page is None:
                events = await self._log.read(channel.campaign, connection.position, PAGE)
                page = [Ready.of(event) for event in events if event.seq <= channel.seq]
                if not page:
                    raise LogUnavailable("the log does not have what was announced")
            for ready in page:
                if ready.event.seq == connection.position + 1:
                    self.delivered += channel.send(connection, ready)
                await connection.room()

    async def _place(self, channel: Channel, resume: str | None) -> Token | None:
        """Where the client stands, if the log agrees; otherwise it must begin from the state."""
        if resume is None:
            return Token(channel.epoch, 0, bytes(32))
        known = token(resume)
        if known is None or known.epoch != channel.epoch:
            return None
        if known.seq == 0:
            return known if known.hash == bytes(32) else None
        events = await self._log.read(channel.campaign, known.seq - 1, 1)
        if not events or events[0].hash != known.hash:
            return None
        await self._reach(channel, known.seq)
        return known

    async def _reach(self, channel: Channel, seq: int) -> None:
        """Make sure that this node has delivered event `seq`, which the log has. Raises `LogUnavailable`."""
        while channel.seq < seq:
            events = await self._log.read(channel.campaign, channel.seq, PAGE)
            if not events:
                raise LogUnavailable(f"event {seq} of {channel.campaign} cannot be read yet")
            self._deliver(channel, events)

    async def _send_state(self, channel: Channel, connection: Connection) -> None:
        """The state in place of the past. Until it has left, the client is where it was."""
        held = await self._states.current(channel.campaign)
        assert held is not None
        who = viewer(held.state, connection.seat.member)
        if who is None:
            connection.close("removed")
            return
        role = channel.viewer(connection)
        seen = visible(role if role and role.role == "player" else who, held.state)
        place = Token(held.epoch, held.seq, held.hash)
        data = frame(
            "state",
            epoch=held.epoch,
            seq=held.seq,
            at=rfc3339(held.at_us),
            hash=held.hash.hex(),
            resume=str(place),
            state=dict(seen),
        )
        connection.position = held.seq
        connection.offer(data, place)
        await self._reach(channel, held.seq)

    async def _reconcile(self) -> None:
        """Compare heads on a timer: a lost last hint shows nowhere else."""
        while True:
            await asyncio.sleep(RECONCILE * max(1.0, len(self._channels) / 2_000))
            await self._compare()

    async def _compare(self) -> None:
        known = {name: channel.seq for name, channel in self._channels.items()}
        try:
            heads = await self._log.heads(known) if known else []
        except LogUnavailable as error:
            _log.warning("heads_not_compared", error=str(error))
            return
        for head in heads:
            channel = self._channels.get(head.campaign)
            if channel is not None and channel.epoch != head.epoch:
                self._dissolve(channel)
            elif channel is not None and head.seq > channel.seq:
                self._fill(channel, head.seq)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            await self._ask_again()
            for channel in tuple(self._channels.values()):
                for connection in tuple(channel.connections):
                    if connection.live:
                        connection.offer(frame("beat", seq=connection.resume.seq, resume=str(connection.resume)))

    async def _ask_again(self) -> None:
        """Let go of those whose token was revoked or has run out, wherever that was done."""
        if self._holding is None:
            return
        everybody = [one for channel in self._channels.values() for one in channel.connections]
        try:
            for start in range(0, len(everybody), PAGE):
                some = everybody[start : start + PAGE]
                holding = await self._holding([one.seat for one in some])
                for connection in some:
                    if connection.seat not in holding:
                        connection.close("removed")
        except LogUnavailable as error:
            _log.warning("tokens_not_checked", error=str(error))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("live_task_failed", error=repr(error))


class _Opening:
    """A channel that is being opened, and how many wait for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0


def watched(name: str) -> tuple[str, str | None]:
    """`sheet:aelys` is one key of a view, `sheet` all of it."""
    view, _, key = name.partition(":")
    return view, key or None
