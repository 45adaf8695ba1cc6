"""Rounds and actions (HM-0.1, HM-0.10, HM-13.7)."""

import pytest

from domain.campaign.game_clock import AdvanceClock
from domain.dnd35.potions.drinking import DrinkLayer, DrinkMixture
from domain.dnd35.rounds import TakeFiveFootStep, TakeMove
from domain.kernel.command import Override
from events.dnd35 import FiveFootStepTaken, MoveTaken
from events.table import RefusalOverridden
from tests.domain.dnd35.bench import FLY, OWL, UNSEEN, Bench

STEP, MOVE = TakeFiveFootStep(character="ayla"), TakeMove(character="ayla")


@pytest.mark.rule("HM-0.1")
def test_a_round_is_six_seconds_of_the_clock():
    bench = Bench()
    bench.do(AdvanceClock(seconds=5))
    assert bench.now == 0
    bench.do(AdvanceClock(seconds=1))
    assert bench.now == 1


@pytest.mark.rule("HM-0.10")
def test_a_standard_and_a_move_action_fit_into_one_round():
    bench = Bench()
    bench.drink(FLY)
    bench.do(MOVE, by="ana").then(MoveTaken("ayla", 0))
    bench.do(MOVE, by="ana").then_refused("NoActionLeft", action="move")
    bench.drink(UNSEEN).then_refused("NoActionLeft", "HM-0.10", action="standard")
    bench.wait_until(1)
    bench.do(MOVE, by="ana").then(MoveTaken("ayla", 1))


def emulsion(bench):
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    bench.wait_until(bench.now + 1)
    return DrinkMixture(drinker="ayla", flask=flask)


@pytest.mark.rule("HM-0.10", "HM-13.5", "HM-13.7")
def test_a_full_round_action_leaves_no_move_and_no_standard_action():
    bench = Bench()
    drink = emulsion(bench)
    bench.do(drink, by="ana")
    bench.do(MOVE, by="ana").then_refused("NoActionLeft", action="move")
    bench.drink(UNSEEN).then_refused("NoActionLeft")


@pytest.mark.rule("HM-13.7")
def test_a_mixture_and_a_walk_do_not_fit_into_one_round():
    bench = Bench()
    drink = emulsion(bench)
    bench.do(MOVE, by="ana")
    bench.do(drink, by="ana").then_refused("NoActionLeft", action="full_round")


@pytest.mark.rule("HM-13.7")
@pytest.mark.parametrize("first", ["step", "drink"])
def test_a_mixture_and_a_step_do_in_either_order(first):
    bench = Bench()
    drink = emulsion(bench)
    for command in (STEP, drink) if first == "step" else (drink, STEP):
        assert bench.do(command, by="ana").refused is None
    bench.do(STEP, by="ana").then_refused("AlreadyMoved", "HM-13.7")


@pytest.mark.rule("HM-13.7")
def test_no_step_beside_another_movement():
    bench = Bench()
    bench.do(MOVE, by="ana")
    bench.do(STEP, by="ana").then_refused("AlreadyMoved")
    bench.wait_until(1)
    bench.do(STEP, by="ana").then(FiveFootStepTaken("ayla", 1))
    bench.do(MOVE, by="ana").then_refused("AlreadyMoved")


def test_the_game_master_may_grant_an_action():
    bench = Bench()
    bench.drink(FLY)
    vial = bench.flask(25, FLY)
    story = bench.do(DrinkLayer(drinker="ayla", flask=vial, override=Override(reason="haste")))
    assert story.only(RefusalOverridden).code == "NoActionLeft"
