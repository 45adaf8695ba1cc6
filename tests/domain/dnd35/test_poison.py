"""Poisonous mixtures (HM-16.8, 16.9) and what a body goes through after them (HM-A35, A36)."""

import pytest

from domain.dnd35 import portrait
from domain.dnd35.ailments import NeutralisePoison, Rest
from domain.dnd35.potions.flask import HandOver
from domain.dnd35.rounds import DAY, HOUR
from domain.dnd35.sheet import Abilities, Sheet
from events.dnd35 import (
    AbilityDamaged,
    AbilityRecovered,
    CharacterDied,
    ConditionApplied,
    ConditionChanged,
    ConditionEnded,
    RestCompleted,
    SaveRolled,
)
from events.potions import PoisonNeutralised, PoisonSecondSaveScheduled, PoisonTaken, PotionEffectStarted
from tests.domain.dnd35.bench import FLY, OWL, Bench

LETHAL, MILD = 2, 4


def mixture(face, sheet=None, potions=(FLY, OWL)):
    """A flask of something poisonous, an hour before it parts."""
    bench = Bench(ayla=sheet or Sheet(hp_max=30, fortitude=6))
    flask = bench.flask(50, *potions)
    bench.shake(flask, face)
    bench.wait_until(20)
    return bench, flask


@pytest.mark.rule("HM-16.8")
def test_the_first_save_is_for_ones_life():
    bench, flask = mixture(LETHAL)
    story = bench.drink_mixture(flask, 7)
    save = story.only(SaveRolled)
    assert (save.total, save.dc, save.s, save.success) == (13, 14, 8, False)
    assert story.only(CharacterDied).cause == "dnd35.lethal_poison"
    assert not story.told(PotionEffectStarted)
    bench.drink(FLY).then_refused("NotAlive")


@pytest.mark.rule("HM-16.8", "HM-A35")
def test_the_second_save_comes_ten_rounds_later():
    bench, flask = mixture(LETHAL, Sheet(hp_max=30, fortitude=6, abilities=Abilities(constitution=11)))
    story = bench.drink_mixture(flask, 8)
    assert story.only(PoisonSecondSaveScheduled).due == 30
    assert not bench.wait_until(29).told(SaveRolled)
    story = bench.wait_until(30, 7, 6, 5)
    assert (story.only(SaveRolled).total, story.only(SaveRolled).second) == (13, True)
    lost = story.only(AbilityDamaged)
    assert (lost.ability, lost.amount, lost.before, lost.after) == ("constitution", 11, 11, 0)
    assert story.only(CharacterDied).rule == "HM-16.8"


@pytest.mark.rule("HM-16.8")
def test_constitution_comes_back_a_point_a_day():
    bench, flask = mixture(LETHAL)
    bench.drink_mixture(flask, 8)
    bench.wait_until(30, 7, 2, 1)
    assert portrait(bench.story.state, "ayla")["constitution"] == 7
    assert not bench.wait_until(29 + DAY).told(AbilityRecovered)
    told = bench.wait_until(30 + DAY).only(AbilityRecovered)
    assert (told.before, told.after, told.at, told.next_at) == (7, 8, 30 + DAY, 30 + 2 * DAY)
    assert [one.after for one in bench.wait_until(30 + 10 * DAY).told(AbilityRecovered)] == [9, 10]
    assert bench.sheet().ability_damage == {}


@pytest.mark.rule("HM-16.8", "HM-0.5")
def test_a_made_second_save_costs_nothing():
    bench, flask = mixture(LETHAL)
    bench.drink_mixture(flask, 20)
    story = bench.wait_until(40, 20)
    assert (story.only(SaveRolled).success, story.told(AbilityDamaged)) == (True, [])
    assert bench.ill().saves == ()


@pytest.mark.rule("HM-16.8", "HM-A35")
def test_immunity_asks_for_no_die():
    bench, flask = mixture(LETHAL, Sheet(poison_immune=True))
    assert bench.drink_mixture(flask).only(PoisonTaken).immune
    assert bench.running() == {}


@pytest.mark.rule("HM-16.8", "HM-16.9", "HM-A35")
@pytest.mark.parametrize("face", [LETHAL, MILD])
def test_resistance_helps_the_save(face):
    bench, flask = mixture(face, Sheet(fortitude=0, poison_resistance=5))
    save = bench.drink_mixture(flask, 9, *([3] if face == MILD else [])).only(SaveRolled)
    assert (save.resistance, save.total, save.success) == (5, 14, True)


@pytest.mark.rule("HM-A35")
def test_the_poison_can_be_neutralised_before_it_strikes_again():
    bench, flask = mixture(LETHAL)
    bench.drink_mixture(flask, 8)
    bench.do(NeutralisePoison(character="ayla")).only(PoisonNeutralised)
    assert not bench.wait_until(40).told(SaveRolled)
    bench.do(NeutralisePoison(character="ayla")).then_refused("NotPoisoned")


@pytest.mark.rule("HM-A35", "HM-16.17")
@pytest.mark.parametrize("face", [LETHAL, MILD])
def test_a_poison_acts_once_on_one_drinker_and_again_on_another(face):
    bench, flask = mixture(face)
    bench.wait_until(700)
    days = [3] if face == MILD else []
    bench.drink_layer(flask, 15, *days)
    bench.wait_until(701)
    assert bench.drink_layer(flask).told(PoisonTaken) == []
    other, flask = mixture(face)
    other.wait_until(700)
    other.drink_layer(flask, 15, *days)
    other.do(HandOver(giver="ayla", taker="bonk", flask=flask))
    assert other.drink_layer(flask, 20, *days, who="bonk").only(PoisonTaken).character == "bonk"


@pytest.mark.rule("HM-16.9")
def test_a_save_shortens_the_nausea_and_nothing_else():
    bench, flask = mixture(MILD)
    story = bench.drink_mixture(flask, 8, 7)
    nausea, weariness = story.told(ConditionApplied)
    assert (nausea.days, nausea.until, weariness.condition) == (7, 20 + 7 * DAY, "exhausted")
    assert not story.told(PotionEffectStarted)


@pytest.mark.rule("HM-16.9")
def test_a_failure_is_a_die_for_each_point_of_s():
    bench, flask = mixture(MILD)
    story = bench.drink_mixture(flask, 7, 1, 2, 3, 4, 5, 6, 7, 8)
    assert story.told(ConditionApplied)[0].days == 36


@pytest.mark.rule("HM-16.9", "HM-A22")
@pytest.mark.parametrize(
    ("levels", "faces", "days"), [((0, 0), (), None), ((0, 1), (10,), 1), ((0, 1), (9, 10), 10), ((1, 1), (11, 4), 4)]
)
def test_s_of_0_and_1(levels, faces, days):
    one, other = levels
    bench, flask = mixture(MILD, Sheet(fortitude=0), ({"potion": FLY, "nls": one}, {"potion": OWL, "nls": other}))
    story = bench.drink_mixture(flask, *faces)
    assert [one.days for one in story.told(ConditionApplied)][:1] == ([] if days is None else [days])
    assert bool(story.told(SaveRolled)) == (days is not None)
    assert bench.running() == {}


@pytest.mark.rule("HM-A22")
def test_a_lethal_poison_of_s_0_has_its_saves():
    bench, flask = mixture(LETHAL, Sheet(fortitude=0), ({"potion": FLY, "nls": 0}, {"potion": OWL, "nls": 0}))
    assert bench.drink_mixture(flask, 10).only(PoisonSecondSaveScheduled).dc == 10


@pytest.mark.rule("HM-16.9")
def test_weariness_takes_strength_and_dexterity():
    bench, flask = mixture(MILD)
    bench.drink_mixture(flask, 15, 2)
    shown = portrait(bench.story.state, "ayla")
    assert (shown["strength"], shown["dexterity"], shown["wisdom"]) == (4, 4, 10)
    bench.do(Rest(character="ayla"), by="ana")
    bench.wait_until(20 + HOUR)
    assert portrait(bench.story.state, "ayla")["strength"] == 8


def sick(days=2):
    bench, flask = mixture(MILD)
    bench.drink_mixture(flask, 15, days)
    return bench


def rested(bench, rounds):
    bench.do(Rest(character="ayla"), by="ana")
    return bench.wait_until(bench.now + rounds)


@pytest.mark.rule("HM-A36")
def test_an_hour_of_rest_eases_exhaustion_and_eight_do_no_better_while_nauseated():
    bench = sick()
    story = rested(bench, 8 * HOUR)
    changed = story.only(ConditionChanged)
    assert (changed.before, changed.after, changed.at) == ("exhausted", "fatigued", 20 + HOUR)
    assert story.only(RestCompleted).at == 20 + 8 * HOUR
    assert not story.told(ConditionEnded)


@pytest.mark.rule("HM-A36")
def test_fatigue_goes_with_the_nausea_after_a_full_rest():
    bench = sick()
    rested(bench, 8 * HOUR)
    assert [one.condition for one in bench.wait_until(20 + 2 * DAY).told(ConditionEnded)] == ["nauseated", "fatigued"]


@pytest.mark.rule("HM-A36")
def test_without_one_weariness_stays_until_the_ordinary_rest():
    bench = sick()
    rested(bench, HOUR)
    bench.drink(FLY)
    assert [one.condition for one in bench.wait_until(20 + 2 * DAY).told(ConditionEnded)] == ["nauseated"]
    assert bench.ill().weariness == "fatigued"
    assert rested(bench, 8 * HOUR).only(ConditionEnded).condition == "fatigued"


@pytest.mark.rule("HM-A36")
def test_whatever_one_does_breaks_the_rest():
    bench = sick()
    rested(bench, HOUR - 1)
    bench.drink(FLY)
    assert not bench.wait_until(bench.now + HOUR).told(ConditionChanged)
    assert bench.ill().weariness == "exhausted"


def test_a_second_poisoning_never_shortens_the_first():
    bench = sick(10)
    bench.wait_until(21)
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask)
    bench.wait_until(bench.now + 1)
    told = bench.drink_mixture(flask, 15, 1).told(ConditionApplied)[0]
    assert (told.days, told.until) == (1, 20 + 10 * DAY)
