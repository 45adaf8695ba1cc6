"""LB-12 and LB-13: rests, meals, water. Satiety counts half-points, water litres of the whole team."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Step


class WaterGained(Fact, frozen=True, tag="legends.water_gained"):
    """The team's water, in litres. `left` is what there is after it."""

    litres: int
    left: int
    cause: str


class WaterSpent(Fact, frozen=True, tag="legends.water_spent"):
    litres: int
    left: int
    cause: str
    rule: str


class SatietySpent(Fact, frozen=True, tag="legends.satiety_spent"):
    """In half-points."""

    character: CharacterRef
    half_points: int
    before: int
    after: int
    cause: str
    rule: str


class LongRestTaken(Fact, frozen=True, tag="legends.long_rest_taken"):
    """`source` is `camp`; `apart` for a camp that is not the team's, `wheel` for the free rest of one character.

    These two leave the team's count alone.
    """

    characters: tuple[CharacterRef, ...]
    source: Literal["camp", "apart", "wheel"]
    rule: str


class ShortRestTaken(Fact, frozen=True, tag="legends.short_rest_taken"):
    """`count` is how many since the last long rest."""

    characters: tuple[CharacterRef, ...]
    count: int
    rule: str


class CharacterRestored(Fact, frozen=True, tag="legends.character_restored"):
    """What a rest gave back. `resources` and `techniques` are those after it; so is `armour_lost`."""

    character: CharacterRef
    rest: Literal["long", "short"]
    hp_before: int
    hp: int
    armour_before: int
    armour: int
    armour_lost: int
    mana_before: int
    mana: int
    resources: dict[str, int]
    techniques: dict[str, int]
    fall_cleared: bool
    steps: tuple[Step, ...]
    rule: str


class MealEaten(Fact, frozen=True, tag="legends.meal_eaten"):
    """Portions eaten together. `pairs` are the synergies, `bread_on` the pair that the bread lifts."""

    character: CharacterRef
    portions: tuple[str, ...]
    bread: int
    pairs: tuple[tuple[str, str], ...]
    bread_on: tuple[str, str] | None
    half_points: int
    before: int
    after: int
    steps: tuple[Step, ...]
    rule: str
