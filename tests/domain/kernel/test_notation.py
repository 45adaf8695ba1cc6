import csv
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.notation import NotationError, Outcome, describe, evaluate, parse
from domain.kernel.notation.grammar import MOST_DICE

CASES = list(csv.DictReader((Path(__file__).parents[2] / "cases" / "notation.csv").read_text("utf-8").splitlines()))


class Faces:
    """The faces of the script, in order."""

    def __init__(self, *faces):
        self.faces, self.thrown = list(faces), 0

    def __call__(self, count, sides):
        fell, self.faces = self.faces[:count], self.faces[count:]
        assert len(fell) == count, "a die too many was thrown"
        assert all(1 <= face <= sides for face in fell)
        self.thrown += count
        return tuple(fell)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_examples(case):
    parsed = parse(case["text"])
    faces = Faces(*(int(face) for face in case["faces"].split()))
    outcome = evaluate(parsed.tree, faces)
    assert (outcome.total, parsed.comment, faces.faces) == (int(case["total"]), case["comment"], [])


@pytest.mark.parametrize(
    ("text", "position", "why"),
    [
        ("", 1, "empty"),
        ("   ", 1, "empty"),
        ("épée", 1, "unexpected"),
        ("1d20x", 5, "unexpected"),
        ("1d20dégâts", 5, "unexpected"),
        ("2d20khmin10", 7, "order"),
        ("1d20 kh", 6, "ambiguous"),
        ("1d20 k1", 6, "ambiguous"),
        ("2d20 kh 1", 6, "ambiguous"),
        ("1 d 20", 3, "ambiguous"),
        ("1d 20", 3, "no_sides"),
        ("1d20 + ", 8, "unexpected"),
        ("1d20 +vite", 7, "unexpected"),
        ("1d20 5 fois", 6, "ambiguous"),
        ("1d20 / 2", 6, "ambiguous"),
        ("1d0", 4, "no_sides"),
        ("0d6", 1, "unexpected"),
        ("1d1!", 4, "always"),
        ("1d6!>0", 4, "always"),
        ("1d6!>1", 4, "always"),
        ("1d2r<2", 4, "always"),
        ("1d1r1", 4, "always"),
        ("1d6!5", 5, "unexpected"),
        ("2d6kh3", 4, "keeps_more_than_thrown"),
        ("2d6kh0", 4, "keeps_more_than_thrown"),
        ("2d6kh1kl1", 7, "order"),
        ("1d6min", 7, "unexpected"),
        ("1d6r", 5, "unexpected"),
        ("(1d6", 1, "unclosed"),
        ("(1d6 vite)", 6, "unclosed"),
        ("1d6)", 4, "unexpected"),
        ("1001d6", 1, "too_many_dice"),
        ("600d6+600d6", 7, "too_many_dice"),
        ("1d10001", 1, "too_large"),
        ("99999999", 1, "too_large"),
        ("(" * 40 + "1" + ")" * 40, 17, "too_deep"),
        ("٣d٦", 1, "unexpected"),
        ("1d20" + " " * 300, 201, "too_long"),
    ],
)
def test_every_doubt_is_an_error_with_its_position(text, position, why):
    with pytest.raises(NotationError) as error:
        parse(text)
    assert (error.value.position, error.value.why) == (position, why)


def test_every_die_is_told_with_its_fate():
    outcome = evaluate(parse("3d6r1!kh2").tree, Faces(1, 6, 2, 3, 4))
    (pool,) = outcome.pools
    assert [(die.face, die.kept, die.fate) for die in pool.dice] == [
        (1, False, "rerolled"),
        (3, False, "dropped"),
        (6, True, ""),
        (4, True, "exploded"),
        (2, False, "dropped"),
    ]
    assert describe(outcome) == "3d6r1!kh2 ([1] [3] 6 4! [2]) = 10"


def test_a_die_that_explodes_for_ever_is_stopped_and_says_so():
    outcome = evaluate(parse("1d2!").tree, lambda count, sides: (2,) * count)
    assert outcome.pools[0].capped
    outcome = evaluate(parse("900d2!").tree, lambda count, sides: (2,) * count)
    assert outcome.pools[0].capped
    assert len(outcome.pools[0].dice) <= MOST_DICE


def test_a_tree_travels_as_json():
    outcome = evaluate(parse("4d6kh3+1d%").tree, Faces(5, 1, 4, 4, 90))
    assert msgspec.json.decode(msgspec.json.encode(outcome), type=Outcome) == outcome


@given(st.text(max_size=60) | st.text("0123456789dD%khlr!<>minax+-*() #", max_size=40))
def test_any_text_is_a_roll_or_a_named_error(text):
    try:
        parsed = parse(text)
    except NotationError as error:
        assert 1 <= error.position <= len(text) + 1
        return
    outcome = evaluate(parsed.tree, lambda count, sides: (max(1, sides // 2),) * count)
    assert sum(len(pool.dice) for pool in outcome.pools) <= MOST_DICE + 100
    for pool in outcome.pools:
        assert pool.total == sum(die.value for die in pool.dice if die.kept)


@pytest.mark.parametrize("text", ["a" * 5_000_000, "1d6" * 1_000_000, "\ud800", "1d20\u202e", "🎲", "1d20 🎲"])
def test_hostile_text_is_a_roll_or_a_named_error(text):
    try:
        parse(text)
    except NotationError:
        return
    assert text == "1d20 🎲"
