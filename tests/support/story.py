"""Given facts, when a command (and the faces that fall), then exactly these facts.

    (
        given(*opened(), *fighter("ayla", hp=40))
        .when(TakeDamage(character="ayla", amount=12), by="gm")
        .then(DamageTaken("ayla", ...))
    )

The faces follow the command. Scripted dice complain about a die too few, a die too many, a face that cannot exist.
Rolls are left out of the comparison unless a fact in `then` names some.
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from domain.campaign.book import EVOLVE
from domain.campaign.deciding import authorise, decide
from domain.kernel.command import Command, Context, Seeds
from domain.kernel.dice import Dice, Keep, everything
from domain.kernel.fold import State, fold
from domain.kernel.members import Member
from domain.kernel.refusal import Refused
from events.envelope import Audience, Fact, Roll
from events.table import CampaignOpened, MemberJoined, Role

__all__ = ["Story", "authorise", "given", "opened"]


class ScriptedDice:
    """The faces of the script, in order, and not one more."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces, self.thrown, self.asked = faces, 0, []

    def throw(self, count: int, sides: int, purpose: str, keep: Keep = everything, *, secret: bool = False) -> Roll:
        self.asked.append((count, sides, purpose))
        faces = self.faces[self.thrown : self.thrown + count]
        if len(faces) < count:
            raise AssertionError(
                f"a die too few in the script: {count}d{sides} for {purpose}; thrown so far: {self.asked}"
            )
        for face in faces:
            if not 1 <= face <= sides:
                raise AssertionError(f"a d{sides} ({purpose}) cannot show {face}")
        self.thrown += count
        return Roll(purpose, sides, faces, keep(faces) if faces else (), "declared")

    def done(self) -> None:
        """Checked by the story, after refusals too."""


def opened(*systems: str, settings: dict[str, Any] | None = None) -> list[Fact]:
    """An open campaign with the game master `gm`, the players `ana` and `bo` and the spectator `zoe`."""
    return [
        CampaignOpened("Essai", systems or ("legends", "dnd35"), "fr", "table", settings or {}),
        MemberJoined("gm", "gm"),
        MemberJoined("ana", "player"),
        MemberJoined("bo", "player"),
        MemberJoined("zoe", "spectator"),
    ]


def given(*facts: Fact | Iterable[Fact]) -> "Story":
    """The story so far."""
    flat = [one for fact in facts for one in ([fact] if isinstance(fact, Fact) else fact)]
    return Story(fold(EVOLVE, {}, flat))


class Story:
    """A state, and what the last command did to it."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.facts: list[Fact] = []
        self.audiences: list[Audience] = []
        self.refused: Refused | None = None
        self._count = 0

    def when(
        self, command: Command, *faces: int, by: str = "gm", now_us: int = 0, seeds: Seeds | None = None
    ) -> "Story":
        """Give the command as member `by`, and let these faces fall."""
        self._count += 1
        dice = ScriptedDice(faces)
        before = self.state
        try:
            told, self.state = decide(before, command, self._context(command, by, dice, now_us, seeds))
        except Refused as refused:
            self.refused, self.facts, self.audiences = refused, [], []
            assert dice.thrown == 0, f"refused ({refused.code}) after a die had fallen: {dice.asked}"
            return self
        assert dice.thrown == len(faces), f"{len(faces)} faces in the script, {dice.thrown} fell: {dice.asked}"
        self.refused = None
        self.facts = [one.fact for one in told]
        self.audiences = [one.audience for one in told]
        return self

    def then(self, *facts: Fact) -> "Story":
        """Exactly these facts, in this order."""
        assert self.refused is None, f"refused: {self.refused.code} {self.refused.params}"  # type: ignore[union-attr]
        told = [
            one if position < len(facts) and facts[position].rolls else replace(one, rolls=())
            for position, one in enumerate(self.facts)
        ]
        assert told == list(facts)
        return self

    def then_refused(self, code: str, rule: str | None = None, **params: Any) -> "Story":
        """Refused with this code (and rule and parameters, where given); nothing changed, no die fell."""
        assert self.refused is not None, f"not refused: {self.facts}"
        assert self.refused.code == code, f"refused {self.refused.code} {self.refused.params}"
        assert rule is None or self.refused.rule == rule
        for name, value in params.items():
            assert self.refused.params.get(name) == value, self.refused.params
        return self

    def only(self, kind: type[Fact]) -> Any:
        """The one fact of this type that the command brought."""
        assert self.refused is None, f"refused: {self.refused.code} {self.refused.params}"  # type: ignore[union-attr]
        found = [fact for fact in self.facts if isinstance(fact, kind)]
        assert len(found) == 1, f"{len(found)} of {kind.__name__} in {self.facts}"
        return found[0]

    def told(self, kind: type[Fact]) -> list[Any]:
        """All facts of this type that the command brought."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def _context(self, command: Command, by: str, dice: Dice, now_us: int, seeds: Seeds | None) -> Context:
        member = self.state.get(f"member/{by}")
        role: Role = member.role if isinstance(member, Member) else "gm"
        return Context(
            actor=by,
            role=role,
            now_us=now_us,
            command_id=f"command-{self._count}",
            campaign="c_test",
            dice=dice,
            override=command.override.reason if command.override else None,
            seeds=seeds,
        )
