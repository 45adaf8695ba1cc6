import pytest

from domain.campaign.belongings import Grant
from domain.campaign.cast import HideCharacter, SetOwner
from domain.kernel.command import Override
from domain.legends.dying import TakeDamage
from domain.legends.meals import Eat
from domain.legends.rest import ChangeWater, TakeLongRest, TakeShortRest
from domain.legends.sheet import SheetArmour, SheetTechnique
from events.legends import (
    CharacterRestored,
    LongRestTaken,
    SatietySpent,
    ShortRestTaken,
    Step,
    WaterGained,
    WaterSpent,
)
from events.table import RefusalOverridden
from tests.domain.legends.stage import MAGICIAN, everybody, hero, now, stats, table
from tests.support.story import Story

LONG = TakeLongRest(characters=("ayla", "bonk"))
SHORT = TakeShortRest(characters=("ayla", "bonk"))


def litres(count: int) -> ChangeWater:
    return ChangeWater(litres=count, reason="a well")


def camp(water: int = 1, settings: dict[str, object] | None = None, **by_name: dict[str, object]) -> Story:
    cast = {name: {"satiety": 30, **by_name.get(name, {})} for name in ("ayla", "bonk")}
    owners = {"ayla": "ana", "bonk": "bo"}
    story = table(*(hero(name, owner=owners[name], **sheet) for name, sheet in cast.items()), settings=settings)
    return story.when(litres(water)) if water else story


P = {
    "hp_max": 85,
    "stats": stats(intelligence=13),
    "classes": (MAGICIAN,),
    "mana": 80,
    "armour": (SheetArmour("mail", 58),),
    "techniques": (SheetTechnique("parry", 3, recharge=2, uses=0),),
}


@pytest.mark.rule("LB-S21", "LB-12.1", "LB-12.2", "LB-13.0.1")
def test_s21_rests():
    story = camp(ayla=P, bonk={"satiety": 29})
    story.when(TakeDamage(character="ayla", amount=39, cause="a blow"))
    story.when(TakeDamage(character="ayla", amount=65, cause="a fall", channel="hit_points"))
    assert (now(story).hp, now(story).armour, now(story).mana) == (20, 10, 80)
    story.when(SHORT)
    one = now(story)
    assert (one.hp, one.armour, one.mana, one.techniques) == (62, 34, 90, {"parry": 2})
    story.when(SHORT)
    one = now(story)
    assert (one.hp, one.armour, one.mana, one.techniques) == (85, 49, 90, {"parry": 3})
    story.when(SHORT).then_refused("NO_SHORT_REST_LEFT", "LB-12.2")
    story.when(LONG).then_refused("INSUFFICIENT_SATIETY", "LB-13.0.1", character="Bonk", owned="14.5", needed="15")
    story.when(Grant(character="bonk", reason="found", items={"bread": 1})).when(
        Eat(character="bonk", items=("bread",)), by="bo"
    )
    story.when(LONG)
    assert (now(story).satiety, now(story, "bonk").satiety) == (0, 1)
    assert (everybody(story).water, everybody(story).short_rests) == (0, 0)


@pytest.mark.rule("LB-12.1", "LB-A80", "LB-X63", "LB-0.10")
def test_a_long_rest_costs_each_15_and_the_team_one_litre():
    story = table(
        hero("ayla", satiety=30),
        hero("bonk", owner="bo", satiety=33),
        hero("cy", owner="ana", satiety=40),
    ).when(litres(2))
    story.when(TakeLongRest(characters=("ayla", "bonk", "cy")))
    assert [now(story, name).satiety for name in ("ayla", "bonk", "cy")] == [0, 3, 10]
    assert everybody(story).water == 1
    assert story.facts[:5] == [
        LongRestTaken(("ayla", "bonk", "cy"), "camp", "LB-12.1"),
        SatietySpent("ayla", 30, 30, 0, "legends.long_rest", "LB-13.0.1"),
        SatietySpent("bonk", 30, 33, 3, "legends.long_rest", "LB-13.0.1"),
        SatietySpent("cy", 30, 40, 10, "legends.long_rest", "LB-13.0.1"),
        WaterSpent(1, 1, "legends.long_rest", "LB-13.0.1"),
    ]


@pytest.mark.rule("LB-A80", "LB-C16")
def test_a_campaign_may_ask_a_litre_of_each():
    story = camp(1, {"rulings.LB-A80": "b"}).when(LONG).then_refused("INSUFFICIENT_WATER", needed=2, owned=1)
    assert everybody(story.when(litres(1)).when(LONG)).water == 0


@pytest.mark.rule("LB-12.1", "LB-13.0.1", "LB-A110")
def test_one_who_cannot_pay_keeps_everybody_awake():
    story = camp(0).when(LONG).then_refused("INSUFFICIENT_WATER", "LB-13.0.1", owned=0, needed=1)
    story = camp(bonk={"satiety": 0}, ayla={"hp": 1}).when(LONG).then_refused("INSUFFICIENT_SATIETY", owned="0")
    assert (now(story).hp, now(story).satiety, everybody(story).water) == (1, 30, 1)


@pytest.mark.rule("LB-12.1", "LB-12.2", "LB-A110")
def test_nobody_rests_with_a_fallen_friend():
    story = camp().when(TakeDamage(character="bonk", amount=200, cause="a fall"))
    for rest in (LONG, SHORT):
        story.when(rest).then_refused("CHARACTER_DOWN", character="Bonk")
    story.when(TakeLongRest(characters=("ayla", "bonk"), override=Override("dreams"))).then_refused("CHARACTER_DOWN")


@pytest.mark.rule("LB-12.1")
def test_the_game_master_may_let_the_hungry_rest():
    story = camp(0, bonk={"satiety": 7}).when(
        TakeLongRest(characters=("bonk",), override=Override("a miracle of loaves"))
    )
    assert [fact.code for fact in story.told(RefusalOverridden)] == ["INSUFFICIENT_SATIETY", "INSUFFICIENT_WATER"]
    assert now(story, "bonk").satiety == 0


@pytest.mark.rule("LB-12.2", "LB-A81", "LB-0.4")
def test_a_short_rest_gives_half_of_the_maximum_floored():
    told = camp(ayla={"hp_max": 85, "hp": 20}).when(SHORT).told(CharacterRestored)[0]
    assert (told.hp_before, told.hp) == (20, 62)
    assert told.steps == (Step("hp", "min(85, 20 + floor(85 / 2))", 62, "LB-12.2"),)


@pytest.mark.rule("LB-A81", "LB-C16")
def test_a_campaign_may_give_half_of_what_is_missing():
    told = camp(settings={"rulings.LB-A81": "b"}, ayla={"hp_max": 85, "hp": 20}).when(SHORT).told(CharacterRestored)[0]
    assert told.hp == 52


@pytest.mark.rule("LB-12.2")
def test_resources_come_back_by_half_and_the_count_is_the_teams():
    story = camp(ayla={"resources": {"vow": 5}})
    told = story.when(TakeShortRest(characters=("ayla",)), by="ana").facts
    assert told[0] == ShortRestTaken(("ayla",), 1, "LB-12.2")
    assert told[1].resources == {"vow": 5}
    story.when(TakeShortRest(characters=("bonk",)), by="bo")
    story.when(TakeShortRest(characters=("ayla",)), by="ana").then_refused("NO_SHORT_REST_LEFT")


@pytest.mark.rule("LB-0.8")
def test_a_player_rests_only_those_they_play():
    story = camp()
    story.when(SHORT, by="ana").then_refused("NOT_OWNER", character="Bonk")
    story.when(LONG, by="bo").then_refused("NOT_OWNER", character="Ayla")
    assert story.when(TakeLongRest(characters=("ayla", "ayla")), by="ana").only(SatietySpent).after == 0


@pytest.mark.rule("LB-12.3")
def test_animals_rest_with_their_master_and_eat_nothing():
    wolf = hero("wolf", kind="animal", hp_max=66, hp=20, stats=None)
    story = table(hero(satiety=30), wolf, hero("imp", kind="summon", hp=1, stats=None)).when(litres(1))
    story.when(TakeLongRest(characters=("ayla", "imp")), by="ana")
    assert story.only(LongRestTaken).characters == ("ayla", "wolf")
    assert (now(story).satiety, now(story, "wolf").hp, now(story, "imp").hp) == (0, 66, 1)
    assert story.only(SatietySpent).character == "ayla"


@pytest.mark.rule("LB-12.1")
def test_a_long_rest_gives_everything_back():
    story = camp(ayla={**P, "hp": 3}).when(TakeDamage(character="ayla", amount=10, cause="a blow"))
    told = story.when(LONG).told(CharacterRestored)[0]
    assert (told.hp, told.mana, told.armour, told.armour_lost, told.techniques) == (85, 90, 49, 0, {"parry": 3})


@pytest.mark.rule("LB-13.0.1", "LB-0.8")
def test_the_water_of_the_team():
    story = camp(0).when(litres(3)).then(WaterGained(3, 3, "a well"))
    story.when(litres(1), by="ana").then_refused("NOT_GM")
    story.when(litres(-4)).then_refused("INVALID_AMOUNT")
    story.when(litres(0)).then_refused("INVALID_AMOUNT")
    story.when(litres(-3)).then(WaterSpent(3, 0, "a well", "LB-13.0.1"))


@pytest.mark.rule("LB-A61", "LB-12.1")
def test_nobody_rests_while_a_friend_lies_down_elsewhere_unless_the_game_master_says_so():
    story = camp().when(TakeDamage(character="bonk", amount=200, cause="a fall"))
    for alone in (TakeLongRest(characters=("ayla",)), TakeShortRest(characters=("ayla",))):
        story.when(alone, by="ana").then_refused("CHARACTER_DOWN", "LB-A61", character="Bonk")
    story.when(TakeShortRest(characters=("ayla",), override=Override("Bonk lies in another town")))
    assert story.told(ShortRestTaken)


@pytest.mark.rule("LB-12.3", "LB-0.8")
def test_a_hidden_companion_rests_apart():
    """So that the others see their own rest, and the count of it, and nothing of the companion."""
    wolf = hero("wolf", kind="animal", hp_max=66, hp=20, stats=None)
    story = table(hero(), wolf).when(HideCharacter(character="wolf"))
    story.when(SetOwner(character="wolf", owner="ana")).when(TakeShortRest(characters=("ayla",)), by="ana")
    assert story.told(ShortRestTaken) == [
        ShortRestTaken(("ayla",), 1, "LB-12.2"),
        ShortRestTaken(("wolf",), 1, "LB-12.2"),
    ]


@pytest.mark.rule("LB-12.3")
def test_summons_alone_do_not_rest():
    story = table(hero(), hero("imp", kind="summon", hp=1, stats=None))
    story.when(TakeShortRest(characters=("imp",)), by="ana").then_refused("NOBODY_RESTS", "LB-12.3")
    assert everybody(story).short_rests == 0


@pytest.mark.rule("LB-12.1", "LB-12.2", "LB-13.0.1")
def test_hidden_characters_among_themselves_leave_the_teams_water_and_count_alone():
    story = camp(0).when(HideCharacter(character="bonk"))
    before = everybody(story)
    assert "legends.team" not in story.state
    for _ in range(3):
        story.when(TakeShortRest(characters=("bonk",)), by="bo")
        assert set(story.audiences) == {("bo", "gm")}
    story.when(TakeLongRest(characters=("bonk",)), by="bo")
    assert set(story.audiences) == {("bo", "gm")}
    assert everybody(story) == before
    assert "legends.team" not in story.state
