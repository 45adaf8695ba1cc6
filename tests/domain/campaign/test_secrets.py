"""Who gets to see what: hidden characters, whispers, notes."""

import pytest

from domain.campaign.belongings import Give, Grant
from domain.campaign.cast import HideCharacter, RenameCharacter, RetireCharacter, RevealCharacter, SetOwner
from domain.campaign.talk import GmNote, Narrate, Say, Whisper
from domain.kernel.belongings import Bag, Purse
from domain.kernel.cast import Character
from events.table import (
    CharacterCreated,
    CharacterHidden,
    CharacterRenamed,
    CharacterRetired,
    CharacterRevealed,
    CoinsGained,
    CoinsSpent,
    GmNoted,
    Narrated,
    Said,
    Whispered,
)
from projections.visibility import Viewer, visible
from tests.support.story import given, opened

ANA, BO, GM, ZOE = Viewer("ana", "player"), Viewer("bo", "player"), Viewer("gm", "gm"), Viewer("zoe", "spectator")


def shadow(owner=None):
    return (
        *opened(),
        CharacterCreated("ayla", "Ayla", "player", "legends", owner="ana"),
        CharacterCreated("ombre", "Ombre", "non_player", "legends", owner=owner, hidden=True),
        CoinsGained("ombre", 50, 50, "start"),
    )


def test_what_concerns_a_hidden_character_is_the_game_masters():
    story = given(*shadow()).when(RenameCharacter(character="ombre", name="Voleur"))
    story.then(CharacterRenamed("ombre", "Voleur"))
    assert story.audiences == [("gm",)]


def test_its_owner_sees_it_too():
    story = given(*shadow(owner="bo")).when(RenameCharacter(character="ombre", name="Voleur"), by="bo")
    assert story.audiences == [("bo", "gm")]


@pytest.mark.parametrize("who", [ANA, ZOE])
def test_a_hidden_character_is_in_no_part_of_the_state_others_see(who):
    seen = visible(who, given(*shadow()).state)
    assert not [place for place in seen if "ombre" in place]
    assert [place for place in visible(GM, given(*shadow()).state) if "ombre" in place] == [
        "character/ombre",
        "purse/ombre",
        "bag/ombre",
    ]


@pytest.mark.parametrize(
    "command",
    [
        Give(giver="ayla", taker="ombre", coins=1),
        Give(giver="ombre", taker="ayla", coins=1),
        Say(text="bouh", character="ombre"),
        RenameCharacter(character="ombre", name="x"),
    ],
)
def test_a_hidden_character_is_refused_exactly_like_an_unknown_one(command):
    hidden = given(*shadow()).when(command, by="ana")
    nobody = given(*opened(), CharacterCreated("ayla", "Ayla", "player", "legends", owner="ana")).when(
        command, by="ana"
    )
    assert hidden.refused is not None
    assert nobody.refused is not None
    assert (hidden.refused.code, hidden.refused.params) == (nobody.refused.code, nobody.refused.params)


def test_a_gift_from_the_shadows_names_no_giver():
    story = given(*shadow()).when(Give(giver="ombre", taker="ayla", coins=20))
    story.then(CoinsSpent("ombre", 20, 30, "gift"), CoinsGained("ayla", 20, 20, "gift"))
    assert story.audiences == [("gm",), "table"]


def test_hiding_is_told_and_what_follows_is_not():
    story = given(*opened(), CharacterCreated("ayla", "Ayla", "player", "legends", owner="ana"))
    story.when(HideCharacter(character="ayla")).then(CharacterHidden("ayla"))
    assert story.audiences == ["table"]
    story.when(Grant(character="ayla", coins=1, reason="x"))
    assert story.audiences == [("ana", "gm")]
    story.when(RevealCharacter(character="ayla")).then(
        CharacterRevealed("ayla", "Ayla", "player", "legends", owner="ana")
    )
    assert story.audiences == ["table"]
    story.when(RevealCharacter(character="ayla")).then()


def test_a_whisper_is_for_its_writer_and_those_named():
    story = (
        given(*opened()).when(Whisper(to=("bo", "bo"), text="psst"), by="ana").then(Whispered("ana", ("bo",), "psst"))
    )
    assert story.audiences == [("ana", "bo")]
    given(*opened()).when(Whisper(to=("nobody",), text="psst"), by="ana").then_refused("UNKNOWN_MEMBER")


def test_a_whisper_out_of_the_shadows_reaches_those_named_and_nobody_else():
    story = given(*shadow()).when(Whisper(to=("ana",), text="psst", character="ombre"))
    story.then(Whispered("gm", ("ana",), "psst"))
    assert story.audiences == [("ana", "gm")]
    given(*shadow(owner="bo")).when(Whisper(to=("bo",), text="psst", character="ombre"), by="bo").then(
        Whispered("bo", ("bo",), "psst", character="ombre")
    )


def test_a_note_is_for_game_masters():
    story = given(*opened()).when(GmNote(text="le roi ment")).then(GmNoted("le roi ment"))
    assert story.audiences == [("gm",)]
    given(*opened()).when(GmNote(text="x"), by="ana").then_refused("NOT_GM")


def test_everybody_hears_what_is_said():
    story = (
        given(*shadow()).when(Say(text="Bonjour", character="ayla"), by="ana").then(Said("Bonjour", character="ayla"))
    )
    assert story.audiences == ["table"]
    story.when(Say(text="Bonjour"), by="bo").then(Said("Bonjour"))
    story.when(Say(text="Bonjour", character="ayla"), by="bo").then_refused("NOT_OWNER")
    story.when(Say(text="Bonjour"), by="zoe").then_refused("ROLE_FORBIDS")
    story.when(Narrate(text="La nuit tombe")).then(Narrated("La nuit tombe"))


def test_a_retired_character_acts_no_more_unless_the_game_master_lets_it():
    story = given(*shadow()).when(RetireCharacter(character="ayla", reason="vieillesse"), by="ana")
    story.then(CharacterRetired("ayla", reason="vieillesse"))
    story.when(Say(text="encore", character="ayla"), by="ana").then_refused("CHARACTER_RETIRED")


def test_leaves_of_a_character_are_kept_together():
    assert Purse.OF_CHARACTER
    assert Bag.OF_CHARACTER
    assert Character.OF_CHARACTER


def test_the_player_who_loses_a_hidden_character_is_told_so():
    story = given(*shadow(owner="bo")).when(SetOwner(character="ombre", owner="ana"))
    assert story.audiences == [("ana", "bo", "gm")]
