import csv
from pathlib import Path

import pytest

from domain.campaign.belongings import Grant
from domain.legends.meals import BREAD, Eat, best_plate, half_points
from domain.legends.rest import in_points
from domain.legends.trade import Buy
from events.legends import MealEaten, Step
from events.table import ItemsSpent
from tests.domain.legends.stage import hero, now, purse, table
from tests.support.story import Story

CASES = Path(__file__).parents[2] / "cases"


def larder(**sheet: object) -> Story:
    every = ("pork", "beef", "chicken", "legume", "fruit", "freshwater_fish", "saltwater_fish", "rice", "bread")
    story = table(hero(**sheet))
    stock = dict.fromkeys((*every, "food_tier_2", "survival_ration"), 2)
    return story.when(Grant(character="ayla", reason="a larder", items=stock))


def eaten(*items: str) -> MealEaten:
    fact = larder().when(Eat(character="ayla", items=items), by="ana").only(MealEaten)
    assert isinstance(fact, MealEaten)
    return fact


def meals() -> list[dict[str, str]]:
    with (CASES / "lb_meals.csv").open() as rows:
        return list(csv.DictReader(rows))


@pytest.mark.rule(
    "LB-13.0.3", "LB-13.0.4", "LB-13.1.1", "LB-13.1.2", "LB-13.2.1", "LB-13.2.2", "LB-13.2.3", "LB-13.2.4", "LB-A83"
)
@pytest.mark.parametrize("case", meals(), ids=lambda case: case["name"])
def test_what_a_meal_is_worth(case):
    told = eaten(*case["items"].split())
    assert in_points(told.half_points) == case["satiety"]
    assert sum(step.result for step in told.steps) == told.half_points


@pytest.mark.rule("LB-X64", "LB-13.2.4")
def test_the_bread_lies_where_it_is_worth_most():
    told = eaten("freshwater_fish", "rice", "bread", "chicken", "fruit")
    assert told.bread_on == ("chicken", "fruit")
    assert set(told.pairs) == {("chicken", "fruit"), ("freshwater_fish", "rice")}


@pytest.mark.rule("LB-13.2.1")
def test_a_portion_belongs_to_one_pair_only():
    assert len(eaten("pork", "pork", "legume").pairs) == 1
    assert eaten("pork", "pork", "legume").half_points == 14 + 6


@pytest.mark.rule("LB-13.0.2", "LB-A82")
def test_satiety_adds_up_without_end():
    story = larder(satiety=8).when(Eat(character="ayla", items=("survival_ration",)), by="ana")
    story.then(
        ItemsSpent("ayla", "survival_ration", 1, 1, "legends.meal"),
        MealEaten(
            "ayla",
            ("survival_ration",),
            0,
            (),
            None,
            30,
            8,
            38,
            (Step("survival_ration", "1 × 30 / 2", 30, "LB-13.0.3"),),
            "LB-13.0.3",
        ),
    )
    assert in_points(now(story).satiety) == "19"


@pytest.mark.rule("LB-13.1.2", "LB-13.0.4")
def test_one_bread_a_meal():
    larder().when(Eat(character="ayla", items=("beef", BREAD, BREAD)), by="ana").then_refused(
        "ONE_BREAD_PER_MEAL", "LB-13.1.2"
    )


@pytest.mark.rule("LB-13.0.2", "LB-13.1.1")
def test_one_eats_what_one_has_and_what_can_be_eaten():
    story = larder()
    story.when(Eat(character="ayla", items=("beef",) * 3), by="ana").then_refused("ITEM_NOT_OWNED", item="beef")
    story.when(Eat(character="ayla", items=("rope",)), by="ana").then_refused("UNKNOWN_ITEM", "LB-13.1.1", item="rope")
    story.when(Eat(character="ayla", items=("beef",)), by="bo").then_refused("NOT_OWNER")


@pytest.mark.rule("LB-S22")
def test_s22_a_meal_bought_and_eaten():
    story = table(hero()).when(Grant(character="ayla", reason="pay", coins=400))
    for item in ("beef", "fruit", "bread"):
        story.when(Buy(character="ayla", item=item), by="ana")
    assert purse(story) == 216
    story.when(Eat(character="ayla", items=("beef", "fruit", "bread")), by="ana")
    assert in_points(now(story).satiety) == "15"
    story.when(Buy(character="ayla", item="ration_pack_6"), by="ana").then_refused("INSUFFICIENT_FUNDS", needed=2615)


@pytest.mark.rule("LB-0.10")
def test_halves_are_kept_and_thirds_do_not_exist():
    assert (half_points("8.5"), half_points("12"), in_points(17), in_points(0)) == (17, 24, "8.5", "0")
    with pytest.raises(ValueError, match=r"8\.25"):
        half_points("8.25")


def test_a_large_meal_is_put_together_at_once():
    assert best_plate(("beef", "chicken", "fruit", "legume", "pork", "vegetable") * 2, True).worth == 127
