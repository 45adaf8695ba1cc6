"""LB-5.2 and LB-16.3: where everybody stands."""

from typing import Literal

from events.envelope import CharacterRef, Fact

Facing = Literal["north", "east", "south", "west"]
Footprint = Literal["single", "long", "wide", "square"]
"""LB-A78: the cell in front, and behind it (long), to its right (wide), or both (square)."""


class CreaturePlaced(Fact, frozen=True, tag="legends.creature_placed"):
    """It stands in the cell (`x`, `y`) of the map from here on."""

    character: CharacterRef
    x: int
    y: int
    facing: Facing
    footprint: Footprint
    cause: str
    rule: str
