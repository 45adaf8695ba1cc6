"""Characters of every kind: created with a system's sheet, owned, hidden, revealed, retired."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.campaign.seats import UNKNOWN_MEMBER
from domain.campaign.systems import SYSTEMS, Sheet
from domain.kernel.cast import EVOLVE as CAST
from domain.kernel.cast import Character, character
from domain.kernel.charter import charter, setting
from domain.kernel.command import CharacterId, Command, Context, Deciders, MemberId, Name, gm, member, owner
from domain.kernel.fold import State, every, find, fold
from domain.kernel.members import member as seated
from domain.kernel.refusal import NOT_GM, SYSTEM_NOT_PLAYED, Refusal, require
from events.envelope import Fact
from events.table import (
    CharacterCreated,
    CharacterHidden,
    CharacterOwnerChanged,
    CharacterRenamed,
    CharacterRetired,
    CharacterRevealed,
    Kind,
)

ID_TAKEN = Refusal("ID_TAKEN", "There is already a character with the id {character}.")
GM_CREATES = Refusal(
    "GM_PERMISSION_REQUIRED",
    "At this table the game master creates the characters, or allows it in the settings.",
    status=403,
)
TOO_MANY_CHARACTERS = Refusal("TOO_MANY_CHARACTERS", "A campaign keeps at most {most} characters.")
MOST_CHARACTERS = 20_000

OwnId = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[a-z0-9][a-z0-9-]*$")]


class CreateCharacter(Command, frozen=True, tag="campaign.create_character"):
    """A new character with the sheet of one system.

    A player creates a player character of their own, where the setting `players_create_characters` does not forbid
    it; after the death of another one the game master has to allow it with that setting. The game master creates any
    kind, for anybody, hidden or not, and may choose its id (lower-case letters, digits, hyphens); otherwise the server
    makes one that tells nothing.
    """

    name: Name
    sheet: Sheet
    kind: Kind = "player"
    owner: MemberId | None = None
    hidden: bool = False
    id: OwnId | None = None


class RenameCharacter(Command, frozen=True, tag="campaign.rename_character"):
    character: CharacterId
    name: Name


class SetOwner(Command, frozen=True, tag="campaign.set_owner"):
    """`owner` null: the game master plays it."""

    character: CharacterId
    owner: MemberId | None = None


class HideCharacter(Command, frozen=True, tag="campaign.hide_character"):
    character: CharacterId


class RevealCharacter(Command, frozen=True, tag="campaign.reveal_character"):
    character: CharacterId


class RetireCharacter(Command, frozen=True, tag="campaign.retire_character"):
    """Out of play; its history stays."""

    character: CharacterId
    reason: Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")] = ""


def create_character(state: State, command: CreateCharacter, context: Context) -> Iterable[Fact]:
    system = SYSTEMS[str(command.sheet.__struct_config__.tag)]
    played = charter(state).systems
    require(system.name in played, SYSTEM_NOT_PLAYED, system=system.name, systems=list(played))
    require(len(every(state, Character)) < MOST_CHARACTERS, TOO_MANY_CHARACTERS, most=MOST_CHARACTERS)
    holder = command.owner
    if not context.is_gm:
        lost_one = any(
            one.owner == context.actor and SYSTEMS[one.system].condition(state, name) == "dead"
            for name, one in every(state, Character).items()
        )
        require(setting(state, "players_create_characters", not lost_one), GM_CREATES, "LB-8.2.2" if lost_one else None)
        require(command.kind == "player" and not command.hidden and command.id is None, NOT_GM)
        require(holder in (None, context.actor), NOT_GM)
        holder = context.actor
    if holder is not None:
        require(seated(state, holder), UNKNOWN_MEMBER, member=holder)
    name = command.id or context.new_id("k")
    require(find(state, Character, name) is None, ID_TAKEN, character=name)
    created = CharacterCreated(name, command.name, command.kind, system.name, owner=holder, hidden=command.hidden)
    return [created, *system.draw_up(fold(CAST, state, [created]), name, command.sheet, context)]


def rename_character(state: State, command: RenameCharacter, _: Context) -> Iterable[Fact]:
    if character(state, command.character).name == command.name:
        return []
    return [CharacterRenamed(command.character, command.name)]


def set_owner(state: State, command: SetOwner, _: Context) -> Iterable[Fact]:
    if command.owner is not None:
        require(seated(state, command.owner), UNKNOWN_MEMBER, member=command.owner)
    if character(state, command.character).owner == command.owner:
        return []
    return [CharacterOwnerChanged(command.character, command.owner)]


def hide_character(state: State, command: HideCharacter, _: Context) -> Iterable[Fact]:
    return [] if character(state, command.character).hidden else [CharacterHidden(command.character)]


def reveal_character(state: State, command: RevealCharacter, _: Context) -> Iterable[Fact]:
    one = character(state, command.character)
    if not one.hidden:
        return []
    return [CharacterRevealed(command.character, one.name, one.kind, one.system, owner=one.owner)]


def retire_character(state: State, command: RetireCharacter, _: Context) -> Iterable[Fact]:
    if character(state, command.character).retired:
        return []
    return [CharacterRetired(command.character, reason=command.reason)]


DECIDE: Deciders = {
    CreateCharacter: member(create_character),
    RenameCharacter: owner("character", needs="nothing")(rename_character),
    SetOwner: gm(set_owner),
    HideCharacter: gm(hide_character),
    RevealCharacter: gm(reveal_character),
    RetireCharacter: owner("character", needs="nothing")(retire_character),
}
