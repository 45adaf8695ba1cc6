"""Drinking from a flask (HM-13.4 to 13.6)."""

import pytest

from domain.dnd35 import portrait
from domain.dnd35.potions import effects
from domain.dnd35.potions.drinking import DrinkLayer
from domain.dnd35.potions.flask import on_top
from events.potions import MixtureDrunk, MixtureJudged, PotionDrunk, PotionsMixed
from tests.domain.dnd35.bench import BULL, FLY, OIL, OWL, UNSEEN, Bench


@pytest.mark.rule("HM-13.4", "HM-13.3", "HM-P3")
def test_layers_are_drunk_from_the_top_and_mix_in_the_stomach():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    owl = bench.contents(flask).layers[1]
    assert bench.drink_layer(flask).facts[0] == PotionDrunk("ayla", flask, owl, 0, "standard")
    assert bench.layers(flask) == [FLY]
    bench.wait_until(1)
    judged = bench.drink_layer(flask, 50).only(MixtureJudged)
    assert (judged.k, judged.s) == (2, 6)


@pytest.mark.rule("HM-13.4")
def test_what_cannot_be_drunk():
    bench = Bench()
    flask, oil = bench.flask(75, FLY, OWL), bench.flask(25, OIL)
    bottom = bench.contents(flask).layers[0].id
    bench.do(DrinkLayer(drinker="ayla", flask=flask, dose=bottom)).then_refused("NotTopLayer", "HM-13.4")
    bench.drink_layer(oil).then_refused("OilsAreNotDrunk", "HM-13.4")
    bench.drink_layer(bench.flask(25)).then_refused("FlaskEmpty", "HM-13.4")
    bench.drink_layer("nothing").then_refused("UnknownFlask")
    bench.drink_layer(flask, who="bonk").then_refused("FlaskNotHeld")
    top = bench.contents(flask).layers[1].id
    assert bench.do(DrinkLayer(drinker="ayla", flask=flask, dose=top), by="ana").only(PotionDrunk).dose.id == top
    bench.drink_layer(flask).then_refused("NoActionLeft")


@pytest.mark.rule("HM-13.5")
def test_a_mixture_can_be_drunk_for_an_hour():
    for when, code in ((609, None), (610, "NoEmulsionOnTop")):
        bench = Bench()
        flask = bench.flask(50, FLY, OWL)
        bench.shake(flask, 50)
        bench.wait_until(when)
        story = bench.drink_mixture(flask)
        if code:
            story.then_refused(code, "HM-13.5")
        else:
            told = story.only(MixtureDrunk)
            assert (told.lower.spell, told.upper.spell, told.action) == (FLY, OWL, "full_round")
            assert bench.layers(flask) == []


@pytest.mark.rule("HM-13.5")
def test_a_layer_above_keeps_the_mixture_from_being_drunk():
    bench = Bench()
    flask = bench.flask(75, FLY, OWL)
    bench.drink_mixture(flask).then_refused("NoEmulsionOnTop")
    bench.shake(flask, 50)
    bench.pour_in(flask, BULL)
    bench.wait_until(20)
    bench.drink_mixture(flask).then_refused("NoEmulsionOnTop")
    bench.drink_layer(flask)
    assert bench.running() == {BULL: 50}
    bench.drink_layer(flask).then_refused("MixtureMustBeDrunkWhole")


@pytest.mark.rule("HM-13.5", "HM-12.12")
def test_a_mixture_meets_nothing_in_the_stomach():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    bench.wait_until(20)
    bench.drink(BULL)
    bench.wait_until(21)
    assert not bench.drink_mixture(flask).told(PotionsMixed)
    assert bench.running() == {BULL: 50, FLY: 71, OWL: 51}


@pytest.mark.rule("HM-13.6", "HM-A40")
def test_two_mixtures_take_two_rounds():
    bench = Bench()
    flask = bench.flask(100, FLY, OWL, BULL, UNSEEN)
    bench.shake(flask, 50, 50)
    bench.wait_until(300)
    assert bench.drink_mixture(flask).only(MixtureDrunk).lower.spell == BULL
    bench.drink_mixture(flask).then_refused("NoActionLeft", action="full_round")
    bench.wait_until(301)
    assert bench.drink_mixture(flask).only(MixtureDrunk).lower.spell == FLY


@pytest.mark.rule("HM-A39")
def test_an_emulsion_is_over_by_the_clock_and_not_by_anybody_noticing():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    leaf = bench.contents(flask)
    assert (on_top(leaf, 609), on_top(leaf, 610)) == (leaf.layers[1].pair, "")


@pytest.mark.rule("HM-15.6")
def test_the_same_help_counts_once():
    bench = Bench()
    bench.drink(OWL)
    bench.wait_until(1)
    bench.drink(OWL)
    assert portrait(bench.story.state, "ayla")["wisdom"] == 10 + 4


@pytest.mark.rule("HM-13.2")
def test_a_sheet_tells_what_the_flasks_at_hand_weigh():
    bench = Bench()
    full, empty = bench.flask(50, FLY, OWL), bench.flask(25)
    assert portrait(bench.story.state, "ayla")["grams"] == {full: "100", empty: "25"}


def test_a_body_holds_so_many_potions_and_not_one_more(monkeypatch):
    monkeypatch.setattr(effects, "MOST_RUNNING", 1)
    bench = Bench()
    bench.drink(FLY)
    bench.wait_until(1)
    flask = bench.flask(25, FLY)
    bench.do(DrinkLayer(drinker="ayla", flask=flask)).then_refused("TooManyPotions", most=1)
