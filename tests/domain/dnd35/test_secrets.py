"""What a flask has become is nobody's business before HM-17.5 (HM-0.6, 17.4, 17.5)."""

import pytest

from domain.campaign.book import EVOLVE
from domain.campaign.cast import HideCharacter
from domain.campaign.deciding import decide
from domain.dnd35.potions.drinking import DrinkLayer, DrinkMixture
from domain.dnd35.potions.flask import HandOver, PourPotion
from domain.dnd35.potions.shaking import JoltFlask, ShakeFlask
from domain.dnd35.sheet import Sheet
from domain.dnd35.state import Constant, Discovery, Mixture
from domain.kernel.command import Context, Override
from domain.kernel.dice import NoDice
from domain.kernel.fold import every, fold
from domain.kernel.refusal import DICE_REQUIRED, Refused
from events.envelope import TABLE
from events.potions import MixOutcomeDiscovered, MixtureJudged
from events.table import RefusalOverridden
from projections.visibility import Viewer, may_see, visible
from tests.domain.dnd35.bench import BULL, FLY, OWL, UNSEEN, Bench

ANA, BO, ZOE = Viewer("ana", "player"), Viewer("bo", "player"), Viewer("zoe", "spectator")
FACES = (2, 4, 9, 16, 26, 36, 80, 90)


def shaken(*faces, potions=(FLY, OWL), ayla=None):
    """Everything a viewer receives of ten rounds of shaking and an hour of waiting, one event after another."""
    bench = Bench(ayla=ayla or Sheet(hp_max=30))
    flask = bench.flask(25 * len(potions), *potions)
    seen = []
    for number in range(10):
        bench.wait_until(number)
        story = bench.do(ShakeFlask(actor="ayla", flask=flask), *(faces if number == 9 else ()), by="ana")
        assert story.refused is None
        seen += zip(story.facts, story.audiences, strict=True)
    story = bench.wait_until(700)
    seen += zip(story.facts, story.audiences, strict=True)
    return bench, flask, seen


def as_seen(who, seen):
    """An event outside the audience is a sealed stub: a place in the row, and nothing else."""
    return [fact if may_see(who, audience) else "sealed" for fact, audience in seen]


@pytest.mark.rule("HM-17.4", "HM-0.6", "HM-P17")
@pytest.mark.parametrize("who", [ANA, BO, ZOE], ids=lambda who: who.member)
def test_no_row_shows_from_outside(who):
    told = []
    for faces in (*((face,) for face in FACES), (100, 1), (100, 2)):
        bench, _, seen = shaken(*faces)
        told.append((as_seen(who, seen), visible(who, bench.story.state)))
    assert all(one == told[0] for one in told)


@pytest.mark.rule("HM-17.4")
@pytest.mark.parametrize("face", [2, 47])
def test_a_compatible_pair_leaves_as_many_stubs_as_any_other(face):
    _, _, other = shaken(face)
    _, _, alike = shaken(potions=(FLY, FLY))
    kinds = [type(fact) if fact != "sealed" else fact for fact in as_seen(ANA, other)]
    assert kinds == [type(fact) if fact != "sealed" else fact for fact in as_seen(ANA, alike)]
    assert kinds.count("sealed") == 1


@pytest.mark.rule("HM-17.4")
def test_what_a_player_is_told_of_a_mixture_names_doses_and_medium_only():
    bench, _, seen = shaken(2)
    secret = [fact for fact, audience in seen if audience == ("gm",)]
    assert [type(fact) for fact in secret] == [MixtureJudged]
    for kind in (Mixture, Constant):
        assert every(bench.story.state, kind)
        assert not every(visible(ANA, bench.story.state), kind)
    assert not every(bench.story.state, Discovery)


@pytest.mark.rule("HM-17.5", "HM-A28")
def test_the_table_learns_the_row_when_the_dose_is_drunk():
    bench, flask, _ = shaken(2)
    story = bench.drink_layer(flask, 20)
    told = story.only(MixOutcomeDiscovered)
    assert (told.row, story.audiences[story.facts.index(told)]) == ("lethal_poison", "table")
    (found,) = every(visible(BO, story.state), Discovery).values()
    assert found.row == "lethal_poison"


@pytest.mark.rule("HM-17.5", "HM-0.6")
def test_what_somebody_hidden_drinks_teaches_the_table_nothing():
    bench, flask, _ = shaken(30)
    bench.do(HideCharacter(character="ayla"))
    story = bench.drink_layer(flask)
    told = story.only(MixOutcomeDiscovered)
    assert story.audiences[story.facts.index(told)] == ("ana", "gm")
    assert not every(story.state, Discovery)


def refusal_of(state, command):
    """What a player hears where the game master declares the dice."""
    context = Context(
        actor="ana", role="player", now_us=0, command_id="x", campaign="c_test", dice=NoDice(DICE_REQUIRED)
    )
    try:
        decide(state, command, context)
    except Refused as refused:
        return refused.code, refused.rule, refused.params
    return None


@pytest.mark.rule("HM-0.6", "HM-17.4")
def test_a_refusal_for_want_of_dice_is_the_same_whatever_is_in_the_flask():
    heard = set()
    for face in FACES:
        bench, flask, _ = shaken(face)
        heard.add(repr(refusal_of(bench.story.state, DrinkLayer(drinker="ayla", flask=flask))))
        again = Bench()
        flask = again.flask(50, FLY, OWL)
        again.shake(flask, face)
        again.wait_until(20)
        heard.add(repr(refusal_of(again.story.state, DrinkMixture(drinker="ayla", flask=flask))))
    assert heard == {repr(("GameMasterMixes", "HM-0.6", {}))}


@pytest.mark.rule("HM-15.6", "HM-12.8", "HM-13.5")
def test_what_becomes_of_compatible_potions_is_no_secret_and_takes_no_die():
    bench = Bench()
    flask = bench.flask(50, FLY, FLY)
    bench.shake(flask, rounds=9)
    bench.wait_until(9)
    assert refusal_of(bench.story.state, ShakeFlask(actor="ayla", flask=flask)) is None
    bench.shake(flask)
    bench.wait_until(20)
    assert refusal_of(bench.story.state, DrinkMixture(drinker="ayla", flask=flask)) is None


@pytest.mark.rule("HM-0.6")
def test_a_second_potion_is_refused_alike_for_want_of_dice_whatever_is_known_of_the_pair():
    heard = set()
    for faces in ((), (2,), (30,), (47,)):
        bench = Bench()
        if faces:
            bench.shake(bench.flask(50, FLY, OWL), *faces)
        bench.wait_until(20)
        bench.drink(FLY)
        bench.wait_until(21)
        vial = bench.flask(25, OWL)
        heard.add(repr(refusal_of(bench.story.state, DrinkLayer(drinker="ayla", flask=vial))))
    assert len(heard) == 1


@pytest.mark.rule("HM-17.5")
def test_what_the_table_knows_is_no_secret_any_more():
    bench = Bench()
    bench.drink(BULL)
    bench.wait_until(1)
    bench.drink(UNSEEN, 30)
    bench.wait_until(100)
    bench.drink(BULL)
    bench.wait_until(101)
    vial = bench.flask(25, UNSEEN)
    assert refusal_of(bench.story.state, DrinkLayer(drinker="ayla", flask=vial)) is None


@pytest.mark.rule("HM-12.9", "HM-0.6")
def test_a_tenth_round_that_starts_the_minute_again_hides_nothing():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.shake(flask, rounds=9)
    bench.wait_until(11)
    assert refusal_of(bench.story.state, ShakeFlask(actor="ayla", flask=flask)) is None


@pytest.mark.rule("HM-0.6", "HM-13.8")
def test_not_even_an_override_lets_a_hidden_hand_into_a_flask_that_is_seen():
    """Her own player would see it change and not be told why."""
    bench = Bench()
    theirs, hers = bench.flask(50, FLY, holder="bonk"), bench.flask(50, OWL)
    bench.do(HideCharacter(character="bonk"))
    pour = PourPotion(actor="bonk", source=theirs, target=hers, override=Override("why not"))
    bench.do(pour).then_refused("FlaskNotHeld")


@pytest.mark.rule("HM-0.6")
def test_an_override_that_names_nobody_is_sealed_with_whom_it_concerns():
    bench = Bench()
    flask = bench.flask(50, FLY, OWL)
    bench.do(HideCharacter(character="ayla"))
    story = bench.do(JoltFlask(flask=flask, cause="base_movement", override=Override("a stumble")))
    assert story.told(RefusalOverridden)
    assert TABLE not in story.audiences


@pytest.mark.rule("HM-0.6")
@pytest.mark.parametrize(("hides", "giver", "taker"), [("bonk", "ayla", "bonk"), ("ayla", "ayla", "bonk")])
def test_a_flask_that_goes_to_or_comes_from_somebody_hidden_changes_hands_where_each_sees_it(hides, giver, taker):
    """What arrives sealed changes nothing that one sees, not even for the moment between two facts."""
    bench = Bench()
    flask = bench.flask(25, FLY, holder=giver)
    bench.do(HideCharacter(character=hides))
    before = bench.story.state
    story = bench.do(HandOver(giver=giver, taker=taker, flask=flask))
    for fact, audience in zip(story.facts, story.audiences, strict=True):
        after = fold(EVOLVE, before, [fact])
        for member in ("ana", "bo", "zoe"):
            who = Viewer(member, "player")
            if not may_see(who, audience):
                assert visible(who, before) == visible(who, after), (member, fact)
        before = after
