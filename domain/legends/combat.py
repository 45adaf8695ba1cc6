"""LB-5.0, LB-5.1 and LB-5.3: a fight, its order, its turns, and what a turn still holds."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel import clock
from domain.kernel.cast import Character, character, hidden
from domain.kernel.clock import MINUTE, now
from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State, every, find, fold, together
from domain.kernel.refusal import NOT_GM, require
from domain.legends.checks import cast_d20, spend_luck
from domain.legends.downfall import minutes_pass
from domain.legends.evolve import EVOLVE
from domain.legends.refusals import (
    ALREADY_FIGHTING,
    COMBAT_ALREADY_RUNNING,
    NOBODY_FIGHTS,
)
from domain.legends.state import (
    Combatant,
    Fight,
    Fighter,
    fighter,
    for_gm,
    in_play,
    name_of,
    number,
    on_their_feet,
    require_luck,
)
from domain.legends.stats import modifier, speed
from domain.legends.turns import combatant, require_turn, spend
from events.envelope import Fact
from events.legends import (
    CombatantLeft,
    CombatEnded,
    CombatStarted,
    Cost,
    InitiativeRolled,
    ManaRecharged,
    Modifier,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from events.table import ClockAdvanced

WORLD = together(clock.EVOLVE, EVOLVE)
"""The same, with the clock that rounds move."""
RECHARGE = 5
"""LB-9.2.1."""
Several = Annotated[tuple[CharacterId, ...], Meta(max_length=100)]
Words = Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]


class StartCombat(Command, frozen=True, tag="legends.start_combat"):
    """The game master starts a fight of these creatures; each rolls for its place, in the order named.

    `surprised` ones skip their first turn; `luck` announces a luck die for the roll of these.
    """

    participants: Annotated[tuple[CharacterId, ...], Meta(min_length=1, max_length=100)]
    surprised: Several = ()
    luck: Several = ()


class JoinCombat(Command, frozen=True, tag="legends.join_combat"):
    """A latecomer rolls, and comes in from the next round on."""

    character: CharacterId
    use_luck_die: bool = False


class LeaveCombat(Command, frozen=True, tag="legends.leave_combat"):
    """The game master takes a creature out of the fight."""

    character: CharacterId


class EndTurn(Command, frozen=True, tag="legends.end_turn"):
    """The turn is over, and the next creature's begins. `skip`: the game master passes over it."""

    character: CharacterId
    skip: bool = False


class Act(Command, frozen=True, tag="legends.act"):
    """Something no other rule covers, in words. It costs the action, unless the game master says else."""

    character: CharacterId
    text: Annotated[str, Meta(min_length=1, max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]
    cost: Cost = "action"


class EndCombat(Command, frozen=True, tag="legends.end_combat"):
    """The game master ends the fight."""


def start_combat(state: State, command: StartCombat, context: Context) -> Iterable[Fact]:
    """LB-5.0.1, LB-5.0.2."""
    require(find(state, Fight) is None, COMBAT_ALREADY_RUNNING, "LB-5.0.1")
    named = tuple(dict.fromkeys(command.participants))
    for who in named:
        require_luck(fighter(state, who), who in command.luck, name_of(state, who))
    facts: list[Fact] = [CombatStarted("LB-5.0.1")]
    for entry, who in enumerate(named):
        facts += _initiative(
            state, who, context, entry=entry, luck=who in command.luck, surprised=who in command.surprised, since=1
        )
    facts.append(RoundStarted(1, "LB-5.0.1"))
    return [*facts, *_next_turn(fold(EVOLVE, state, facts))]


def join_combat(state: State, command: JoinCombat, context: Context) -> Iterable[Fact]:
    """LB-A17: the order is never rolled again; a newcomer is inserted from the next round on."""
    fight, who = _fight(state), command.character
    require(find(state, Combatant, who) is None, ALREADY_FIGHTING, "LB-A17", character=name_of(state, who))
    require_luck(fighter(state, who), command.use_luck_die, name_of(state, who))
    entry = 1 + max((one.entry for one in every(state, Combatant).values()), default=-1)
    return _initiative(
        state, who, context, entry=entry, luck=command.use_luck_die, surprised=False, since=fight.round + 1
    )


def leave_combat(state: State, command: LeaveCombat, _: Context) -> Iterable[Fact]:
    _fight(state)
    one = combatant(state, command.character)
    left = CombatantLeft(command.character, "legends.left", "LB-5.0.4")
    return [left, *(_next_turn(fold(EVOLVE, state, [left])) if one.acting else ())]


def end_turn(state: State, command: EndTurn, context: Context) -> Iterable[Fact]:
    """LB-5.0.1: one after the other; a round is a minute of game time (LB-A19)."""
    who = command.character
    require(context.is_gm or not command.skip, NOT_GM, "LB-0.8")
    fight = _fight(state)
    require_turn(state, who, context)
    ended = TurnEnded(who, fight.round, "game_master" if command.skip else "", "LB-5.0.1")
    return [ended, *_next_turn(fold(EVOLVE, state, [ended]))]


def act(state: State, command: Act, context: Context) -> Iterable[Fact]:
    """LB-5.4.8: the game master says what it costs; by default the action."""
    who = command.character
    require(context.is_gm or command.cost == "action", NOT_GM, "LB-5.4.8")
    on_their_feet(state, who, context)
    _fight(state)
    return spend(state, who, command.cost, context, cause="legends.act", rule="LB-5.4.8", text=command.text)


def end_combat(state: State, _: EndCombat, __: Context) -> Iterable[Fact]:
    """LB-5.0.4, LB-A109."""
    fight = _fight(state)
    leaving = [CombatantLeft(who, "legends.combat_ended", "LB-5.0.4") for who in every(state, Combatant)]
    return [*leaving, CombatEnded(fight.round, "LB-5.0.4")]


def order(state: State) -> list[str]:
    """LB-5.0.2, LB-A17: by initiative, then Speed, then players before the others, then entry."""

    def place(who: str) -> tuple[int, int, bool, int]:
        one = every_one[who]
        return -one.initiative, -one.speed, character(state, who).kind != "player", one.entry

    every_one = every(state, Combatant)
    return sorted(every_one, key=place)


def _initiative(
    state: State, who: str, context: Context, *, entry: int, luck: bool, surprised: bool, since: int
) -> list[Fact]:
    """LB-5.0.2, LB-A16: D20 and the modifier of Speed."""
    one = fighter(state, who)
    quick = speed(one.stats)
    cast = cast_d20(context.dice, luck, purpose="initiative", secret=hidden(state, who))
    modifiers = (Modifier("speed", modifier(quick), "LB-1.4"), *cast.luck)
    total = cast.kept + sum(each.amount for each in modifiers)
    rolled = InitiativeRolled(
        who, cast.kept, modifiers, total, quick, entry, surprised, since, "LB-5.0.2", rolls=cast.rolls
    )
    return [*spend_luck(who, one, luck), rolled]


def _next_turn(state: State) -> list[Fact]:
    """Whoever comes next in this round, or the first of the next; surprised ones are passed over once."""
    told: list[Fact] = []
    for _ in range(2 * len(every(state, Combatant)) + 2):
        fight, waiting = _fight(state), _waiting(state)
        if waiting is None:
            if not any(_can_come(state, who) for who in every(state, Combatant)):
                return told
            until = now(state) + MINUTE
            new: list[Fact] = [
                ClockAdvanced(MINUTE, until),
                *minutes_pass(state, until),
                RoundStarted(fight.round + 1, "LB-5.0.1"),
            ]
        elif combatant(state, waiting).surprised:
            new = [TurnEnded(waiting, fight.round, "surprise", "LB-5.0.3")]
        else:
            return [*told, *_turn_of(state, waiting)]
        told += new
        state = fold(WORLD, state, new)
    return told


def _turn_of(state: State, who: str) -> list[Fact]:
    """LB-5.1.1: the turn begins with the Consequence phase; LB-9.2.1: mana comes back, but not to the fallen."""
    one = fighter(state, who)
    actions = number(state, "turn.actions", "LB-C6", 1, most=100)
    sub_actions = number(state, "turn.sub_actions", "LB-C6", 1, most=100)
    started = TurnStarted(who, now(state), "legends.combat", "LB-5.0.1", actions=actions, sub_actions=sub_actions)
    gained = min(RECHARGE, one.mana_max - one.mana)
    if one.down or gained <= 0:
        return [started]
    return [started, ManaRecharged(who, gained, one.mana + gained, "LB-9.2.1")]


def _waiting(state: State) -> str | None:
    """The first in order who has not had its turn in this round."""
    fight = _fight(state)
    for who in order(state):
        one = combatant(state, who)
        if one.turns_until < fight.round and one.from_round <= fight.round and _can_come(state, who):
            return who
    return None


def _can_come(state: State, who: str) -> bool:
    one, known = find(state, Fighter, who), find(state, Character, who)
    return one is not None and known is not None and in_play(known) and not one.dead


def _fight(state: State) -> Fight:
    found = find(state, Fight)
    if found is None:
        NOBODY_FIGHTS.because("LB-5.0.1")
    return found


DECIDE: Deciders = {
    StartCombat: for_gm("participants")(start_combat),
    JoinCombat: for_gm("character")(join_combat),
    LeaveCombat: for_gm("character")(leave_combat),
    EndTurn: owner("character")(end_turn),
    Act: owner("character")(act),
    EndCombat: for_gm()(end_combat),
}
