import csv
from pathlib import Path

import pytest

from domain.campaign.belongings import Grant
from domain.campaign.cast import HideCharacter
from domain.kernel.belongings import held
from domain.legends.dying import Kill, TakeDamage
from domain.legends.trade import ARTICLES, Buy
from events.legends import ItemsPurchased, Step, WaterGained
from events.table import CoinsSpent, ItemsGained
from tests.domain.legends.stage import everybody, hero, purse, table
from tests.support.story import Story

CASES = Path(__file__).parents[2] / "cases"


def market(coins: int = 3_000, settings: dict[str, object] | None = None) -> Story:
    story = table(hero(), hero("bonk", owner="bo"), settings=settings)
    return story.when(Grant(character="ayla", reason="pay", coins=coins)) if coins else story


def buy(item: str, quantity: int = 1, **more: object) -> Buy:
    return Buy(**{"character": "ayla", "item": item, "quantity": quantity, **more})


def prices() -> list[dict[str, str]]:
    with (CASES / "lb_prices.csv").open() as rows:
        return list(csv.DictReader(rows))


@pytest.mark.rule("LB-13.3.1", "LB-13.1.1", "LB-13.1.2", "LB-A84")
@pytest.mark.parametrize("case", prices(), ids=lambda case: case["name"])
def test_every_article_has_its_price_and_goes_where_it_belongs(case):
    story = market().when(buy(case["item"], int(case["quantity"])), by="ana")
    assert story.only(CoinsSpent).amount == int(case["price"])
    if case["held"]:
        assert held(story.state, "ayla", case["held"]) == int(case["count"])
    else:
        assert everybody(story).water == int(case["count"])


def test_the_cases_hold_every_article():
    assert {case["item"] for case in prices()} == set(ARTICLES)


@pytest.mark.rule("LB-13.3.1", "LB-13.0.3")
def test_a_purchase_tells_its_price():
    market().when(buy("ration_pack_2", 2, merchant="old Bela"), by="ana").then(
        ItemsPurchased(
            "ayla",
            "old Bela",
            "ration_pack_2",
            2,
            570,
            0,
            570,
            1_140,
            (Step("total", "570 × 2", 1_140, "LB-13.3.1"),),
            "LB-13.3.1",
        ),
        CoinsSpent("ayla", 1_140, 1_860, "legends.purchase"),
        ItemsGained("ayla", "survival_ration", 4, 4, "legends.purchase"),
    )


@pytest.mark.rule("LB-13.3.1")
def test_a_pack_of_four_and_two_litres():
    story = market(1_125).when(buy("ration_pack_4"), by="ana").when(buy("water_1l", 2), by="ana")
    assert story.only(WaterGained).left == 2
    assert purse(story) == 0


@pytest.mark.rule("LB-4.1.38", "LB-13.3.1")
@pytest.mark.parametrize(("coins", "sold"), [(300, True), (299, False), (0, False)])
def test_exactly_the_price_or_one_coin_short(coins, sold):
    story = market(coins).when(buy("ration_pack_1"), by="ana")
    if sold:
        assert purse(story) == 0
    else:
        story.then_refused("INSUFFICIENT_FUNDS", "LB-4.1.38", character="Ayla", owned=coins, needed=300)


@pytest.mark.rule("LB-13.3.1")
@pytest.mark.parametrize("quantity", [0, -1, 10_001])
def test_a_quantity_is_at_least_one(quantity):
    market().when(buy("bread", quantity), by="ana").then_refused("INVALID_QUANTITY", "LB-13.3.1", quantity=quantity)


@pytest.mark.rule("LB-13.3.1", "LB-0.2")
def test_what_is_not_listed_is_not_for_sale():
    market(0).when(buy("dragon", 0), by="ana").then_refused("UNKNOWN_ITEM", "LB-13.3.1", item="dragon")


@pytest.mark.rule("LB-C14", "LB-13.3.1")
def test_a_campaign_sets_its_own_prices():
    own = {"prices.bread": 0, "prices.food_tier_1": 60, "prices.pork": 61, "prices.ration_pack_6": 1_615}
    story = market(settings=own).when(buy("bread", 3), by="ana")
    assert not story.told(CoinsSpent)
    assert held(story.state, "ayla", "bread") == 3
    for item, price in (("pork", 61), ("rice", 60), ("food_tier_1", 60), ("beef", 74), ("ration_pack_6", 1_615)):
        assert market(settings=own).when(buy(item), by="ana").only(ItemsPurchased).total == price


@pytest.mark.rule("LB-C14", "LB-0.11")
@pytest.mark.parametrize("price", [-1, "cheap", True])
def test_a_price_that_makes_no_sense_is_missing(price):
    market(settings={"prices.bread": price}).when(buy("bread"), by="ana").then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-C14", key="prices.bread"
    )


@pytest.mark.rule("LB-0.8", "LB-8.0.1", "LB-8.2.1")
def test_who_buys():
    story = market().when(buy("bread"), by="bo").then_refused("NOT_OWNER")
    story.when(TakeDamage(character="ayla", amount=200, cause="a fall"))
    story.when(buy("bread"), by="ana").then_refused("CHARACTER_DOWN")
    story.when(Kill(character="ayla", text="lava")).when(buy("bread"), by="ana").then_refused("CHARACTER_DEAD")


@pytest.mark.rule("LB-13.3.1", "LB-0.9")
@pytest.mark.parametrize("quantity", [2_000_000, -2_000_000])
def test_a_quantity_beyond_all_bounds_is_refused_in_the_same_words(quantity):
    market().when(buy("bread", quantity), by="ana").then_refused("INVALID_QUANTITY")


@pytest.mark.rule("LB-A84", "LB-13.3.1")
def test_the_pack_of_six_tells_what_six_single_ones_cost_while_its_price_is_the_printed_one():
    told = market().when(buy("ration_pack_6"), by="ana").only(ItemsPurchased)
    assert told.steps[0] == Step("six_single_packs", "6 × 300", 1_800, "LB-A84")
    own = market(settings={"prices.ration_pack_6": 1_615}).when(buy("ration_pack_6"), by="ana").only(ItemsPurchased)
    assert [step.name for step in own.steps] == ["total"]


@pytest.mark.rule("LB-13.3.1")
def test_water_that_somebody_hidden_buys_stays_in_their_own_bag():
    story = market().when(HideCharacter(character="ayla")).when(buy("water_1l", 2), by="ana")
    assert held(story.state, "ayla", "water_1l") == 2
    assert everybody(story).water == 0
    assert set(story.audiences) == {("ana", "gm")}
