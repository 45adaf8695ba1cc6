"""Bag and purse: whole coins, whole things, nothing lost between two hands."""

from msgspec import field

from domain.kernel.fold import Leaf, State, begin, find, on, reducers
from events.table import (
    CharacterCreated,
    CoinsGained,
    CoinsGiven,
    CoinsSpent,
    ItemsGained,
    ItemsGiven,
    ItemsSpent,
)


class Purse(Leaf, frozen=True, tag="purse"):
    """`coins` counts the smallest coin of the character's system (MC, or copper pieces); never below 0."""

    OF_CHARACTER = True

    coins: int = 0


class Bag(Leaf, frozen=True, tag="bag"):
    """How many of each item. What is no longer held is no longer listed."""

    OF_CHARACTER = True

    items: dict[str, int] = field(default_factory=dict)


def coins(state: State, character: str) -> int:
    purse = find(state, Purse, character)
    return purse.coins if purse else 0


def held(state: State, character: str, item: str) -> int:
    bag = find(state, Bag, character)
    return bag.items.get(item, 0) if bag else 0


def _more(bag: Bag, item: str, quantity: int) -> Bag:
    left = bag.items.get(item, 0) + quantity
    items = {**bag.items, item: left}
    if not left:
        del items[item]
    return Bag(items)


EVOLVE = reducers(
    begin(CharacterCreated, Purse, "character", lambda _: Purse()),
    begin(CharacterCreated, Bag, "character", lambda _: Bag()),
    on(CoinsGained, Purse, "character", lambda purse, told: Purse(purse.coins + told.amount)),
    on(CoinsSpent, Purse, "character", lambda purse, told: Purse(purse.coins - told.amount)),
    on(CoinsGiven, Purse, "giver", lambda purse, told: Purse(purse.coins - told.amount)),
    on(CoinsGiven, Purse, "taker", lambda purse, told: Purse(purse.coins + told.amount)),
    on(ItemsGained, Bag, "character", lambda bag, told: _more(bag, told.item, told.quantity)),
    on(ItemsSpent, Bag, "character", lambda bag, told: _more(bag, told.item, -told.quantity)),
    on(ItemsGiven, Bag, "giver", lambda bag, told: _more(bag, told.item, -told.quantity)),
    on(ItemsGiven, Bag, "taker", lambda bag, told: _more(bag, told.item, told.quantity)),
)
