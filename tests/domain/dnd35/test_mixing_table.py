"""The mixing table (HM-16.1, 16.17), row by row and face by face."""

import csv
from pathlib import Path

import pytest

from domain.dnd35.potions.mixing import ROWS, row_of
from domain.dnd35.sheet import Sheet
from events.potions import MixtureJudged, PotionsMixed
from tests.domain.dnd35.bench import CLW, CMW, FLY, OWL, Bench

TABLE = list(csv.DictReader((Path(__file__).parents[2] / "cases" / "hm_mixing_table.csv").open(encoding="utf-8")))


@pytest.mark.rule("HM-16.1")
@pytest.mark.parametrize("line", TABLE, ids=lambda line: line["key"])
def test_the_rows_are_those_of_the_book(line):
    for face in range(int(line["low"]), int(line["high"]) + 1):
        row = row_of(face)
        assert row.key == line["key"]
        if row.key != "discovery":
            assert (row.mark_first, row.mark_second) == (line["mark_first"], line["mark_second"])
    assert row_of(int(line["low"])).high - row_of(int(line["low"])).low + 1 == int(line["chance_pct"])


@pytest.mark.rule("HM-16.1", "HM-0.2")
def test_every_face_has_one_row():
    assert [row_of(face).key for face in range(1, 101)].count("miscible") == 44
    assert len(ROWS) == 10
    assert row_of(100).key == "discovery"


@pytest.mark.rule("HM-16.1", "HM-12.2", "HM-P6")
def test_a_d100_falls_for_an_incompatible_pair_that_is_not_known():
    bench = Bench()
    first = bench.shake(bench.flask(50, FLY, OWL), 47)
    judged = first.only(MixtureJudged)
    assert (judged.reasons, judged.known, judged.row) == (("different_spells",), False, "miscible")
    assert [(roll.sides, roll.faces) for roll in judged.rolls] == [(100, (47,))]
    bench.wait_until(20)
    again = bench.shake(bench.flask(50, OWL, FLY)).only(MixtureJudged)
    assert (again.known, again.row, again.rolls) == (True, "miscible", ())
    bench.wait_until(40)
    alike = bench.shake(bench.flask(50, FLY, FLY)).only(MixtureJudged)
    assert (alike.compatible, alike.row, alike.rolls) == (True, "", ())


@pytest.mark.rule("HM-16.2")
def test_s_in_a_flask_is_the_sum_of_both():
    bench = Bench()
    judged = bench.shake(bench.flask(50, FLY, OWL), 47).only(MixtureJudged)
    assert (judged.nls, judged.s, judged.dc, judged.f.n, judged.f.d, judged.k) == ((5, 3), 8, 14, 1, 1, 0)


@pytest.mark.rule("HM-16.16")
@pytest.mark.parametrize(
    ("potions", "faces", "prolonged", "marks"),
    [
        ((FLY, OWL), (100, 1), "owls-wisdom:arcane:3", ("normal", "long")),
        ((FLY, OWL), (100, 2), "fly:arcane:5", ("long", "normal")),
        ((FLY, CLW), (100,), "fly:arcane:5", ("long", "normal")),
        ((CLW, FLY), (100,), "fly:arcane:5", ("normal", "long")),
        ((CLW, CMW), (100,), "", ("enhanced", "enhanced")),
    ],
)
def test_a_discovery_prolongs_one_that_lasts(potions, faces, prolonged, marks):
    bench = Bench()
    judged = bench.shake(bench.flask(50, *potions), *faces).only(MixtureJudged)
    assert (judged.row, judged.prolonged, judged.marks) == ("discovery", prolonged, marks)


@pytest.mark.rule("HM-16.17")
@pytest.mark.parametrize(
    ("face", "marks"),
    [
        (2, ("lethal", "lethal")),
        (4, ("mild", "mild")),
        (9, ("inert", "inert")),
        (25, ("inert", "normal")),
        (26, ("normal", "inert")),
        (79, ("normal", "normal")),
        (80, ("enhanced", "normal")),
        (90, ("normal", "enhanced")),
    ],
)
def test_a_container_mix_marks_each_dose_and_asks_for_no_other_die(face, marks):
    bench = Bench()
    story = bench.shake(bench.flask(50, FLY, OWL), face)
    assert story.only(MixtureJudged).marks == marks


@pytest.mark.rule("HM-17.1", "HM-A28", "HM-P5")
def test_roles_stay_with_the_identities_in_flask_and_stomach():
    bench = Bench(ayla=Sheet(hp_max=30))
    bench.shake(bench.flask(50, FLY, OWL), 30)
    bench.wait_until(20)
    bench.drink(OWL)
    bench.wait_until(21)
    story = bench.drink(FLY)
    judged = story.only(MixtureJudged)
    assert (judged.known, judged.first, judged.marks) == (True, "fly:arcane:5", ("inert", "normal"))
    assert bench.running() == {FLY: 71}


@pytest.mark.rule("HM-17.1", "HM-A28")
def test_another_level_or_tradition_is_another_pair():
    bench = Bench()
    bench.shake(bench.flask(50, FLY, OWL), 47)
    for number, other in enumerate(({"nls": 4}, {"tradition": "divine"}, {"dilution": 2}), 1):
        bench.wait_until(20 * number)
        story = bench.shake(bench.flask(50, FLY, {"potion": OWL, **other}), 47)
        assert not story.only(MixtureJudged).known
    bench.wait_until(100)
    story = bench.shake(bench.flask(50, FLY, {"potion": OWL, "division": 2}))
    assert story.told(PotionsMixed)


@pytest.mark.rule("HM-17.2")
def test_no_time_and_no_shaking_undoes_a_mix():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, 30)
    bench.wait_until(700)
    bench.shake(flask)
    bench.wait_until(90_000)
    bench.drink_layer(flask)
    assert bench.running() == {}
