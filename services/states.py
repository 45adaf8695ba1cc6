"""The campaigns' states in memory: a bounded cache of what the log folds to."""

import asyncio
from collections import OrderedDict
from typing import Any

import msgspec
import structlog
from msgspec import Struct

from domain.campaign.book import EVOLVE, FACTS
from domain.kernel.fold import Leaf, State, Unfoldable, fold
from events.codec import Codec, Unreadable
from events.envelope import Recorded
from services import fingerprint
from services.log import Head, Log, Snapshot

CODEC = Codec(FACTS)
PAGE = 2_000
SNAPSHOT_EVERY = 1_000
"""Events."""

_log = structlog.get_logger()


class Held(Struct, frozen=True):
    """A campaign's state after event `seq`, whose chain hash is `hash` and whose time is `at_us`."""

    campaign: str
    epoch: int
    seq: int
    hash: bytes
    at_us: int
    state: State


class UnreadableCampaign(Exception):
    """The state cannot be folded: event `seq` is of a newer build, or broken. Its other events stay readable."""

    def __init__(self, campaign: str, seq: int, reason: str, detail: str) -> None:
        super().__init__(f"{campaign}, event {seq}: {detail}")
        self.campaign, self.seq, self.reason, self.detail = campaign, seq, reason, detail


class _Frozen(Struct):
    at_us: int
    leaves: dict[str, Any]


def leaf_types() -> tuple[type[Leaf], ...]:
    """Every kind of leaf there is."""
    found: list[type[Leaf]] = []
    waiting: list[type[Leaf]] = [Leaf]
    while waiting:
        for kind in waiting.pop().__subclasses__():
            found.append(kind)
            waiting.append(kind)
    return tuple(found)


_Leaves = dict[str, msgspec.Raw]
_thaw = {str(kind.__struct_config__.tag): msgspec.json.Decoder(kind) for kind in leaf_types()}


def freeze(held: Held) -> bytes:
    """The bytes of a snapshot."""
    return msgspec.json.encode(_Frozen(held.at_us, dict(held.state)))


def thaw(data: bytes) -> tuple[int, State]:
    """Time of the last event and the state, from the bytes of a snapshot."""
    frozen = msgspec.json.decode(data, type=_Thawing)
    return frozen.at_us, {place: _thaw[place.partition("/")[0]].decode(raw) for place, raw in frozen.leaves.items()}


class _Thawing(Struct):
    at_us: int
    leaves: _Leaves


def advance(held: Held, events: list[Recorded]) -> Held:
    """The state after more events. Raises `UnreadableCampaign`."""
    facts = []
    seq = held.seq
    try:
        for event in events:
            seq = event.seq
            facts.append(CODEC.decode(event.type, event.version, event.body).fact)
        state = fold(EVOLVE, held.state, facts)
    except Unreadable as error:
        raise UnreadableCampaign(held.campaign, seq, error.reason, str(error)) from error
    except Unfoldable as error:
        raise UnreadableCampaign(held.campaign, seq, "broken", str(error)) from error
    last = events[-1]
    return Held(held.campaign, held.epoch, last.seq, last.hash, last.at_us, state)


class States:
    """What the log folds to, for the campaigns in use. The least recently used one is forgotten first."""

    def __init__(self, log: Log, most: int = 256) -> None:
        self._log, self._most = log, most
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._saving: set[asyncio.Task[None]] = set()
        self._loading: dict[str, asyncio.Lock] = {}

    def cached(self, campaign: str) -> Held | None:
        """The state in memory, which may be behind the log."""
        return self._held.get(campaign)

    def keep(self, held: Held) -> None:
        """Remember a newer state."""
        known = self._held.get(held.campaign)
        if known is not None and (known.epoch, known.seq) > (held.epoch, held.seq):
            return
        self._held[held.campaign] = held
        self._held.move_to_end(held.campaign)
        while len(self._held) > self._most:
            self._held.popitem(last=False)
        if known is not None and held.seq // SNAPSHOT_EVERY > known.seq // SNAPSHOT_EVERY:
            self._save(held)

    def forget(self, campaign: str) -> None:
        self._held.pop(campaign, None)

    async def current(self, campaign: str) -> Held | None:
        """The state at the log's head, or None when there is no such campaign.

        Raises `LogUnavailable`, `UnreadableCampaign`.
        """
        head = await self._log.head(campaign)
        return None if head is None else await self.reaching(head)

    async def reaching(self, head: Head) -> Held:
        """The state at this head or beyond it."""
        held = self._held.get(head.campaign)
        if held is not None and held.epoch == head.epoch and held.seq >= head.seq:
            self._held.move_to_end(head.campaign)
            return held
        lock = self._loading.setdefault(head.campaign, asyncio.Lock())
        try:
            async with lock:
                held = self._held.get(head.campaign)
                if held is None or held.epoch != head.epoch:
                    held = await self._begin(head)
                held = await self._catch_up(held)
                self.keep(held)
                return held
        finally:
            if not lock.locked():
                self._loading.pop(head.campaign, None)

    async def at(self, campaign: str, seq: int) -> Held:
        """The state just after event `seq`, which exists."""
        head = await self._log.head(campaign)
        assert head is not None
        held = await self._begin(Head(campaign, head.epoch, seq, head.hash))
        while held.seq < seq:
            events = await self._log.read(campaign, held.seq, min(PAGE, seq - held.seq))
            if not events:
                break
            held = advance(held, events)
        return held

    async def close(self) -> None:
        if self._saving:
            await asyncio.wait(self._saving, timeout=5)

    async def _begin(self, head: Head) -> Held:
        """From the newest snapshot of this build's reducers, else from nothing."""
        snapshot = await self._log.load_snapshot(head.campaign, fingerprint.reducers(), head.seq)
        if snapshot is not None:
            try:
                at_us, state = thaw(snapshot.state)
            except (msgspec.MsgspecError, KeyError):
                _log.warning("snapshot_unreadable", campaign=head.campaign, seq=snapshot.seq)
            else:
                return Held(head.campaign, head.epoch, snapshot.seq, snapshot.hash, at_us, state)
        return Held(head.campaign, head.epoch, 0, bytes(32), 0, {})

    async def _catch_up(self, held: Held) -> Held:
        start = held.seq
        while events := await self._log.read(held.campaign, held.seq, PAGE):
            held = advance(held, events)
            if len(events) < PAGE:
                break
        if held.seq - start >= SNAPSHOT_EVERY:
            self._save(held)
        return held

    def _save(self, held: Held) -> None:
        """In the background: a snapshot is a cache, nothing waits for it."""

        async def save() -> None:
            try:
                await self._log.save_snapshot(
                    Snapshot(held.campaign, fingerprint.reducers(), held.seq, held.hash, freeze(held))
                )
            except Exception as error:  # noqa: BLE001 - losing a snapshot loses nothing
                _log.warning("snapshot_not_saved", campaign=held.campaign, error=str(error))

        task = asyncio.create_task(save())
        self._saving.add(task)
        task.add_done_callback(self._saving.discard)
