"""LB-5.2, LB-5.4, LB-16.3: the map, the cells in which creatures stand, what lies on the ground, smoke."""

from msgspec.structs import replace

from domain.kernel.fold import Leaf, begin, end, key, on, reducers, step
from events.legends.board import (
    CreatureMoved,
    CreaturePlaced,
    Facing,
    Footprint,
    ItemLanded,
    ItemTaken,
    MapDrawn,
    SmokeCleared,
    SmokeSpread,
    SmokeThinned,
    Spot,
)
from events.legends.words import Gear


class Ground(Leaf, frozen=True, tag="legends.ground"):
    """The map: a rectangle, and the cells that stop whoever walks."""

    left: int
    bottom: int
    right: int
    top: int
    obstacles: tuple[Spot, ...] = ()


class Place(Leaf, frozen=True, tag="legends.place"):
    """The cell of its front. A creature without a place is not on the map, and no distance is asked of it."""

    OF_CHARACTER = True

    x: int
    y: int
    facing: Facing = "north"
    footprint: Footprint = "single"


class Lying(Leaf, frozen=True, tag="legends.lying"):
    """Something on the ground, under the name it has there."""

    gear: Gear
    x: int | None = None
    y: int | None = None


class Smoke(Leaf, frozen=True, tag="legends.smoke"):
    """LB-6.2.12: counted in the turns of its creator."""

    x: int
    y: int
    radius: int
    turns: int
    creator: str | None = None

    def concerns(self, name: str) -> tuple[str, ...]:
        return (self.creator,) if self.creator else ()


def _moved(leaf: Place, told: CreatureMoved) -> Place:
    x, y = told.path[-1] if told.path else (leaf.x, leaf.y)
    return replace(leaf, x=x, y=y, facing=told.facing)


EVOLVE = reducers(
    begin(MapDrawn, Ground, "", lambda told: Ground(told.left, told.bottom, told.right, told.top, told.obstacles)),
    begin(CreaturePlaced, Place, "character", lambda told: Place(told.x, told.y, told.facing, told.footprint)),
    on(CreatureMoved, Place, "character", _moved),
    begin(ItemLanded, Lying, "item", lambda told: Lying(told.gear, told.x, told.y)),
    end(ItemTaken, Lying, "item"),
    begin(SmokeSpread, Smoke, "smoke", lambda told: Smoke(told.x, told.y, told.radius, told.turns, told.creator)),
    step(SmokeThinned, lambda told: key(Smoke, told.smoke), lambda leaf, told: replace(leaf, turns=told.turns)),
    end(SmokeCleared, Smoke, "smoke"),
)
