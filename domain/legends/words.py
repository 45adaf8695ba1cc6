"""What the fields of commands may hold, beside the kernel's."""

from typing import Annotated

from msgspec import Meta

from domain.legends.grid import Cell

FARTHEST = 10_000
"""The corner of the largest map."""
Coordinate = Annotated[int, Meta(ge=-FARTHEST, le=FARTHEST)]


class At(Cell, frozen=True, forbid_unknown_fields=True):
    """A cell of the map: `x` grows to the east, `y` to the north."""

    x: Coordinate
    y: Coordinate
