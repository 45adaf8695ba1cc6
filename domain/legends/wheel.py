"""LB-15.1: the wheel of fortune and its ten prizes."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.belongings import with_coins
from domain.kernel.cast import hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, Small, owner
from domain.kernel.fold import State, fold
from domain.kernel.refusal import NOT_GM, require
from domain.kernel.tables import read
from domain.legends.armour import MOST_PERCENT, gear_of, recalculated
from domain.legends.evolve import EVOLVE
from domain.legends.levels import increased, require_stat
from domain.legends.luck import granted, no_luck_die
from domain.legends.rarities import found_auras, next_rarity, rarity
from domain.legends.refusals import (
    CAMPAIGN_DATA_MISSING,
    DOWN_CANNOT,
    GEAR_NAME_TAKEN,
    NO_PRIZE_AT_ALL,
    NO_PRIZE_OWED,
    NO_SPIN_OWED,
)
from domain.legends.rest import restored_whole
from domain.legends.state import Fighter, fighter, name_of, number, ruling, word
from events.envelope import Fact
from events.legends import (
    Gear,
    GearGained,
    GearRarityRaised,
    LongRestTaken,
    WheelPrizeGranted,
    WheelSpun,
)
from events.table import CoinsGained

Text = Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]


class Prize(Struct, frozen=True):
    """LB-15.1.1: the band of a D100; `amount` where the prize is a number."""

    key: str
    least: int
    most: int
    amount: int


def _amount(payload: str) -> int:
    _, _, figure = payload.partition("=")
    return int(figure) if figure.isdigit() else 0


PRIZES = read(
    "domain.legends",
    "lb_wheel_of_fortune",
    lambda row: Prize(row["key"], int(row["d100_from"]), int(row["d100_to"]), _amount(row["payload"])),
)
RULES = {prize.key: f"LB-15.1.{number}" for number, prize in enumerate(PRIZES, 2)}
BY_FACE = {face: prize for prize in PRIZES for face in range(prize.least, prize.most + 1)}
RICHEST = max(prize.amount for prize in PRIZES if prize.key == "coins")
CONTENT = ("curse", "hell", "heaven")

assert sorted(BY_FACE) == list(range(1, 101)), "the wheel must hold each face of a D100"
assert sum(prize.most - prize.least + 1 for prize in PRIZES) == 100, "the wheel holds a face twice"
assert {prize.key for prize in PRIZES} >= {*CONTENT, "coins", "long_rest", "luck_die", "stat_plus_one"}


class SpinWheel(Command, frozen=True, tag="legends.spin_wheel"):
    """A spin that is owed. A prize that needs a choice or the game master's content waits for `legends.claim_prize`."""

    character: CharacterId
    use_luck_die: bool = False


class ClaimPrize(Command, frozen=True, tag="legends.claim_prize"):
    """Take a prize that waits.

    The player names the `statistic` (`stat_plus_one`) or the `item` (`equipment_rarity_up`). The game master gives
    the `item`, its `rarity` and for armour its `percent` (`random_weapon`, `random_armour`), the `percent` of a raised
    armour, and the `content` of `curse`, `hell` and `heaven`; what is not given is what the campaign has laid down.
    """

    character: CharacterId
    prize: Annotated[str, Meta(max_length=40)]
    statistic: Annotated[str, Meta(max_length=40)] = ""
    item: Name | None = None
    rarity: Annotated[str, Meta(max_length=40)] = "common"
    percent: Small | None = None
    content: Text = ""


def spin_wheel(state: State, command: SpinWheel, context: Context) -> Iterable[Fact]:
    """LB-15.0.5, LB-15.1.1, LB-A117: a D100, not while down."""
    who = command.character
    one, shown = fighter(state, who), name_of(state, who)
    anytime = ruling(state, "LB-A117", "b", "ab") == "a"
    require(anytime or not one.down, DOWN_CANNOT, "LB-A117", character=shown)
    require(one.spins_owed, NO_SPIN_OWED, "LB-15.0.5", character=shown)
    no_luck_die(command.use_luck_die, "wheel", "LB-15.1.1")
    with_coins(state, who, RICHEST)  # before the die, which must not decide whether there is room
    roll = context.dice.throw(1, 100, purpose="wheel of fortune", secret=hidden(state, who))
    prize = BY_FACE[roll.kept[0]]
    at_once = _at_once(state, who, one, prize)
    spun = WheelSpun(who, roll.kept[0], prize.key, at_once is None, one.spins_owed - 1, RULES[prize.key], rolls=(roll,))
    return [spun, *(at_once or _content(state, who, prize.key))]


def _at_once(state: State, who: str, one: Fighter, prize: Prize) -> list[Fact] | None:
    """The prizes that need nobody's word; None for those that wait."""
    match prize.key:
        case "coins":
            return [CoinsGained(who, prize.amount, with_coins(state, who, prize.amount), cause="legends.wheel")]
        case "long_rest" if not one.down:
            return [LongRestTaken((who,), "wheel", "LB-A99"), *restored_whole(state, who)]
        case "luck_die":
            return [granted(who, one.luck_dice, prize.amount, cause="legends.wheel", rule="LB-15.1.6")]
        case _:
            return None


def _content(state: State, who: str, prize: str) -> list[Fact]:
    """LB-C10: what the campaign has laid down for a curse, for hell and for heaven."""
    text = word(state, f"wheel.{prize}") if prize in CONTENT else ""
    return [WheelPrizeGranted(who, prize, text, RULES[prize])] if text else []


def claim_prize(state: State, command: ClaimPrize, context: Context) -> Iterable[Fact]:
    """LB-15.1.3 to LB-15.1.11, LB-A89: owed until it can be given, and then given whole."""
    who, prize = command.character, command.prize
    given = command.content or (prize != "equipment_rarity_up" and command.item) or command.percent is not None
    require(context.is_gm or not given, NOT_GM, "LB-0.8")
    one, shown = fighter(state, who), name_of(state, who)
    require(one.prizes, NO_PRIZE_AT_ALL, "LB-A89", character=shown)
    require(prize in one.prizes, NO_PRIZE_OWED, "LB-A89", character=shown, prize=prize, prizes=list(one.prizes))
    match prize:
        case "stat_plus_one":
            require_stat(command.statistic, "LB-15.1.7")
            return [
                _granted(who, prize, command.statistic),
                *increased(state, who, command.statistic, cause="legends.wheel"),
            ]
        case "equipment_rarity_up":
            return _raised(state, command)
        case "random_weapon" | "random_armour":
            return _found(state, command, context, one)
        case "long_rest":
            require(not one.down, DOWN_CANNOT, "LB-A99", character=shown)
            rest = LongRestTaken((who,), "wheel", "LB-A99")
            return [_granted(who, prize, ""), rest, *restored_whole(state, who)]
        case _:
            content = command.content or word(state, f"wheel.{prize}")
            require(content, CAMPAIGN_DATA_MISSING, RULES[prize], key=f"wheel.{prize}")
            return [_granted(who, prize, content)]


def _raised(state: State, command: ClaimPrize) -> list[Fact]:
    """LB-15.1.9: one piece rises by one rarity; LB-16.2.1: armour then gives what the campaign says."""
    who = command.character
    piece = gear_of(state, who, command.item or "")
    after = next_rarity(piece.rarity, piece.name)
    percent = piece.percent
    if percent is not None:
        key = f"armour.{piece.name}.{after}.percent"
        percent = number(state, key, "LB-16.2.1", command.percent, most=MOST_PERCENT)
    raised = GearRarityRaised(
        who, piece.name, piece.rarity, after, piece.percent, percent, cause="legends.wheel", rule="LB-15.1.9"
    )
    worn = recalculated(who, fighter(fold(EVOLVE, state, [raised]), who), cause="legends.wheel")
    return [_granted(who, command.prize, piece.name), raised, *worn]


def _found(state: State, command: ClaimPrize, context: Context, one: Fighter) -> list[Fact]:
    """LB-15.1.4, LB-15.1.5: the game master draws it from the campaign's catalogue; a weapon may bear auras."""
    who, item = command.character, command.item or word(state, f"wheel.{command.prize}")
    if not item:
        CAMPAIGN_DATA_MISSING.because(RULES[command.prize], key=f"wheel.{command.prize}")
    of = rarity(command.rarity)
    free = all(each.name != item for each in one.gear)
    require(free, GEAR_NAME_TAKEN, "LB-16.2.1", character=name_of(state, who), item=item)
    rule = RULES[command.prize]
    if command.prize == "random_armour":
        percent = number(state, f"armour.{item}.percent", "LB-16.2.1", command.percent, most=MOST_PERCENT)
        gear = Gear(item, of, percent)
        return [_granted(who, command.prize, item), GearGained(who, gear, cause="legends.wheel", rule=rule)]
    auras, rolls = found_auras(context.dice, of, secret=hidden(state, who))
    gear = Gear(item, of, auras=auras)
    return [
        _granted(who, command.prize, item),
        GearGained(who, gear, cause="legends.wheel", rule=rule, rolls=rolls),
    ]


def _granted(who: str, prize: str, content: str) -> Fact:
    return WheelPrizeGranted(who, prize, content, RULES[prize])


DECIDE: Deciders = {
    SpinWheel: owner("character")(spin_wheel),
    ClaimPrize: owner("character")(claim_prize),
}
