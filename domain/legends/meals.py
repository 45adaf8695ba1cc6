"""LB-13.0.2 to LB-13.2.4: portions eaten together, synergies, bread, survival rations."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.belongings import held
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, owner
from domain.kernel.fold import State
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.refusals import ITEM_NOT_OWNED, NOTHING_TO_EAT, ONE_BREAD_PER_MEAL
from domain.legends.state import name_of, on_their_feet
from events.envelope import Fact
from events.legends import MealEaten, Step
from events.table import ItemsSpent

BREAD, RATION = "bread", "survival_ration"
RATION_WORTH = 30
"""LB-13.0.3: 15 of satiety, in half-points like everything here."""
MOST_PORTIONS = 12

Pair = tuple[str, str]


def half_points(text: str) -> int:
    """LB-0.10: `8.5` is 17 half-points."""
    whole, _, rest = text.partition(".")
    if rest not in ("", "5"):
        raise ValueError(f"{text} is not a number of half-points")
    return 2 * int(whole) + (rest == "5")


class Food(Struct, frozen=True):
    item: str
    family: str
    tier: str
    worth: int
    price: int


class Synergy(Struct, frozen=True):
    """LB-13.2: what a pair is worth, alone and with one bread."""

    pair: Pair
    alone: int
    with_bread: int


FOODS = {
    food.item: food
    for food in read(
        "domain.legends",
        "lb_food",
        lambda row: Food(
            row["item"], row["family"], row["price_tier"], half_points(row["satiety"]), int(row["price_mc"])
        ),
    )
}
SYNERGIES = {
    one.pair: one
    for table in ("lb_synergy_vegetable_meat", "lb_synergy_starch_fish")
    for one in read(
        "domain.legends",
        table,
        lambda row: Synergy(
            (row["row_item"], row["column_item"]),
            half_points(row["satiety_without_bread"]),
            half_points(row["satiety_with_one_bread"]),
        ),
    )
}
PORTIONS = {food.item: food.worth for food in FOODS.values() if food.item != BREAD} | {
    f"food_tier_{food.tier}": food.worth for food in FOODS.values() if food.tier
}
"""What a portion is worth alone; one bought by its price level only has no family."""

assert len(SYNERGIES) == 18, "the synergy tables name a pair twice"
assert all(item in PORTIONS for pair in SYNERGIES for item in pair), "a synergy names an unknown food"
assert all(one.with_bread > one.alone > 0 for one in SYNERGIES.values())


class Eat(Command, frozen=True, tag="legends.eat"):
    """What one character eats together: portions, a bread, or a survival ration."""

    character: CharacterId
    items: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=MOST_PORTIONS + 2)]


class Plate(Struct, frozen=True):
    """How the portions are best put together."""

    worth: int
    pairs: tuple[Pair, ...] = ()
    bread_on: Pair | None = None


def eat(state: State, command: Eat, context: Context) -> Iterable[Fact]:
    """LB-13.0.2: satiety comes from eating only; it adds up without end."""
    who = command.character
    one = on_their_feet(state, who, context)
    counted = Counter(command.items)
    edible = [*PORTIONS, BREAD, RATION]
    for item in counted:
        require(item in edible, NOTHING_TO_EAT, "LB-13.1.1", item=item, choices=edible)
    require(counted[BREAD] <= 1, ONE_BREAD_PER_MEAL, "LB-13.1.2")
    for item, quantity in counted.items():
        enough = held(state, who, item) >= quantity
        require(enough, ITEM_NOT_OWNED, "LB-13.0.2", character=name_of(state, who), item=item)
    portions = sorted(counted[item] * [item] for item in PORTIONS if counted[item])
    plate = best_plate(tuple(item for several in portions for item in several), bool(counted[BREAD]))
    rations = counted[RATION] * RATION_WORTH
    gained = plate.worth + rations
    eaten = MealEaten(
        who,
        command.items,
        counted[BREAD],
        plate.pairs,
        plate.bread_on,
        gained,
        one.satiety,
        one.satiety + gained,
        _steps(plate, counted[RATION]),
        "LB-13.0.4" if plate.worth else "LB-13.0.3",
    )
    spent = [
        ItemsSpent(who, item, quantity, held(state, who, item) - quantity, cause="legends.meal")
        for item, quantity in counted.items()
    ]
    return [*spent, eaten]


@lru_cache(maxsize=10_000)
def best_plate(portions: tuple[str, ...], bread: bool) -> Plate:
    """LB-13.2.4, LB-A83: pairs and bread so that the total is highest; a portion belongs to one pair at most."""
    if not portions:
        return Plate(FOODS[BREAD].worth if bread else 0)
    first, rest = portions[0], portions[1:]
    alone = best_plate(rest, bread)
    best = Plate(alone.worth + PORTIONS[first], alone.pairs, alone.bread_on)
    for other in dict.fromkeys(rest):
        found = SYNERGIES.get((first, other)) or SYNERGIES.get((other, first))
        if found is None:
            continue
        at = rest.index(other)
        left = rest[:at] + rest[at + 1 :]
        for candidate in _with_pair(found, left, bread):
            best = max(best, candidate, key=lambda plate: plate.worth)
    return best


def _with_pair(found: Synergy, left: tuple[str, ...], bread: bool) -> Sequence[Plate]:
    plain = best_plate(left, bread)
    plates = [Plate(plain.worth + found.alone, (found.pair, *plain.pairs), plain.bread_on)]
    if bread:
        bare = best_plate(left, False)
        plates.append(Plate(bare.worth + found.with_bread, (found.pair, *bare.pairs), found.pair))
    return plates


def _steps(plate: Plate, rations: int) -> tuple[Step, ...]:
    steps: list[Step] = []
    for pair in plate.pairs:
        lifted = pair == plate.bread_on and not any(step.name.endswith("+ bread") for step in steps)
        worth = SYNERGIES[pair].with_bread if lifted else SYNERGIES[pair].alone
        steps.append(Step(" + ".join(pair) + (" + bread" if lifted else ""), f"{worth} / 2", worth, "LB-13.2.1"))
    rest = plate.worth - sum(step.result for step in steps)
    if rest:
        steps.append(Step("portions", f"{rest} / 2", rest, "LB-13.0.4"))
    if rations:
        steps.append(Step("survival_ration", f"{rations} × 30 / 2", rations * RATION_WORTH, "LB-13.0.3"))
    return tuple(steps)


DECIDE: Deciders = {Eat: owner("character")(eat)}
