"""Commands, who may give them, and the context in which they are decided."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from domain.kernel.dice import Dice
from domain.kernel.fold import State
from domain.kernel.refusal import Param, Refusal, Refused
from events.envelope import Fact
from events.table import Role

# What a field may hold. Sizes are bounded and control characters refused before any rule looks.
_NO_CONTROL = r"^[^\x00-\x08\x0b-\x1f\x7f\u2028\u2029]*$"
_ONE_LINE = r"^(?=.*\S)[^\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]*$"
Name = Annotated[str, Meta(min_length=1, max_length=120, pattern=_ONE_LINE)]
Key = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[a-z0-9][a-z0-9_-]*$")]
Text = Annotated[str, Meta(min_length=1, max_length=8_000, pattern=_NO_CONTROL)]
Reason = Annotated[str, Meta(min_length=1, max_length=500, pattern=_NO_CONTROL)]
CharacterId = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$", extra={"refers_to": "character"})
]
MemberId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$", extra={"refers_to": "member"})]
Positive = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Natural = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Small = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Figure = Annotated[int, Meta(ge=-(10**12), le=10**12)]
"""A number that a rule refuses in its own words, with its bounds."""
Face = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
"""What is impossible for the die that is due is refused by the dice, with its sides."""


class Override(Struct, frozen=True, forbid_unknown_fields=True):
    """The game master lets pass what the rules refuse, for a reason."""

    reason: Reason


class Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="type"):
    """An intention. `dice` declares faces in the order they are consumed, where the campaign's dice mode allows it."""

    dice: Annotated[tuple[Face, ...], Meta(max_length=1_000)] | None = None
    override: Override | None = None


Needs = Literal["nothing", "life", "hands"]
"""What a character needs for something that no system rules: to be there, to live, to be able to act."""
Authority = Literal["gm", "owner", "member", "anyone"]
"""`gm`; `owner` of every character that acts, or a game master; `member`: who plays; `anyone`: spectators too."""

C = TypeVar("C", bound=Command)


class Context:
    """What a decision may know besides state and command: who asks, when, with which dice.

    `acts_for` are characters that a game master's token lets a program play.
    """

    def __init__(
        self,
        *,
        actor: str,
        role: Role,
        now_us: int,
        command_id: str,
        campaign: str,
        dice: Dice,
        override: str | None = None,
        seeds: "Seeds | None" = None,
        acts_for: tuple[str, ...] = (),
    ) -> None:
        self.actor, self.role, self.now_us, self.campaign, self.dice = actor, role, now_us, campaign, dice
        self.seeds, self.acts_for = seeds, acts_for
        self.overridden: list[Refused] = []
        self._command_id, self._override, self._ids = command_id, override, 0

    @property
    def is_gm(self) -> bool:
        return self.role == "gm"

    @property
    def override_reason(self) -> str | None:
        return self._override

    def require(self, holds: object, refusal: Refusal, rule: str | None = None, **params: Param) -> None:
        """Refuse unless `holds`, or unless the refusal is overridable and the game master overrides it."""
        if holds:
            return
        refused = Refused(refusal, rule, params)
        if not (refusal.overridable and self._override is not None and self.is_gm):
            raise refused
        self.overridden.append(refused)

    def new_id(self, prefix: str) -> str:
        """An id that tells nothing: no counter, no name; the same again when the same command is decided again."""
        self._ids += 1
        name = f"{self.campaign}\0{self._command_id}\0{self._ids}".encode()
        return f"{prefix}_{sha256(b'greffier/id/1' + name).hexdigest()[:20]}"


class Seeds(Struct, frozen=True):
    """Secrets of the dice that only session commands ask for: the seeds being revealed, the next ones' commitments."""

    current: bytes | None = None
    next_commitment: str | None = None
    secret: bytes | None = None
    next_secret_commitment: str = ""


class Decider(Struct, frozen=True):
    """How one command is decided, and who may give it.

    `actors` are the fields that name the characters who act: with authority `owner` each must be the member's own.
    What they need is asked of their system where the command is none of its own.
    """

    by: Authority
    decide: Callable[[State, Any, Context], Iterable[Fact]]
    actors: tuple[str, ...] = ()
    needs: Needs = "life"


Deciders = dict[type[Command], Decider]


def gm(decide: Callable[[State, C, Context], Iterable[Fact]]) -> Decider:
    """Only a game master may."""
    return Decider("gm", decide)


def owner(*actors: str, needs: Needs = "life") -> Callable[[Callable[[State, C, Context], Iterable[Fact]]], Decider]:
    """Whoever plays the characters named in the fields `actors`, or a game master."""
    return lambda decide: Decider("owner", decide, actors, needs)


def member(decide: Callable[[State, C, Context], Iterable[Fact]]) -> Decider:
    """Any member who plays: not a spectator."""
    return Decider("member", decide)


def anyone(decide: Callable[[State, C, Context], Iterable[Fact]]) -> Decider:
    """Every member."""
    return Decider("anyone", decide)
