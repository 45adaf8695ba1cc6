from domain.campaign.belongings import Spend, TakeAway
from domain.campaign.book import EVOLVE
from domain.campaign.corrections import Correct
from domain.campaign.game_clock import AdvanceClock
from domain.campaign.talk import Say
from domain.kernel.belongings import coins, held
from domain.kernel.command import Override
from domain.kernel.fold import fold
from events.table import (
    CharacterCreated,
    CharacterRetired,
    ClockAdvanced,
    CoinsGained,
    ItemsGained,
    NumberCorrected,
    RefusalOverridden,
    Said,
)
from tests.support.story import given, opened


def ayla():
    return (
        *opened("legends"),
        CharacterCreated("ayla", "Ayla", "player", "legends", owner="ana"),
        CoinsGained("ayla", 100, 100, "start"),
        ItemsGained("ayla", "corde", 2, 2, "start"),
    )


def test_a_number_is_corrected_with_a_reason():
    story = given(*ayla()).when(Correct(character="ayla", field="coins", value=40, reason="erreur de compte"))
    story.then(NumberCorrected("ayla", "purse/ayla", "coins", 100, 40, "erreur de compte"))
    assert coins(story.state, "ayla") == 40


def test_what_lies_in_a_bag_is_corrected_by_name():
    story = given(*ayla()).when(Correct(character="ayla", field="items.corde", value=0, reason="brûlée"))
    story.then(NumberCorrected("ayla", "bag/ayla", "items.corde", 2, 0, "brûlée"))
    assert held(story.state, "ayla", "corde") == 0
    story.when(Correct(character="ayla", field="items.torche", value=3, reason="oubliées"))
    assert held(story.state, "ayla", "torche") == 3


def test_a_number_stays_within_its_bounds():
    given(*ayla()).when(Correct(character="ayla", field="coins", value=-1, reason="x")).then_refused(
        "NUMBER_OUT_OF_BOUNDS"
    )


def test_an_unknown_number_is_answered_with_those_there_are():
    story = given(*ayla()).when(Correct(character="ayla", field="__class__", value=1, reason="x"))
    story.then_refused("NO_SUCH_NUMBER")
    assert "coins" in story.refused.params["choices"]


def test_only_the_game_master_corrects():
    given(*ayla()).when(Correct(character="ayla", field="coins", value=1, reason="x"), by="ana").then_refused("NOT_GM")


def test_a_ruling_is_overridden_with_a_reason_that_everybody_may_read():
    story = given(*ayla(), CharacterRetired("ayla"))
    story.when(Say(text="encore", character="ayla")).then_refused("CHARACTER_RETIRED")
    story.when(Say(text="encore", character="ayla", override=Override("retour d'un soir"))).then(
        RefusalOverridden("campaign.say", "CHARACTER_RETIRED", "", "retour d'un soir", character="ayla"),
        Said("encore", character="ayla"),
    )


def test_a_player_overrides_nothing():
    given(*ayla(), CharacterRetired("ayla")).when(
        Say(text="encore", character="ayla", override=Override("svp")), by="ana"
    ).then_refused("CHARACTER_RETIRED")


def test_an_impossibility_cannot_be_overridden():
    given(*ayla()).when(
        TakeAway(character="ayla", coins=101, reason="péage", override=Override("quand même"))
    ).then_refused("NOT_ENOUGH_COINS")


def test_an_override_that_was_not_needed_is_not_told():
    story = given(*ayla()).when(
        Spend(character="ayla", coins=1, reason="obole", override=Override("au cas où")), by="gm"
    )
    assert not story.told(RefusalOverridden)


def test_time_only_goes_forward():
    given(*ayla()).when(AdvanceClock(hours=1, rounds=2)).then(ClockAdvanced(3_612, 3_612))
    for command in (AdvanceClock(), AdvanceClock(rounds=-1), AdvanceClock(hours=1, seconds=-1)):
        given(*ayla()).when(command).then_refused("TimeDoesNotGoBack")
    given(*ayla()).when(AdvanceClock(days=10**9)).then_refused("TIME_TOO_LONG")


def test_folding_in_pieces_equals_folding_at_once():
    facts = [*ayla(), CharacterRetired("ayla")]
    whole = fold(EVOLVE, {}, facts)
    piecewise = {}
    for fact in facts:
        piecewise = fold(EVOLVE, piecewise, [fact])
    assert whole == piecewise
