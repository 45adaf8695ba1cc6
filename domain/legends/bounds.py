"""LB-0.9: what a corrected number may be, and what follows from it."""

from collections.abc import Iterable

from domain.kernel.fold import Leaf, State, find
from domain.kernel.refusal import require
from domain.legends.armour import recalculated
from domain.legends.downfall import ENOUGH
from domain.legends.levels import MOST_LEVELS, mana_follows
from domain.legends.refusals import STAT_OUT_OF_RANGE
from domain.legends.state import Fighter, values
from domain.legends.stats import MOST
from events.envelope import Fact

LARGEST = 10**12


def sound(leaf: Leaf) -> str | None:
    """Why this leaf cannot be, or nothing. English, for a parameter of a refusal; statistics have one of their own."""
    if not isinstance(leaf, Fighter):
        return None
    for stat, value in values(leaf.stats).items():
        require(1 <= value <= MOST, STAT_OUT_OF_RANGE, "LB-1.4", stat=stat, least=1, most=MOST)
    for name, value, least, most in _bounds(leaf):
        if not least <= value <= most:
            return f"{name} goes from {least} to {most}"
    unknown = {*leaf.resources} - {*leaf.resource_max} | {*leaf.techniques} - {*leaf.technique_max}
    if unknown:
        return f"there is no {min(unknown)}"
    return None


def corrected(before: State, after: State, who: str) -> Iterable[Fact]:
    """LB-16.2.4: armour follows the maximum of hit points; LB-A107: mana follows its statistic."""
    old, new = find(before, Fighter, who), find(after, Fighter, who)
    if old is None or new is None:
        return
    if old.hp_max != new.hp_max:
        yield from recalculated(who, new, cause="campaign.correct")
    if old.stats != new.stats:
        yield from mana_follows(before, who, old, new.stats, cause="campaign.correct")


def _bounds(leaf: Fighter) -> list[tuple[str, int, int, int]]:
    standing = leaf.life == "standing"
    pools = [
        (name, now.get(name, 0), 0, most)
        for now, maxima in ((leaf.resources, leaf.resource_max), (leaf.techniques, leaf.technique_max))
        for name, most in maxima.items()
    ]
    return [
        ("hp_max", leaf.hp_max, 1, LARGEST),
        ("hp", leaf.hp, 1 if standing else 0, leaf.hp_max if standing else 0),
        ("mana_max", leaf.mana_max, 0, LARGEST),
        ("mana", leaf.mana, 0, leaf.mana_max),
        ("armour_max", leaf.armour_max, 0, LARGEST),
        ("armour_lost", leaf.armour_lost, 0, LARGEST),
        ("level", leaf.level, 0, MOST_LEVELS),
        ("xp", leaf.xp, 0, LARGEST),
        ("successes", leaf.successes, 0, 0 if standing else 2),
        ("failures", leaf.failures, 0, 0 if standing else 2 if leaf.down else 3),
        ("saves_due", leaf.saves_due, 0, 2 * ENOUGH - 1 if leaf.down else LARGEST),
        ("luck_dice", leaf.luck_dice, 0, LARGEST),
        ("resistance_luck", leaf.resistance_luck, 0, LARGEST),
        ("satiety", leaf.satiety, 0, LARGEST),
        ("spins_owed", leaf.spins_owed, 0, LARGEST),
        ("stat_points_owed", leaf.stat_points_owed, 0, LARGEST),
        ("turn_at", leaf.turn_at, 0, LARGEST),
        *((f"resource_max.{name}", most, 0, LARGEST) for name, most in leaf.resource_max.items()),
        *((f"technique_max.{name}", most, 0, LARGEST) for name, most in leaf.technique_max.items()),
        *((f"technique_recharge.{name}", more, 0, LARGEST) for name, more in leaf.technique_recharge.items()),
        *((f"gains.{name}", count, 0, LARGEST) for name, count in leaf.gains.items()),
        *pools,
    ]
