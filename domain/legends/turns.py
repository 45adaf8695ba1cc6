"""LB-5.1.3 and LB-5.3: what a turn holds, and what an activity takes of it."""

from domain.kernel.command import Command, Context
from domain.kernel.fold import State, find
from domain.legends.effect_table import blocking
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.refusals import (
    CONSEQUENCE_PENDING,
    CONTROLLED_BY_ORDER,
    INCAPACITATED,
    NO_ACTION_LEFT,
    NO_SUB_ACTION_LEFT,
    NOT_IN_COMBAT,
    NOT_YOUR_TURN,
    SURPRISED,
)
from domain.legends.state import Combatant, Fight, name_of, number, ruling
from events.envelope import Fact
from events.legends import ActivityDone, Cost


class Deed(Command, frozen=True, kw_only=True):
    """Something that a creature does of its own will.

    Whoever follows an order (LB-6.2.13) does only what carries it out, and says so with `carries_out_order`.
    """

    carries_out_order: bool = False


def require_own_will(state: State, who: str, deed: Deed, context: Context) -> None:
    """LB-6.2.13, LB-A49: the game master arbitrates, and is not asked."""
    leaf = find(state, Afflicted, who)
    borne = leaf.of("lovestruck") if leaf else None
    if borne is not None and not (context.is_gm or deed.carries_out_order):
        context.require(False, CONTROLLED_BY_ORDER, "LB-6.2.13", character=name_of(state, who), order=borne.order)


def spend(state: State, who: str, cost: Cost, context: Context, *, cause: str, rule: str, text: str = "") -> list[Fact]:
    """LB-5.1.3, LB-5.3.3: what an activity takes of the turn; outside of a fight nothing is counted."""
    one = find(state, Combatant, who)
    if one is None:
        require_able(state, who, cost, context)
        return []
    require_turn(state, who, context)
    shown = name_of(state, who)
    if cost == "action":
        context.require(one.actions, NO_ACTION_LEFT, "LB-5.3.3", character=shown, left=one.sub_actions)
    if cost == "sub_action":
        context.require(one.sub_actions, NO_SUB_ACTION_LEFT, "LB-5.3.3", character=shown, left=one.actions)
    require_able(state, who, cost, context)
    actions = max(0, one.actions - (cost == "action"))
    sub_actions = max(0, one.sub_actions - (cost == "sub_action"))
    return [ActivityDone(who, cost, cause, actions, sub_actions, rule, text=text)]


def require_able(state: State, who: str, cost: Cost, context: Context) -> None:
    """LB-5.3.1, LB-6.2.1, LB-6.1.4: no effect forbids it."""
    effect = None if cost == "free" or _one_of_two(state, who, cost) else blocking(state, who, cost)
    context.require(effect is None, INCAPACITATED, "LB-6.2.1", character=name_of(state, who), effect=effect)


def _one_of_two(state: State, who: str, cost: Cost) -> bool:
    """LB-A37: where the table settled that such an effect forbids one of the two, the other stays."""
    turn = find(state, Combatant, who)
    if turn is None or ruling(state, "LB-A37", "a", "ab") == "a":
        return False
    budget = number(state, "turn.sub_actions" if cost == "action" else "turn.actions", "LB-C6", 1, most=100)
    return (turn.sub_actions if cost == "action" else turn.actions) == budget


def combatant(state: State, who: str) -> Combatant:
    """Refuses whoever takes no part in the fight."""
    found = find(state, Combatant, who)
    if found is None:
        NOT_IN_COMBAT.because("LB-5.0.1", character=name_of(state, who))
    return found


def require_turn(state: State, who: str, context: Context) -> None:
    """LB-5.0.1, LB-5.0.3, LB-5.1.1: it is this creature's turn, and its Consequence phase is over."""
    one, fight, shown = combatant(state, who), find(state, Fight), name_of(state, who)
    skips = one.surprised or (fight is not None and not one.acting and one.surprised_in == fight.round > 0)
    context.require(not skips, SURPRISED, "LB-5.0.3", character=shown)
    context.require(one.acting, NOT_YOUR_TURN, "LB-5.0.1", character=shown)
    context.require(not one.pending, CONSEQUENCE_PENDING, "LB-5.1.1", character=shown)
