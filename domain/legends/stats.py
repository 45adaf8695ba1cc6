"""LB-1.4, LB-3 and LB-9.1: modifiers, secondary statistics, the maximum of mana."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.kernel.charter import setting
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.refusals import CAMPAIGN_DATA_MISSING, UNKNOWN_STAT
from domain.legends.state import Fighter, values
from events.legends import CharacterClass, Stats, Step

SIX = Stats.__struct_fields__
SECONDARY = ("speed", "perception", "stealth", "precision")
DERIVED = {
    "speed": "LB-3.1",
    "movement": "LB-3.2",
    "perception": "LB-3.3",
    "stealth": "LB-3.4",
    "precision": "LB-4.1.22",
    "armour": "LB-16.2.4",
}
MOST = 1_000
"""No statistic is bounded by the rules; this bounds what a sheet may hold."""


class _ManaStat(Struct, frozen=True):
    character_class: str
    stat: str


_MANA_STATS = {
    row.character_class: row.stat
    for row in read("domain.legends", "lb_mana_stats", lambda row: _ManaStat(row["class"], row["mana_stat"]))
}
assert set(_MANA_STATS.values()) <= set(SIX), "lb_mana_stats.csv names a statistic that does not exist"


def modifier(value: int) -> int:
    """LB-1.4: +1 for each full step of 2 above 10, −1 for each point below."""
    return (value - 10) // 2 if value >= 10 else value - 10


def speed(stats: Stats, flat: int = 0, halvings: int = 0) -> int:
    """LB-3.1, LB-3.6: half of Strength and Dexterity, then what is added, then each halving in turn."""
    value = (stats.strength + stats.dexterity) // 2 + flat
    for _ in range(halvings):
        value //= 2
    return max(0, value)


def movement(effective_speed: int, flat: int = 0, *, numbed: bool = False) -> int:
    """LB-3.2, LB-3.6: half of Speed in cells, two thirds of it when numbed, then what is added; never below 0."""
    cells = effective_speed // 2
    if numbed:
        cells = cells * 2 // 3
    return max(0, cells + flat)


def perception(stats: Stats) -> int:
    """LB-3.3: half of Wisdom and Intelligence."""
    return (stats.wisdom + stats.intelligence) // 2


def stealth(stats: Stats) -> int:
    """LB-3.4: half of Wisdom and Dexterity."""
    return (stats.wisdom + stats.dexterity) // 2


def precision(state: State, stats: Stats, classes: Sequence[CharacterClass], flat: int = 0) -> int:
    """LB-3.5, LB-3.5.1: the specific statistic of the class, or half of both; 10 without a class (LB-A102)."""
    specific = [values(stats)[specific_stat(state, one)] for one in classes]
    return (sum(specific) // len(specific) if specific else 10) + flat


def specific_stat(state: State, one: CharacterClass) -> str:
    """LB-3.5: campaign data, on the sheet or in the settings. Refuses `CAMPAIGN_DATA_MISSING`."""
    return _stat_of(state, f"classes.{one.id}.specific_stat", one.specific_stat, "LB-3.5")


def mana_stat(state: State, one: CharacterClass) -> str:
    """LB-9.1.2: the statistic of a class of type mana; the table goes before the sheet."""
    return _stat_of(state, f"classes.{one.id}.mana_stat", _MANA_STATS.get(one.id, one.mana_stat), "LB-9.1.2")


def _stat_of(state: State, key: str, known: str | None, rule: str) -> str:
    name = setting(state, key, known or "")
    if not isinstance(name, str) or name not in SIX:
        CAMPAIGN_DATA_MISSING.because(rule, key=key)
    return name


def mana_classes(classes: Sequence[CharacterClass]) -> list[CharacterClass]:
    """LB-4.1.6: only these have a pool of mana."""
    return [one for one in classes if one.type == "mana"]


def mana_basis(state: State, stats: Stats, classes: Sequence[CharacterClass]) -> int:
    """LB-9.1.3: the mana statistic, or half of both."""
    mine = [values(stats)[mana_stat(state, one)] for one in mana_classes(classes)]
    return sum(mine) // len(mine)


def mana_maximum(state: State, stats: Stats, classes: Sequence[CharacterClass]) -> Step | None:
    """LB-9.1.1: 75, and 5 for each point above or below 10. None without a class that has mana."""
    if not mana_classes(classes):
        return None
    basis = mana_basis(state, stats, classes)
    return Step("mana_max", f"75 + 5 × ({basis} − 10)", max(0, 75 + 5 * (basis - 10)), "LB-9.1.1")


def grown_hp(hp_max: int) -> Step:
    """LB-15.0.3: 5 % more for each level, floored at each."""
    return Step("hp_max", f"floor({hp_max} × 105 / 100)", hp_max * 105 // 100, "LB-15.0.3")


def grown_mana(mana_max: int, classes: Sequence[CharacterClass]) -> Step:
    """LB-15.0.3, LB-15.0.4: 5 % more, or 2.5 % for each class of a double class that has mana; one floor."""
    if len(classes) < 2:
        return Step("mana_max", f"floor({mana_max} × 105 / 100)", mana_max * 105 // 100, "LB-15.0.3")
    share = 1_000 + 25 * len(mana_classes(classes))
    return Step("mana_max", f"floor({mana_max} × {share} / 1000)", mana_max * share // 1_000, "LB-15.0.4")


def basis_value(state: State, one: Fighter, basis: str) -> int:
    """LB-1.5: a check rests on one of the six or on a secondary statistic. Refuses `UNKNOWN_STAT`."""
    require(basis in (*SIX, *SECONDARY), UNKNOWN_STAT, "LB-1.5", stat=basis, choices=[*SIX, *SECONDARY])
    match basis:
        case "speed":
            return speed(one.stats)
        case "perception":
            return perception(one.stats)
        case "stealth":
            return stealth(one.stats)
        case "precision":
            return precision(state, one.stats, one.classes)
        case _:
            return values(one.stats)[basis]


def secondary(state: State, stats: Stats, classes: Sequence[CharacterClass]) -> dict[str, Step]:
    """LB-3: what follows from the six. Precision only where the campaign has the specific statistics."""
    quick = speed(stats)
    steps = [
        Step("speed", f"floor(({stats.strength} + {stats.dexterity}) / 2)", quick, "LB-3.1"),
        Step("movement", f"floor({quick} / 2)", movement(quick), "LB-3.2"),
        Step("perception", f"floor(({stats.wisdom} + {stats.intelligence}) / 2)", perception(stats), "LB-3.3"),
        Step("stealth", f"floor(({stats.wisdom} + {stats.dexterity}) / 2)", stealth(stats), "LB-3.4"),
    ]
    if classes and all(isinstance(_specific(state, one), str) for one in classes):
        mine = [values(stats)[specific_stat(state, one)] for one in classes]
        text = f"floor(({mine[0]} + {mine[1]}) / 2)" if len(mine) > 1 else str(mine[0])
        rule = "LB-3.5.1" if len(mine) > 1 else "LB-3.5"
        steps.append(Step("precision", text, precision(state, stats, classes), rule))
    return {step.name: step for step in steps}


def changed(state: State, one: Fighter, stats: Stats) -> tuple[Step, ...]:
    """The secondary statistics that another set of the six changes."""
    before = secondary(state, one.stats, one.classes)
    after = secondary(state, stats, one.classes)
    return tuple(step for name, step in after.items() if step.result != before[name].result)


def portrait(state: State, name: str) -> dict[str, Any]:
    """What a sheet shows and no leaf holds."""
    one = find(state, Fighter, name)
    if one is None:
        return {}
    derived = {step.name: step.result for step in secondary(state, one.stats, one.classes).values()}
    bases = {**values(one.stats), **{basis: derived[basis] for basis in SECONDARY if basis in derived}}
    return {
        **derived,
        "armour": one.armour,
        "modifiers": {basis: modifier(value) for basis, value in bases.items()},
    }


def _specific(state: State, one: CharacterClass) -> str | None:
    name = setting(state, f"classes.{one.id}.specific_stat", one.specific_stat or "")
    return name if isinstance(name, str) and name in SIX else None
