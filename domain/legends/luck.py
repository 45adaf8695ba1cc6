"""LB-2.1 and LB-2.3: how luck dice are got, when it is too late for one, and what one orders beforehand."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.command import CharacterId, Command, Context, Deciders, Reason, Small, owner
from domain.kernel.fold import State
from domain.kernel.refusal import require
from domain.legends.refusals import INVALID_AMOUNT, LUCK_DIE_NOT_ALLOWED, TOO_LATE_FOR_LUCK_DIE, UNKNOWN_COIN_SIDE
from domain.legends.state import fighter, for_gm
from events.envelope import Fact
from events.legends import LuckDiceGranted, StandingOrdersSet

MOST_DICE = 1_000
SIDES = ("pile", "face")


class GrantLuckDice(Command, frozen=True, tag="legends.grant_luck_dice"):
    """The game master rewards something well done."""

    character: CharacterId
    reason: Reason
    count: Small = 1


class AddLuckDie(Command, frozen=True, tag="legends.add_luck_die"):
    """Add a luck die to a roll that has fallen: always refused, and the answer says why."""

    character: CharacterId


class SetStandingOrders(Command, frozen=True, tag="legends.set_standing_orders"):
    """What a creature does when a roll of its own falls inside somebody else's command.

    `coin` is the side it names; `resistance_luck` how many luck dice it may still add to resistance rolls. What is
    left out stays as it is.
    """

    character: CharacterId
    coin: Annotated[str, Meta(max_length=40)] | None = None
    resistance_luck: Small | None = None


def granted(who: str, stock: int, count: int, cause: str, rule: str) -> Fact:
    """LB-2.1.3: by the wheel or by the game master; no maximum."""
    return LuckDiceGranted(who, count, stock + count, cause, rule)


def grant_luck_dice(state: State, command: GrantLuckDice, _: Context) -> Iterable[Fact]:
    one = fighter(state, command.character)
    possible = 1 <= command.count <= MOST_DICE
    require(possible, INVALID_AMOUNT, "LB-2.1.3", amount=command.count, least=1, most=MOST_DICE)
    return [granted(command.character, one.luck_dice, command.count, command.reason, "LB-2.1.3")]


def add_luck_die(state: State, command: AddLuckDie, _: Context) -> Iterable[Fact]:
    """LB-2.1.2: never after seeing the face."""
    fighter(state, command.character)
    TOO_LATE_FOR_LUCK_DIE.because("LB-2.1.2")


def set_standing_orders(state: State, command: SetStandingOrders, _: Context) -> Iterable[Fact]:
    """LB-2.3: at any moment, down or not, at no cost, until changed."""
    one = fighter(state, command.character)
    coin = one.coin if command.coin is None else command.coin
    luck = one.resistance_luck if command.resistance_luck is None else command.resistance_luck
    require(coin in SIDES, UNKNOWN_COIN_SIDE, "LB-0.6", side=coin)
    require(0 <= luck <= MOST_DICE, INVALID_AMOUNT, "LB-2.3", amount=luck, least=0, most=MOST_DICE)
    if (coin, luck) == (one.coin, one.resistance_luck):
        return []
    return [StandingOrdersSet(command.character, "face" if coin == "face" else "pile", luck, "LB-2.3")]


def no_luck_die(announced: bool, reason: str, rule: str) -> None:
    """LB-2.1.4: rolls that are not dice thrown to a total take none."""
    require(not announced, LUCK_DIE_NOT_ALLOWED, rule, reason=reason)


DECIDE: Deciders = {
    GrantLuckDice: for_gm("character")(grant_luck_dice),
    AddLuckDie: owner("character")(add_luck_die),
    SetStandingOrders: owner("character")(set_standing_orders),
}
