"""What is said at the table: in character, by the game master, in a whisper, or to oneself."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.campaign.seats import UNKNOWN_MEMBER
from domain.kernel.cast import Character
from domain.kernel.command import CharacterId, Command, Context, Deciders, MemberId, Text, gm, owner
from domain.kernel.fold import State, find
from domain.kernel.members import member
from domain.kernel.refusal import require
from events.envelope import Fact
from events.table import GmNoted, Narrated, Said, Whispered


class Say(Command, frozen=True, tag="campaign.say"):
    """As oneself, or as a character one plays."""

    text: Text
    character: CharacterId | None = None


class Narrate(Command, frozen=True, tag="campaign.narrate"):
    text: Text


class Whisper(Command, frozen=True, tag="campaign.whisper"):
    """Only the members named, and the writer, read it. A hidden character whispers without its name."""

    to: Annotated[tuple[MemberId, ...], Meta(min_length=1, max_length=50)]
    text: Text
    character: CharacterId | None = None


class GmNote(Command, frozen=True, tag="campaign.gm_note"):
    """For the game masters' eyes only."""

    text: Text


def say(_: State, command: Say, __: Context) -> Iterable[Fact]:
    return [Said(command.text, character=command.character)]


def narrate(_: State, command: Narrate, __: Context) -> Iterable[Fact]:
    return [Narrated(command.text)]


def whisper(state: State, command: Whisper, context: Context) -> Iterable[Fact]:
    for name in command.to:
        require(member(state, name), UNKNOWN_MEMBER, member=name)
    to = tuple(dict.fromkeys(command.to))
    voice = find(state, Character, command.character or "")
    named = voice is not None and (not voice.hidden or {context.actor, *to} == {voice.owner})
    return [Whispered(context.actor, to, command.text, character=command.character if named else None)]


def gm_note(_: State, command: GmNote, __: Context) -> Iterable[Fact]:
    return [GmNoted(command.text)]


DECIDE: Deciders = {
    Say: owner("character")(say),
    Narrate: gm(narrate),
    Whisper: owner("character")(whisper),
    GmNote: gm(gm_note),
}
