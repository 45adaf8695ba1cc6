"""Explosions (HM-16.6, 16.7)."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.cast import CreateCharacter
from domain.dnd35.potions.blast import BANDS, CatchInBlast, band_at, split
from domain.dnd35.potions.shaking import JoltFlask
from domain.dnd35.sheet import Sheet
from events.dnd35 import CharacterDied, HitPointsLost, SaveRolled
from events.potions import ExplosionDetonated, FlaskDestroyed, MixOutcomeDiscovered, ObjectDamaged, PotionEffectEnded
from tests.domain.dnd35.bench import FLY, OWL, Bench

TABLE = list(csv.DictReader((Path(__file__).parents[2] / "cases" / "hm_explosion_damage.csv").open(encoding="utf-8")))
SIXES, FOURS = (6, 6, 6, 6, 1, 1, 1, 1), (4, 4, 4, 4, 1, 1, 1, 1)
"""28 at the centre, 20 at 3 m, 8 at 6 m, DC 14."""


def burst(*reflex, ayla=None, bonk=None, near=300, **more):
    bench = Bench(ayla=ayla or Sheet(hp_max=60), bonk=bonk or Sheet(hp_max=60))
    flask = bench.flask(50, FLY, OWL)
    return bench, bench.shake(flask, 1, *SIXES, *FOURS, *reflex, nearby={"bonk": near}, **more)


@pytest.mark.rule("HM-16.7", "HM-A32")
@pytest.mark.parametrize("line", [line for line in TABLE if line["band"] in ("centre", "middle", "edge")])
def test_the_bands_are_those_of_the_book(line):
    band = BANDS[("centre", "middle", "edge").index(line["band"])]
    assert band.to_cm == 100 * int(line["max_distance_m_inclusive"])
    assert band.over_cm == (100 * int(line["min_distance_m_exclusive"]) if line["min_distance_m_exclusive"] else -1)
    assert list(band.types) == line["damage_types_in_split_order"].split(";")


@pytest.mark.rule("HM-16.7", "HM-A32", "HM-P18")
@pytest.mark.parametrize(
    ("far", "band"),
    [(0, "at_0_m"), (1, "to_3_m"), (300, "to_3_m"), (301, "to_6_m"), (600, "to_6_m"), (601, None), (610, None)],
)
def test_the_value_of_a_band_reaches_to_its_outer_edge(far, band):
    found = band_at(far)
    assert (found.name if found else None) == band


@pytest.mark.rule("HM-16.7", "HM-17.5", "HM-A33")
def test_one_blast_for_all_and_a_save_for_each():
    bench, story = burst(13, 14, near=300)
    told = story.only(ExplosionDetonated)
    assert (told.centre, told.s, told.dc, told.at_0_m, told.to_3_m, told.to_6_m) == ("ayla", 8, 14, 28, 20, 8)
    assert [(one.character, one.success) for one in story.told(SaveRolled)] == [("ayla", False), ("bonk", True)]
    assert [(one.character, one.amount, one.by_type) for one in story.told(HitPointsLost)] == [
        ("ayla", 28, {"fire": 10, "sonic": 9, "bludgeoning": 9}),
        ("bonk", 10, {"fire": 5, "bludgeoning": 5}),
    ]
    assert story.only(MixOutcomeDiscovered).row == "explosion"
    assert type(story.facts[-1]) is FlaskDestroyed
    assert bench.contents(told.flask).destroyed


@pytest.mark.rule("HM-16.7")
@pytest.mark.parametrize(
    ("evasion", "face", "lost"),
    [
        ("none", 13, 8),
        ("none", 14, 4),
        ("evasion", 13, 8),
        ("evasion", 14, 0),
        ("improved", 13, 4),
        ("improved", 14, 0),
    ],
)
def test_half_with_a_save_and_evasion(evasion, face, lost):
    bench, _ = burst(14, face, bonk=Sheet(hp_max=60, evasion=evasion), near=600)
    assert bench.sheet("bonk").hp == 60 - lost


@pytest.mark.rule("HM-16.7", "HM-P18")
def test_beyond_the_sphere_nobody_even_saves():
    _, story = burst(14, near=601)
    assert [one.character for one in story.told(SaveRolled)] == ["ayla"]


@pytest.mark.rule("HM-16.7")
def test_saves_fall_by_distance_and_then_by_name():
    bench = Bench()
    for name in ("zoltan", "abel"):
        bench.do(CreateCharacter(name=name, sheet=Sheet(hp_max=60), kind="non_player", id=name))
    flask = bench.flask(50, FLY, OWL)
    story = bench.shake(flask, 1, *SIXES, *FOURS, 20, 20, 20, 20, nearby={"zoltan": 100, "bonk": 50, "abel": 100})
    assert [one.character for one in story.told(SaveRolled)] == ["ayla", "bonk", "abel", "zoltan"]


@pytest.mark.rule("HM-A32")
def test_whoever_shakes_is_at_the_centre_whatever_they_say():
    bench = Bench(ayla=Sheet(hp_max=60))
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 1, *SIXES, *FOURS, 2, nearby={"ayla": 10_000})
    assert bench.sheet().hp == 60 - 28


@pytest.mark.rule("HM-12.10", "HM-A32")
def test_a_flask_in_a_cart_may_burst_far_from_its_holder():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    story = bench.do(JoltFlask(flask=flask, cause="cart", rounds=10, nearby={"ayla": 2_000}), 1, *SIXES, *FOURS)
    assert story.told(FlaskDestroyed)
    assert not story.told(SaveRolled)


@pytest.mark.rule("HM-A33")
def test_a_thing_nobody_carries_takes_it_all():
    _, story = burst(2, 2, things={"crate": 0, "lamp": 450, "barn": 900})
    assert [(one.thing, one.amount, one.by_type) for one in story.told(ObjectDamaged)] == [
        ("crate", 28, {"fire": 10, "sonic": 9, "bludgeoning": 9}),
        ("lamp", 8, {"fire": 4, "bludgeoning": 4}),
    ]


@pytest.mark.rule("HM-A33", "HM-P18")
@given(st.integers(0, 300), st.integers(2, 3))
def test_damage_by_type_adds_up(amount, count):
    types = ("fire", "sonic", "bludgeoning")[:count]
    parts = split(amount, types)
    assert sum(parts.values()) == amount
    assert sorted(parts.values(), reverse=True) == [parts[kind] for kind in types if kind in parts]
    assert max(parts.values(), default=0) - min(parts.values(), default=0) <= 1


@pytest.mark.rule("HM-A33")
def test_the_catalogues_splits():
    three, two = BANDS[0].types, BANDS[1].types
    assert split(15, three) == {"fire": 5, "sonic": 5, "bludgeoning": 5}
    assert split(13, three) == {"fire": 5, "sonic": 4, "bludgeoning": 4}
    assert split(5, two) == {"fire": 3, "bludgeoning": 2}


def swallowed(hp, *faces, **more):
    bench = Bench(ayla=Sheet(hp_max=60, hp=hp), bonk=Sheet(hp_max=60))
    bench.drink(FLY)
    bench.wait_until(30)
    return bench, bench.drink(OWL, 1, *faces, **more)


@pytest.mark.rule("HM-16.6", "HM-A34")
def test_a_drinker_left_dying_does_not_burst():
    bench, story = swallowed(7, 4, 4, 4, 4, nearby={"bonk": 0})
    assert (bench.sheet().hp, bench.sheet().dead) == (-9, False)
    assert not story.told(ExplosionDetonated)
    assert [one.spell for one in story.told(PotionEffectEnded)] == [FLY]


@pytest.mark.rule("HM-16.6", "HM-16.7", "HM-A34", "HM-P18")
def test_a_drinker_killed_outright_bursts_with_the_same_dice():
    bench, story = swallowed(6, 4, 4, 4, 4, 1, 2, 3, 4, 2, nearby={"bonk": 0, "ayla": 0}, things={"cup": 10})
    assert story.only(CharacterDied).character == "ayla"
    told = story.only(ExplosionDetonated)
    assert (told.flask, told.at_0_m, told.to_3_m, told.to_6_m) == ("", 16, 10, 4)
    assert [one.character for one in story.told(HitPointsLost)] == ["ayla", "bonk"]
    assert bench.sheet("bonk").hp == 60 - 16
    assert story.only(ObjectDamaged).amount == 10


@pytest.mark.rule("HM-A22")
def test_an_explosion_of_s_0_hurts_nobody_and_breaks_the_flask():
    weak = {"potion": FLY, "nls": 0}, {"potion": OWL, "nls": 0}
    bench = Bench()
    story = bench.shake(bench.flask(50, *weak), 1, 2)
    assert story.told(FlaskDestroyed)
    assert not story.told(HitPointsLost)
    bench.wait_until(20)
    bench.drink(weak[0])
    bench.wait_until(21)
    story = bench.drink(weak[1])
    assert [one.spell for one in story.told(PotionEffectEnded)] == [FLY]
    assert not story.told(HitPointsLost)


@pytest.mark.rule("HM-16.7")
def test_the_game_master_names_who_else_stood_there():
    bench, story = burst(2, 2)
    blast = story.only(ExplosionDetonated).blast
    bench.do(CreateCharacter(name="Ombre", sheet=Sheet(hp_max=60), kind="non_player", id="ombre", hidden=True))
    story = bench.do(CatchInBlast(blast=blast, nearby={"ombre": 250}), 5)
    assert (story.only(HitPointsLost).amount, story.audiences) == (20, [("gm",), ("gm",)])
    bench.do(CatchInBlast(blast=blast, nearby={"ombre": 250})).then_refused("AlreadyCaught")
    bench.do(CatchInBlast(blast="b", nearby={})).then_refused("UnknownBlast")
    bench.do(CatchInBlast(blast=blast, nearby={}), by="ana").then_refused("NotGameMaster")
