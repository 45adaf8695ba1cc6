"""LB-13.3: what is for sale, at which price, and buying it."""

from collections.abc import Iterable

from msgspec import Struct

from domain.kernel.belongings import coins, with_items
from domain.kernel.cast import hidden
from domain.kernel.charter import charter
from domain.kernel.command import CharacterId, Command, Context, Deciders, Figure, Name, owner
from domain.kernel.fold import State, every
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.meals import FOODS, RATION
from domain.legends.refusals import INSUFFICIENT_FUNDS, INVALID_QUANTITY, UNKNOWN_ITEM
from domain.legends.state import Negotiation, name_of, number, on_their_feet, team
from events.envelope import Fact
from events.legends import ItemsPurchased, Step, WaterGained
from events.table import CoinsSpent, ItemsGained

MOST_AT_ONCE = 10_000
DEAREST = 10**9
WATER = "water_1l"
SINGLE, OUTLIER = "ration_pack_1", "ration_pack_6"
"""LB-A84: the printed pack of six is dearer than six single ones, which a purchase points out."""


class Price(Struct, frozen=True):
    item: str
    price: int


PRICES = {
    row.item: row.price
    for row in read("domain.legends", "lb_prices", lambda row: Price(row["item"], int(row["price_mc"])))
}
ARTICLES = (*PRICES, *(food.item for food in FOODS.values() if food.item not in PRICES))
"""Everything the table lists, and each food by its own name."""

assert all(price > 0 for price in PRICES.values()), "lb_prices.csv has an article without a price"
assert all(f"food_tier_{food.tier}" in PRICES for food in FOODS.values() if food.tier), "a food has no price level"
assert all(food.price == PRICES.get(food.item, PRICES.get(f"food_tier_{food.tier}")) for food in FOODS.values())


class Buy(Command, frozen=True, tag="legends.buy"):
    """`item` is an article of the price table. At a `merchant` one has negotiated with, at the price agreed."""

    character: CharacterId
    item: Name
    quantity: Figure = 1
    merchant: Name = "merchant"


def listed_price(state: State, item: str) -> int:
    """LB-13.3.1: the campaign's own price (`prices.<item>`, LB-C14) or the table's; foods go by their level."""
    settings = charter(state).settings
    level = f"food_tier_{FOODS[item].tier}" if item in FOODS and FOODS[item].tier else item
    if f"prices.{item}" in settings or level == item:
        return number(state, f"prices.{item}", "LB-C14", PRICES.get(item), most=DEAREST)
    return number(state, f"prices.{level}", "LB-C14", PRICES[level], most=DEAREST)


def adjusted(price: int, percent: int) -> int:
    """LB-14.2.3: the changed price, floored."""
    return price * (100 + percent) // 100


def dealings(state: State, who: str, merchant: str) -> tuple[str, Negotiation] | None:
    """What this character and this merchant, however it is spelt, have come to."""
    for name, one in every(state, Negotiation).items():
        if (one.character, one.merchant.casefold()) == (who, merchant.casefold()):
            return name, one
    return None


def buy(state: State, command: Buy, context: Context) -> Iterable[Fact]:
    """LB-13.3.1: coins against goods; water goes to the team, a pack is so many rations."""
    who, item, quantity = command.character, command.item, command.quantity
    on_their_feet(state, who, context)
    require(item in ARTICLES, UNKNOWN_ITEM, "LB-13.3.1", item=item, choices=list(ARTICLES))
    sane = 1 <= quantity <= MOST_AT_ONCE
    require(sane, INVALID_QUANTITY, "LB-13.3.1", quantity=quantity, most=MOST_AT_ONCE)
    deal = dealings(state, who, command.merchant)
    percent = deal[1].percent if deal else 0
    price = listed_price(state, item)
    unit = adjusted(price, percent)
    total = unit * quantity
    owned = coins(state, who)
    require(owned >= total, INSUFFICIENT_FUNDS, "LB-4.1.38", character=name_of(state, who), owned=owned, needed=total)
    steps = [Step("total", f"{unit} × {quantity}", total, "LB-13.3.1")]
    if percent:
        steps.insert(0, Step("unit_price", f"floor({price} × {100 + percent} / 100)", unit, "LB-14.2.3"))
    if item == OUTLIER and price == PRICES[OUTLIER]:
        steps.insert(0, Step("six_single_packs", f"6 × {PRICES[SINGLE]}", 6 * PRICES[SINGLE], "LB-A84"))
    bought = ItemsPurchased(
        who,
        command.merchant,
        item,
        quantity,
        price,
        percent,
        unit,
        total,
        tuple(steps),
        "LB-13.3.1",
        negotiation=deal[0] if deal else None,
    )
    paid = [CoinsSpent(who, total, owned - total, cause="legends.purchase")] if total else []
    return [bought, *paid, received(state, who, item, quantity)]


def received(state: State, who: str, item: str, quantity: int) -> Fact:
    """Where an article goes. The team's stock tells nothing of somebody hidden, who keeps the water."""
    if item == WATER and not hidden(state, who):
        return WaterGained(quantity, team(state).water + quantity, cause="legends.purchase")
    if item.startswith("ration_pack_"):
        item, quantity = RATION, quantity * int(item.removeprefix("ration_pack_"))
    return ItemsGained(who, item, quantity, with_items(state, who, item, quantity), cause="legends.purchase")


DECIDE: Deciders = {Buy: owner("character")(buy)}
