"""The sheet that a character of Legends & Bonk starts with."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import astuple

from domain.kernel.cast import character
from domain.kernel.command import Context, Key, Name
from domain.kernel.fold import State
from domain.kernel.refusal import NOT_GM, require
from domain.legends.armour import MOST_PERCENT, points
from domain.legends.refusals import (
    DUPLICATE_CLASS,
    GEAR_NAME_TAKEN,
    INVALID_AMOUNT,
    STAT_OUT_OF_RANGE,
    STATS_MISSING,
    SUBRACE_MISMATCH,
    UNKNOWN_STAT,
)
from domain.legends.state import number, values, word
from domain.legends.stats import MOST, SIX, grown_hp, grown_mana, mana_maximum
from events.envelope import Fact
from events.legends import CharacterClass, ClassType, Gear, Rarity, SheetDrawnUp, Stats, Step, Technique

Points = Annotated[int, Meta(ge=1, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000)]


class SheetStats(Stats, frozen=True, forbid_unknown_fields=True, gc=False):
    """The six; none may be missing."""

    strength: int
    dexterity: int
    constitution: int
    intelligence: int
    wisdom: int
    charisma: int


class SheetClass(Struct, frozen=True, forbid_unknown_fields=True):
    """`mana_stat` and `specific_stat` only where the campaign does not know the class."""

    id: Key
    type: ClassType
    mana_stat: str | None = None
    specific_stat: str | None = None
    resource: Key | None = None


class SheetArmour(Struct, frozen=True, forbid_unknown_fields=True):
    """`percent` is what the piece gives of the maximum of hit points."""

    name: Name
    percent: Annotated[int, Meta(ge=0, le=MOST_PERCENT)]
    rarity: Rarity = "common"
    worn: bool = True


class SheetItem(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon or another piece of equipment that has a rarity."""

    name: Name
    rarity: Rarity = "common"


class SheetTechnique(Struct, frozen=True, forbid_unknown_fields=True):
    """`recharge` is how many uses a short rest gives back."""

    name: Name
    most: Annotated[int, Meta(ge=1, le=1_000)]
    recharge: Count = 0
    uses: Count | None = None


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, tag_field="system", tag="legends"):
    """Filled in by the player; what is left out is full, empty or the campaign's.

    Only the game master writes a level, luck dice, satiety or the mark of importance. `satiety` counts half-points.
    Animals and summons may go without the six statistics: each is then 10, which adds nothing.
    """

    stats: SheetStats | None = None
    hp_max: Points | None = None
    hp: Points | None = None
    mana: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    level: Annotated[int, Meta(ge=0, le=100)] = 0
    classes: Annotated[tuple[SheetClass, ...], Meta(max_length=2)] = ()
    race: Key | None = None
    subrace: Key | None = None
    armour: Annotated[tuple[SheetArmour, ...], Meta(max_length=50)] = ()
    equipment: Annotated[tuple[SheetItem, ...], Meta(max_length=200)] = ()
    luck_dice: Count = 0
    satiety: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    techniques: Annotated[tuple[SheetTechnique, ...], Meta(max_length=100)] = ()
    resources: Annotated[dict[Key, Count], Meta(max_length=20)] = {}
    important: bool = False


def draw_up(state: State, who: str, sheet: Sheet, context: Context) -> Iterable[Fact]:
    """LB-4.1, LB-8.2.2: a character starts at level 0, with what its sheet and the campaign give it."""
    require(context.is_gm or not _for_the_gm(sheet), NOT_GM, "LB-0.8")
    stats = _stats(state, who, sheet)
    classes = _classes(sheet)
    _require_race(state, sheet)
    gear = _gear(character(state, who).name, sheet)
    health = _health(state, sheet)
    hp_max = health[-1].result
    mana = _mana(state, stats, classes, sheet)
    mana_max = mana[-1].result if mana else 0
    armour = points(hp_max, gear)
    return [
        SheetDrawnUp(
            who,
            stats,
            classes,
            sheet.level,
            _within(sheet.hp, hp_max),
            hp_max,
            _within(sheet.mana, mana_max),
            mana_max,
            sum(step.result for step in armour),
            gear,
            _techniques(character(state, who).name, sheet),
            sheet.resources,
            sheet.luck_dice,
            sheet.satiety,
            sheet.important,
            sheet.race,
            sheet.subrace,
            (*health, *mana, *armour),
            "LB-4.1",
        )
    ]


def _for_the_gm(sheet: Sheet) -> bool:
    return bool(sheet.level or sheet.luck_dice or sheet.satiety or sheet.important)


def _stats(state: State, who: str, sheet: Sheet) -> Stats:
    """LB-4.1.21: six whole numbers from 1 on."""
    if sheet.stats is None:
        bare = character(state, who).kind in ("animal", "summon")
        require(bare, STATS_MISSING, "LB-4.1.21", key="creation.stat_distribution")
        return Stats()
    for stat, value in values(sheet.stats).items():
        require(1 <= value <= MOST, STAT_OUT_OF_RANGE, "LB-4.1.21", stat=stat, least=1, most=MOST)
    return Stats(*astuple(sheet.stats))


def _classes(sheet: Sheet) -> tuple[CharacterClass, ...]:
    """LB-4.1.4: one class, or two different ones."""
    ids = [one.id for one in sheet.classes]
    require(len(set(ids)) == len(ids), DUPLICATE_CLASS, "LB-4.1.4", class_id=ids[0] if ids else "")
    for one in sheet.classes:
        for stat in (one.mana_stat, one.specific_stat):
            require(stat is None or stat in SIX, UNKNOWN_STAT, "LB-4.1.21", stat=stat, choices=list(SIX))
    return tuple(CharacterClass(*astuple(one)) for one in sheet.classes)


def _require_race(state: State, sheet: Sheet) -> None:
    """LB-4.1.3: a sub-race belongs to its race, where the campaign lists them in `races.<race>` (commas between)."""
    if sheet.subrace is None:
        return
    listed = word(state, f"races.{sheet.race}") if sheet.race else ""
    belongs = not listed or sheet.subrace in [one.strip() for one in listed.split(",")]
    require(sheet.race and belongs, SUBRACE_MISMATCH, "LB-4.1.3", subrace=sheet.subrace, race=sheet.race)


def _gear(who: str, sheet: Sheet) -> tuple[Gear, ...]:
    gear = (
        *(Gear(one.name, one.rarity, one.percent, one.worn, kind="armour") for one in sheet.armour),
        *(Gear(one.name, one.rarity) for one in sheet.equipment),
    )
    names = [one.name for one in gear]
    for name in names:
        require(names.count(name) == 1, GEAR_NAME_TAKEN, "LB-16.2.1", character=who, item=name)
    return gear


def _techniques(who: str, sheet: Sheet) -> tuple[Technique, ...]:
    names = [one.name for one in sheet.techniques]
    for name in names:
        require(names.count(name) == 1, GEAR_NAME_TAKEN, "LB-4.1.18", character=who, item=name)
    return tuple(Technique(one.name, _within(one.uses, one.most), one.most, one.recharge) for one in sheet.techniques)


def _health(state: State, sheet: Sheet) -> tuple[Step, ...]:
    """LB-A63: what the sheet says, or the campaign's base grown to the level of the sheet."""
    if sheet.hp_max is not None:
        return (Step("hp_max", str(sheet.hp_max), sheet.hp_max, "LB-C2"),)
    base = number(state, "characters.base_hp", "LB-A63", least=1, most=1_000_000)
    steps = [Step("hp_max", str(base), base, "LB-C2")]
    for _ in range(sheet.level):
        steps.append(grown_hp(steps[-1].result))
    return tuple(steps)


def _mana(state: State, stats: Stats, classes: Sequence[CharacterClass], sheet: Sheet) -> tuple[Step, ...]:
    """LB-9.1: the maximum at level 0, grown to the level of the sheet."""
    first = mana_maximum(state, stats, classes)
    if first is None:
        return ()
    steps = [first]
    for _ in range(sheet.level):
        steps.append(grown_mana(steps[-1].result, classes))
    return tuple(steps)


def _within(given: int | None, most: int) -> int:
    """What the sheet says is left of a pool; full when it says nothing."""
    if given is None:
        return most
    require(given <= most, INVALID_AMOUNT, "LB-0.9", amount=given, least=0, most=most)
    return given
