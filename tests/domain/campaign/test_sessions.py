import pytest

from domain.campaign.deciding import decide, dice_for
from domain.campaign.rolls import RollDice
from domain.campaign.sessions import AddEntropy, CloseSession, OpenSession
from domain.kernel.command import Context, Seeds
from domain.kernel.dice import DeclaredDice, NoDice, Row, ServerDice, commitment, everything
from domain.kernel.refusal import Refused
from domain.kernel.sitting import row, secret_row
from events.envelope import TABLE, Roll
from events.table import (
    CharacterCreated,
    DiceModeSet,
    DiceRolled,
    EntropyAdded,
    SecretDiceRevealed,
    SessionClosed,
    SessionOpened,
)
from projections.visibility import Viewer, visible
from tests.support.story import given, opened

SEED = b"s" * 32
VEILED = b"v" * 32
NEXT = Seeds(next_commitment=commitment(SEED), next_secret_commitment=commitment(VEILED))
OPENED = SessionOpened(1, commitment(SEED), 0, title="Un", secret_commitment=commitment(VEILED))


def test_a_session_commits_to_its_dice_and_reveals_them_last():
    story = given(*opened()).when(OpenSession(title="Un"), seeds=NEXT)
    story.then(OPENED)
    story.when(OpenSession(), seeds=NEXT).then_refused("SESSION_ALREADY_OPEN")
    story.when(CloseSession(), seeds=Seeds(current=SEED, secret=VEILED))
    story.then(SecretDiceRevealed(1, VEILED.hex()), SessionClosed(1, SEED.hex()))
    assert story.audiences == [("gm",), TABLE]
    story.when(CloseSession(), seeds=Seeds()).then_refused("SESSION_NOT_OPEN")
    story.when(OpenSession(), seeds=NEXT)
    story.then(SessionOpened(2, commitment(SEED), 0, secret_commitment=commitment(VEILED)))


def test_secret_dice_move_their_own_row_and_nobody_sees_how_far():
    secret = DiceRolled("2d6", 7, "7", secret=True, rolls=(Roll("roll", 6, (3, 4), (3, 4), "secret", 0),))
    state = given(*opened(), OPENED, secret).state
    assert (row(state).next, secret_row(state).next) == (0, 2)
    seen = visible(Viewer("ana", "player"), state)
    assert not [place for place in seen if place.startswith("secret_dice")]


class Crossed(ServerDice):
    """Dice that fall in the row they should not."""

    def throw(self, count, sides, purpose, keep=everything, *, secret=False):
        return super().throw(count, sides, purpose, keep, secret=not secret)


@pytest.mark.parametrize("secret", [True, False])
def test_a_die_in_the_wrong_row_is_a_fault_of_ours(secret):
    dice = Crossed("c", 1, b"", Row(SEED, 0), Row(VEILED, 0))
    context = Context(actor="gm", role="gm", now_us=0, command_id="k", campaign="c", dice=dice)
    with pytest.raises(RuntimeError, match="wrong row"):
        decide(given(*opened(), OPENED).state, RollDice(expression="1d20", secret=secret), context)


def test_members_add_to_the_dice_until_the_first_one_falls():
    story = given(*opened(), SessionOpened(1, commitment(SEED), 0))
    story.when(AddEntropy(entropy="trois petits chats"), by="ana").then(EntropyAdded(1, "ana", "trois petits chats"))
    fallen = DiceRolled("1d20", 3, "3", rolls=(Roll("roll", 20, (3,), (3,), "server", 0),))
    given(*opened(), SessionOpened(1, commitment(SEED), 0), fallen).when(
        AddEntropy(entropy="trop tard"), by="ana"
    ).then_refused("DICE_ALREADY_FELL")


def test_nothing_is_added_outside_of_a_session():
    given(*opened()).when(AddEntropy(entropy="x"), by="ana").then_refused("SESSION_NOT_OPEN")


def test_every_server_die_moves_the_row_on_and_no_declared_one_does():
    rolled = DiceRolled("2d6", 7, "7", rolls=(Roll("roll", 6, (3, 4), (3, 4), "server", 4),))
    declared = DiceRolled("1d6", 7, "7", rolls=(Roll("roll", 6, (3,), (3,), "declared"),))
    assert row(given(*opened(), rolled, declared).state).next == 6


def _mode(mode, *more):
    return given(*opened(), DiceModeSet(mode), *more).state


def test_the_server_throws_during_a_session_only():
    command = RollDice(expression="1d20")
    assert isinstance(dice_for(_mode("server"), command, "gm", "c", None), NoDice)
    open_now = _mode("server", SessionOpened(1, commitment(SEED), 0))
    assert isinstance(dice_for(open_now, command, "player", "c", SEED), ServerDice)


@pytest.mark.parametrize("role", ["gm", "player"])
def test_nobody_declares_where_the_server_throws(role):
    story = given(*opened(), DiceModeSet("server"))
    by = "gm" if role == "gm" else "ana"
    story.when(RollDice(expression="1d20", dice=(20,)), by=by).then_refused("DICE_NOT_ALLOWED", mode="server")


def test_whoever_rolls_declares_at_a_table_of_real_dice():
    assert isinstance(
        dice_for(_mode("table"), RollDice(expression="1d20", dice=(2,)), "player", "c", None), DeclaredDice
    )


def test_only_the_game_master_declares_where_they_declare_all():
    given(*opened(), DiceModeSet("gm")).when(RollDice(expression="1d20", dice=(2,)), by="ana").then_refused(
        "DICE_NOT_ALLOWED", mode="gm"
    )
    assert isinstance(dice_for(_mode("gm"), RollDice(expression="1d20"), "player", "c", None), NoDice)
    assert isinstance(dice_for(_mode("gm"), RollDice(expression="1d20", dice=(2,)), "gm", "c", None), DeclaredDice)


@pytest.mark.rule("LB-0.2")
@pytest.mark.parametrize("mode", ["server", "table", "gm"])
def test_whose_character_it_is_comes_before_who_throws(mode):
    story = given(*opened(), CharacterCreated("cy", "Cy", "player", "legends", owner="bo"), DiceModeSet(mode))
    story.when(RollDice(expression="1d20", character="cy", dice=(3,)), by="ana").then_refused("NOT_OWNER")


def test_a_lost_secret_seed_is_a_refusal_and_no_fault():
    state = _mode("server", OPENED)
    dice = dice_for(state, RollDice(expression="1d20", secret=True), "gm", "c", SEED, None)
    with pytest.raises(Refused) as refused:
        dice.throw(1, 20, "x", secret=True)
    assert refused.value.code == "SEED_LOST"
    given(*opened(), OPENED).when(CloseSession(), seeds=Seeds(current=SEED)).then_refused("SEED_LOST")
