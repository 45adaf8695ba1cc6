"""LB-10.1, LB-10.2 and LB-11: animals, summons, and the shapes of a druid."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.board import Footprint
from events.legends.words import Attack, Step

Mode = Literal["mono", "bi"]
"""Which column of the tables: by whether the master has one class or two."""


class AnimalMeasured(Fact, frozen=True, tag="legends.animal_measured"):
    """What the tables give an animal at the level of its master. `cause` is `acquired`, `master_level` or a defence.

    `defence` is its special one (LB-11.4.3), in the game master's words; `prick` what it does to whoever touches it.
    """

    character: CharacterRef
    master: CharacterRef
    category: str
    level: int
    mode: Mode
    speed: int
    hp_max_before: int
    hp_max: int
    hp_before: int
    hp: int
    attack: Attack
    footprint: Footprint
    cause: str
    steps: tuple[Step, ...]
    rule: str
    defence: str = ""
    prick: int = 0
    hp_percent: int = 0


class SpecialDefenceTriggered(Fact, frozen=True, tag="legends.special_defence_triggered"):
    character: CharacterRef
    defence: str
    rule: str


class CreatureSummoned(Fact, frozen=True, tag="legends.creature_summoned"):
    """It appeared beside its master. `turns` it has to play; None: it stays. `entry` is its key in the compendium."""

    character: CharacterRef
    master: CharacterRef
    entry: str
    by_class: str
    turns: int | None
    controlled: bool
    rule: str


class SummonTurnsSet(Fact, frozen=True, tag="legends.summon_turns_set"):
    """So many turns are left to a summon, the one that runs included."""

    character: CharacterRef
    turns: int
    cause: str
    rule: str


class HitPointsSacrificed(Fact, frozen=True, tag="legends.hit_points_sacrificed"):
    character: CharacterRef
    amount: int
    hp_before: int
    hp: int
    cause: str
    rule: str


class ShapeAssumed(Fact, frozen=True, tag="legends.shape_assumed"):
    """The druid has the body of an animal: what its own body had stands in `own_…`."""

    character: CharacterRef
    shape: str
    category: str
    level: int
    mode: Mode
    hp: int
    hp_max: int
    own_hp: int
    own_hp_max: int
    armour_max: int
    own_armour_max: int
    own_armour_lost: int
    speed: int
    own_speed: int | None
    attack: Attack
    footprint: Footprint
    steps: tuple[Step, ...]
    rule: str


class ShapeEnded(Fact, frozen=True, tag="legends.shape_ended"):
    character: CharacterRef
    shape: str
    reason: Literal["command", "zero_hp", "game_master"]
    hp: int
    hp_max: int
    armour_max: int
    armour_lost: int
    speed: int | None
    steps: tuple[Step, ...]
    rule: str
