import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.kernel.dice import DeclaredDice, NoDice, Row, ServerDice, blend, commitment, face, highest, real_dice, veil
from domain.kernel.refusal import SESSION_NOT_OPEN, Refused

SEED = bytes(range(32))


def test_a_face_is_the_hmac_of_its_place():
    place = b"greffier/die/1" + (3).to_bytes(8) + b"c_1" + (2).to_bytes(8) + b"e" * 32 + (5).to_bytes(8)
    draw = int.from_bytes(hmac.new(SEED, place + (0).to_bytes(8), hashlib.sha256).digest()[:8])
    assert face(SEED, "c_1", 2, b"e" * 32, 5, 20) == draw % 20 + 1


def test_faces_depend_on_seed_session_entropy_and_index_alone():
    row = [face(SEED, "c_1", 1, b"", n, 20) for n in range(50)]
    assert row == [face(SEED, "c_1", 1, b"", n, 20) for n in range(50)]
    assert row != [face(SEED, "c_1", 2, b"", n, 20) for n in range(50)]
    assert row != [face(SEED, "c_1", 1, b"x", n, 20) for n in range(50)]
    assert row != [face(bytes(32), "c_1", 1, b"", n, 20) for n in range(50)]


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 9, 10, 12, 16, 20, 32, 100])
def test_server_faces_are_even(sides):
    """Chi-square on a fixed seed: the same figure at every run, far from the 0.1 % tail."""
    throws = 2_000 * sides
    counts = [0] * sides
    for n in range(throws):
        counts[face(SEED, "c_1", 1, b"", n, sides) - 1] += 1
    expected = throws / sides
    chi2 = sum((count - expected) ** 2 / expected for count in counts)
    freedom = sides - 1
    assert chi2 < freedom + 3.3 * (2 * freedom) ** 0.5 + 4


def test_the_row_of_server_dice_goes_on_from_its_index():
    dice = ServerDice("c_1", 1, b"", Row(SEED, 7))
    first, second = dice.throw(2, 20, "to hit", highest), dice.throw(1, 6, "damage")
    assert (first.index, second.index, dice.thrown) == (7, 9, 3)
    assert first.kept == (max(first.faces),)


def test_secret_dice_fall_in_a_row_of_their_own():
    other = bytes(32)
    dice = ServerDice("c_1", 1, b"", Row(SEED, 7), Row(other, 2))
    seen, veiled, again = dice.throw(1, 20, "x"), dice.throw(2, 100, "x", secret=True), dice.throw(1, 20, "x")
    assert [(roll.source, roll.index) for roll in (seen, veiled, again)] == [
        ("server", 7),
        ("secret", veil(other, "c_1", 1, 2)),
        ("server", 8),
    ]
    assert veiled.faces == tuple(face(other, "c_1", 1, b"", n, 100) for n in (2, 3))
    assert dice.thrown == 4


@pytest.mark.rule("LB-0.3", "LB-0.12")
def test_declared_faces_fall_in_order_and_must_be_possible():
    dice = DeclaredDice((9, 14, 3))
    assert dice.throw(2, 20, "check").faces == (9, 14)
    assert dice.throw(1, 4, "luck").faces == (3,)
    dice.done()
    with pytest.raises(Refused) as refused:
        DeclaredDice((10,)).throw(1, 9, "aura")
    assert (refused.value.code, refused.value.params) == ("INVALID_DIE", {"sides": 9, "face": 10})


@pytest.mark.rule("LB-0.12")
@pytest.mark.parametrize(
    ("sides", "real"),
    [(2, "d6 or coin"), (3, "d6"), (9, "d10 (throw a 10 again)"), (16, "d2 then d8"), (32, "d4 then d8"), (20, "d20")],
)
def test_the_table_is_told_which_real_dice_to_throw(sides, real):
    assert real_dice(sides) == real
    with pytest.raises(Refused) as refused:
        DeclaredDice(()).throw(1, sides, "chance")
    assert (refused.value.code, refused.value.params["real"]) == ("DICE_REQUIRED", real)


def test_a_face_too_many_is_refused():
    dice = DeclaredDice((1, 2))
    dice.throw(1, 20, "check")
    with pytest.raises(Refused) as refused:
        dice.done()
    assert refused.value.code == "TOO_MANY_FACES"


def test_no_dice_at_all_asks_for_none():
    dice = NoDice(SESSION_NOT_OPEN)
    assert dice.throw(0, 6, "nothing").faces == ()
    with pytest.raises(Refused):
        dice.throw(1, 6, "something")


def test_a_commitment_tells_the_seed_only_afterwards():
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=5)), max_size=4))
def test_no_two_lists_of_contributions_blend_alike(entropies):
    other = [*entropies, ("m", "")]
    assert blend(entropies) != blend(other)
    assert blend([("ab", "c")]) != blend([("a", "bc")])


@pytest.mark.rule("LB-0.12")
@pytest.mark.parametrize("face", [0, -3, 21, 10_001])
def test_an_impossible_face_names_the_die(face):
    with pytest.raises(Refused) as refused:
        DeclaredDice((face,)).throw(1, 20, "check")
    assert (refused.value.code, refused.value.params) == ("INVALID_DIE", {"sides": 20, "face": face})
