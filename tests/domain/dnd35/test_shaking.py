"""Mixing in a container (HM-12.8 to 12.16)."""

import pytest

from domain.campaign.game_clock import AdvanceClock
from domain.dnd35.potions.drinking import DrinkLayer
from domain.dnd35.potions.flask import HandOver, PourPotion
from domain.dnd35.potions.shaking import JoltFlask, ShakeFlask, new_and_old_pairs
from domain.dnd35.sheet import Sheet
from domain.kernel.clock import now
from domain.kernel.command import Override
from events.potions import (
    FlaskDestroyed,
    FlaskEmulsified,
    FlaskJolted,
    FlaskSettled,
    FlaskShaken,
    MixtureJudged,
    PotionsMixed,
    ShakingReset,
)
from events.table import ClockAdvanced
from tests.domain.dnd35.bench import BULL, CLW, FLY, OIL, OWL, UNSEEN, Bench


def pairs(bench, flask):
    """The layers by the pair they took part in, from the bottom; `-` for none."""
    numbers: dict[str, str] = {"": "-"}
    return "".join(numbers.setdefault(dose.pair, str(len(numbers))) for dose in bench.contents(flask).layers)


@pytest.mark.rule("HM-12.8", "HM-12.3")
def test_ten_rounds_of_shaking_make_an_emulsion():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    for number in range(1, 10):
        story = bench.do(ShakeFlask(actor="ayla", flask=flask), by="ana")
        story.then(FlaskShaken(flask, "ayla", number - 1, number, actor="ayla", action="standard"))
        bench.wait_until(number)
    story = bench.do(ShakeFlask(actor="ayla", flask=flask), 50, by="ana")
    one, other = bench.contents(flask).layers
    mixed = story.only(PotionsMixed)
    assert [type(fact) for fact in story.facts] == [FlaskShaken, FlaskEmulsified, MixtureJudged, PotionsMixed]
    assert story.only(FlaskEmulsified) == FlaskEmulsified(flask, "ayla", 10, 610)
    assert mixed == PotionsMixed(mixed.pair, (one.id, other.id), "flask", "ayla", flask=flask)
    assert (one.mixed, other.mixed, bench.contents(flask).progress) == (True, True, 0)


@pytest.mark.rule("HM-12.8")
def test_the_clock_moves_between_the_game_masters_rounds():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    story = bench.shake(flask, 50)
    assert len(story.told(ClockAdvanced)) == 9
    assert now(story.state) == 9 * 6
    assert story.told(ClockAdvanced)[-1].now == 54


@pytest.mark.rule("HM-12.8")
def test_what_cannot_be_shaken():
    bench = Bench()
    flask, alone, empty = bench.flask(50, FLY, OWL), bench.flask(25, FLY), bench.flask(25)
    bench.do(ShakeFlask(actor="ayla", flask=flask, rounds=2), by="ana").then_refused("NotGameMaster", "HM-12.8")
    for name in (alone, empty):
        bench.do(ShakeFlask(actor="ayla", flask=name), by="ana").then_refused("NothingToMix", "HM-12.8")
    bench.do(ShakeFlask(actor="bonk", flask=flask), by="bo").then_refused("FlaskNotHeld")
    bench.shake(flask, rounds=1)
    bench.do(ShakeFlask(actor="ayla", flask=flask), by="ana").then_refused("AlreadyShakenThisRound", "HM-12.8")
    other = bench.flask(50, FLY, OWL)
    bench.do(ShakeFlask(actor="ayla", flask=other), by="ana").then_refused("NoActionLeft")


@pytest.mark.rule("HM-12.9", "HM-P15")
@pytest.mark.parametrize(("pause", "progress", "reset"), [(0, 10, False), (1, 10, False), (2, 1, True), (3, 1, True)])
def test_one_round_of_rest_is_forgiven_and_two_are_not(pause, progress, reset):
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, rounds=9)
    bench.wait_until(9 + pause)
    story = bench.shake(flask, *([] if reset else [50]), rounds=1)
    assert story.only(FlaskShaken).progress == progress
    assert [(one.lost, one.gap, one.cause) for one in story.told(ShakingReset)] == (
        [(9, pause, "dnd35.interrupted")] if reset else []
    )
    assert bool(story.told(FlaskEmulsified)) != reset


@pytest.mark.rule("HM-A30")
def test_each_interruption_is_judged_on_its_own():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    for _ in range(9):
        bench.shake(flask, rounds=1)
        bench.wait_until(bench.now + 2)
    assert bench.shake(flask, 50, rounds=1).only(FlaskEmulsified).at == 19


@pytest.mark.rule("HM-A30")
def test_another_hand_may_carry_on():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, rounds=5)
    bench.do(HandOver(giver="ayla", taker="bonk", flask=flask), by="ana")
    bench.wait_until(5)
    assert bench.shake(flask, 50, rounds=5, holder="bonk").told(FlaskEmulsified)


@pytest.mark.rule("HM-A30")
def test_drinking_makes_the_minute_start_again():
    bench = Bench()
    flask = bench.flask(75, FLY, OWL, BULL)
    bench.shake(flask, rounds=9)
    bench.wait_until(9)
    story = bench.do(DrinkLayer(drinker="ayla", flask=flask), by="ana")
    assert story.only(ShakingReset).cause == "dnd35.drunk"
    bench.wait_until(10)
    assert bench.shake(flask, rounds=1).only(FlaskShaken).progress == 1


@pytest.mark.rule("HM-12.10")
def test_a_cart_on_a_bad_road_shakes_too():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    story = bench.do(JoltFlask(flask=flask, cause="cart", rounds=10), 50)
    assert story.told(FlaskJolted)[0] == FlaskJolted(flask, "ayla", 0, "cart")
    assert story.told(FlaskShaken)[0] == FlaskShaken(flask, "ayla", 0, 1)
    assert story.told(PotionsMixed)
    bench.do(DrinkLayer(drinker="ayla", flask=bench.flask(25, FLY)), by="ana")
    assert bench.story.refused is None


@pytest.mark.rule("HM-12.10")
def test_a_walk_does_not():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    walk = JoltFlask(flask=flask, cause="base_movement")
    bench.do(walk).then_refused("NotVigorous", "HM-12.10")
    bench.do(walk, by="ana").then_refused("NotGameMaster")
    ride = JoltFlask(flask=flask, cause="base_movement", override=Override(reason="a wyvern's back"))
    assert bench.do(ride).only(FlaskShaken).progress == 1


@pytest.mark.rule("HM-A30", "HM-12.10")
def test_jolts_and_shaking_add_up_but_not_in_one_round():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, rounds=4)
    bench.do(JoltFlask(flask=flask, cause="cart")).then_refused("AlreadyShakenThisRound")
    bench.wait_until(4)
    bench.do(JoltFlask(flask=flask, cause="cart", rounds=5))
    bench.wait_until(9)
    assert bench.shake(flask, 50, rounds=1).told(FlaskEmulsified)


@pytest.mark.rule("HM-12.11", "HM-A39", "HM-17.2")
def test_an_hour_later_the_layers_are_back_and_marked_for_ever():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    layers = bench.contents(flask).layers
    assert not bench.wait_until(609).told(FlaskSettled)
    bench.wait_until(610).then(ClockAdvanced(6, 3_660), FlaskSettled(flask, "ayla", 610))
    assert (bench.contents(flask).layers, bench.contents(flask).emulsion) == (layers, ())
    assert not bench.do(AdvanceClock(days=1)).told(FlaskSettled)


@pytest.mark.rule("HM-A39")
def test_only_a_complete_shaking_renews_the_hour():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    bench.wait_until(500)
    bench.shake(flask, rounds=9)
    assert bench.contents(flask).emulsified_at == 10
    bench.wait_until(509)
    story = bench.shake(flask, rounds=1)
    assert story.only(FlaskEmulsified).at == 510
    assert not story.told(MixtureJudged)
    assert not bench.wait_until(610).told(FlaskSettled)
    assert bench.wait_until(1_110).only(FlaskSettled).at == 1_110


@pytest.mark.rule("HM-12.12", "HM-A38")
@pytest.mark.parametrize(("first", "faces"), [(FLY, ()), (OWL, (50,))])
def test_a_potion_reacts_once_compatible_or_not(first, faces):
    bench = Bench()
    flask = bench.flask(100, FLY, first)
    bench.shake(flask, *faces)
    bench.pour_in(flask, BULL)
    bench.wait_until(20)
    story = bench.shake(flask)
    assert not story.told(PotionsMixed)
    assert pairs(bench, flask) == "11-"


@pytest.mark.rule("HM-12.14", "HM-12.13")
@pytest.mark.parametrize(
    ("potions", "formed"),
    [
        ((FLY, OWL, BULL), "11-"),
        ((FLY, OWL, BULL, UNSEEN), "1122"),
        ((FLY, OWL, BULL, UNSEEN, "jump"), "1122-"),
    ],
)
def test_the_two_lowest_meet_and_then_the_next_two(potions, formed):
    bench = Bench()
    flask = bench.flask(125, *potions)
    story = bench.shake(flask, *[50] * (len(potions) // 2))
    assert pairs(bench, flask) == formed
    assert len(story.told(PotionsMixed)) == len(potions) // 2


@pytest.mark.rule("HM-12.15", "HM-A23", "HM-P16")
@pytest.mark.parametrize("layers", [(FLY, OIL, OWL), (FLY, OIL), (OIL, FLY), (OIL, OIL)])
def test_nothing_mixes_with_an_oil_nor_across_one(layers):
    bench = Bench()
    flask = bench.flask(75, *layers)
    story = bench.shake(flask)
    assert story.told(FlaskEmulsified)
    assert not story.told(PotionsMixed)
    assert [dose.mixed for dose in bench.contents(flask).layers] == [False] * len(layers)


@pytest.mark.rule("HM-A24")
def test_a_layer_that_cannot_mix_keeps_its_neighbours_apart():
    bench = Bench()
    flask = bench.flask(125, FLY, OWL)
    bench.shake(flask, 50)
    vial, third = bench.flask(25), bench.flask(25, BULL)
    bench.wait_until(700)
    bench.do(PourPotion(actor="ayla", source=flask, target=vial))
    bench.wait_until(701)
    bench.do(PourPotion(actor="ayla", source=third, target=flask))
    bench.wait_until(702)
    bench.do(PourPotion(actor="ayla", source=vial, target=flask))
    bench.pour_in(flask, UNSEEN)
    bench.wait_until(703)
    assert not bench.shake(flask).told(PotionsMixed)
    assert pairs(bench, flask) == "1-1-"
    assert new_and_old_pairs(bench.contents(flask).layers) == ([], [])


@pytest.mark.rule("HM-12.5")
def test_in_a_flask_instantaneous_potions_mix_like_any_other():
    bench = Bench()
    assert bench.shake(bench.flask(50, CLW, "cure-moderate-wounds"), 50).told(PotionsMixed)


@pytest.mark.rule("HM-A31")
def test_a_shaker_who_dies_or_a_flask_that_bursts_ends_the_shaking():
    bench = Bench(ayla=Sheet(hp_max=5))
    flask = bench.flask(100, FLY, OWL, BULL, UNSEEN)
    story = bench.shake(flask, 1, *[6] * 8, *[4] * 8, 2, rounds=20)
    assert len(story.told(PotionsMixed)) == 1
    destroyed = story.only(FlaskDestroyed)
    assert [dose.spell for dose in destroyed.doses] == [FLY, OWL, BULL, UNSEEN]
    assert len(story.told(FlaskShaken)) == 10
    bench.do(ShakeFlask(actor="ayla", flask=flask)).then_refused("FlaskDestroyed")
