"""LB-4.1, LB-16: what a character is made of, wears and drinks."""

from events.envelope import CharacterRef, Fact
from events.legends.words import CharacterClass, Gear, Rarity, Stats, Step, Technique


class SheetDrawnUp(Fact, frozen=True, tag="legends.sheet_drawn_up"):
    """What a character starts with, maxima included. `resources` are the maxima by name; all are full."""

    character: CharacterRef
    stats: Stats
    classes: tuple[CharacterClass, ...]
    level: int
    hp: int
    hp_max: int
    mana: int
    mana_max: int
    armour_max: int
    gear: tuple[Gear, ...]
    techniques: tuple[Technique, ...]
    resources: dict[str, int]
    luck_dice: int
    satiety: int
    important: bool
    race: str | None
    subrace: str | None
    steps: tuple[Step, ...]
    rule: str


class ImportanceSet(Fact, frozen=True, tag="legends.importance_set"):
    """Whether a creature falls and saves like a player character."""

    character: CharacterRef
    important: bool
    rule: str


class GearGained(Fact, frozen=True, tag="legends.gear_gained"):
    character: CharacterRef
    gear: Gear
    cause: str
    rule: str


class GearWorn(Fact, frozen=True, tag="legends.gear_worn"):
    """`percent` is the piece's, as the campaign has it now."""

    character: CharacterRef
    item: str
    percent: int
    rule: str


class GearTakenOff(Fact, frozen=True, tag="legends.gear_taken_off"):
    character: CharacterRef
    item: str
    rule: str


class GearRarityRaised(Fact, frozen=True, tag="legends.gear_rarity_raised"):
    character: CharacterRef
    item: str
    before: Rarity
    after: Rarity
    percent_before: int | None
    percent: int | None
    cause: str
    rule: str


class ArmourPointsRecalculated(Fact, frozen=True, tag="legends.armour_points_recalculated"):
    """`lost` are the points lost since the last rest: they stay lost."""

    character: CharacterRef
    armour_max_before: int
    armour_max: int
    lost: int
    armour_before: int
    armour: int
    cause: str
    steps: tuple[Step, ...]
    rule: str
