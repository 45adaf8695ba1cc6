"""LB-11: what the four categories of animals are and can do; a druid in the shape of one has it too."""

from msgspec import Struct

from domain.kernel.fold import State, find
from domain.kernel.tables import read
from domain.legends.leaves.companions import Bond, Shape
from events.legends.board import Footprint

SIGHT = 10
"""LB-11.1.3: of a bird, in cells, in the dark too."""
AXES: dict[str, Footprint] = {"single": "single", "length": "long", "width": "wide"}


class Category(Struct, frozen=True):
    """`fan`: it reaches two cells ahead and one to each side (LB-A79), else a circle. `bleeding` in percent."""

    key: str
    range: int
    fan: bool
    footprint: Footprint
    flies: bool
    moves: int
    bleeding: int


def _category(row: dict[str, str]) -> Category:
    traits = dict(one.split("=", 1) for one in row["traits"].split(";") if "=" in one)
    return Category(
        row["key"],
        int(row["attack_range"]),
        row["range_shape"].startswith("fan"),
        AXES[row["footprint_axis"]],
        traits.get("flies") == "true",
        int(traits.get("moves_per_turn", "1")),
        int(traits.get("on_attack_bleeding_chance", "0%").rstrip("%")),
    )


CATEGORIES = {one.key: one for one in read("domain.legends", "lb_animal_categories", _category)}
assert len(CATEGORIES) == 4, "LB-11.0.1 knows four categories"


class Row(Struct, frozen=True):
    """What the table gives at a level, for a master of one class, and of two."""

    speed: dict[str, int]
    hp: dict[str, int]
    damage: dict[str, int]


def _row(row: dict[str, str]) -> tuple[tuple[str, int], Row]:
    def both(name: str) -> dict[str, int]:
        return {mode: int(row[f"{name}_{mode}"]) for mode in ("mono", "bi")}

    return (row["category"], int(row["level"])), Row(both("speed"), both("hp"), both("damage"))


BY_LEVEL = dict(read("domain.legends", "lb_animals_by_level", _row))
LAST = 24
"""LB-A77: beyond it, its row."""
assert set(BY_LEVEL) == {(one, level) for one in CATEGORIES for level in range(LAST + 1)}


def row_of(category: str, level: int) -> Row:
    """LB-11.0.3: the row of the greatest even level up to this one."""
    return BY_LEVEL[category, min(level, LAST)]


def category_of(state: State, who: str) -> Category | None:
    """Of an animal, or of the shape that a druid has."""
    shape, bond = find(state, Shape, who), find(state, Bond, who)
    name = shape.category if shape else bond.category if bond else ""
    return CATEGORIES.get(name)


def flies(state: State, who: str) -> bool:
    """LB-11.1.1."""
    found = category_of(state, who)
    return found is not None and found.flies


def moves_per_turn(state: State, who: str) -> int:
    """LB-11.1.2."""
    found = category_of(state, who)
    return found.moves if found else 1
