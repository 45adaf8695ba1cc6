"""LB-5.3.4: reactions. What a creature has made ready answers a strike by itself; the rest is declared by hand.

A reaction costs neither action nor sub-action (LB-A23); what its capability costs beside that is paid when it is due.
"""

from domain.kernel.cast import hidden
from domain.kernel.command import Context
from domain.kernel.dice import Dice
from domain.kernel.fold import State
from domain.legends.blow import counter
from domain.legends.effect_table import blocking
from domain.legends.leaves.compendium import listed
from domain.legends.state import fighter, ruling
from events.envelope import Fact
from events.legends.compendium import CapabilityEntry, Reaction
from events.legends.strikes import ReactionTriggered


def reaction_of(state: State, name: str) -> CapabilityEntry | None:
    """The capability, where it is a reaction."""
    entry = listed(state, CapabilityEntry, name)
    return entry if entry is not None and entry.reaction is not None else None


def free_to_react(state: State, who: str) -> bool:
    """LB-A112: effects that forbid to act leave reactions alone, unless the table settled else; being down does not."""
    held = ruling(state, "LB-A112", "b", "ab") == "a" and blocking(state, who, "action") is not None
    return fighter(state, who).life == "standing" and not held


def answers(state: State, who: str, attacker: str, hit: bool, context: Context) -> list[Fact]:
    """LB-5.5.1, step 4: what is ready, in the order in which it was made ready; one success of each outcome."""
    if not fighter(state, who).reactions or not free_to_react(state, who):
        return []
    told: list[Fact] = []
    done: set[str] = set()
    for name in fighter(state, who).reactions:
        entry = reaction_of(state, name)
        if entry is None or entry.reaction is None or entry.reaction.outcome in done:
            continue
        if not _due(state, who, attacker, hit, entry.reaction, context):
            continue
        rolled = tried(name, entry.reaction, who, context.dice, secret=hidden(state, who, attacker))
        told.append(rolled)
        if rolled.success:
            done.add(entry.reaction.outcome)
    return told


def tried(name: str, reaction: Reaction, who: str, dice: Dice, *, secret: bool) -> ReactionTriggered:
    """LB-A23: the capability gives die and threshold; without a die it takes place."""
    rule = "LB-6.2.17" if reaction.outcome == "perfect_counter" else "LB-5.3.4"
    if not reaction.sides:
        return ReactionTriggered(who, name, True, reaction.outcome, rule)
    roll = dice.throw(1, reaction.sides, purpose="reaction", secret=secret)
    face = roll.kept[0]
    return ReactionTriggered(
        who,
        name,
        face >= reaction.at_least,
        reaction.outcome,
        rule,
        face=face,
        sides=reaction.sides,
        needed=reaction.at_least,
        rolls=(roll,),
    )


def _due(state: State, who: str, attacker: str, hit: bool, reaction: Reaction, context: Context) -> bool:
    if reaction.trigger == "hit" and not hit:
        return False
    match reaction.outcome:
        case "perfect_counter":
            return hit
        case "counter_attack":
            return counter(state, who, attacker, context) is not None
        case _:
            return False
