import pytest

from domain.legends.dying import Heal, Kill, TakeDamage
from domain.legends.levels import AwardLevels
from domain.legends.rest import TakeShortRest
from domain.legends.sheet import SheetArmour, SheetItem
from domain.legends.wheel import ClaimPrize, SpinWheel
from events.envelope import Roll
from events.legends import (
    ArmourPointsRecalculated,
    CharacterRestored,
    Gear,
    GearGained,
    GearRarityRaised,
    LongRestTaken,
    LuckDiceGranted,
    ManaMaximumSet,
    StatIncreased,
    WheelPrizeGranted,
    WheelSpun,
)
from events.table import CoinsGained
from tests.domain.legends.stage import MAGICIAN, everybody, hero, now, stats, table
from tests.support.story import Story

SPIN = SpinWheel(character="ayla")


def risen(settings: dict[str, object] | None = None, count: int = 1, **sheet: object) -> Story:
    return table(hero(**sheet), settings=settings).when(AwardLevels(character="ayla", reason="a feat", count=count))


def spun(face: int, **more: object) -> Story:
    return risen(**more).when(SPIN, face, by="ana")


def claim(prize: str, **more: object) -> ClaimPrize:
    return ClaimPrize(**{"character": "ayla", "prize": prize, **more})


@pytest.mark.rule("LB-15.1.1")
@pytest.mark.parametrize(
    ("least", "most", "prize"),
    [
        (1, 30, "coins"),
        (31, 48, "long_rest"),
        (49, 63, "random_weapon"),
        (64, 78, "random_armour"),
        (79, 85, "luck_die"),
        (86, 90, "stat_plus_one"),
        (91, 95, "curse"),
        (96, 98, "equipment_rarity_up"),
        (99, 99, "hell"),
        (100, 100, "heaven"),
    ],
)
def test_the_bands_of_the_wheel(least, most, prize):
    assert spun(least).only(WheelSpun).prize == prize
    assert spun(most).only(WheelSpun).prize == prize


@pytest.mark.rule("LB-15.0.5", "LB-15.1.1", "LB-A117", "LB-2.1.4", "LB-0.2")
def test_when_the_wheel_may_be_spun():
    table(hero()).when(SPIN, by="ana").then_refused("NO_SPIN_OWED", "LB-15.0.5")
    story = risen(luck_dice=1)
    story.when(SPIN, by="bo").then_refused("NOT_OWNER")
    story.when(SpinWheel(character="ayla", use_luck_die=True), by="ana").then_refused(
        "LUCK_DIE_NOT_ALLOWED", reason="wheel"
    )
    story.when(TakeDamage(character="ayla", amount=500, cause="x"))
    story.when(SPIN, by="ana").then_refused("CHARACTER_DOWN", "LB-A117")
    assert now(story).spins_owed == 1
    story.when(Kill(character="ayla", text="lava")).when(SPIN, by="ana").then_refused("CHARACTER_DEAD")


@pytest.mark.rule("LB-A117", "LB-A99", "LB-C16")
def test_a_campaign_may_let_the_fallen_spin_but_their_rest_waits():
    story = risen(settings={"rulings.LB-A117": "a"}).when(TakeDamage(character="ayla", amount=500, cause="x"))
    assert story.when(SPIN, 31, by="ana").only(WheelSpun).owed
    story.when(claim("long_rest"), by="ana").then_refused("CHARACTER_DOWN", "LB-A99")


@pytest.mark.rule("LB-15.1.2")
def test_1200_coins():
    story = spun(1)
    assert story.facts[0] == WheelSpun("ayla", 1, "coins", False, 0, "LB-15.1.2", rolls=story.facts[0].rolls)
    assert story.facts[0].rolls == (Roll("wheel of fortune", 100, (1,), (1,), "declared"),)
    assert story.facts[1:] == [CoinsGained("ayla", 1_200, 1_200, "legends.wheel")]


@pytest.mark.rule("LB-15.1.3", "LB-A99", "LB-X42")
def test_a_free_long_rest_for_one_alone():
    story = risen(hp_max=85, satiety=7, level=2).when(TakeDamage(character="ayla", amount=200, cause="x"))
    story.when(Heal(character="ayla", amount=12, cause="x")).when(SPIN, 48, by="ana")
    assert story.only(LongRestTaken) == LongRestTaken(("ayla",), "wheel", "LB-A99")
    assert story.only(CharacterRestored).fall_cleared
    one = now(story)
    assert (one.hp, one.fallen, one.satiety) == (89, False, 7)
    assert not story.when(TakeDamage(character="ayla", amount=500, cause="x")).refused
    assert now(story).down


@pytest.mark.rule("LB-A99")
def test_the_wheels_rest_leaves_the_teams_count_alone():
    story = risen().when(TakeShortRest(characters=("ayla",)), by="ana").when(SPIN, 31, by="ana")
    assert everybody(story).short_rests == 1


@pytest.mark.rule("LB-15.1.6")
def test_a_luck_die():
    assert spun(79).only(LuckDiceGranted) == LuckDiceGranted("ayla", 1, 1, "legends.wheel", "LB-15.1.6")


@pytest.mark.rule("LB-15.1.7", "LB-A89", "LB-A107")
def test_one_statistic_of_the_players_choice():
    story = spun(90, stats=stats(constitution=13, intelligence=13), classes=(MAGICIAN,), level=2)
    assert story.only(WheelSpun).owed
    story.when(claim("stat_plus_one", statistic="luck"), by="ana").then_refused("UNKNOWN_STAT", "LB-15.1.7")
    story.when(claim("stat_plus_one", statistic="constitution"), by="ana")
    assert story.facts == [
        WheelPrizeGranted("ayla", "stat_plus_one", "constitution", "LB-15.1.7"),
        StatIncreased("ayla", "constitution", 13, 14, "legends.wheel", (), "LB-15.0.6"),
    ]
    story.when(claim("stat_plus_one", statistic="constitution"), by="ana").then_refused("NO_PRIZE_OWED", "LB-A89")
    again = spun(86, stats=stats(intelligence=13), classes=(MAGICIAN,), level=2)
    assert again.when(claim("stat_plus_one", statistic="intelligence"), by="ana").told(ManaMaximumSet)


@pytest.mark.rule("LB-15.1.4", "LB-16.1.2", "LB-0.11")
def test_a_weapon_from_the_game_masters_catalogue_and_its_aura():
    story = spun(63)
    story.when(claim("random_weapon", item="sabre"), by="ana").then_refused("NOT_GM", "LB-0.8")
    story.when(claim("random_weapon")).then_refused("CAMPAIGN_DATA_MISSING", "LB-15.1.4", key="wheel.random_weapon")
    story.when(claim("random_weapon", item="sabre", rarity="mythic")).then_refused("UNKNOWN_RARITY", "LB-4.3")
    story.when(claim("random_weapon", item="sabre", rarity="rare"), 15, 6)
    told = story.only(GearGained)
    assert told.gear == Gear("sabre", "rare", auras=("time",))
    assert told.rolls == (Roll("aura slot", 100, (15,), (15,), "declared"), Roll("aura", 9, (6,), (6,), "declared"))
    assert now(story).prizes == ()


@pytest.mark.rule("LB-16.1.2", "LB-A92")
@pytest.mark.parametrize(
    ("rarity", "faces", "auras"),
    [
        ("common", (), ()),
        ("super_common", (), ()),
        ("rare", (16,), ()),
        ("super_rare", (20, 1), ("wind",)),
        ("epic", (33, 9), ("illusion",)),
        ("epic", (34,), ()),
        ("super_epic", (50, 4, 51), ("strength",)),
        ("super_epic", (50, 4, 1, 4), ("strength", "strength")),
    ],
)
def test_auras_of_a_weapon_found(rarity, faces, auras):
    story = spun(49).when(claim("random_weapon", item="sabre", rarity=rarity), *faces)
    assert story.only(GearGained).gear.auras == auras


@pytest.mark.rule("LB-15.1.5", "LB-16.2.1")
def test_armour_from_the_game_masters_catalogue_bears_no_aura():
    story = spun(64, settings={"armour.buckler.percent": 9})
    story.when(claim("random_armour", item="helmet")).then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-16.2.1", key="armour.helmet.percent"
    )
    story.when(claim("random_armour", item="buckler", rarity="super_epic"))
    assert story.only(GearGained).gear == Gear("buckler", "super_epic", 9)
    assert now(spun(78).when(claim("random_armour", item="helmet", percent=5))).gear == (Gear("helmet", "common", 5),)


def test_a_second_piece_of_the_same_name_is_refused():
    story = spun(49, equipment=(SheetItem("sabre"),))
    story.when(claim("random_weapon", item="sabre")).then_refused("GEAR_NAME_TAKEN")


@pytest.mark.rule("LB-15.1.8", "LB-15.1.10", "LB-15.1.11", "LB-0.11", "LB-X76")
@pytest.mark.parametrize(
    ("face", "prize", "rule"),
    [(91, "curse", "LB-15.1.8"), (99, "hell", "LB-15.1.10"), (100, "heaven", "LB-15.1.11")],
)
def test_curse_hell_and_heaven_are_the_game_masters(face, prize, rule):
    story = spun(face)
    story.when(claim(prize), by="ana").then_refused("CAMPAIGN_DATA_MISSING", rule, key=f"wheel.{prize}")
    story.when(claim(prize, content="a third eye"), by="ana").then_refused("NOT_GM")
    story.when(claim(prize, content="a third eye")).then(WheelPrizeGranted("ayla", prize, "a third eye", rule))
    assert now(story).curses == (("a third eye",) if prize == "curse" else ())
    ready = spun(face, settings={f"wheel.{prize}": "frogs"})
    assert ready.only(WheelPrizeGranted).content == "frogs"
    assert now(ready).prizes == ()


@pytest.mark.rule("LB-15.1.9", "LB-4.3")
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("common", "super_common"),
        ("super_common", "rare"),
        ("rare", "super_rare"),
        ("super_rare", "epic"),
        ("epic", "super_epic"),
    ],
)
def test_one_piece_rises_by_one_rarity(before, after):
    story = spun(96, equipment=(SheetItem("sabre", before),))
    story.when(claim("equipment_rarity_up", item="sabre"), by="ana")
    assert (story.only(GearRarityRaised).before, story.only(GearRarityRaised).after) == (before, after)
    assert now(story).gear[0].rarity == after


@pytest.mark.rule("LB-15.1.9", "LB-4.3", "LB-A89")
def test_the_prize_waits_for_a_piece_that_can_rise():
    story = spun(98, equipment=(SheetItem("sabre", "super_epic"),))
    story.when(claim("equipment_rarity_up", item="sabre"), by="ana").then_refused("RARITY_AT_MAXIMUM", "LB-4.3")
    story.when(claim("equipment_rarity_up", item="spoon"), by="ana").then_refused("ITEM_NOT_OWNED")
    story.when(claim("equipment_rarity_up"), by="ana").then_refused("ITEM_NOT_OWNED")
    assert now(story).prizes == ("equipment_rarity_up",)


@pytest.mark.rule("LB-15.1.9", "LB-16.2.1", "LB-16.2.4")
def test_risen_armour_gives_what_the_campaign_says():
    vest = SheetArmour("vest", 20, "common")
    story = spun(97, armour=(vest,), level=2)
    rise = claim("equipment_rarity_up", item="vest")
    story.when(rise, by="ana").then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-16.2.1", key="armour.vest.super_common.percent"
    )
    story.when(claim("equipment_rarity_up", item="vest", percent=25))
    assert story.only(GearRarityRaised).percent == 25
    assert story.only(ArmourPointsRecalculated).armour_max == 105 * 25 // 100
    listed = spun(97, armour=(vest,), settings={"armour.vest.super_common.percent": 22})
    assert listed.when(rise, by="ana").only(GearRarityRaised).percent == 22


@pytest.mark.rule("LB-15.0.5", "LB-A89")
def test_prizes_owed_are_given_one_by_one():
    story = risen(count=3).when(SPIN, 86, by="ana").when(SPIN, 90, by="ana")
    assert now(story).prizes == ("stat_plus_one", "stat_plus_one")
    story.when(claim("stat_plus_one", statistic="wisdom"), by="ana")
    assert (now(story).prizes, now(story).spins_owed) == (("stat_plus_one",), 0)


@pytest.mark.rule("LB-C10", "LB-15.1.4")
def test_the_campaign_may_lay_down_what_is_found():
    story = spun(49, settings={"wheel.random_weapon": "a sabre"}).when(claim("random_weapon"))
    assert story.only(GearGained).gear.name == "a sabre"
