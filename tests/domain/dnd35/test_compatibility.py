"""Compatibility (HM-15), cell by cell."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dnd35.potions.compatibility import Identity, key, reasons_against, reasons_for
from domain.dnd35.sheet import Sheet
from events.potions import MixtureJudged, PotionsMixed
from tests.domain.dnd35.bench import BULL, CLW, FLY, OIL, OWL, UNSEEN, Bench

CASES = Path(__file__).parents[2] / "cases"
CELLS = list(csv.DictReader((CASES / "hm_compatibility.csv").open(encoding="utf-8")))
OFF_GRID = list(csv.DictReader((CASES / "hm_compatibility_offgrid.csv").open(encoding="utf-8")))


def both(cell):
    gap = int(cell["nls_difference"])
    other = "fly" if cell["same_spell"] == "yes" else "sleep"
    return Identity("fly", cell["tradition_a"], 3 + gap), Identity(other, cell["tradition_b"], 3)


@pytest.mark.rule("HM-15.2", "HM-15.3", "HM-15.4")
@pytest.mark.parametrize("cell", CELLS, ids=lambda cell: "-".join(list(cell.values())[:4]))
def test_every_cell_has_one_verdict_whichever_comes_first(cell):
    one, other = both(cell)
    for a, b in ((one, other), (other, one)):
        against, favour = reasons_against(a, b), reasons_for(a, b)
        assert ";".join(against) == cell["incompatibility_clauses_met"]
        assert ";".join(favour) == cell["compatibility_clauses_met"]
        assert ("incompatible" if against else "compatible") == cell["verdict"]


@pytest.mark.rule("HM-15.4")
def test_28_cells_are_compatible_and_98_are_not():
    verdicts = [bool(reasons_against(*both(cell))) for cell in CELLS]
    assert (verdicts.count(False), verdicts.count(True)) == (28, 98)


identities = st.builds(
    Identity,
    st.sampled_from(["fly", "sleep"]),
    st.sampled_from(["arcane", "divine", "neither"]),
    st.integers(0, 40),
)


@pytest.mark.rule("HM-P7", "HM-15.4", "HM-0.9")
@given(identities, identities)
def test_the_verdict_is_one_and_the_same_from_both_sides(one, other):
    assert bool(reasons_against(one, other)) != bool(reasons_for(one, other))
    assert reasons_against(one, other) == reasons_against(other, one)
    assert key(one, other) == key(other, one)
    assert one != other or not reasons_against(one, other)


def in_a_flask(*layers, faces=()):
    bench = Bench()
    return bench.shake(bench.flask(75, *layers), *faces)


def drunk(first, second, *faces, **sheet):
    bench = Bench(ayla=Sheet(**sheet))
    bench.drink(first)
    bench.wait_until(1)
    return bench.drink(second, *faces)


def already_mixed():
    bench = Bench()
    flask = bench.flask(75, FLY, OWL)
    bench.shake(flask, 50)
    bench.pour_in(flask, BULL)
    bench.wait_until(20)
    return bench.shake(flask)


def diluted_to_a_whole_number():
    return in_a_flask(FLY, {"potion": FLY, "dilution": 2})


JUDGED = {
    "NLS difference of 7 or more": lambda: in_a_flask({"potion": BULL, "nls": 10}, BULL, faces=(50,)),
    "NLS difference strictly between 3 and 4 (fractional NLS)": diluted_to_a_whole_number,
    "one potion carries a spell that exists in both traditions": lambda: in_a_flask(
        CLW, {"potion": CLW, "tradition": "arcane"}, faces=(50,)
    ),
    "potion with oil": lambda: in_a_flask(FLY, OIL),
    "oil with oil": lambda: in_a_flask(OIL, OIL),
    "one of the two potions already affected by an earlier mix": already_mixed,
    "compatible pair: is the d100 rolled?": lambda: in_a_flask(FLY, FLY),
    "diluted potion": lambda: in_a_flask(FLY, {"potion": FLY, "dilution": 4}, faces=(50,)),
    "divided potion": lambda: in_a_flask(FLY, {"potion": FLY, "division": 10}),
    "second potion instantaneous, first still active": lambda: drunk(FLY, CLW, 50, 4),
    "first potion drunk is instantaneous (stomach only; a flask has no such limit)": None,
    "first potion active, second potion drunk by a creature with a free stomach": lambda: drunk(
        FLY, UNSEEN, stomachs=2
    ),
    "the spell effect active on the drinker does not come from a potion": lambda: Bench().drink(FLY),
}
EXPECTED = {  # judged at all, compatible
    "NLS difference of 7 or more": (True, False),
    "NLS difference strictly between 3 and 4 (fractional NLS)": (True, True),
    "one potion carries a spell that exists in both traditions": (True, False),
    "compatible pair: is the d100 rolled?": (True, True),
    "diluted potion": (True, False),
    "divided potion": (True, True),
    "second potion instantaneous, first still active": (True, False),
}


@pytest.mark.rule("HM-15.1", "HM-15.5", "HM-15.6", "HM-A12", "HM-A18", "HM-A19", "HM-A23", "HM-A29")
@pytest.mark.parametrize("case", [row["case"] for row in OFF_GRID])
def test_what_lies_off_the_grid(case):
    if JUDGED[case] is None:
        bench = Bench(ayla=Sheet(hp_max=30, hp=10))
        bench.drink(CLW, 4)
        bench.wait_until(1)
        story = bench.drink(FLY)
    else:
        story = JUDGED[case]()
    judged, compatible = EXPECTED.get(case, (False, False))
    assert bool(story.told(PotionsMixed)) == judged
    if judged:
        assert story.only(MixtureJudged).compatible == compatible
