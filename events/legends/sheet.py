"""LB-4.1, LB-16: what a character is made of, wears and drinks."""

from events.envelope import CharacterRef, Fact
from events.legends.words import Attack, CharacterClass, Gear, Rarity, Stats, Step, Technique


class SheetDrawnUp(Fact, frozen=True, tag="legends.sheet_drawn_up"):
    """What a character starts with, maxima included. `resources` are the maxima by name; all are full.

    `ddt` is what it takes to hit it (LB-A28); `speed` and `precision` stand in place of those that follow from the
    statistics (LB-C15). `capabilities` are keys of the compendium, and so is the `entry` it was drawn up from.
    """

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
    ddt: int | None = None
    speed: int | None = None
    precision: int | None = None
    element: str | None = None
    attacks: tuple[Attack, ...] = ()
    capabilities: tuple[str, ...] = ()
    entry: str | None = None


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


class GearLost(Fact, frozen=True, tag="legends.gear_lost"):
    """It is no longer the character's: used up, thrown, or lying on the ground."""

    character: CharacterRef
    item: str
    cause: str
    rule: str


class GearWorn(Fact, frozen=True, tag="legends.gear_worn"):
    """`percent` is what a piece of armour gives, as the campaign has it now; None for what is held in hand."""

    character: CharacterRef
    item: str
    percent: int | None
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
