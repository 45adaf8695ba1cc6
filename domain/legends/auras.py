"""LB-16.1: the auras of the weapons in hand, and how several of one kind add up."""

from collections import Counter

from msgspec import Struct

from domain.kernel.tables import read
from domain.legends.state import Fighter

MOST = 4
"""LB-16.1.13: further ones of a kind count for nothing."""


class Aura(Struct, frozen=True):
    """`face` of the D9 that draws it (LB-16.1.2)."""

    face: int
    key: str
    nature: str


class _Stack(Struct, frozen=True):
    nature: str
    count: int
    needed: int
    sides: int
    amount: int


def _stack(row: dict[str, str]) -> _Stack:
    needed, _, sides = row["fraction"].partition("/")
    fraction = (int(needed), int(sides)) if row["fraction"] else (0, 0)
    amount = 0 if row["fraction"] else int(row["printed_value"])
    return _Stack(row["stacking_nature"], int(row["identical_auras"]), *fraction, amount)


AURAS = {
    one.key: one
    for one in read(
        "domain.legends", "lb_auras", lambda row: Aura(int(row["d9_face"]), row["key"], row["stacking_nature"])
    )
}
BY_FACE = {one.face: one.key for one in AURAS.values()}
_STACKS = {(one.nature, one.count): one for one in read("domain.legends", "lb_aura_stacking", _stack)}
assert sorted(BY_FACE) == list(range(1, 10)), "lb_auras.csv must fill the faces of a D9"
assert set(_STACKS) == {(nature, count) for nature in ("chance", "percent", "flat") for count in range(1, MOST + 1)}


def worn(one: Fighter) -> Counter[str]:
    """LB-A94: of what is in hand, whichever strikes; what lies in the bag gives nothing."""
    return Counter(aura for piece in one.gear if piece.worn for aura in piece.auras)


def _stacked(one: Fighter, aura: str) -> _Stack | None:
    count = min(MOST, worn(one)[aura])
    return _STACKS[AURAS[aura].nature, count] if count else None


def chance(one: Fighter, aura: str) -> tuple[int, int] | None:
    """LB-16.1.13: so many of so many, for the die of LB-A93; None without such an aura."""
    found = _stacked(one, aura)
    return (found.needed, found.sides) if found else None


def bonus(one: Fighter, aura: str) -> int:
    """LB-16.1.13: what is added: percent for Strength and Resistance, points for Speed and Illusion."""
    found = _stacked(one, aura)
    return found.amount if found else 0
