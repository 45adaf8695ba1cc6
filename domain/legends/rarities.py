"""LB-4.3 and LB-16.1.2: six rarities, and the auras that a weapon is found with."""

from typing import get_args

from msgspec import Struct

from domain.kernel.dice import Dice
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.refusals import RARITY_AT_MAXIMUM, UNKNOWN_RARITY
from events.envelope import Roll
from events.legends import Rarity


class RarityRow(Struct, frozen=True):
    key: str
    slots: int
    chance: int


RARITIES = read(
    "domain.legends",
    "lb_rarities",
    lambda row: RarityRow(row["key"], int(row["aura_slots"]), int(row["aura_chance_percent_per_slot"] or 0)),
)
AURAS = dict(read("domain.legends", "lb_auras", lambda row: (int(row["d9_face"]), row["key"])))
BY_KEY = {row.key: row for row in RARITIES}

assert tuple(BY_KEY) == get_args(Rarity), "lb_rarities.csv and the facts disagree on the rarities"
assert sorted(AURAS) == list(range(1, 10)), "lb_auras.csv must have an aura for each face of a D9"


def rarity(name: str) -> Rarity:
    """Refuses `UNKNOWN_RARITY`."""
    require(name in BY_KEY, UNKNOWN_RARITY, "LB-4.3", rarity=name, choices=list(BY_KEY))
    return name  # type: ignore[return-value]


def next_rarity(now: Rarity, item: str) -> Rarity:
    """LB-4.3: one step up; the highest cannot rise."""
    keys = list(BY_KEY)
    at = keys.index(now) + 1
    require(at < len(keys), RARITY_AT_MAXIMUM, "LB-4.3", item=item)
    return rarity(keys[at])


def found_auras(dice: Dice, of: Rarity, *, secret: bool) -> tuple[tuple[str, ...], tuple[Roll, ...]]:
    """LB-16.1.2: for each slot a D100, and on success a D9 names the aura."""
    row = BY_KEY[of]
    auras: list[str] = []
    rolls: list[Roll] = []
    for _ in range(row.slots):
        chance = dice.throw(1, 100, purpose="aura slot", secret=secret)
        rolls.append(chance)
        if chance.kept[0] <= row.chance:
            which = dice.throw(1, 9, purpose="aura", secret=secret)
            rolls.append(which)
            auras.append(AURAS[which.kept[0]])
    return tuple(auras), tuple(rolls)
