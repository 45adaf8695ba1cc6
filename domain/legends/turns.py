"""LB-5.1.3 and LB-5.3: what a turn holds, and what an activity takes of it."""

from domain.kernel.command import Context
from domain.kernel.fold import State, find
from domain.legends.refusals import NO_ACTION_LEFT, NO_SUB_ACTION_LEFT, NOT_IN_COMBAT, NOT_YOUR_TURN
from domain.legends.state import Combatant, name_of
from events.envelope import Fact
from events.legends import ActivityDone, Cost


def spend(state: State, who: str, cost: Cost, context: Context, *, cause: str, rule: str, text: str = "") -> list[Fact]:
    """LB-5.1.3, LB-5.3.3: what an activity takes of the turn; outside of a fight nothing is counted."""
    one = find(state, Combatant, who)
    if one is None:
        return []
    require_turn(state, who, context)
    shown = name_of(state, who)
    if cost == "action":
        context.require(one.actions, NO_ACTION_LEFT, "LB-5.3.3", character=shown, left=one.sub_actions)
    if cost == "sub_action":
        context.require(one.sub_actions, NO_SUB_ACTION_LEFT, "LB-5.3.3", character=shown, left=one.actions)
    actions = max(0, one.actions - (cost == "action"))
    sub_actions = max(0, one.sub_actions - (cost == "sub_action"))
    return [ActivityDone(who, cost, cause, actions, sub_actions, rule, text=text)]


def combatant(state: State, who: str) -> Combatant:
    """Refuses whoever takes no part in the fight."""
    found = find(state, Combatant, who)
    if found is None:
        NOT_IN_COMBAT.because("LB-5.0.1", character=name_of(state, who))
    return found


def require_turn(state: State, who: str, context: Context) -> None:
    one = combatant(state, who)
    context.require(one.acting, NOT_YOUR_TURN, "LB-5.0.1", character=name_of(state, who))
