"""LB-5.2, LB-16.3 and LB-A78: the cells a creature takes, which are free, and how far one is from another."""

from domain.kernel.cast import hidden
from domain.kernel.command import Context
from domain.kernel.fold import State, every, find
from domain.legends.grid import Cell, distance
from domain.legends.leaves.board import Ground, Place
from domain.legends.refusals import OUT_OF_RANGE
from domain.legends.state import Fighter
from events.legends.board import Facing

AHEAD: dict[Facing, tuple[int, int]] = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}
DIRECTIONS = {
    "north": (0, 1),
    "north_east": (1, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south": (0, -1),
    "south_west": (-1, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
"""LB-A25: one of eight, clockwise from the north."""


def cells(place: Place) -> tuple[Cell, ...]:
    """LB-A78: the anchor, and behind it (long), to its right (wide), or both (square)."""
    dx, dy = AHEAD[place.facing]
    front, back = Cell(place.x, place.y), Cell(place.x - dx, place.y - dy)
    right, corner = Cell(place.x + dy, place.y - dx), Cell(place.x + dy - dx, place.y - dx - dy)
    return {
        "single": (front,),
        "long": (front, back),
        "wide": (front, right),
        "square": (front, back, right, corner),
    }[place.footprint]


def gap(state: State, one: str, other: str) -> int | None:
    """LB-A97: the distance between the nearest cells of two creatures; None when either stands nowhere."""
    here, there = find(state, Place, one), find(state, Place, other)
    if here is None or there is None:
        return None
    return min(distance(mine, theirs) for mine in cells(here) for theirs in cells(there))


def gap_to(state: State, who: str, cell: Cell) -> int | None:
    """The distance from the nearest cell of a creature; None where it stands nowhere."""
    here = find(state, Place, who)
    return None if here is None else min(distance(mine, cell) for mine in cells(here))


def require_within(state: State, context: Context, one: str, other: str, most: int, rule: str) -> None:
    """LB-16.3.3: a target is in range up to `most`. Without a map nothing is measured."""
    far = gap(state, one, other)
    context.require(far is None or far <= most, OUT_OF_RANGE, rule, distance=far, max=most)


def require_cell_within(state: State, context: Context, who: str, cell: Cell, most: int, rule: str) -> None:
    far = gap_to(state, who, cell)
    context.require(far is None or far <= most, OUT_OF_RANGE, rule, distance=far, max=most)


def on_map(state: State, cell: Cell) -> bool:
    """Everywhere, where no map was drawn."""
    ground = find(state, Ground)
    return ground is None or (ground.left <= cell.x <= ground.right and ground.bottom <= cell.y <= ground.top)


def obstructed(state: State, cell: Cell) -> bool:
    ground = find(state, Ground)
    return ground is not None and (cell.x, cell.y) in ground.obstacles


def occupied(state: State, cell: Cell, but: str | None = None) -> bool:
    """Whether a creature that is not dead stands there; `but` is not counted.

    A hidden one stops nobody who is not hidden: what is refused must not tell where it stands.
    """
    unseen = but is not None and hidden(state, but)
    for name, place in every(state, Place).items():
        one = find(state, Fighter, name)
        counts = name != but and one is not None and not one.dead and (unseen or not hidden(state, name))
        if counts and cell in cells(place):
            return True
    return False


def open_cell(state: State, cell: Cell, but: str | None = None) -> bool:
    """On the map, with nothing and nobody in it."""
    return on_map(state, cell) and not obstructed(state, cell) and not occupied(state, cell, but)


def straight(state: State, start: Cell, direction: tuple[int, int], far: int, but: str | None = None) -> list[Cell]:
    """LB-A25: the cells of a straight line, up to the last one that is open."""
    path: list[Cell] = []
    for number in range(1, far + 1):
        cell = Cell(start.x + number * direction[0], start.y + number * direction[1])
        if not open_cell(state, cell, but):
            break
        path.append(cell)
    return path


def away_from(here: Place, there: Place | None) -> tuple[int, int]:
    """The direction that leads straight away; the north where there is none."""
    x = 0 if there is None else (here.x > there.x) - (here.x < there.x)
    y = 0 if there is None else (here.y > there.y) - (here.y < there.y)
    return (x, y) if (x, y) != (0, 0) else (0, 1)
