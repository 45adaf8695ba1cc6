"""Who rolls, and what a save is worth (HM-0, HM-1)."""

import pytest

from domain.campaign.book import EVOLVE
from domain.campaign.deciding import decide, dice_for
from domain.dnd35.body import body, saving_throw, throw
from domain.dnd35.potions.drinking import DrinkLayer
from domain.dnd35.potions.fixtures import MakePotion
from domain.dnd35.potions.flask import MakeFlask
from domain.dnd35.sheet import Sheet
from domain.kernel.command import Context
from domain.kernel.fold import fold
from domain.kernel.refusal import Refused
from events.potions import PotionTookEffect
from events.table import DiceModeSet
from tests.domain.dnd35.bench import CLW, Bench
from tests.support.story import ScriptedDice


def context(dice, role="gm", actor="gm"):
    return Context(actor=actor, role=role, now_us=0, command_id="c", campaign="c_test", dice=dice)


def declared(bench, command, by="gm", role="gm"):
    dice = dice_for(bench.story.state, command, role, "c_test", None)
    return decide(bench.story.state, command, context(dice, role, by))[0]


@pytest.mark.rule("HM-1.2")
def test_a_player_who_sends_faces_is_refused():
    bench = Bench()
    vial = bench.flask(25, CLW)
    bench.do(DrinkLayer(drinker="ayla", flask=vial, dice=(8,)), by="ana").then_refused("PlayersDoNotRoll", "HM-1.2")


@pytest.mark.rule("HM-1.3")
@pytest.mark.parametrize(
    ("faces", "code"), [((), "WrongNumberOfFaces"), ((3, 4), "WrongNumberOfFaces"), ((9,), "FaceOutOfRange")]
)
def test_the_game_master_types_in_exactly_the_faces_that_fall(faces, code):
    bench = Bench()
    vial = bench.flask(25, CLW)
    with pytest.raises(Refused) as refused:
        declared(bench, DrinkLayer(drinker="ayla", flask=vial, dice=faces))
    assert refused.value.code == code


@pytest.mark.rule("HM-1.3")
def test_a_face_says_where_it_came_from():
    bench = Bench()
    vial = bench.flask(25, CLW)
    told = declared(bench, DrinkLayer(drinker="ayla", flask=vial, dice=(5,)))
    (effect,) = [one.fact for one in told if isinstance(one.fact, PotionTookEffect)]
    assert (effect.rolls[0].source, effect.rolled) == ("declared", 6)


@pytest.mark.rule("HM-0.11")
def test_commands_belong_to_whoever_plays_the_character():
    bench = Bench()
    vial = bench.flask(25, CLW)
    bench.do(DrinkLayer(drinker="ayla", flask=vial), by="bo").then_refused("NotYourCharacter")
    bench.do(MakeFlask(holder="ayla"), by="ana").then_refused("NotGameMaster")
    bench.do(MakePotion(holder="nobody", potion=CLW)).then_refused("UnknownCharacter")


@pytest.mark.rule("HM-0.2")
def test_no_dice_are_asked_for_when_there_are_none_to_throw():
    assert throw(context(ScriptedDice(())), 0, 6, purpose="nothing", secret=False) == ()


@pytest.mark.rule("HM-0.5")
@pytest.mark.parametrize(("face", "success"), [(1, False), (9, False), (10, True), (20, True)])
@pytest.mark.parametrize("modifier", [4, 100, -100])
def test_a_save_succeeds_at_its_dc_and_the_extremes_decide_by_themselves(face, success, modifier):
    bench = Bench(ayla=Sheet(fortitude=modifier))
    save = saving_throw(
        "ayla",
        body(bench.story.state, "ayla"),
        "fortitude",
        against="explosion",
        s=8,
        dc=14,
        rule="HM-16.7",
        secret=False,
        context=context(ScriptedDice((face,))),
    )
    expected = success if modifier == 4 or face in (1, 20) else modifier > 0
    assert save.success == expected
    assert save.total == face + modifier


@pytest.mark.rule("HM-1.3", "HM-1.2")
@pytest.mark.parametrize("mode", ["server", "table", "gm"])
def test_the_game_master_may_type_faces_in_whatever_the_mode_and_a_player_in_none(mode):
    bench = Bench()
    vial = bench.flask(25, CLW)
    bench.story.state = fold(EVOLVE, bench.story.state, [DiceModeSet(mode)])
    drink = DrinkLayer(drinker="ayla", flask=vial, dice=(5,))
    with pytest.raises(Refused) as refused:
        declared(bench, drink, "ana", "player")
    assert (refused.value.code, refused.value.rule) == ("PlayersDoNotRoll", "HM-1.2")
    assert any(isinstance(one.fact, PotionTookEffect) for one in declared(bench, drink))
