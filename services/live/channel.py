"""One campaign that somebody follows on this node: its newest events and those who get them."""

import contextlib
from collections import deque
from collections.abc import Sequence

import structlog
from msgspec import Struct

from domain.kernel.fold import every
from domain.kernel.members import Member
from events.envelope import Recorded
from events.table import MemberJoined, MemberRemoved, MemberRoleChanged, Role
from projections.visibility import Viewer, may_see
from projections.wire import open_event, sealed_event
from services.live.connection import Connection
from services.live.protocol import Token
from services.states import CODEC, Held

RING = 1_000
"""Events kept ready for clients that come back."""
_SEATS = ("campaign.member_joined", "campaign.member_role_changed", "campaign.member_removed")


_log = structlog.get_logger()


class Ready(Struct, frozen=True):
    """An event, encoded once for those who may see it and once for the others."""

    event: Recorded
    open: bytes
    sealed: bytes

    @classmethod
    def of(cls, event: Recorded) -> "Ready":
        return cls(
            event, b'{"op":"event","event":%s}' % open_event(event), b'{"op":"sealed",' + sealed_event(event)[1:]
        )


class Channel:
    """`seq` and `hash` are those of the last event delivered. `roles` are the seats as of that event."""

    def __init__(self, held: Held) -> None:
        self.campaign, self.epoch, self.seq, self.hash = held.campaign, held.epoch, held.seq, held.hash
        self.roles: dict[str, Role] = {
            name: seat.role for name, seat in every(held.state, Member).items() if not seat.removed
        }
        self.connections: set[Connection] = set()
        self.ring: deque[Ready] = deque(maxlen=RING)
        self.wanted = held.seq
        self.filling = False

    @property
    def place(self) -> Token:
        return Token(self.epoch, self.seq, self.hash)

    def deliver(self, events: Sequence[Recorded]) -> int:
        """Hand on the events that follow the last one delivered; others are no news. Answers how many frames."""
        sent = 0
        for event in events:
            if event.seq != self.seq + 1:
                continue
            ready = Ready.of(event)
            self._reseat(event)
            self.seq, self.hash = event.seq, event.hash
            self.ring.append(ready)
            for connection in tuple(self.connections):
                if connection.live:
                    sent += self._send_alone(connection, ready)
        return sent

    def _send_alone(self, connection: Connection, ready: Ready) -> int:
        """One client's trouble ends that client: nobody else misses an event for it."""
        try:
            if ready.event.seq != connection.position + 1:
                raise RuntimeError(f"event {ready.event.seq} after {connection.position}")
            return self.send(connection, ready)
        except Exception:  # noqa: BLE001 - whatever it was
            _log.exception("client_dropped", campaign=self.campaign)
            self.connections.discard(connection)
            connection.live = False
            with contextlib.suppress(RuntimeError):
                connection.close("unavailable")
            return 0

    def send(self, connection: Connection, ready: Ready) -> int:
        """One event to one client, as its member may see it now. A removed member gets the goodbye instead."""
        who = self.viewer(connection)
        if who is None:
            connection.close("removed")
            return 0
        event = ready.event
        if event.seq <= connection.position:
            return 0
        connection.position = event.seq
        connection.offer(
            ready.open if may_see(who, event.audience) else ready.sealed, Token(self.epoch, event.seq, event.hash)
        )
        return 1

    def viewer(self, connection: Connection) -> Viewer | None:
        """Who the client is as of the last event; nobody once removed."""
        role = self.roles.get(connection.seat.member)
        if role is None:
            return None
        if role == "gm" and connection.seat.scopes and "gm" not in connection.seat.scopes:
            role = "player"
        return Viewer(connection.seat.member, role)

    def since(self, seq: int, limit: int) -> list[Ready] | None:
        """The next events after `seq`, if the ring still holds them."""
        if not self.ring or self.ring[0].event.seq > seq + 1:
            return None
        start = seq + 1 - self.ring[0].event.seq
        return [self.ring[at] for at in range(start, min(start + limit, len(self.ring)))]

    def _reseat(self, event: Recorded) -> None:
        if event.type not in _SEATS or not event.body:
            return
        told = CODEC.decode(event.type, event.version, event.body).fact
        if isinstance(told, MemberJoined | MemberRoleChanged):
            self.roles[told.member] = told.role
        elif isinstance(told, MemberRemoved):
            self.roles.pop(told.member, None)
