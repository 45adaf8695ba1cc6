"""The characters of a campaign: whose they are, which rules they follow, who knows of them."""

from msgspec.structs import replace

from domain.kernel.command import Context
from domain.kernel.fold import Leaf, State, begin, find, on, reducers
from domain.kernel.refusal import UNKNOWN_CHARACTER
from events.table import (
    CharacterCreated,
    CharacterHidden,
    CharacterOwnerChanged,
    CharacterRenamed,
    CharacterRetired,
    CharacterRevealed,
    Kind,
)


class Character(Leaf, frozen=True, tag="character"):
    """Anything that acts or is acted on. Its numbers stand in the leaves of its system."""

    OF_CHARACTER = True

    name: str
    kind: Kind
    system: str
    owner: str | None
    hidden: bool
    retired: bool = False


def character(state: State, name: str) -> Character:
    """The character with this id. Refuses `UNKNOWN_CHARACTER`."""
    found = find(state, Character, name)
    if found is None:
        UNKNOWN_CHARACTER.because(character=name)
    return found


def known_to(state: State, name: str, context: Context) -> bool:
    """Whether whoever commands knows of this character: a hidden one is known to its player and the game masters."""
    one = find(state, Character, name)
    mine = context.is_gm or name in context.acts_for
    return one is not None and (mine or not one.hidden or one.owner == context.actor)


def hidden(state: State, *names: str | None) -> bool:
    """Whether any of them is hidden: then dice that fall for them are secret."""
    return any(one.hidden for name in names if name and (one := find(state, Character, name)))


EVOLVE = reducers(
    begin(
        CharacterCreated,
        Character,
        "character",
        lambda told: Character(told.name, told.kind, told.system, told.owner, told.hidden),
    ),
    on(CharacterRenamed, Character, "character", lambda leaf, told: replace(leaf, name=told.name)),
    on(CharacterOwnerChanged, Character, "character", lambda leaf, told: replace(leaf, owner=told.owner)),
    on(CharacterHidden, Character, "character", lambda leaf, _: replace(leaf, hidden=True)),
    on(CharacterRevealed, Character, "character", lambda leaf, _: replace(leaf, hidden=False)),
    on(CharacterRetired, Character, "character", lambda leaf, _: replace(leaf, retired=True)),
)
