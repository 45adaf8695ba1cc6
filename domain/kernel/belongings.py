"""Bag and purse: whole coins, whole things, nothing lost between two hands."""

from msgspec import field

from domain.kernel.fold import Leaf, State, begin, find, on, reducers
from domain.kernel.refusal import Refusal, require
from events.table import (
    CharacterCreated,
    CoinsGained,
    CoinsGiven,
    CoinsSpent,
    ItemsGained,
    ItemsGiven,
    ItemsSpent,
)

PURSE_FULL = Refusal("PURSE_FULL", "Nobody can hold more than {most}.")
MOST_HELD = 10**12
"""Of coins, and of any one thing."""


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


def with_coins(state: State, character: str, more: int) -> int:
    """What the purse holds with so many more. Refuses `PURSE_FULL`."""
    after = coins(state, character) + more
    require(after <= MOST_HELD, PURSE_FULL, most=MOST_HELD)
    return after


def with_items(state: State, character: str, item: str, more: int) -> int:
    """How many the bag holds with so many more. Refuses `PURSE_FULL`."""
    after = held(state, character, item) + more
    require(after <= MOST_HELD, PURSE_FULL, most=MOST_HELD)
    return after


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
