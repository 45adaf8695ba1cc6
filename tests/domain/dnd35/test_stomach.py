"""Mixing in the stomach and what is left of the first potion (HM-12.4 to 12.7, HM-16.2 to 16.5)."""

import csv
import re
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dnd35.potions.mixing import difficulty, mix_sum, share_left
from domain.dnd35.sheet import Sheet
from domain.kernel.command import Override
from events.dnd35 import HitPointsRestored
from events.potions import (
    MixOutcomeDiscovered,
    MixtureJudged,
    PotionDrunk,
    PotionEffectEnded,
    PotionEffectStarted,
    PotionsMixed,
    PotionTookEffect,
)
from tests.domain.dnd35.bench import BULL, CLW, CMW, FLY, OIL, OWL, UNSEEN, Bench

CASES = Path(__file__).parents[2] / "cases"
ROUNDS_OF_THE_FIRST = list(csv.DictReader((CASES / "hm_stomach_s_examples.csv").open(encoding="utf-8")))
POTIONS = {"fly NLS 5": {"potion": FLY}, "owl's wisdom NLS 3": {"potion": OWL}}


def potion(name):
    numbers = POTIONS[re.match(r"[^(,]*", name)[0].strip()]
    return {**numbers, "division": 10} if "divided by 10" in name else numbers


@pytest.mark.rule("HM-16.3", "HM-16.2", "HM-16.5", "HM-A20", "HM-A21")
@pytest.mark.parametrize(
    "case", ROUNDS_OF_THE_FIRST, ids=lambda case: f"{case['first_potion'][:12]} k={case['round_of_first_effect_k']}"
)
def test_what_is_left_of_the_first_potion_round_by_round(case):
    bench = Bench()
    bench.drink(potion(case["first_potion"]))
    k = int(case["round_of_first_effect_k"])
    bench.wait_until(k - 1)
    haste = Override(reason="haste") if k == 1 else None
    judged = bench.drink(potion(case["second_potion"]), 50, override=haste).only(MixtureJudged)
    assert judged.k == k
    assert Fraction(judged.f.n, judged.f.d) == Fraction(case["factor"])
    assert (judged.s, judged.dc) == (int(case["s"]), int(case["save_dc"]))


@pytest.mark.rule("HM-12.4", "HM-15.1")
def test_two_potions_mix_when_the_second_is_drunk():
    bench = Bench()
    bench.drink(FLY)
    bench.wait_until(30)
    story = bench.drink(OWL, 50)
    assert [type(fact) for fact in story.facts] == [
        PotionDrunk,
        MixtureJudged,
        PotionsMixed,
        MixOutcomeDiscovered,
        PotionEffectStarted,
    ]
    mixed = story.only(PotionsMixed)
    assert (mixed.medium, mixed.character) == ("stomach", "ayla")
    discovered = story.only(MixOutcomeDiscovered)
    assert (discovered.row, discovered.s, discovered.k, discovered.cause) == ("miscible", 4, 31, "dnd35.stomach")


@pytest.mark.rule("HM-12.4", "HM-15.1", "HM-A21")
def test_a_potion_alone_meets_nothing():
    bench = Bench()
    bench.drink(FLY)
    assert [one.cause for one in bench.wait_until(50).told(PotionEffectEnded)] == ["dnd35.expired"]
    assert not bench.drink(OWL).told(PotionsMixed)


@pytest.mark.rule("HM-A21")
def test_a_potion_runs_in_its_last_round_and_no_longer():
    bench = Bench()
    bench.drink(FLY)
    bench.wait_until(49)
    assert bench.drink(OWL, 50).only(MixtureJudged).k == 50


@pytest.mark.rule("HM-12.5")
def test_instantaneous_potions_mix_only_as_the_second():
    bench = Bench(ayla=Sheet(hp_max=30, hp=10))
    assert not bench.drink(CLW, 4).told(PotionsMixed)
    bench.wait_until(1)
    assert not bench.drink(CMW, 4, 4).told(PotionsMixed)
    assert bench.running() == {}
    bench.wait_until(2)
    assert not bench.drink(FLY).told(PotionsMixed)
    bench.wait_until(3)
    story = bench.drink(CLW, 50, 6)
    assert story.only(MixtureJudged).row == "miscible"
    assert story.only(PotionTookEffect).rolled == 7
    assert story.only(HitPointsRestored).after == 10 + 5 + 11 + 7 - 3
    assert bench.running() == {FLY: 52}


@pytest.mark.rule("HM-12.6", "HM-P8")
def test_a_mix_is_weaker_in_the_stomach():
    bench = Bench()
    assert bench.shake(bench.flask(50, FLY, OWL), 50).only(MixtureJudged).s == 8
    assert max(mix_sum(share_left(50, k), 5, 3) for k in range(1, 51)) == 5


@pytest.mark.rule("HM-12.7", "HM-A29", "HM-P12")
def test_each_stomach_digests_one_potion_apart():
    bench = Bench(ayla=Sheet(stomachs=2))
    bench.drink(FLY)
    bench.wait_until(1)
    assert not bench.drink(OWL).told(PotionsMixed)
    bench.wait_until(2)
    story = bench.drink(UNSEEN, 50)
    fly = story.only(MixtureJudged)
    assert fly.first.startswith("fly:")
    bench.wait_until(3)
    assert not bench.drink(BULL).told(PotionsMixed)
    bench.wait_until(4)
    assert bench.drink("jump", 50).only(MixtureJudged).first.startswith("owls-wisdom:")


@pytest.mark.rule("HM-12.12")
def test_what_has_mixed_once_meets_nothing_more():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    bench.wait_until(700)
    bench.drink_layer(flask)
    bench.wait_until(701)
    assert not bench.drink(BULL).told(PotionsMixed)
    bench.wait_until(702)
    story = bench.drink(UNSEEN, 50)
    assert story.only(MixtureJudged).first.startswith("bulls-strength:")


@pytest.mark.rule("HM-12.12")
def test_a_dose_mixed_in_a_flask_meets_nothing_in_the_stomach():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 50)
    bench.wait_until(700)
    bench.drink(BULL)
    bench.wait_until(701)
    assert not bench.drink_layer(flask).told(PotionsMixed)
    assert bench.running() == {BULL: 730, OWL: 731}


@pytest.mark.rule("HM-A46", "HM-16.3")
def test_a_potion_without_a_number_of_rounds_counts_one_half_throughout():
    bench = Bench()
    bench.drink({"potion": FLY, "endless": True})
    bench.wait_until(5_000)
    judged = bench.drink(OWL, 85).only(MixtureJudged)
    assert (judged.f.n, judged.f.d, judged.s) == (1, 2, 5)
    assert bench.running()[FLY] is None


@pytest.mark.rule("HM-16.4", "HM-15.5", "HM-A18")
def test_dilution_is_rounded_down_before_anything_else():
    bench = Bench()
    bench.drink({"potion": FLY, "dilution": 10})
    bench.wait_until(1)
    assert bench.drink(OWL, 50).only(MixtureJudged).s == 3
    other = Bench()
    other.drink(FLY)
    other.wait_until(1)
    assert other.drink({"potion": FLY, "dilution": 10}, 50).only(MixtureJudged).reasons == ("nls_gap_ge_4",)
    third = Bench()
    third.drink(FLY)
    third.wait_until(1)
    assert third.drink({"potion": FLY, "dilution": 2}).only(MixtureJudged).compatible


@pytest.mark.rule("HM-16.5")
@pytest.mark.parametrize(("s", "dc"), [(8, 14), (5, 12), (3, 11), (1, 10), (0, 10)])
def test_the_dc_is_ten_and_half_of_s(s, dc):
    assert difficulty(s) == dc


@pytest.mark.rule("HM-P8", "HM-16.2")
@given(st.integers(0, 40), st.integers(0, 40), st.integers(1, 200), st.data())
def test_s_in_a_stomach_never_exceeds_the_half_and_never_grows(one, other, total, data):
    k = data.draw(st.integers(1, total))
    s = mix_sum(share_left(total, k), one, other)
    assert 0 <= s <= mix_sum(Fraction(1, 2), one, other) <= one + other
    assert k == total or mix_sum(share_left(total, k + 1), one, other) <= s


@pytest.mark.rule("HM-12.15")
def test_an_oil_is_not_drunk():
    Bench().drink(OIL).then_refused("OilsAreNotDrunk", "HM-13.4")
