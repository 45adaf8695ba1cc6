"""The catalogue's acceptance scenarios, told from end to end."""

import pytest

from domain.dnd35.ailments import Rest
from domain.dnd35.potions.fixtures import MakePotion
from domain.dnd35.potions.flask import gross_mass
from domain.dnd35.rounds import DAY, TakeFiveFootStep
from domain.dnd35.sheet import Sheet
from domain.dnd35.state import Discovery
from domain.kernel.fold import every
from events.dnd35 import ConditionApplied, ConditionChanged, HitPointsLost, SaveRolled
from events.potions import (
    FlaskEmulsified,
    FlaskSettled,
    MixOutcomeDiscovered,
    MixtureJudged,
    PotionEffectEnded,
    PotionEffectProlonged,
    PotionEffectStarted,
    PotionsMixed,
    ShakingReset,
)
from tests.domain.dnd35.bench import BULL, FLY, OWL, UNSEEN, Bench


@pytest.mark.rule("HM-12.8", "HM-12.9", "HM-13.5", "HM-13.7", "HM-16.13", "HM-17.5")
def test_as_11_shake_with_a_pause_and_drink_the_mixture():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    assert gross_mass(bench.contents(flask)) == 100
    bench.shake(flask, rounds=4)
    bench.wait_until(5)
    story = bench.shake(flask, 47, rounds=6)
    assert not story.told(ShakingReset)
    assert story.only(FlaskEmulsified).at == 11
    judged = story.only(MixtureJudged)
    assert (judged.s, judged.row, judged.audience) == (8, "miscible", ("gm",))
    bench.wait_until(610)
    bench.drink_layer(flask).then_refused("MixtureMustBeDrunkWhole", "HM-13.4")
    bench.do(TakeFiveFootStep(character="ayla"), by="ana")
    story = bench.drink_mixture(flask)
    assert story.only(MixOutcomeDiscovered).row == "miscible"
    assert bench.running() == {FLY: 660, OWL: 640}
    assert [one.row for one in every(story.state, Discovery).values()] == ["miscible"]


@pytest.mark.rule("HM-16.3", "HM-16.9", "HM-A20", "HM-A21", "HM-A31", "HM-A36")
def test_as_12_mild_poison_in_the_stomach_at_the_cap():
    bench = Bench(ayla=Sheet(hp_max=30, fortitude=2))
    bench.wait_until(100)
    bench.drink(FLY)
    bench.wait_until(124)
    story = bench.drink(OWL, 6, 7, 3, 9, 1, 4, 8)
    judged = story.only(MixtureJudged)
    assert (judged.k, judged.f.n, judged.f.d, judged.s, judged.dc) == (25, 1, 2, 5, 12)
    save = story.only(SaveRolled)
    assert (save.total, save.dc, save.success) == (9, 12, False)
    assert story.only(PotionEffectEnded).spell == FLY
    assert not story.told(PotionEffectStarted)
    nausea, weariness = story.told(ConditionApplied)
    assert (nausea.condition, nausea.days, nausea.until) == ("nauseated", 25, 360_124)
    assert weariness.condition == "exhausted"
    bench.do(Rest(character="ayla"), by="ana")
    story = bench.wait_until(124 + 4_800)
    assert story.only(ConditionChanged).after == "fatigued"
    bench.do(Rest(character="ayla"), by="ana")
    bench.wait_until(124 + 9_600)
    assert bench.ill().weariness == "fatigued"
    bench.wait_until(360_123)
    assert bench.ill().nauseated_until == 360_124
    bench.wait_until(360_124)
    assert (bench.ill().nauseated_until, bench.ill().weariness) == (None, "")


@pytest.mark.rule("HM-16.6", "HM-17.1")
def test_as_13_explosion_inside_and_then_known():
    bench = Bench()
    bench.drink(FLY)
    bench.wait_until(30)
    story = bench.drink(OWL, 1, 3, 5, 6, 2, nearby={"bonk": 100})
    assert (story.only(MixtureJudged).k, story.only(MixtureJudged).s) == (31, 4)
    hurt = story.only(HitPointsLost)
    assert (hurt.character, hurt.amount, hurt.before, hurt.after) == ("ayla", 16, 30, 14)
    assert hurt.by_type == {"fire": 6, "sonic": 5, "bludgeoning": 5}
    bench.wait_until(1_000)
    bench.drink(FLY, who="bonk")
    bench.wait_until(1_044)
    story = bench.drink(OWL, 4, 1, 2, who="bonk")
    judged = story.only(MixtureJudged)
    assert (judged.k, judged.f.n, judged.f.d, judged.s, judged.known) == (45, 1, 10, 3, True)
    assert bench.sheet("bonk").hp == 23


@pytest.mark.rule("HM-12.14", "HM-13.6", "HM-16.11", "HM-16.17")
def test_as_14_four_at_once():
    bench = Bench()
    flask = bench.flask(100, FLY, OWL, BULL, UNSEEN)
    story = bench.shake(flask, 20, 77)
    assert [(one.s, one.row) for one in story.told(MixtureJudged)] == [(8, "first_nullified"), (6, "miscible")]
    bench.wait_until(10)
    bench.drink_mixture(flask)
    assert bench.running() == {BULL: 40, UNSEEN: 40}
    bench.drink_mixture(flask).then_refused("NoActionLeft", "HM-0.10")
    bench.wait_until(11)
    bench.drink_mixture(flask)
    assert bench.running() == {BULL: 40, UNSEEN: 40, OWL: 41}


@pytest.mark.rule("HM-12.13", "HM-12.11", "HM-16.10", "HM-13.1", "HM-13.2")
def test_as_15_third_and_fourth_potion():
    bench = Bench()
    flask = bench.flask(100, FLY, OWL)
    bench.shake(flask, 60)
    bench.pour_in(flask, BULL)
    bench.wait_until(20)
    story = bench.shake(flask)
    renewed = story.only(FlaskEmulsified)
    assert (renewed.at, len(renewed.renewed), story.told(PotionsMixed)) == (30, 1, [])
    bull = bench.contents(flask).layers[-1]
    assert (bull.spell, bull.mixed) == (BULL, False)
    bench.pour_in(flask, UNSEEN)
    assert gross_mass(bench.contents(flask)) == 200
    bench.do(MakePotion(holder="ayla", flask=flask, potion="jump")).then_refused("FlaskTooSmall", "HM-13.1")
    bench.wait_until(40)
    story = bench.shake(flask, 12)
    assert story.only(MixtureJudged).row == "both_destroyed"
    bench.wait_until(649)
    bench.drink_mixture(flask)
    assert bench.running() == {}
    story = bench.wait_until(650)
    assert story.only(FlaskSettled).at == 650
    bench.drink_mixture(flask).then_refused("NoEmulsionOnTop", "HM-13.5")
    bench.drink_layer(flask)
    assert bench.running() == {OWL: 680}
    assert bench.layers(flask) == [FLY]


@pytest.mark.rule("HM-15.2", "HM-15.3", "HM-15.6", "HM-17.1", "HM-A28", "HM-12.16")
def test_as_19_compatibility_edge_and_constancy():
    bench = Bench()
    weak, strong, stronger = ({"potion": BULL, "nls": nls} for nls in (3, 6, 7))
    story = bench.shake(bench.flask(50, strong, weak))
    assert story.only(MixtureJudged).compatible
    flask = bench.flask(50, stronger, weak)
    bench.wait_until(20)
    story = bench.shake(flask, 30)
    judged = story.only(MixtureJudged)
    assert (judged.s, judged.row, judged.marks) == (10, "second_nullified", ("normal", "inert"))
    assert judged.reasons == ("nls_gap_ge_4",)
    other = bench.flask(50, weak, stronger)
    bench.wait_until(40)
    judged = bench.shake(other).only(MixtureJudged)
    assert (judged.known, judged.marks) == (True, ("inert", "normal"))
    divine, neither = {"potion": BULL, "tradition": "divine"}, {"potion": BULL, "tradition": "neither"}
    bench.wait_until(60)
    assert bench.shake(bench.flask(50, BULL, divine), 77).only(MixtureJudged).reasons == ("arcane_vs_divine",)
    bench.wait_until(80)
    assert bench.shake(bench.flask(50, neither, divine)).only(MixtureJudged).compatible


@pytest.mark.rule("HM-16.16", "HM-A27")
def test_as_20_discovery_in_the_stomach():
    bench = Bench()
    bench.drink(OWL)
    bench.wait_until(9)
    story = bench.drink(UNSEEN, 100, 2, 4, 7, 1, 10)
    judged = story.only(MixtureJudged)
    assert (judged.k, judged.s, judged.row) == (10, 4, "discovery")
    prolonged = story.only(PotionEffectProlonged)
    assert (prolonged.spell, prolonged.days, prolonged.until) == (OWL, 22, 9 + 22 * DAY)
    assert bench.running() == {OWL: 316_809, UNSEEN: 39}
