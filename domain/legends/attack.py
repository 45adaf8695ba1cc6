"""LB-5.5: the commands of an attack: to strike, the edge on a strike, and reactions."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.cast import hidden, known_to
from domain.kernel.command import CharacterId, Command, Context, Deciders, Figure, Key, Name, Reason, owner
from domain.kernel.fold import State, find, fold
from domain.kernel.refusal import NOT_GM, require
from domain.legends.arms import reaches, ready_to_shoot
from domain.legends.blow import (
    Armed,
    armed,
    blow_with,
    counter,
    require_ddt,
    require_readable,
    require_wieldable,
)
from domain.legends.board import require_within
from domain.legends.disarming import require_landing
from domain.legends.effects import Wish, require_possible
from domain.legends.elements import require_loops
from domain.legends.evolve import EVOLVE
from domain.legends.leaves.strikes import Answerable
from domain.legends.reactions import free_to_react, reaction_of, tried
from domain.legends.refusals import (
    INCAPACITATED,
    NO_STRIKE_LEFT,
    REACTION_CONDITION_NOT_MET,
    TARGET_INVALID,
    UNKNOWN_REACTION,
)
from domain.legends.state import Combatant, Fighter, fighter, for_gm, name_of, on_their_feet, require_luck
from domain.legends.strike import spikes, strike
from domain.legends.turns import Deed, require_able, require_turn, spend
from domain.legends.words import At
from events.envelope import Fact
from events.legends.combat import EdgeGranted
from events.legends.compendium import CapabilityEntry
from events.legends.strikes import ReactionsReadied

Several = Annotated[tuple[Key, ...], Meta(max_length=20)]


class MakeAttack(Deed, frozen=True, tag="legends.attack"):
    """Strike a target: with the action, or with a further strike that is left of it.

    `weapon` names what is in hand or one of the creature's own attacks; the first at hand without it. `extra` asks for
    a further strike and never for the action. `eject_to` is the cell, 4 cells from the target, to which an attack that
    ejects sends the weapon. `ddt`, `advantage` and `disadvantage` are the game master's.
    """

    character: CharacterId
    target: CharacterId
    weapon: Name | None = None
    use_luck_die: bool = False
    extra: bool = False
    eject_to: At | None = None
    ddt: Figure | None = None
    advantage: bool = False
    disadvantage: bool = False


class GrantEdge(Command, frozen=True, tag="legends.grant_edge"):
    """The game master gives the next attack of a creature an advantage, or a disadvantage."""

    character: CharacterId
    reason: Reason
    disadvantage: bool = False


class ReadyReactions(Command, frozen=True, tag="legends.ready_reactions"):
    """Which of its reactions a creature uses by itself, in this order. They hold until changed; none: an empty list."""

    character: CharacterId
    reactions: Several


class React(Command, frozen=True, tag="legends.react"):
    """Use a reaction by hand, at any moment when its occasion has come."""

    character: CharacterId
    reaction: Key


def make_attack(state: State, command: MakeAttack, context: Context) -> Iterable[Fact]:
    """LB-5.5.1: everything is asked before a die falls."""
    who, target = command.character, command.target
    one = on_their_feet(state, who, context)
    own_terms = command.ddt is not None or command.advantage or command.disadvantage
    require(context.is_gm or not own_terms, NOT_GM, "LB-0.8")
    fighter(state, target)
    require(who != target, TARGET_INVALID, "LB-5.5.1", character=name_of(state, target))
    spent, extra = _strike_or_action(state, command, context)
    way = armed(state, who, command.weapon)
    require_wieldable(state, who, way, context)
    shot = ready_to_shoot(state, who, way.attack, context)
    require_luck(one, command.use_luck_die, name_of(state, who))
    require_strike(state, who, target, way, context)
    blow = blow_with(
        way,
        require_ddt(state, target, command.ddt),
        luck=command.use_luck_die,
        extra=extra,
        eject_to=require_landing(state, target, way.attack, command.eject_to),
        advantages=("gm",) if command.advantage else (),
        disadvantages=("gm",) if command.disadvantage else (),
    )
    before = fold(EVOLVE, state, [*spent, *shot])
    return [*spent, *shot, *strike(before, who, target, blow, context).facts]


def require_strike(state: State, who: str, target: str, way: Armed, context: Context) -> None:
    """LB-5.5.1, step 1: range, what the attack does, and the loops where elements meet."""
    require_within(state, context, who, target, reaches(state, who, way.attack, target), "LB-5.5.1")
    require_readable(way)
    spikes(state)
    for carried in way.attack.inflicts:
        require_possible(state, Wish(effect=carried.effect, cause="legends.attack", turns=carried.turns, x=carried.x))
    require_loops(state, way.attack.element or fighter(state, who).element, fighter(state, target).element)


def _strike_or_action(state: State, command: MakeAttack, context: Context) -> tuple[list[Fact], bool]:
    """LB-5.5.3: a strike that is left belongs to the action that was used."""
    who = command.character
    turn = find(state, Combatant, who)
    if turn is not None and turn.acting and (turn.strikes or command.extra):
        require_turn(state, who, context)
        context.require(turn.strikes, NO_STRIKE_LEFT, "LB-5.5.3", character=name_of(state, who))
        require_able(state, who, "action", context)
        return [], True
    require(not command.extra or turn is not None, NO_STRIKE_LEFT, "LB-5.5.3", character=name_of(state, who))
    return spend(state, who, "action", context, cause="legends.attack", rule="LB-5.3.1"), False


def grant_edge(state: State, command: GrantEdge, _: Context) -> Iterable[Fact]:
    """LB-2.2.1, LB-2.2.2."""
    fighter(state, command.character)
    edge, rule = ("disadvantage", "LB-2.2.2") if command.disadvantage else ("advantage", "LB-2.2.1")
    return [EdgeGranted(command.character, edge, command.reason, rule)]  # type: ignore[arg-type]


def ready_reactions(state: State, command: ReadyReactions, _: Context) -> Iterable[Fact]:
    """LB-5.3.4."""
    one = fighter(state, command.character)
    wanted = tuple(dict.fromkeys(command.reactions))
    for name in wanted:
        _known(state, command.character, one, name)
    return [] if wanted == one.reactions else [ReactionsReadied(command.character, wanted, "LB-5.3.4")]


def react(state: State, command: React, context: Context) -> Iterable[Fact]:
    """LB-5.3.4, LB-A23: a counter-attack answers the last strike that was not answered yet."""
    who, name = command.character, command.reaction
    one = on_their_feet(state, who, context)
    entry = _known(state, who, one, name)
    reaction = entry.reaction
    assert reaction is not None
    context.require(free_to_react(state, who), INCAPACITATED, "LB-A112", character=name_of(state, who), effect="")
    last = find(state, Answerable, who)
    attacker = last.attacker if last and (last.hit or reaction.trigger != "hit") else ""
    seen = attacker if attacker and known_to(state, attacker, context) and _standing(state, attacker) else ""
    back = counter(state, who, seen, context) if seen else None
    occasion = back is not None if reaction.outcome == "counter_attack" else reaction.trigger == "any"
    occasion = occasion and reaction.outcome != "perfect_counter"
    require(occasion, REACTION_CONDITION_NOT_MET, "LB-5.3.4", reaction=name)
    rolled = tried(name, reaction, who, context.dice, secret=hidden(state, who))
    if not (rolled.success and back):
        return [rolled]
    told = [rolled, *back.shot]
    return [*told, *strike(fold(EVOLVE, state, told), who, seen, back.blow, context).facts]


def _known(state: State, who: str, one: Fighter, name: str) -> CapabilityEntry:
    """A reaction that this creature has. Refuses `UNKNOWN_REACTION`."""
    entry = reaction_of(state, name) if name in one.capabilities else None
    if entry is None:
        choices = [key for key in one.capabilities if reaction_of(state, key)]
        UNKNOWN_REACTION.because("LB-5.3.4", character=name_of(state, who), reaction=name, choices=choices)
    return entry


def _standing(state: State, who: str) -> bool:
    one = find(state, Fighter, who)
    return one is not None and one.life == "standing"


DECIDE: Deciders = {
    MakeAttack: owner("character")(make_attack),
    GrantEdge: for_gm("character")(grant_edge),
    ReadyReactions: owner("character")(ready_reactions),
    React: owner("character")(react),
}
