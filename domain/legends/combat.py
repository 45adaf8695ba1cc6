"""LB-5.0: a fight, its order, its rounds and turns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta

from domain.kernel import cast, clock
from domain.kernel.cast import Character, character, hidden
from domain.kernel.clock import MINUTE, now
from domain.kernel.command import CharacterId, Command, Context, Deciders, Small, owner
from domain.kernel.dice import Dice
from domain.kernel.fold import State, every, find, fold, in_order, together
from domain.kernel.refusal import NOT_GM, require
from domain.legends.checks import Cast, cast_d20, spend_luck
from domain.legends.derived import speed_of
from domain.legends.effects import combat_over, consequence, dice_due, expired, require_luck_of_use, toil
from domain.legends.evolve import EVOLVE
from domain.legends.minutes import minutes_pass
from domain.legends.refusals import (
    ALREADY_FIGHTING,
    COMBAT_ALREADY_RUNNING,
    LUCK_DIE_NOT_ALLOWED,
    NOBODY_FIGHTS,
    NOT_YOUR_TURN,
)
from domain.legends.smoke import dispersed, thinned
from domain.legends.state import (
    FOES,
    PARTY,
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
    ruling,
)
from domain.legends.stats import modifier
from domain.legends.turns import Deed, combatant, require_own_will, require_turn, spend
from events.envelope import Fact
from events.legends import (
    CombatantLeft,
    CombatEnded,
    CombatStarted,
    Cost,
    DeathSaveRolled,
    InitiativeRolled,
    ManaRecharged,
    Modifier,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from events.legends.combat import ConsequenceResolved, TurnOrderSet
from events.table import ClockAdvanced

WORLD = together(clock.EVOLVE, cast.EVOLVE, EVOLVE)
"""The same, with the clock that rounds move, and the cast that summons leave."""
NOTHING_CAST = Cast(0, (), ())
"""LB-A16: where Speed alone decides."""
RECHARGE = 5
"""LB-9.2.1."""
Several = Annotated[tuple[CharacterId, ...], Meta(max_length=100)]
Words = Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]


class StartCombat(Command, frozen=True, tag="legends.start_combat"):
    """The game master starts a fight of these creatures; each rolls for its place, in the order named.

    `surprised` ones skip their first turn; `luck` announces a luck die for the roll of these. `foes` and `friends` of
    the party are named where they are not the non-player characters and the others.
    """

    participants: Annotated[tuple[CharacterId, ...], Meta(min_length=1, max_length=100)]
    surprised: Several = ()
    luck: Several = ()
    foes: Several = ()
    friends: Several = ()


class JoinCombat(Command, frozen=True, tag="legends.join_combat"):
    """A latecomer rolls, and comes in from the next round on."""

    character: CharacterId
    use_luck_die: bool = False


class LeaveCombat(Command, frozen=True, tag="legends.leave_combat"):
    """The game master takes a creature out of the fight."""

    character: CharacterId


class BeginTurn(Command, frozen=True, tag="legends.begin_turn"):
    """The Consequence phase, where it waits for dice. `use_luck_die` goes with the die that shakes an effect off.

    Outside of a fight the game master lets a turn of this character begin: its next save is due.
    """

    character: CharacterId
    use_luck_die: bool = False


class SetInitiative(Command, frozen=True, tag="legends.set_initiative"):
    """The game master moves a creature in the order: to this initiative, before the others that have it."""

    character: CharacterId
    initiative: Small


class EndTurn(Command, frozen=True, tag="legends.end_turn"):
    """The turn is over, and the next creature's begins. `skip`: the game master passes over it."""

    character: CharacterId
    skip: bool = False


class Act(Deed, frozen=True, tag="legends.act"):
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
        _require_luck(state, who, who in command.luck)
    facts: list[Fact] = [CombatStarted("LB-5.0.1")]
    for entry, who in enumerate(named):
        facts += _initiative(
            state,
            who,
            context,
            entry=entry,
            luck=who in command.luck,
            surprised=who in command.surprised,
            since=1,
            side=FOES if who in command.foes else PARTY if who in command.friends else "",
        )
    return [*facts, RoundStarted(1, "LB-5.0.1")]


def join_combat(state: State, command: JoinCombat, context: Context) -> Iterable[Fact]:
    """LB-A17: the order is never rolled again; a newcomer is inserted from the next round on."""
    fight, who = _fight(state), command.character
    require(find(state, Combatant, who) is None, ALREADY_FIGHTING, "LB-A17", character=name_of(state, who))
    _require_luck(state, who, command.use_luck_die)
    entry = 1 + max((one.entry for one in every(state, Combatant).values()), default=-1)
    return _initiative(
        state, who, context, entry=entry, luck=command.use_luck_die, surprised=False, since=fight.round + 1
    )


def leave_combat(state: State, command: LeaveCombat, _: Context) -> Iterable[Fact]:
    _fight(state)
    combatant(state, command.character)
    return [CombatantLeft(command.character, "legends.left", "LB-5.0.4")]


def set_initiative(state: State, command: SetInitiative, _: Context) -> Iterable[Fact]:
    """LB-5.0.2: the game master may reorder at any moment."""
    _fight(state)
    combatant(state, command.character)
    entry = min(one.entry for one in every(state, Combatant).values()) - 1
    return [TurnOrderSet(command.character, command.initiative, entry, "LB-5.0.2")]


def begin_turn(state: State, command: BeginTurn, context: Context) -> Iterable[Fact]:
    """LB-5.1.1; outside of a fight LB-8.1.3: the window of damage closes and opens with the turn."""
    who = command.character
    one = find(state, Combatant, who)
    if one is None:
        fighter(state, who)
        require(context.is_gm, NOT_GM, "LB-8.1.3")
        return [TurnStarted(who, now(state), "legends.turn", "LB-8.1.3")]
    require(one.acting, NOT_YOUR_TURN, "LB-5.0.1", character=name_of(state, who))
    if not one.pending:
        return []
    require_luck_of_use(state, who, command.use_luck_die, name_of(state, who))
    return [*_opened(state, who, context.dice, command.use_luck_die), ConsequenceResolved(who, "LB-5.1.1")]


def end_turn(state: State, command: EndTurn, context: Context) -> Iterable[Fact]:
    """LB-5.0.1: one after the other; a round is a minute of game time (LB-A19)."""
    who = command.character
    require(context.is_gm or not command.skip, NOT_GM, "LB-0.8")
    _fight(state)
    if command.skip:
        require(combatant(state, who).acting, NOT_YOUR_TURN, "LB-5.0.1", character=name_of(state, who))
        return _over(state, who, "game_master")
    require_turn(state, who, context)
    return _over(state, who, "")


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
    return [*combat_over(state), *leaving, CombatEnded(fight.round, "LB-5.0.4")]


def order(state: State) -> list[str]:
    """LB-5.0.2, LB-A17: by initiative, then Speed, then players before the others, then entry."""

    def place(who: str) -> tuple[int, int, bool, int]:
        one = every_one[who]
        return -one.initiative, -one.speed, character(state, who).kind != "player", one.entry

    every_one = every(state, Combatant)
    return sorted(every_one, key=place)


def _require_luck(state: State, who: str, announced: bool) -> None:
    """LB-2.1.4: a luck die goes with a die, and there is none where Speed alone decides (LB-A16)."""
    thrown = ruling(state, "LB-A16", "a", "abc") != "c"
    require(thrown or not announced, LUCK_DIE_NOT_ALLOWED, "LB-2.1.4", reason="no_die")
    require_luck(fighter(state, who), announced, name_of(state, who))


def _initiative(
    state: State, who: str, context: Context, *, entry: int, luck: bool, surprised: bool, since: int, side: str = ""
) -> list[Fact]:
    """LB-5.0.2, LB-A16: D20 and the modifier of Speed."""
    one = fighter(state, who)
    quick = speed_of(state, who)
    choice = ruling(state, "LB-A16", "a", "abc")
    cast = NOTHING_CAST
    if choice != "c":
        cast = cast_d20(context.dice, luck, purpose="initiative", secret=hidden(state, who))
    basis = modifier(quick) if choice == "a" else quick
    modifiers = (Modifier("speed", basis, "LB-1.4" if choice == "a" else "LB-A16"), *cast.luck)
    total = cast.kept + sum(each.amount for each in modifiers)
    rolled = InitiativeRolled(
        who, cast.kept, modifiers, total, quick, entry, surprised, since, "LB-5.0.2", side=side, rolls=cast.rolls
    )
    return [*spend_luck(who, one, luck), rolled]


# The turns go on by themselves, whatever ended one.


def goes_on(decide: Callable[[State, Any, Context], Iterable[Fact]]) -> Callable[[State, Any, Context], list[Fact]]:
    """The command, and what the fight makes of it: Lacerated (LB-A40), the end of the turn of whoever fell or died in
    it (LB-8.0.1), the next turns up to one in which somebody has something to do."""

    def decided(state: State, command: Any, context: Context) -> list[Fact]:
        if isinstance(command, Deed):
            require_own_will(state, getattr(command, "character", ""), command, context)
        told = list(decide(state, command, context))
        after = fold(WORLD, state, told)
        return [*told, *_afterwards(after, told, context)] if told and find(after, Fight) is not None else told

    return decided


def _afterwards(state: State, told: Sequence[Fact], context: Context) -> list[Fact]:
    more: list[Fact] = []
    acting = next((who for who, one in every(state, Combatant).items() if one.acting), None)
    if acting is not None:
        strikes = combatant(state, acting).strikes
        more += [] if strikes else toil(state, acting)
        state = fold(WORLD, state, more)
        saved = any(isinstance(fact, DeathSaveRolled) and fact.character == acting for fact in told)
        if not saved and _has_its_turn(state, acting):
            return more
        over = _over(state, acting, "")
        more += over
        state = fold(WORLD, state, over)
    return [*more, *_next_turn(state, context)]


def _has_its_turn(state: State, who: str) -> bool:
    """LB-8.0.1: the turn of whoever falls or dies is over; LB-8.1.1: who was down when it began has a save to make."""
    one = find(state, Fighter, who)
    return one is not None and _can_come(state, who) and (not one.down or one.saves_due > 0)


def _next_turn(state: State, context: Context) -> list[Fact]:
    """Whoever comes next in this round, or the first of the next; surprised ones are passed over once."""
    told: list[Fact] = []
    for _ in range(4 * len(every(state, Combatant)) + 4):
        fight, waiting = _fight(state), _waiting(state)
        if waiting is None:
            if not any(_can_come(state, who) for who in every(state, Combatant)):
                return told
            until = now(state) + MINUTE
            new: list[Fact] = [
                ClockAdvanced(MINUTE, until),
                *minutes_pass(state, until, context.dice),
                RoundStarted(fight.round + 1, "LB-5.0.1"),
            ]
        elif combatant(state, waiting).surprised:
            new = [TurnEnded(waiting, fight.round, "surprise", "LB-5.0.3")]
        else:
            new = _turn_of(state, waiting, context)
            after = fold(WORLD, state, new)
            if _has_its_turn(after, waiting):
                return [*told, *new]
            new += _over(after, waiting, "")
        told += new
        state = fold(WORLD, state, new)
    return told


def _turn_of(state: State, who: str, context: Context) -> list[Fact]:
    """LB-5.1.1: the turn begins with the Consequence phase, which waits only where dice have to be thrown."""
    down = fighter(state, who).down
    actions = 0 if down else number(state, "turn.actions", "LB-C6", 1, most=100)
    sub_actions = 0 if down else number(state, "turn.sub_actions", "LB-C6", 1, most=100)
    waits = dice_due(state, who)
    started = TurnStarted(
        who, now(state), "legends.combat", "LB-5.0.1", actions=actions, sub_actions=sub_actions, pending=waits
    )
    if waits:
        return [started]
    return [started, *_opened(fold(EVOLVE, state, [started]), who, context.dice, luck=False)]


def _opened(state: State, who: str, dice: Dice, luck: bool) -> list[Fact]:
    """LB-5.1.1: the effects act, then mana comes back (LB-9.2.1), but not to the fallen."""
    parts = [
        lambda now: consequence(now, who, dice, luck),
        lambda now: thinned(now, who),
        lambda now: _recharge(now, who),
    ]
    return in_order(EVOLVE, state, parts)


def _recharge(state: State, who: str) -> list[Fact]:
    one = find(state, Fighter, who)
    gained = 0 if one is None or one.life != "standing" else min(RECHARGE, one.mana_max - one.mana)
    return [ManaRecharged(who, gained, one.mana + gained, "LB-9.2.1")] if one and gained > 0 else []


def _over(state: State, who: str, reason: Literal["", "game_master"]) -> list[Fact]:
    """LB-A29: what has come to its end ends with the turn; LB-6.1.7: what is still to be suffered for an action."""
    return in_order(
        EVOLVE,
        state,
        [
            lambda now: toil(now, who) if _can_come(now, who) else [],
            lambda now: expired(now, who),
            lambda now: dispersed(now, who),
            lambda now: [TurnEnded(who, _fight(now).round, reason, "LB-5.0.1")],
        ],
    )


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
    BeginTurn: owner("character")(begin_turn),
    SetInitiative: for_gm("character")(set_initiative),
    StartCombat: for_gm("participants")(start_combat),
    JoinCombat: for_gm("character")(join_combat),
    LeaveCombat: for_gm("character")(leave_combat),
    EndTurn: owner("character")(end_turn),
    Act: owner("character")(act),
    EndCombat: for_gm()(end_combat),
}
