"""LB-16.3 and LB-A78: which cells a creature takes, and how far one is from another."""

from domain.kernel.command import Context
from domain.kernel.fold import State, find
from domain.legends.grid import Cell, distance
from domain.legends.leaves.board import Place
from domain.legends.refusals import OUT_OF_RANGE

AHEAD = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


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


def require_within(state: State, context: Context, one: str, other: str, most: int, rule: str) -> None:
    """LB-16.3.3: a target is in range up to `most`. Without a map nothing is measured."""
    far = gap(state, one, other)
    context.require(far is None or far <= most, OUT_OF_RANGE, rule, distance=far, max=most)
