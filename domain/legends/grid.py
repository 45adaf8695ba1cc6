"""LB-5.2 and LB-16.3: steps are counted on a square, ranges on a circle; never the one for the other."""

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt

from msgspec import Struct

from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.refusals import INVALID_RADIUS, OUT_OF_RANGE, PATH_NOT_CONTIGUOUS

BASIC_MOVE, SUMMONING, SPELL = 1, 5, 15
"""LB-16.3.5: how far these reach."""
WIDEST = 100
"""The largest zone: its cells are counted one by one."""


class Cell(Struct, frozen=True, gc=False, order=True):
    """A square of the map. `x` grows to the east, `y` to the north."""

    x: int
    y: int


class Printed(Struct, frozen=True):
    """What the book prints for an offset."""

    dx: int
    dy: int
    value: int


def steps(one: Cell, other: Cell) -> int:
    """LB-5.2.1: cells to walk where nothing is in the way; a diagonal step costs one, as a straight one does."""
    return max(abs(one.x - other.x), abs(one.y - other.y))


def distance(one: Cell, other: Cell) -> int:
    """LB-16.3.1: the straight line, rounded to the nearest cell; no tie can occur."""
    return _rounded_root((one.x - other.x) ** 2 + (one.y - other.y) ** 2)


def walked(path: Sequence[Cell]) -> int:
    """LB-5.2.1: what a path costs, its first cell being where one stands. Refuses a path with a gap."""
    for one, following in pairwise(path):
        require(steps(one, following) == 1, PATH_NOT_CONTIGUOUS, "LB-5.2.1", x=following.x, y=following.y)
    return max(0, len(path) - 1)


def require_reach(one: Cell, other: Cell, most: int, rule: str) -> None:
    """LB-16.3.3: a target is in range up to `most`."""
    far = distance(one, other)
    require(far <= most, OUT_OF_RANGE, rule, distance=far, max=most)


def zone(centre: Cell, radius: int) -> tuple[Cell, ...]:
    """LB-16.3.4: the centre, and every cell within the radius."""
    require(0 <= radius <= WIDEST, INVALID_RADIUS, "LB-16.3.4", radius=radius, most=WIDEST)
    around = range(-radius - 1, radius + 2)
    return tuple(
        Cell(centre.x + dx, centre.y + dy)
        for dy in around
        for dx in around
        if _rounded_root(dx * dx + dy * dy) <= radius
    )


def _rounded_root(square: int) -> int:
    return (isqrt(4 * square) + 1) // 2


COSTS = read(
    "domain.legends", "lb_movement_cost_grid", lambda row: Printed(int(row["dx"]), int(row["dy"]), int(row["cost"]))
)
RANGES = read(
    "domain.legends", "lb_range_grid_printed", lambda row: Printed(int(row["dx"]), int(row["dy"]), int(row["distance"]))
)
TEMPLATE = read("domain.legends", "lb_range_template", lambda row: [int(row[f"dx_{dx}"]) for dx in range(17)])

_HERE = Cell(0, 0)
assert all(steps(_HERE, Cell(one.dx, one.dy)) == one.value for one in COSTS), "LB-5.2.2 prints other steps"
assert all(distance(_HERE, Cell(one.dx, one.dy)) == one.value for one in RANGES), "LB-16.3.6 prints other ranges"
assert all(distance(_HERE, Cell(dx, dy)) == far for dy, row in enumerate(TEMPLATE) for dx, far in enumerate(row)), (
    "the template of LB-16.3.6 prints other ranges"
)
