"""LB-5.2, LB-5.4 and LB-16.3: the map, where everybody stands, and what lies on the ground."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Gear

Facing = Literal["north", "east", "south", "west"]
Footprint = Literal["single", "long", "wide", "square"]
"""LB-A78: the cell in front, and behind it (long), to its right (wide), or both (square)."""
Spot = tuple[int, int]
"""`x` grows to the east, `y` to the north."""


class MapDrawn(Fact, frozen=True, tag="legends.map_drawn"):
    """The map is this rectangle, corners included; nothing goes through the `obstacles`, but a flyer passes over."""

    left: int
    bottom: int
    right: int
    top: int
    obstacles: tuple[Spot, ...]
    rule: str


class CreaturePlaced(Fact, frozen=True, tag="legends.creature_placed"):
    """It stands in the cell (`x`, `y`) of the map from here on."""

    character: CharacterRef
    x: int
    y: int
    facing: Facing
    footprint: Footprint
    cause: str
    rule: str


class CreatureMoved(Fact, frozen=True, tag="legends.creature_moved"):
    """It went through the cells of `path`, one after the other, and stands in the last of them.

    `cause` is `move`, `jump` or `push`; `cost` in cells, `unused` are lost. `index`: which movement of its turn.
    """

    character: CharacterRef
    path: tuple[Spot, ...]
    cost: int
    unused: int
    facing: Facing
    cause: str
    rule: str
    index: int = 0
    flying: bool = False


class ItemLanded(Fact, frozen=True, tag="legends.item_landed"):
    """It lies in this cell from here on; nowhere in particular without a map. `item` is its name on the ground."""

    item: str
    gear: Gear
    x: int | None
    y: int | None
    cause: str
    rule: str


class ItemThrown(Fact, frozen=True, tag="legends.item_thrown"):
    """LB-5.4.6: as far as (`x`, `y`); `returned` to the hand that threw it, by Loyalty."""

    character: CharacterRef
    item: str
    x: int | None
    y: int | None
    returned: bool
    rule: str


class ItemTaken(Fact, frozen=True, tag="legends.item_taken"):
    """It no longer lies on the ground. `to` is where it went."""

    character: CharacterRef
    item: str
    to: Literal["hand", "bag"]
    rule: str


class SmokeSpread(Fact, frozen=True, tag="legends.smoke_spread"):
    """LB-6.2.12: a zone of smoke. `turns` of its `creator` are left of it."""

    smoke: str
    x: int
    y: int
    radius: int
    turns: int
    rule: str
    creator: CharacterRef | None = None


class SmokeThinned(Fact, frozen=True, tag="legends.smoke_thinned"):
    smoke: str
    turns: int
    rule: str


class SmokeCleared(Fact, frozen=True, tag="legends.smoke_cleared"):
    smoke: str
    reason: Literal["expired", "strong_wind", "wind_aura"]
    rule: str
