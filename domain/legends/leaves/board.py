"""LB-5.2, LB-16.3: the cells in which creatures stand."""

from domain.kernel.fold import Leaf, begin, reducers
from events.legends.board import CreaturePlaced, Facing, Footprint


class Place(Leaf, frozen=True, tag="legends.place"):
    """The cell of its front. A creature without a place is not on the map, and no distance is asked of it."""

    OF_CHARACTER = True

    x: int
    y: int
    facing: Facing = "north"
    footprint: Footprint = "single"


EVOLVE = reducers(
    begin(CreaturePlaced, Place, "character", lambda told: Place(told.x, told.y, told.facing, told.footprint)),
)
