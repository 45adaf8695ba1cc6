"""One command from its decoded form to its acknowledgement: authorise, decide, append, acknowledge, publish.

A campaign's commands run one after another inside a node; between nodes the log's compare-and-set arbitrates. The
work is shielded from the request that asked for it: a client that hangs up loses the answer, never the command.
"""

import asyncio
import random
import secrets
from collections.abc import Callable
from hmac import digest as hmac_digest

import msgspec
import structlog
from msgspec import Struct

from domain.campaign.book import DECIDE
from domain.campaign.deciding import Told, decide, dice_for, several
from domain.campaign.sessions import CloseSession, OpenSession
from domain.kernel.command import Command, Context, Seeds
from domain.kernel.dice import NoDice, commitment
from domain.kernel.fold import State
from domain.kernel.members import member
from domain.kernel.refusal import SCOPE_FORBIDS, SESSION_NOT_OPEN, Refused, require
from domain.kernel.sitting import row, sitting
from events import chain
from events.codec import NotCanonical, kind_of
from events.envelope import Happened, Recorded
from events.table import Role
from services.broker import Hint
from services.log import Appended, Batch, Log, LogUnavailable
from services.seat import Seat
from services.states import CODEC, Held, States, UnreadableCampaign

ATTEMPTS = 12
"""How often a command is decided again because another node was faster."""
WAITING = 200
"""How many commands of one campaign may wait in a node."""
HINT_BYTES = 65_536
"""Events beyond this size are fetched from the log by whoever wants them."""

_log = structlog.get_logger()
_canonical = msgspec.json.Encoder(order="sorted")


class Order(Struct, frozen=True):
    """A command as it came in. `id` is the client's idempotency key, `if_match` the seq the client believes in.

    `role` is given only for somebody who is not a member yet (opening a campaign, joining).
    """

    seat: Seat
    command: Command
    id: str | None = None
    if_match: int | None = None
    role: Role | None = None


class Outcome(Struct, frozen=True):
    """Stored as `first`..`last` (0, 0 when there was nothing to change). `held` is the state it led to, if known."""

    first: int
    last: int
    replayed: bool
    events: tuple[Recorded, ...]
    held: Held | None = None


class Trouble(Exception):
    """A command that could not be carried out for a reason that is no rule's: `status` and `code` are the edge's."""

    def __init__(self, status: int, code: str, *, retry_after: int | None = None, **params: object) -> None:
        super().__init__(code)
        self.status, self.code, self.retry_after, self.params = status, code, retry_after, params


class Pipeline:
    """`committed` is told of every stored command, after the acknowledgement is certain; it must not block."""

    def __init__(
        self, log: Log, states: States, now_us: Callable[[], int], committed: Callable[[Hint, Held], None]
    ) -> None:
        self._log, self._states, self._now_us, self._committed = log, states, now_us, committed
        self._queues: dict[str, _Queue] = {}
        self._running: set[asyncio.Task[Outcome]] = set()
        self._secrets: dict[str, bytes] = {}
        self._seeds: dict[tuple[str, str], bytes] = {}

    async def submit(self, order: Order) -> Outcome:
        """Carry out a command. Raises `Refused`, `Trouble`; returns only what is stored."""
        queue = self._queues.setdefault(order.seat.campaign, _Queue())
        if queue.waiting >= WAITING:
            raise Trouble(503, "BUSY", retry_after=1)
        task = asyncio.create_task(self._in_turn(queue, order))
        self._running.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Let what runs come to its end."""
        if self._running:
            await asyncio.wait(self._running, timeout=10)

    def _finished(self, task: asyncio.Task[Outcome]) -> None:
        self._running.discard(task)
        if not task.cancelled():
            task.exception()  # a caller that hung up does not collect it

    async def _in_turn(self, queue: "_Queue", order: Order) -> Outcome:
        campaign = order.seat.campaign
        queue.waiting += 1
        try:
            async with queue.lock:
                return await self._carry_out(order)
        except LogUnavailable as error:
            self._states.forget(campaign)
            raise Trouble(503, "STORE_UNAVAILABLE", retry_after=error.retry_after) from error
        except UnreadableCampaign as error:
            raise Trouble(503, "CAMPAIGN_UNREADABLE", retry_after=60, seq=error.seq, reason=error.reason) from error
        finally:
            queue.waiting -= 1
            if not queue.waiting and not queue.lock.locked():
                self._queues.pop(campaign, None)

    async def _carry_out(self, order: Order) -> Outcome:
        campaign = order.seat.campaign
        command_id = order.id or secrets.token_hex(16)
        request = _canonical.encode([order.seat.member, command_id, order.command])
        fingerprint = hmac_digest(await self._secret(campaign), request, "sha256")
        held = self._states.cached(campaign) or await self._states.current(campaign)
        if held is None:
            held = Held(campaign, 1, 0, chain.GENESIS, 0, {})
        for attempt in range(ATTEMPTS):
            try:
                told, after, seeds = await self._decide(order, held, command_id)
            except (Refused, Trouble) as error:
                # An old answer comes first, then the log's newest state: another node may have gone on.
                stranger = isinstance(error, Trouble) and error.status == 404
                if order.id and not stranger and (stored := await self._log.answer(campaign, order.id, fingerprint)):
                    return await self._known(stored, campaign)
                newest = await self._states.current(campaign)
                if newest is None or newest.seq <= held.seq:
                    raise
                held = newest
                continue
            if not told:
                if order.id and (stored := await self._log.answer(campaign, order.id, fingerprint)):
                    return await self._known(stored, campaign)
                return Outcome(0, 0, replayed=False, events=(), held=held)
            for seed in seeds:  # before their commitments are published, and for no command that was refused
                await self._log.keep_seed(campaign, commitment(seed), seed)
            batch = self._batch(order, held, command_id, fingerprint, told, row(after).session)
            appended = await (self._log.create if held.seq == 0 else self._log.append)(batch)
            if appended.status == "written":
                return self._done(held, batch, after)
            if appended.status == "conflict":
                await asyncio.sleep(random.uniform(0, 0.002 * 2**attempt) if attempt else 0)  # noqa: S311 - jitter
                newest = await self._states.current(campaign)
                if newest is None:
                    raise Trouble(404, "UNKNOWN_CAMPAIGN")
                held = newest
                continue
            return await self._known(appended, campaign)
        raise Trouble(503, "TOO_BUSY", retry_after=1)

    async def _decide(self, order: Order, held: Held, command_id: str) -> tuple[list[Told], State, tuple[bytes, ...]]:
        """What happens, the state after it, and new seeds of dice that it commits to."""
        seat, state, command = order.seat, held.state, order.command
        if order.if_match is not None and order.if_match != held.seq:
            raise Trouble(409, "TABLE_HAS_MOVED_ON", seq=held.seq)
        role = order.role
        if role is None:
            known = member(state, seat.member)
            if known is None:
                raise Trouble(404, "UNKNOWN_CAMPAIGN")
            role = known.role
        acts_for: tuple[str, ...] = ()
        if seat.scopes and "gm" not in seat.scopes:
            require_scope(seat, command)
            if role == "gm":
                role, acts_for = "player", tuple(s.removeprefix("act:") for s in seat.scopes if s.startswith("act:"))
        seeds = await self._open_seeds(held)
        fresh = tuple(secrets.token_bytes(32) for _ in range(2)) if isinstance(command, OpenSession) else ()
        context = Context(
            actor=seat.member,
            role=role,
            now_us=self._now_us(),
            command_id=command_id,
            campaign=seat.campaign,
            dice=NoDice(SESSION_NOT_OPEN) if not state else dice_for(state, command, role, seat.campaign, *seeds),
            override=command.override.reason if command.override else None,
            seeds=_seeds_for(command, seeds, fresh),
            acts_for=acts_for,
        )
        return *decide(state, command, context), fresh

    def _batch(
        self, order: Order, held: Held, command_id: str, fingerprint: bytes, told: list[Told], opened: int
    ) -> Batch:
        """Chain the facts on from the state they were decided on. `opened`: the session open after them."""
        events = []
        seq, head = held.seq, held.hash
        at_us = max(self._now_us(), held.at_us)
        session = (row(held.state).session if held.state else 0) or opened
        for index, one in enumerate(told):
            seq += 1
            actor = order.seat.member
            try:
                body = CODEC.encode(Happened(actor, one.audience, command_id, session, one.fact))
            except NotCanonical as error:
                raise Trouble(422, "NUMBER_TOO_LARGE") from error
            salt = secrets.token_bytes(chain.SALT_BYTES)
            digest = chain.digest(salt, fingerprint, body)
            head = chain.link(held.campaign, seq, at_us, head, digest)
            events.append(
                Recorded(
                    campaign=held.campaign,
                    seq=seq,
                    at_us=at_us,
                    type=kind_of(one.fact),
                    version=type(one.fact).VERSION,
                    session=session,
                    command=command_id,
                    index=index,
                    actor=actor,
                    audience=one.audience,
                    fingerprint=fingerprint,
                    salt=salt,
                    body=body,
                    digest=digest,
                    hash=head,
                )
            )
        return Batch(held.campaign, held.seq, held.hash, command_id, fingerprint, tuple(events))

    def _done(self, held: Held, batch: Batch, after: State) -> Outcome:
        last = batch.events[-1]
        now = Held(held.campaign, held.epoch, last.seq, last.hash, last.at_us, after)
        self._states.keep(now)
        small = sum(len(event.body) for event in batch.events) <= HINT_BYTES
        first = batch.events[0].seq
        hint = Hint(held.campaign, held.epoch, first, last.seq, last.hash, batch.events if small else ())
        try:
            self._committed(hint, now)
        except Exception:  # noqa: BLE001 - the command is stored: nothing may turn its answer into an error
            _log.exception("committed_hook_failed", campaign=held.campaign)
        return Outcome(first, last.seq, replayed=False, events=batch.events, held=now)

    async def _known(self, appended: Appended, campaign: str) -> Outcome:
        """The answer for a command that was stored before, or the reason why it cannot be."""
        if appended.status == "replayed":
            events = await self._log.read(campaign, appended.first - 1, appended.last - appended.first + 1)
            return Outcome(appended.first, appended.last, replayed=True, events=tuple(events))
        if appended.status == "key_reused":
            raise Trouble(409, "KEY_REUSED")
        if appended.status == "closed":
            raise Trouble(409, "CAMPAIGN_CLOSED")
        raise Trouble(404, "UNKNOWN_CAMPAIGN")

    async def _secret(self, campaign: str) -> bytes:
        known = self._secrets.get(campaign)
        if known is None:
            if len(self._secrets) > 10_000:
                self._secrets.clear()
            known = self._secrets[campaign] = await self._log.secret(campaign)
        return known

    async def _open_seeds(self, held: Held) -> tuple[bytes | None, bytes | None]:
        """The secrets of the open session: of its open row of dice, and of its secret one."""
        now = sitting(held.state) if held.state else None
        if now is None:
            return None, None
        open_row = await self._seed(held.campaign, now.commitment)
        return open_row, await self._seed(held.campaign, now.secret_commitment) if now.secret_commitment else None

    async def _seed(self, campaign: str, committed: str) -> bytes | None:
        place = (campaign, committed)
        seed = self._seeds.get(place)
        if seed is None:
            if len(self._seeds) > 10_000:
                self._seeds.clear()
            seed = await self._log.seed(*place)
            if seed is not None:
                self._seeds[place] = seed
        return seed


def _seeds_for(command: Command, now: tuple[bytes | None, bytes | None], fresh: tuple[bytes, ...]) -> Seeds | None:
    """What only session commands are told of the seeds."""
    if isinstance(command, OpenSession):
        return Seeds(next_commitment=commitment(fresh[0]), next_secret_commitment=commitment(fresh[1]))
    return Seeds(current=now[0], secret=now[1]) if isinstance(command, CloseSession) else None


class _Queue:
    """A campaign's commands inside this node, one after another."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0


def require_scope(seat: Seat, command: Command) -> None:
    """Refuse a command that the scopes of a narrower token do not allow."""
    kind = str(command.__struct_config__.tag)
    actors = [name for field in DECIDE[type(command)].actors for name in several(getattr(command, field))]
    free = kind in ("campaign.roll", "campaign.say") and not actors
    wanted = [f"act:{name}" for name in actors] or (["roll"] if free else ["gm"])
    for scope in wanted:
        require(scope in seat.scopes, SCOPE_FORBIDS, scope=scope)
