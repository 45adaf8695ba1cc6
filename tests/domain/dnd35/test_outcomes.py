"""What each mark does (HM-16.10 to 16.17), in the stomach and out of a flask."""

import pytest

from domain.dnd35.potions.effects import EndEffect
from domain.dnd35.potions.fixtures import RolledEffect
from domain.dnd35.rounds import DAY
from domain.dnd35.sheet import Sheet
from events.dnd35 import HitPointsRestored
from events.potions import (
    MixOutcomeDiscovered,
    PotionEffectEnded,
    PotionEffectEnhanced,
    PotionEffectProlonged,
    PotionEffectStarted,
    PotionTookEffect,
)
from tests.domain.dnd35.bench import CLW, CMW, FLY, OWL, Bench

ENLARGE = {"spell": "enlarge", "tradition": "arcane", "ns": 1, "nls": 1, "duration_rounds": 10}
REDUCE = {
    "spell": "reduce",
    "tradition": "arcane",
    "ns": 1,
    "nls": 1,
    "duration_rounds": 10,
    "opposed_by": ("enlarge",),
}
AID = {
    "spell": "aid",
    "tradition": "divine",
    "ns": 2,
    "nls": 3,
    "duration_rounds": 30,
    "effect": RolledEffect("temporary-hit-points", 1, 8, 3),
}


def in_the_stomach(first, second, *faces, first_faces=(), second_at=10, hp=10):
    bench = Bench(ayla=Sheet(hp_max=30, hp=hp))
    bench.drink(first, *first_faces)
    bench.wait_until(second_at)
    return bench, bench.drink(second, *faces)


def out_of_a_flask(lower, upper, *faces, drinking=(), whole=True, hp=10):
    bench = Bench(ayla=Sheet(hp_max=30, hp=hp))
    flask = bench.flask(50, lower, upper)
    bench.shake(flask, *faces)
    bench.wait_until(20 if whole else 1_000)
    if whole:
        return bench, bench.drink_mixture(flask, *drinking)
    story = bench.drink_layer(flask, *drinking)
    return bench, story


@pytest.mark.parametrize(
    ("face", "left", "ended"),
    [
        pytest.param(9, {}, [(FLY, "HM-16.10")], marks=pytest.mark.rule("HM-16.10")),
        pytest.param(15, {}, [(FLY, "HM-16.10")], marks=pytest.mark.rule("HM-16.10")),
        pytest.param(16, {OWL: 40}, [(FLY, "HM-16.11")], marks=pytest.mark.rule("HM-16.11")),
        pytest.param(25, {OWL: 40}, [(FLY, "HM-16.11")], marks=pytest.mark.rule("HM-16.11")),
        pytest.param(26, {FLY: 50}, [], marks=pytest.mark.rule("HM-16.12")),
        pytest.param(35, {FLY: 50}, [], marks=pytest.mark.rule("HM-16.12")),
        pytest.param(36, {FLY: 50, OWL: 40}, [], marks=pytest.mark.rule("HM-16.13")),
        pytest.param(79, {FLY: 50, OWL: 40}, [], marks=pytest.mark.rule("HM-16.13")),
        pytest.param(80, {FLY: 100, OWL: 40}, [], marks=pytest.mark.rule("HM-16.14")),
        pytest.param(89, {FLY: 100, OWL: 40}, [], marks=pytest.mark.rule("HM-16.14")),
        pytest.param(90, {FLY: 50, OWL: 70}, [], marks=pytest.mark.rule("HM-16.15")),
        pytest.param(99, {FLY: 50, OWL: 70}, [], marks=pytest.mark.rule("HM-16.15")),
    ],
)
def test_what_becomes_of_a_running_potion_and_of_the_next_one(face, left, ended):
    bench, story = in_the_stomach(FLY, OWL, face)
    assert bench.running() == left
    assert [(one.spell, one.rule) for one in story.told(PotionEffectEnded)] == ended


@pytest.mark.rule("HM-16.17", "HM-13.5")
@pytest.mark.parametrize(
    ("face", "left"),
    [
        (9, {}),
        (25, {OWL: 50}),
        (26, {FLY: 70}),
        (47, {FLY: 70, OWL: 50}),
        (85, {FLY: 120, OWL: 50}),
        (95, {FLY: 70, OWL: 80}),
    ],
)
def test_the_marks_of_a_mixture_drunk_whole(face, left):
    assert out_of_a_flask(FLY, OWL, face)[0].running() == left


@pytest.mark.rule("HM-16.17", "HM-17.5")
def test_a_dose_drunk_long_after_keeps_its_mark():
    bench, story = out_of_a_flask(OWL, FLY, 95, whole=False)
    assert bench.running() == {FLY: 1_100}
    assert story.only(MixOutcomeDiscovered).row == "second_enhanced"


@pytest.mark.rule("HM-17.5")
def test_a_row_is_learnt_once_for_a_pair():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    bench.wait_until(700)
    assert bench.drink_layer(flask).told(MixOutcomeDiscovered)
    bench.wait_until(701)
    assert not bench.drink_layer(flask).told(MixOutcomeDiscovered)


@pytest.mark.rule("HM-16.14", "HM-A26")
def test_a_running_potion_lasts_twice_as_long_from_its_start():
    _, story = in_the_stomach(FLY, OWL, 80)
    told = story.only(PotionEffectEnhanced)
    assert (told.spell, told.total_before, told.total_after, told.until) == (FLY, 50, 100, 100)


@pytest.mark.rule("HM-A26")
def test_what_a_running_potion_rolled_is_evaluated_again():
    _, story = in_the_stomach(AID, OWL, 80, first_faces=(6,))
    told = story.only(PotionEffectEnhanced)
    assert (told.rolled_before, told.rolled_after) == (9, 13)


@pytest.mark.rule("HM-A26")
def test_fixed_bonuses_and_endless_durations_stay():
    bench, _ = in_the_stomach({"potion": FLY, "endless": True}, OWL, 80)
    assert bench.running() == {FLY: None, OWL: 40}


@pytest.mark.rule("HM-16.15", "HM-A26")
def test_a_cure_enhanced_heals_half_as_much_again():
    _, story = in_the_stomach(FLY, CLW, 90, 6)
    assert story.only(PotionTookEffect).rolled == 7
    assert story.only(HitPointsRestored) == HitPointsRestored("ayla", 10, 10, 20, cause="dnd35.potion")


@pytest.mark.rule("HM-13.5", "HM-16.13")
def test_the_lower_potions_dice_come_first():
    _, story = out_of_a_flask(CLW, CMW, 50, drinking=(8, 1, 1), hp=1)
    assert [one.rolled for one in story.told(PotionTookEffect)] == [9, 5]
    assert [one.after for one in story.told(HitPointsRestored)] == [10, 15]


def test_healing_stops_at_the_maximum():
    _, story = out_of_a_flask(CLW, CMW, 50, drinking=(8, 8, 8), hp=25)
    assert [(one.before, one.after) for one in story.told(HitPointsRestored)] == [(25, 30), (30, 30)]


@pytest.mark.rule("HM-16.16", "HM-A27")
def test_a_prolonged_dose_lasts_from_the_day_it_is_drunk():
    bench, story = out_of_a_flask(OWL, FLY, 100, 1, drinking=(10, 10, 10, 10, 10, 10, 10, 1), whole=False)
    told = story.only(PotionEffectProlonged)
    assert (told.days, told.s, told.since) == (71, 8, 1_000)
    assert bench.running() == {FLY: 1_000 + 71 * DAY}


@pytest.mark.rule("HM-16.16")
def test_two_cures_that_make_a_discovery_are_both_enhanced():
    _, story = out_of_a_flask(CLW, CMW, 100, drinking=(6, 4, 4), hp=1)
    assert [one.amount for one in story.told(HitPointsRestored)] == [10, 16]


@pytest.mark.rule("HM-16.16")
def test_of_a_cure_and_another_the_other_is_prolonged():
    bench, story = in_the_stomach(FLY, CLW, 100, 1, 2, 3, 4)
    assert story.only(PotionEffectProlonged).days == 1 + 2 + 3
    assert story.only(HitPointsRestored).amount == 5
    assert bench.running() == {FLY: 10 + 6 * DAY}


@pytest.mark.rule("HM-16.16", "HM-0.2")
def test_the_days_fall_before_what_the_potion_rolls_itself():
    bench, story = in_the_stomach({"potion": OWL, "dilution": 4}, AID, 100, 1, 1, 2, 3, 8)
    assert story.only(PotionEffectProlonged).days == 1 + 2 + 3
    assert story.only(PotionEffectStarted).rolled == 11
    assert bench.running()["aid"] == 10 + 6 * DAY


@pytest.mark.rule("HM-A22")
def test_with_an_s_of_0_the_prolonged_potion_keeps_its_duration():
    weak = {"nls": 0}
    bench, story = in_the_stomach({"potion": FLY, **weak}, {"potion": OWL, **weak}, 100, 2)
    assert not story.told(PotionEffectProlonged)
    assert bench.running() == {FLY: 50, OWL: 40}


@pytest.mark.rule("HM-16.13", "HM-A37")
@pytest.mark.parametrize("order", [(ENLARGE, REDUCE), (REDUCE, ENLARGE)])
def test_opposed_effects_of_one_mixture_both_end(order):
    bench, story = in_the_stomach(*order, 36, second_at=1)
    assert [one.cause for one in story.told(PotionEffectEnded)] == ["dnd35.opposed"] * 2
    assert bench.running() == {}
    assert out_of_a_flask(*order, 79)[0].running() == {}


@pytest.mark.rule("HM-A37")
def test_opposed_effects_that_never_mixed_stay():
    bench = Bench(ayla=Sheet(stomachs=2))
    bench.drink(ENLARGE)
    bench.wait_until(1)
    bench.drink(REDUCE)
    assert len(bench.running()) == 2


@pytest.mark.rule("HM-15.6")
def test_compatible_potions_both_work():
    bench, story = out_of_a_flask(OWL, OWL)
    discovered = story.only(MixOutcomeDiscovered)
    assert (discovered.compatible, discovered.row) == (True, "")
    assert len(story.told(PotionEffectStarted)) == 2
    assert bench.running() == {OWL: 50}


def test_the_game_master_ends_an_effect():
    bench = Bench()
    story = bench.drink(FLY)
    dose = story.only(PotionEffectStarted).dose.id
    told = bench.do(EndEffect(character="ayla", dose=dose)).only(PotionEffectEnded)
    assert (told.cause, bench.running()) == ("dnd35.game_master", {})
    bench.do(EndEffect(character="ayla", dose=dose)).then_refused("EffectNotRunning")
