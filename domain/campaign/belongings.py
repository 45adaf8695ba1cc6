"""Bag and purse: grants of the game master, gifts, and trades that happen whole or not at all."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.belongings import coins, held, with_coins, with_items
from domain.kernel.cast import character
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, Natural, Positive, Reason, gm, owner
from domain.kernel.fold import Leaf, State, begin, end, every, find, reducers
from domain.kernel.refusal import Refusal, Refused, require
from events.envelope import Fact
from events.table import (
    CoinsGained,
    CoinsGiven,
    CoinsSpent,
    ItemsGained,
    ItemsGiven,
    ItemsSpent,
    TradeAgreed,
    TradeDropped,
    TradeOffered,
)

Items = Annotated[dict[Name, Positive], Meta(max_length=50)]

NOT_ENOUGH_COINS = Refusal("NOT_ENOUGH_COINS", "{character} has {owned} coins and needs {needed}.")
NOT_ENOUGH_ITEMS = Refusal("NOT_ENOUGH_ITEMS", "{character} holds {owned} × {item} and needs {needed}.")
NOTHING_TO_GIVE = Refusal("NOTHING_TO_GIVE", "Name coins or items.")
SAME_CHARACTER = Refusal("SAME_CHARACTER", "Giver and taker are the same character.")
OTHER_COIN = Refusal("OTHER_COIN", "{giver} and {taker} do not count in the same coin.")
UNKNOWN_TRADE = Refusal("UNKNOWN_TRADE", "There is no such offer any more.")
OFFER_NOT_COVERED = Refusal("OFFER_NOT_COVERED", "The other side no longer holds what it offered.")
TOO_MANY_OFFERS = Refusal("TOO_MANY_OFFERS", "{character} has {most} open offers: drop some of them first.")
MOST_OFFERS = 20


class Share(Struct, frozen=True, forbid_unknown_fields=True):
    """What one side gives. `coins` in the smallest coin of the character's system."""

    coins: Natural = 0
    items: Items = {}


class Trade(Leaf, frozen=True, tag="trade"):
    """An offer that waits for the other side."""

    giver: str
    taker: str
    offered_coins: int
    offered_items: dict[str, int]
    asked_coins: int
    asked_items: dict[str, int]

    def concerns(self, name: str) -> tuple[str, ...]:
        return (self.giver, self.taker)


class Grant(Command, frozen=True, tag="campaign.grant"):
    """The game master gives out of nowhere: treasure, pay, a found rope."""

    character: CharacterId
    reason: Reason
    coins: Natural = 0
    items: Items = {}


class TakeAway(Command, frozen=True, tag="campaign.take_away"):
    """The game master takes: a toll, a thief, a fire."""

    character: CharacterId
    reason: Reason
    coins: Natural = 0
    items: Items = {}


class Spend(Command, frozen=True, tag="campaign.spend"):
    """Pay or use up one's own, for something no rule has a price for."""

    character: CharacterId
    reason: Reason
    coins: Natural = 0
    items: Items = {}


class Give(Command, frozen=True, tag="campaign.give"):
    giver: CharacterId
    taker: CharacterId
    coins: Natural = 0
    items: Items = {}


class OfferTrade(Command, frozen=True, tag="campaign.offer_trade"):
    """`giver` offers and asks; nothing moves until the taker's player agrees."""

    giver: CharacterId
    taker: CharacterId
    offer: Share = Share()
    ask: Share = Share()


class AcceptTrade(Command, frozen=True, tag="campaign.accept_trade"):
    """Both shares change hands together, or nothing does."""

    character: CharacterId
    trade: Annotated[str, Meta(max_length=64)]


class DropTrade(Command, frozen=True, tag="campaign.drop_trade"):
    """Either side withdraws."""

    character: CharacterId
    trade: Annotated[str, Meta(max_length=64)]


def gain(state: State, who: str, amount: int, items: dict[str, int], cause: str) -> list[Fact]:
    """Coins and items out of nowhere."""
    facts: list[Fact] = [CoinsGained(who, amount, with_coins(state, who, amount), cause)] if amount else []
    return facts + [
        ItemsGained(who, item, quantity, with_items(state, who, item, quantity), cause)
        for item, quantity in items.items()
    ]


def lose(state: State, who: str, amount: int, items: dict[str, int], cause: str) -> list[Fact]:
    """Coins and items to nowhere. Refuses what is not there."""
    _require_held(state, who, amount, items)
    facts: list[Fact] = [CoinsSpent(who, amount, coins(state, who) - amount, cause)] if amount else []
    return facts + [
        ItemsSpent(who, item, quantity, held(state, who, item) - quantity, cause) for item, quantity in items.items()
    ]


def hand_over(state: State, giver: str, taker: str, amount: int, items: dict[str, int], cause: str) -> list[Fact]:
    """From one to the other. A hidden side stays out of what the other's player sees."""
    _require_held(state, giver, amount, items)
    one, other = character(state, giver), character(state, taker)
    require(not amount or one.system == other.system, OTHER_COIN, giver=one.name, taker=other.name)
    if one.hidden or other.hidden:
        return lose(state, giver, amount, items, cause) + gain(state, taker, amount, items, cause)
    facts: list[Fact] = []
    if amount:
        left, received = coins(state, giver) - amount, with_coins(state, taker, amount)
        facts.append(CoinsGiven(giver, taker, amount, left, received, cause=cause))
    for item, quantity in items.items():
        with_items(state, taker, item, quantity)
    return facts + [ItemsGiven(giver, taker, item, quantity, cause=cause) for item, quantity in items.items()]


def grant(state: State, command: Grant, _: Context) -> Iterable[Fact]:
    require(command.coins or command.items, NOTHING_TO_GIVE)
    return gain(state, command.character, command.coins, command.items, command.reason)


def take_away(state: State, command: TakeAway | Spend, _: Context) -> Iterable[Fact]:
    require(command.coins or command.items, NOTHING_TO_GIVE)
    return lose(state, command.character, command.coins, command.items, command.reason)


def give(state: State, command: Give, _: Context) -> Iterable[Fact]:
    require(command.giver != command.taker, SAME_CHARACTER)
    require(command.coins or command.items, NOTHING_TO_GIVE)
    return hand_over(state, command.giver, command.taker, command.coins, command.items, "gift")


def offer_trade(state: State, command: OfferTrade, context: Context) -> Iterable[Fact]:
    require(command.giver != command.taker, SAME_CHARACTER)
    offer, ask = command.offer, command.ask
    require(offer.coins or offer.items or ask.coins or ask.items, NOTHING_TO_GIVE)
    _require_held(state, command.giver, offer.coins, offer.items)
    open_ones = sum(trade.giver == command.giver for trade in every(state, Trade).values())
    name = character(state, command.giver).name
    require(open_ones < MOST_OFFERS, TOO_MANY_OFFERS, character=name, most=MOST_OFFERS)
    return [
        TradeOffered(context.new_id("x"), command.giver, command.taker, offer.coins, offer.items, ask.coins, ask.items)
    ]


def accept_trade(state: State, command: AcceptTrade, context: Context) -> Iterable[Fact]:
    trade = _trade(state, command.trade)
    require(command.character == trade.taker, UNKNOWN_TRADE)
    one, other = trade.giver, trade.taker
    offering = character(state, one)
    require(not offering.retired and (context.is_gm or not offering.hidden), UNKNOWN_TRADE)
    try:
        _require_held(state, one, trade.offered_coins, trade.offered_items)
    except Refused:
        # What somebody else holds is theirs to tell.
        OFFER_NOT_COVERED.because()
    _require_held(state, other, trade.asked_coins, trade.asked_items)
    net = trade.offered_coins - trade.asked_coins
    giver, taker = (one, other) if net >= 0 else (other, one)
    both = trade.offered_items.keys() & trade.asked_items.keys()
    changes = {item: trade.offered_items.get(item, 0) - trade.asked_items.get(item, 0) for item in both}
    there = {i: q for i, q in {**trade.offered_items, **changes}.items() if q > 0}
    back = {i: q for i, q in {**trade.asked_items, **{i: -q for i, q in changes.items()}}.items() if q > 0}
    return [
        TradeAgreed(command.trade, one, other),
        *hand_over(state, giver, taker, abs(net), {}, "trade"),
        *hand_over(state, one, other, 0, there, "trade"),
        *hand_over(state, other, one, 0, back, "trade"),
    ]


def drop_trade(state: State, command: DropTrade, _: Context) -> Iterable[Fact]:
    trade = _trade(state, command.trade)
    require(command.character in (trade.giver, trade.taker), UNKNOWN_TRADE)
    return [TradeDropped(command.trade, trade.giver, trade.taker)]


def _trade(state: State, name: str) -> Trade:
    trade = find(state, Trade, name)
    if trade is None:
        UNKNOWN_TRADE.because()
    return trade


def _require_held(state: State, who: str, amount: int, items: dict[str, int]) -> None:
    name = character(state, who).name
    require(coins(state, who) >= amount, NOT_ENOUGH_COINS, character=name, owned=coins(state, who), needed=amount)
    for item, quantity in items.items():
        owned = held(state, who, item)
        require(owned >= quantity, NOT_ENOUGH_ITEMS, character=name, owned=owned, item=item, needed=quantity)


EVOLVE = reducers(
    begin(
        TradeOffered,
        Trade,
        "trade",
        lambda told: Trade(
            told.giver, told.taker, told.offered_coins, told.offered_items, told.asked_coins, told.asked_items
        ),
    ),
    end(TradeAgreed, Trade, "trade"),
    end(TradeDropped, Trade, "trade"),
)

DECIDE: Deciders = {
    Grant: gm(grant),
    TakeAway: gm(take_away),
    Spend: owner("character", needs="hands")(take_away),
    Give: owner("giver", needs="hands")(give),
    OfferTrade: owner("giver", needs="hands")(offer_trade),
    AcceptTrade: owner("character", needs="hands")(accept_trade),
    DropTrade: owner("character", needs="nothing")(drop_trade),
}
