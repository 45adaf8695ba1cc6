"""A story as the log would keep it: decided commands, encoded, salted and chained."""

from hashlib import sha256

from domain.campaign.book import EVOLVE
from domain.campaign.deciding import Told, decide
from domain.kernel.command import Command, Context, Seeds
from domain.kernel.dice import Dice, NoDice, Row, ServerDice, blend
from domain.kernel.fold import State, fold
from domain.kernel.members import Member
from domain.kernel.refusal import SESSION_NOT_OPEN, Refused
from domain.kernel.sitting import row, secret_row, sitting
from events import chain
from events.codec import kind_of
from events.envelope import Fact, Happened, Recorded
from events.table import Role
from projections.view import Event
from services.log import Batch
from services.states import CODEC
from tests.support.story import opened


class Recording:
    """A campaign that begins with `opened()`: the members `gm`, `ana`, `bo` and `zoe`."""

    def __init__(self, campaign: str = "c_test", facts: list[Fact] | None = None) -> None:
        self.campaign = campaign
        self.state: State = {}
        self.steps: list[tuple[State, Event, State]] = []
        self.events: list[Recorded] = []
        self.batches: list[Batch] = []
        self._commands = 0
        start = opened() if facts is None else facts
        if start:
            self.tell(*start)

    def tell(self, *facts: Fact, actor: str = "gm") -> None:
        """Facts that need no deciding, seen by whom their nature allows."""
        self._record([Told(fact, fact.audience) for fact in facts], actor)

    def give(self, command: Command, by: str = "gm", seeds: Seeds | None = None) -> bool:
        """A command; whether it was carried out."""
        seat = self.state.get(f"member/{by}")
        role: Role = seat.role if isinstance(seat, Member) else "player"
        context = Context(
            actor=by,
            role=role,
            now_us=self._now,
            command_id=f"k{self._commands + 1}",
            campaign=self.campaign,
            dice=self._dice(),
            override=command.override.reason if command.override else None,
            seeds=seeds,
        )
        try:
            told, _ = decide(self.state, command, context)
        except Refused:
            return False
        if told:
            self._record(told, by)
        return True

    @property
    def _now(self) -> int:
        return 1_700_000_000_000_000 + 1_000_000 * len(self.events)

    def _dice(self) -> Dice:
        now = sitting(self.state)
        if now is None:
            return NoDice(SESSION_NOT_OPEN)
        dice = row(self.state)
        return ServerDice(
            self.campaign,
            dice.session,
            blend(now.entropy),
            Row(b"s" * 32, dice.next),
            Row(b"v" * 32, secret_row(self.state).next) if now.secret_commitment else None,
        )

    def _record(self, told: list[Told], actor: str) -> None:
        self._commands += 1
        command, first = f"k{self._commands}", len(self.events)
        head = self.events[-1].hash if self.events else chain.GENESIS
        after = fold(EVOLVE, self.state, [one.fact for one in told])
        session = (row(self.state).session if self.state else 0) or row(after).session
        at_us, before = self._now, self.events[-1].hash if self.events else chain.GENESIS
        for index, one in enumerate(told):
            happened = Happened(actor, one.audience, command, session, one.fact)
            body = CODEC.encode(happened)
            seq = len(self.events) + 1
            salt = sha256(f"{self.campaign}{seq}".encode()).digest()[: chain.SALT_BYTES]
            digest = chain.digest(salt, b"f", body)
            head = chain.link(self.campaign, seq, at_us, head, digest)
            self.events.append(
                Recorded(
                    self.campaign,
                    seq,
                    at_us,
                    kind_of(one.fact),
                    type(one.fact).VERSION,
                    session,
                    command,
                    index,
                    actor,
                    one.audience,
                    b"f",
                    salt,
                    body,
                    digest,
                    head,
                )
            )
            state, self.state = self.state, fold(EVOLVE, self.state, [one.fact])
            self.steps.append((state, Event(seq, at_us, happened), self.state))
        self.batches.append(Batch(self.campaign, first, before, command, b"f", tuple(self.events[first:])))
