"""LB-10.1, LB-10.2, LB-11: whose animal or summon a creature is, and the shape that a druid has."""

from msgspec.structs import replace

from domain.kernel.fold import Leaf, begin, end, key, on, reducers, step
from events.legends.companions import (
    AnimalMeasured,
    CreatureSummoned,
    Mode,
    ShapeAssumed,
    ShapeEnded,
    SummonTurnsSet,
)
from events.legends.downfall import CharacterDied, SummonDestroyed
from events.legends.words import Attack


class Bond(Leaf, frozen=True, tag="legends.bond"):
    """`turns` are left to a spirit; None where nothing counts them. `prick` wounds whoever touches it."""

    master: str
    category: str = ""
    defence: str = ""
    prick: int = 0
    hp_percent: int = 0
    by_class: str = ""
    turns: int | None = None
    controlled: bool = True

    def concerns(self, name: str) -> tuple[str, ...]:
        return (name, self.master)


class Shape(Leaf, frozen=True, tag="legends.shape"):
    """The body that a druid has for the time being; the numbers of its own body wait in `own_…`."""

    OF_CHARACTER = True

    shape: str
    category: str
    level: int
    mode: Mode
    attack: Attack
    own_hp_max: int
    own_armour_max: int
    own_armour_lost: int
    own_speed: int | None


def _bound(_: Bond | None, told: AnimalMeasured) -> Bond:
    return Bond(told.master, told.category, told.defence, told.prick, told.hp_percent)


def _gone(_: Leaf | None, __: object) -> None:
    """The dead have no master."""


EVOLVE = reducers(
    step(AnimalMeasured, lambda told: key(Bond, told.character), _bound),
    begin(
        CreatureSummoned,
        Bond,
        "character",
        lambda told: Bond(told.master, by_class=told.by_class, turns=told.turns, controlled=told.controlled),
    ),
    on(SummonTurnsSet, Bond, "character", lambda leaf, told: replace(leaf, turns=told.turns)),
    step(SummonDestroyed, lambda told: key(Bond, told.character), _gone),
    begin(
        ShapeAssumed,
        Shape,
        "character",
        lambda told: Shape(
            told.shape,
            told.category,
            told.level,
            told.mode,
            told.attack,
            told.own_hp_max,
            told.own_armour_max,
            told.own_armour_lost,
            told.own_speed,
        ),
    ),
    end(ShapeEnded, Shape, "character"),
    step(CharacterDied, lambda told: key(Shape, told.character), _gone),
)
