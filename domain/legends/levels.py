"""LB-15.0 and LB-15.2: experience, levels, points of statistic, class gains."""

import itertools
from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.kernel.cast import Character, character, hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, Figure, Reason, owner
from domain.kernel.fold import State, every, fold
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.armour import recalculated
from domain.legends.evolve import EVOLVE
from domain.legends.luck import no_luck_die
from domain.legends.refusals import (
    INVALID_AMOUNT,
    MAX_LEVEL,
    NO_STAT_POINT_OWED,
    TWO_DISTINCT_STATS_REQUIRED,
    UNKNOWN_STAT,
)
from domain.legends.state import Fighter, fighter, for_gm, in_play, name_of, number, ruling, values
from domain.legends.stats import SIX, changed, grown_hp, grown_mana, mana_basis, mana_classes
from events.envelope import Fact
from events.legends import (
    ClassGainUnlocked,
    ExperienceAwarded,
    LevelGained,
    ManaMaximumSet,
    StatIncreased,
    StatPointRolled,
    Stats,
    Step,
)

MOST_XP = 1_000_000_000
MOST_LEVELS = 100
"""Where even a campaign's longer table ends (LB-C12)."""
ShortText = Annotated[str, Meta(max_length=60)]


class Row(Struct, frozen=True):
    """LB-15.0.2: what a level costs from the one before, and what it brings."""

    level: int
    cost: int
    gain: str
    total: int


class ClassGain(Struct, frozen=True):
    type: str
    gain: str
    mode: str
    level: int


ROWS = read(
    "domain.legends",
    "lb_xp",
    lambda row: Row(
        int(row["level"]), int(row["xp_cost"]), row["gain_kind"], int(row["derived_xp_total_from_level_0"])
    ),
)
COSTS = {row.level: row.cost for row in ROWS}
GAINS = read(
    "domain.legends",
    "lb_class_gains",
    lambda row: ClassGain(row["class_type"], row["gain"], row["mode"], int(row["level"])),
)
GAIN_RULES = {"action": "LB-15.2.1", "spell": "LB-15.2.2", "skill": "LB-15.2.3", "resource": "LB-15.2.4"}

assert [row.level for row in ROWS] == list(range(1, len(ROWS) + 1)), "lb_xp.csv leaves a level out"
assert all(one.cost < two.cost for one, two in itertools.pairwise(ROWS)), "experience must rise"
assert all(row.total == sum(COSTS[level] for level in range(1, row.level + 1)) for row in ROWS)
assert all(row.gain == ("wheel_of_fortune" if row.level % 2 else "stat_point") for row in ROWS)
assert {gain.gain for gain in GAINS} == set(GAIN_RULES), "lb_class_gains.csv names an unknown gain"


class AwardExperience(Command, frozen=True, tag="legends.award_experience"):
    character: CharacterId
    amount: Figure
    reason: Reason


class AwardLevels(Command, frozen=True, tag="legends.award_levels"):
    """The game master gives levels; experience already gathered is kept."""

    character: CharacterId
    reason: Reason
    count: Figure = 1


class AssignStatPoint(Command, frozen=True, tag="legends.assign_stat_point"):
    """Name two statistics; a coin gives the point to the first (1) or to the second (2)."""

    character: CharacterId
    first: ShortText
    second: ShortText
    use_luck_die: bool = False


def last_level(state: State) -> int:
    """LB-A106: 20, unless the campaign's table goes on."""
    return number(state, "xp.max_level", "LB-C12", ROWS[-1].level, least=1, most=MOST_LEVELS)


def cost_of(state: State, level: int) -> int:
    """LB-15.0.2, LB-A86: what this level costs; the campaign may read its table as totals instead."""
    cost = _figure(state, level)
    if ruling(state, "LB-A86", "a", "ab") == "b" and level > 1:
        return max(1, cost - _figure(state, level - 1))
    return cost


def award_experience(state: State, command: AwardExperience, _: Context) -> Iterable[Fact]:
    """LB-15.0.1, LB-15.0.2, LB-8.2.3: the surplus is kept, and several levels may come at once."""
    who = command.character
    one = fighter(state, who)
    require(1 <= command.amount <= MOST_XP, INVALID_AMOUNT, "LB-15.0.1", amount=command.amount, least=1, most=MOST_XP)
    _require_room(state, who, one, 1)
    multiplier, steps = _catching_up(state, who, one)
    amount = command.amount * multiplier
    steps = (*steps, Step("amount", f"{command.amount} × {multiplier}", amount, "LB-8.2.3")) if steps else ()
    awarded = ExperienceAwarded(
        who,
        command.amount,
        multiplier,
        amount,
        one.xp,
        one.xp + amount,
        command.reason,
        steps,
        "LB-15.0.2",
    )
    facts: list[Fact] = [awarded]
    last = last_level(state)
    while True:
        now = fold(EVOLVE, state, facts)
        one = fighter(now, who)
        if one.level >= last or one.xp < (cost := cost_of(state, one.level + 1)):
            return facts
        facts += level_up(now, who, cost)


def award_levels(state: State, command: AwardLevels, _: Context) -> Iterable[Fact]:
    """LB-15.0.1: a level given directly costs nothing."""
    who = command.character
    one = fighter(state, who)
    possible = 1 <= command.count <= MOST_LEVELS
    require(possible, INVALID_AMOUNT, "LB-15.0.1", amount=command.count, least=1, most=MOST_LEVELS)
    _require_room(state, who, one, command.count)
    facts: list[Fact] = []
    for _each in range(command.count):
        facts += level_up(fold(EVOLVE, state, facts), who, 0)
    return facts


def level_up(state: State, who: str, cost: int) -> list[Fact]:
    """LB-15.0.3, LB-15.0.4, LB-A87: maxima grow and floor at each level; LB-A100: what one has grows with them."""
    one = fighter(state, who)
    level = one.level + 1
    health = grown_hp(one.hp_max)
    steps = [health]
    mana_max = one.mana_max
    if mana_classes(one.classes):
        steps.append(grown_mana(one.mana_max, one.classes))
        mana_max = steps[-1].result
    rises = ruling(state, "LB-A100", "b", "ab") == "b"
    hp = one.hp + (health.result - one.hp_max if rises and not one.down else 0)
    mana = one.mana + (mana_max - one.mana_max if rises else 0)
    gained = LevelGained(
        who,
        level,
        cost,
        one.xp - cost,
        one.hp_max,
        health.result,
        one.hp,
        hp,
        one.mana_max,
        mana_max,
        one.mana,
        mana,
        "wheel_of_fortune" if level % 2 else "stat_point",
        tuple(steps),
        "LB-15.0.5" if level % 2 else "LB-15.0.6",
    )
    grown = replace(one, hp_max=health.result)
    return [gained, *recalculated(who, grown, cause="legends.level"), *class_gains(who, one, level)]


def class_gains(who: str, one: Fighter, level: int) -> list[Fact]:
    """LB-15.2.0: each class by its type; a double class skips levels. LB-A90: a resource is +1 of its maximum."""
    mode = "bi" if len(one.classes) > 1 else "mono"
    maxima = dict(one.resource_max)
    facts: list[Fact] = []
    for mine in one.classes:
        for row in GAINS:
            if (row.type, row.mode, row.level) != (mine.type, mode, level):
                continue
            resource = mine.resource if row.gain == "resource" else None
            if resource:
                maxima[resource] = maxima.get(resource, 0) + 1
            facts.append(
                ClassGainUnlocked(
                    who,
                    mine.id,
                    row.gain,  # type: ignore[arg-type]
                    level,
                    GAIN_RULES[row.gain],
                    resource=resource,
                    resource_max=maxima[resource] if resource else 0,
                )
            )
    return facts


def assign_stat_point(state: State, command: AssignStatPoint, context: Context) -> Iterable[Fact]:
    """LB-15.0.6: a coin chooses between the two statistics named."""
    who = command.character
    one = fighter(state, who)
    require(one.stat_points_owed, NO_STAT_POINT_OWED, "LB-15.0.6", character=name_of(state, who))
    no_luck_die(command.use_luck_die, "coin", "LB-2.1.4")
    for stat in (command.first, command.second):
        require_stat(stat, "LB-15.0.6")
    require(command.first != command.second, TWO_DISTINCT_STATS_REQUIRED, "LB-15.0.6")
    later = [increased(state, who, stat, cause="legends.stat_point") for stat in (command.first, command.second)]
    coin = context.dice.throw(1, 2, purpose="stat point", secret=hidden(state, who))
    face = coin.kept[0]
    rolled = StatPointRolled(
        who,
        command.first,
        command.second,
        face,
        command.first if face == 1 else command.second,
        one.stat_points_owed - 1,
        "LB-15.0.6",
        rolls=(coin,),
    )
    return [rolled, *later[face - 1]]


def require_stat(stat: str, rule: str) -> None:
    require(stat in SIX, UNKNOWN_STAT, rule, stat=stat, choices=list(SIX))


def increased(state: State, who: str, stat: str, *, cause: str) -> list[Fact]:
    """LB-A107: no cap."""
    one = fighter(state, who)
    before = values(one.stats)[stat]
    stats = replace(one.stats, **{stat: before + 1})
    grown = StatIncreased(who, stat, before, before + 1, cause, changed(state, one, stats), "LB-15.0.6")
    return [grown, *mana_follows(state, who, one, stats, cause)]


def mana_follows(state: State, who: str, one: Fighter, stats: Stats, cause: str) -> list[Fact]:
    """LB-A107: another statistic of mana moves the maximum by 5 a point, and what one has with it."""
    if not mana_classes(one.classes):
        return []
    old, new = mana_basis(state, one.stats, one.classes), mana_basis(state, stats, one.classes)
    if old == new:
        return []
    most = max(0, one.mana_max + 5 * (new - old))
    mana = max(0, one.mana + most - one.mana_max)
    step = Step("mana_max", f"{one.mana_max} + 5 × ({new} − {old})", most, "LB-A107")
    return [ManaMaximumSet(who, one.mana_max, most, one.mana, mana, cause, (step,), "LB-9.1.1")]


def _figure(state: State, level: int) -> int:
    return number(state, f"xp.table.{level}", "LB-C12", COSTS.get(level), least=1, most=MOST_XP)


def _require_room(state: State, who: str, one: Fighter, levels: int) -> None:
    last = last_level(state)
    require(one.level + levels <= last, MAX_LEVEL, "LB-A106", character=name_of(state, who), most=last)


def _catching_up(state: State, who: str, one: Fighter) -> tuple[int, tuple[Step, ...]]:
    """LB-8.2.3, LB-A62: a multiplier while below the floored average of the other living members.

    Whoever is hidden does not count: the average would tell of them.
    """
    others = [
        other.level
        for name, other in every(state, Fighter).items()
        if name != who and not other.dead and _is_member(character(state, name)) and not character(state, name).hidden
    ]
    if not others or not _is_member(character(state, who)) or one.level >= sum(others) // len(others):
        return 1, ()
    average = sum(others) // len(others)
    text = f"floor({sum(others)} / {len(others)})"
    multiplier = number(state, "xp.catch_up_multiplier", "LB-8.2.3", least=1, most=100)
    return multiplier, (Step("average_level", text, average, "LB-A62"),)


def _is_member(one: Character) -> bool:
    return one.kind == "player" and in_play(one)


DECIDE: Deciders = {
    AwardExperience: for_gm("character")(award_experience),
    AwardLevels: for_gm("character")(award_levels),
    AssignStatPoint: owner("character")(assign_stat_point),
}
