"""What a sheet offers to rules that do not know its system: hit points, saves, ability damage, skills.

A potion acts on whoever drinks it. It asks through `Body`, and each system answers with facts of its own.
"""

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct

from events.envelope import Fact, Roll

Save = Literal["fortitude", "reflex", "will"]
Evasion = Literal["none", "evasion", "improved"]


class Skill(Struct, frozen=True):
    """`bonus` is the whole modifier of a check, training included; `ranks` is the training alone."""

    ranks: int
    bonus: int


class Harm(Struct, frozen=True):
    """Damage after every save, split by type; the parts add up."""

    by_type: Mapping[str, int]
    cause: str
    rule: str

    @property
    def amount(self) -> int:
        return sum(self.by_type.values())


class Body(Protocol):
    """One creature, as it stands in the state it was made from."""

    @property
    def alive(self) -> bool: ...

    @property
    def stomachs(self) -> int:
        """How many potions it digests apart."""
        ...

    @property
    def evasion(self) -> Evasion: ...

    @property
    def poison_immune(self) -> bool: ...

    @property
    def poison_resistance(self) -> int:
        """Added to its saves against poison."""
        ...

    def save_modifier(self, save: Save) -> int: ...

    def skill(self, name: str) -> Skill: ...

    def killed_outright_by(self, amount: int) -> bool:
        """Whether this much damage, taken now, leaves it dead rather than dying."""
        ...

    def hurt(self, harm: Harm, rolls: tuple[Roll, ...] = ()) -> list[Fact]:
        """It takes damage, and perhaps dies of it. The dice are told with it."""
        ...

    def heal(self, amount: int, cause: str, rule: str) -> list[Fact]: ...

    def weaken(self, ability: str, amount: int, cause: str, rule: str, rolls: tuple[Roll, ...] = ()) -> list[Fact]:
        """It loses points of an ability for a time, and perhaps dies of it."""
        ...

    def die(self, cause: str, rule: str) -> list[Fact]: ...
