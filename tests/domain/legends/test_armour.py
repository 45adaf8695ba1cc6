import pytest

from domain.campaign.book import EVOLVE
from domain.campaign.corrections import Correct
from domain.kernel.fold import fold
from domain.legends.dying import Heal, RaiseFallen, TakeDamage
from domain.legends.equipping import Equip, Stow
from domain.legends.levels import AwardLevels
from domain.legends.rest import TakeShortRest
from domain.legends.sheet import SheetArmour, SheetItem
from events.legends import (
    ArmourPointsRecalculated,
    CharacterRestored,
    DamageTaken,
    Gear,
    GearGained,
    GearTakenOff,
    GearWorn,
    Step,
)
from events.table import NumberCorrected
from tests.domain.legends.stage import CUIRASS, PLATE, hero, now, table


def hit(amount: int, **more: object) -> TakeDamage:
    return TakeDamage(character="ayla", amount=amount, cause="a blow", **more)


@pytest.mark.rule("LB-16.2.5")
def test_armour_goes_before_flesh():
    (
        table(hero(armour=(SheetArmour("vest", 30),)))
        .when(hit(50))
        .then(DamageTaken("ayla", 50, 50, 30, 20, 0, 30, 0, 100, 80, "a blow", "damage", (), "LB-16.2.5"))
    )


@pytest.mark.rule("LB-16.2.5")
@pytest.mark.parametrize(("amount", "armour", "hp"), [(1, 29, 100), (29, 1, 100), (30, 0, 100), (31, 0, 99)])
def test_the_last_point_of_armour(amount, armour, hp):
    one = now(table(hero(armour=(SheetArmour("vest", 30),))).when(hit(amount)))
    assert (one.armour, one.hp) == (armour, hp)


@pytest.mark.rule("LB-6.0.5", "LB-X2", "LB-X3")
def test_a_loss_of_hit_points_skips_the_armour_even_the_last():
    story = table(hero(armour=(SheetArmour("vest", 30),))).when(hit(5, channel="hit_points"))
    assert (now(story).armour, now(story).hp) == (30, 95)
    assert story.only(DamageTaken).rule == "LB-6.0.5"
    assert now(story.when(hit(95, channel="hit_points"))).down
    assert now(story).armour == 30


@pytest.mark.rule("LB-X1")
def test_damage_meets_armour_first_whatever_it_is_called():
    story = table(hero(hp_max=40, armour=(SheetArmour("scarf", 8),))).when(hit(5))
    assert (now(story).armour, now(story).hp) == (0, 38)


@pytest.mark.rule("LB-S25", "LB-16.2.4", "LB-X43")
def test_s25_a_level_recomputes_armour_and_what_was_lost_stays_lost():
    story = table(hero(armour=(CUIRASS, PLATE))).when(hit(50))
    assert now(story).armour == 20
    story.when(hit(30))
    assert (now(story).armour, now(story).hp) == (0, 90)
    story.when(AwardLevels(character="ayla", reason="a feat"))
    told = story.only(ArmourPointsRecalculated)
    assert (told.armour_max_before, told.armour_max, told.lost, told.armour) == (70, 73, 70, 3)
    assert [step.result for step in told.steps] == [49, 24]
    assert (now(story).hp, now(story).hp_max, now(story).armour) == (95, 105, 3)


@pytest.mark.rule("LB-16.2.4", "LB-16.2.6")
def test_taking_a_piece_off_and_putting_it_back_mends_nothing():
    story = table(hero(armour=(CUIRASS,))).when(hit(30))
    assert now(story).armour == 17
    assert now(story.when(AwardLevels(character="ayla", reason="a feat"))).armour == 19
    story.when(Stow(character="ayla", item="cuirass"), by="ana").then(
        GearTakenOff("ayla", "cuirass", "LB-5.4.3"),
        ArmourPointsRecalculated("ayla", 49, 0, 30, 19, 0, "legends.stow", (), "LB-16.2.4"),
    )
    story.when(Equip(character="ayla", item="cuirass"), by="ana").then(
        GearWorn("ayla", "cuirass", 47, "LB-16.2.1"),
        ArmourPointsRecalculated(
            "ayla",
            0,
            49,
            30,
            0,
            19,
            "legends.equip",
            (Step("cuirass", "floor(105 × 47 / 100)", 49, "LB-16.2.2"),),
            "LB-16.2.4",
        ),
    )
    story.when(TakeShortRest(characters=("ayla",)), by="ana")
    assert story.only(CharacterRestored).armour == 43
    assert now(story).armour == 43


@pytest.mark.rule("LB-16.2.6")
def test_healing_does_not_mend_armour():
    story = table(hero(armour=(CUIRASS,))).when(hit(50)).when(Heal(character="ayla", amount=50, cause="a potion"))
    assert (now(story).armour, now(story).hp) == (0, 100)


@pytest.mark.rule("LB-16.2.1")
def test_pieces_on_and_off():
    story = table(hero(armour=(CUIRASS, SheetArmour("helmet", 5, worn=False)), equipment=(SheetItem("axe"),)))
    wear, off = (
        (lambda item: Equip(character="ayla", item=item)),
        (lambda item: Stow(character="ayla", item=item)),
    )
    story.when(wear("cuirass"), by="ana").then_refused("ALREADY_EQUIPPED", "LB-5.4.2")
    story.when(off("helmet"), by="ana").then_refused("ALREADY_STOWED", "LB-5.4.3")
    story.when(wear("shield"), by="ana").then_refused("ITEM_NOT_OWNED", "LB-5.4.2", item="shield")
    gorget = GearGained("ayla", Gear("gorget", kind="armour"), "legends.test", "LB-16.2.1")
    story.state = fold(EVOLVE, story.state, [gorget])
    story.when(wear("gorget"), by="ana").then_refused("CAMPAIGN_DATA_MISSING", "LB-16.2.1", key="armour.gorget.percent")
    story.when(wear("helmet"), by="bo").then_refused("NOT_OWNER")
    assert now(story.when(wear("helmet"), by="ana")).armour_max == 52


@pytest.mark.rule("LB-16.2.1")
def test_the_campaigns_catalogue_goes_before_the_sheet():
    helmet = SheetArmour("helmet", 5, worn=False)
    story = table(hero(armour=(helmet,)), settings={"armour.helmet.percent": 8})
    assert now(story.when(Equip(character="ayla", item="helmet"), by="ana")).armour_max == 8


@pytest.mark.rule("LB-8.1.3", "LB-A57")
def test_armour_is_frozen_while_down():
    story = table(hero(armour=(CUIRASS,)), hero("bonk", owner="bo")).when(hit(100, channel="hit_points"))
    story.when(hit(20))
    assert story.only(DamageTaken).to_armour == 0
    assert now(story).armour == 47
    story.when(RaiseFallen(character="bonk", target="ayla"), by="bo")
    assert now(story).armour == 47


@pytest.mark.rule("LB-16.2.4", "LB-0.9")
def test_a_corrected_maximum_moves_the_armour_with_it():
    story = table(hero(armour=(CUIRASS,))).when(Correct(character="ayla", field="hp_max", value=200, reason="an error"))
    assert [type(fact) for fact in story.facts] == [NumberCorrected, ArmourPointsRecalculated]
    assert now(story).armour_max == 94
