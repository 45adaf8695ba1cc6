"""What the table asks of a set of rules."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from domain.kernel.command import Command, Context, Decider
from domain.kernel.fold import Leaf, Reducers, State
from domain.kernel.refusal import (
    DERIVED_FIELD,
    DICE_REQUIRED,
    INVALID_DIE,
    NOT_GM,
    NOT_OWNER,
    TOO_MANY_FACES,
    UNKNOWN_CHARACTER,
    Refusal,
)
from domain.kernel.settings import Known
from events.envelope import Fact

Condition = Literal["able", "down", "dead"]


class Wording(Struct, frozen=True):
    """The refusals that every system knows, under the codes of its own catalogue."""

    not_gm: Refusal = NOT_GM
    not_owner: Refusal = NOT_OWNER
    unknown_character: Refusal = UNKNOWN_CHARACTER
    too_few_faces: Refusal = DICE_REQUIRED
    too_many_faces: Refusal = TOO_MANY_FACES
    impossible_face: Refusal = INVALID_DIE
    derived: Refusal = DERIVED_FIELD
    players_declare: Refusal | None = None
    """When set, a player's command that carries faces is refused with it, whatever the dice mode."""


class System(Struct, frozen=True):
    """One set of rules: its commands, its facts, its sheets.

    `sheet` is the struct that creating a character takes (tagged `system`); `draw_up` turns it into facts about the
    character just created. `passes` answers what falls due when game time moves from one second to another, in order.
    `numbers` are the leaves whose integers the game master may correct; `sound` says what is wrong with a corrected
    leaf, or nothing. `coin` names the unit of a purse. `articles` are the item keys of the rules.
    """

    name: str
    coin: str
    sheet: type[Struct]
    draw_up: Callable[[State, str, Any, Context], Iterable[Fact]]
    deciders: Mapping[type[Command], Decider]
    evolve: Reducers
    facts: tuple[type[Fact], ...]
    numbers: tuple[type[Leaf], ...]
    sound: Callable[[Leaf], str | None]
    articles: tuple[str, ...] = ()
    wording: Wording = Wording()
    vocabulary: Mapping[str, tuple[str, ...]] = {}
    """Keys of the rules that people read as words (`effect`: `burned` …)."""
    settings: tuple[Known, ...] = ()
    """What a campaign may settle of these rules."""
    derived: Mapping[str, str] = {}
    """Numbers that follow from others and are never set, each with the rule that says so."""
    passes: Callable[[State, int, Context], Iterable[Fact]] = lambda state, until, context: ()
    condition: Callable[[State, str], Condition] = lambda state, character: "able"
    """Whether a character can act at all: asked before what no system rules, such as giving something away."""
    corrected: Callable[[State, State, str], Iterable[Fact]] = lambda before, after, character: ()
    """What follows from a number that was corrected, given the states around the correction."""
    portrait: Callable[[State, str], Mapping[str, Any]] = lambda state, character: {}
    """The derived numbers that a character's sheet shows, by name (`speed`, `armour_class`): plain JSON values.

    A pure function of leaves that concern the character, and of the charter. The state it gets leaves out what
    whoever sees the sheet may not see.
    """
