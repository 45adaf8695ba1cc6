"""Carrying and pouring (HM-13.1 to 13.3, 13.8), and from hand to hand."""

from fractions import Fraction

import pytest

from domain.campaign.cast import CreateCharacter, HideCharacter
from domain.campaign.opening import ChangeSettings
from domain.dnd35.potions.fixtures import MakePotion
from domain.dnd35.potions.flask import HandOver, PourPotion, gross_mass
from domain.dnd35.potions.shaking import ShakeFlask
from domain.dnd35.sheet import Sheet
from domain.kernel.command import Override
from domain.legends.sheet import Sheet as LegendsSheet
from events.potions import (
    FlaskHandedOver,
    FlaskLeft,
    FlaskMade,
    FlaskReceived,
    PotionMade,
    PotionPoured,
    PotionsMixed,
    ShakingReset,
)
from tests.domain.dnd35.bench import BULL, FLY, OWL, Bench


def pour(source, target, **more):
    return PourPotion(actor="ayla", source=source, target=target, **more)


@pytest.mark.rule("HM-13.2")
def test_a_flask_weighs_as_much_as_it_holds():
    bench = Bench()
    assert gross_mass(bench.contents(bench.flask(25, FLY))) == 50
    assert gross_mass(bench.contents(bench.flask(100, FLY, OWL, BULL, "jump"))) == 200
    assert gross_mass(bench.contents(bench.flask(100, FLY))) == 125
    third = {"potion": OWL, "division": 3}
    assert gross_mass(bench.contents(bench.flask(25, third))) == 25 + Fraction(25, 3)


@pytest.mark.rule("HM-13.1")
def test_no_more_liquid_than_a_flask_is_made_for():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.do(MakePotion(holder="ayla", potion=BULL, flask=flask)).then_refused(
        "FlaskTooSmall", "HM-13.1", capacity=50, needed="75"
    )
    bench.do(pour(bench.flask(25, BULL), flask), by="ana").then_refused("FlaskTooSmall", needed="75")
    tenths = bench.flask(25, *[{"potion": "jump", "division": 10}] * 10)
    assert gross_mass(bench.contents(tenths)) == 50
    bench.do(MakePotion(holder="ayla", potion="jump", division=10, flask=tenths)).then_refused(
        "FlaskTooSmall", needed="55/2"
    )


@pytest.mark.rule("HM-13.3")
def test_the_last_one_poured_lies_on_top():
    bench = Bench()
    assert bench.layers(bench.flask(75, FLY, OWL, BULL))[::-1] == [BULL, OWL, FLY]


@pytest.mark.rule("HM-13.8", "HM-A45")
def test_two_vials_into_one_flask_take_two_rounds():
    bench = Bench()
    flask, one, other = bench.flask(50), bench.flask(25, FLY), bench.flask(25, OWL)
    dose = bench.contents(one).layers[0]
    bench.do(pour(one, flask), by="ana").then(PotionPoured("ayla", one, flask, dose, 0, "standard"))
    bench.do(pour(other, flask), by="ana").then_refused("NoActionLeft")
    bench.wait_until(1)
    bench.do(pour(other, flask), by="ana")
    assert bench.layers(flask) == [FLY, OWL]
    assert bench.layers(one) == []


@pytest.mark.rule("HM-A45")
def test_pouring_is_free_outside_combat():
    bench = Bench()
    bench.do(ChangeSettings(settings={"dnd35_in_combat": False}))
    flask, one, other = bench.flask(50), bench.flask(25, FLY), bench.flask(25, OWL)
    for vial in (one, other):
        assert bench.do(pour(vial, flask), by="ana").only(PotionPoured).action == "none"


@pytest.mark.rule("HM-13.8")
def test_what_cannot_be_poured():
    bench = Bench()
    flask, vial, empty = bench.flask(75, FLY, OWL), bench.flask(25, BULL), bench.flask(25)
    bench.do(pour(vial, vial), by="ana").then_refused("SameFlask", "HM-13.8")
    bench.do(pour(empty, flask), by="ana").then_refused("FlaskEmpty", "HM-13.8")
    bench.do(pour(vial, "nothing"), by="ana").then_refused("UnknownFlask", flask="nothing")
    bench.shake(flask, 50)
    bench.wait_until(10)
    bench.do(pour(flask, empty), by="ana").then_refused("EmulsionNotSettled", "HM-13.8")
    bench.do(pour(vial, flask), by="ana")
    bench.wait_until(11)
    bench.do(pour(flask, vial), by="ana")
    assert (bench.layers(flask), bench.layers(vial)) == ([FLY, OWL], [BULL])
    bench.wait_until(609)
    bench.do(pour(flask, empty), by="ana").then_refused("EmulsionNotSettled")
    bench.wait_until(610)
    bench.do(pour(flask, empty), by="ana")
    assert (bench.layers(flask), bench.layers(empty)) == ([FLY], [OWL])


@pytest.mark.rule("HM-13.8", "HM-A30")
@pytest.mark.parametrize("way", ["in", "out", "given"])
def test_pouring_makes_the_minute_start_again(way):
    bench = Bench()
    flask, vial, empty = bench.flask(100, FLY, OWL, "jump"), bench.flask(25, BULL), bench.flask(25)
    bench.shake(flask, rounds=9)
    bench.wait_until(9)
    command = {
        "in": pour(vial, flask),
        "out": pour(flask, empty),
        "given": MakePotion(holder="ayla", potion=BULL, flask=flask),
    }[way]
    assert bench.do(command).only(ShakingReset).lost == 9
    bench.wait_until(10)
    bench.shake(flask, rounds=1)
    assert bench.contents(flask).progress == 1


@pytest.mark.rule("HM-12.1", "HM-P10")
def test_layers_carried_for_a_week_stay_apart():
    bench = Bench()
    flask = bench.flask(125, FLY, OWL, BULL, "jump", "sleep")
    story = bench.wait_until(7 * 14_400)
    assert not story.told(PotionsMixed)
    assert [dose.mixed for dose in bench.contents(flask).layers] == [False] * 5


def test_a_flask_goes_from_hand_to_hand():
    bench = Bench()
    flask = bench.flask(25, FLY)
    bench.do(HandOver(giver="bonk", taker="ayla", flask=flask), by="bo").then_refused("FlaskNotHeld")
    bench.do(HandOver(giver="ayla", taker="ayla", flask=flask), by="ana").then_refused("SameHolder")
    bench.do(HandOver(giver="ayla", taker="bonk", flask=flask), by="ana").then(FlaskHandedOver(flask, "ayla", "bonk"))
    assert bench.contents(flask).holder == "bonk"
    bench.drink_layer(flask).then_refused("FlaskNotHeld")


def test_a_hidden_hand_is_named_to_nobody():
    bench = Bench()
    flask = bench.flask(25, FLY, holder="bonk")
    bench.do(HideCharacter(character="bonk"))
    dose = bench.contents(flask).layers[0]
    story = bench.do(HandOver(giver="bonk", taker="ayla", flask=flask), by="bo")
    story.then(FlaskLeft(flask, "bonk"), FlaskReceived(flask, "ayla", 25, (dose,)))
    assert story.audiences == [("bo", "gm"), "table"]


def test_a_flask_in_a_hidden_hand_does_not_exist():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL, holder="bonk")
    bench.do(HideCharacter(character="bonk"))
    for name in (flask, "nothing"):
        bench.do(ShakeFlask(actor="ayla", flask=name), by="ana").then_refused("UnknownFlask", flask=name)


def test_only_those_with_a_sheet_of_this_system_hold_flasks():
    bench = Bench()
    bench.story = bench.story.when(CreateCharacter(name="Mage", sheet=Sheet(), id="mage", kind="non_player"))
    assert bench.story.refused is None
    bench.do(CreateCharacter(name="Loup", sheet=LegendsSheet(), id="loup")).then_refused("SYSTEM_NOT_PLAYED")


@pytest.mark.rule("HM-0.8", "HM-14.8", "HM-14.9", "HM-14.10", "HM-14.14", "HM-14.15")
def test_a_potion_comes_into_being_in_a_vial_of_its_own():
    bench = Bench()
    story = bench.do(MakePotion(holder="ayla", potion=FLY))
    vial, made = story.only(FlaskMade), story.only(PotionMade)
    assert (vial.capacity, made.flask, made.dose.nls, made.dose.duration) == (25, vial.flask, 5, 50)
    tenth = bench.do(MakePotion(holder="ayla", potion=FLY, dilution=10)).only(PotionMade).dose
    assert (tenth.nls, tenth.magnitudes, tenth.price.n) == (0, {"speed": 6, "heavy-armour-speed": 4}, 7_500)
    bench.do(MakePotion(holder="ayla", potion=FLY, dilution=3)).then_refused("EffectNotWhole")
    bench.do(MakePotion(holder="ayla", potion=FLY, division=3)).then_refused("NotWholeRounds")
    bench.do(MakePotion(holder="ayla", potion="cure-light-wounds", division=2)).then_refused("DurationNotDivisible")
    bench.do(MakePotion(holder="ayla", potion="elixir")).then_refused("UnknownPotion")


@pytest.mark.parametrize("missing", ["spell", "tradition", "ns", "nls", "duration_rounds"])
def test_a_potion_of_the_tables_own_says_what_counts(missing):
    own = {"spell": "haste", "tradition": "arcane", "ns": 3, "nls": 5, "duration_rounds": 5}
    bench = Bench()
    dose = bench.do(MakePotion(holder="ayla", **own)).only(PotionMade).dose
    assert (dose.spell, dose.price.n) == ("haste", 75_000)
    del own[missing]
    bench.do(MakePotion(holder="ayla", **own)).then_refused("PotionNotDescribed")


def test_the_game_master_lets_somebody_use_a_flask_in_another_hand():
    bench = Bench()
    flask = bench.flask(25, FLY, holder="bonk")
    source = pour(flask, bench.flask(25), override=Override(reason="helping"))
    assert bench.do(source).only(PotionPoured).from_flask == flask
