"""Legends & Bonk, told: attacks, effects, places on the map."""

from events.legends.board import (
    CreatureMoved,
    CreaturePlaced,
    ItemLanded,
    ItemTaken,
    ItemThrown,
    MapDrawn,
    SmokeCleared,
    SmokeSpread,
    SmokeThinned,
)
from events.legends.combat import ConsequenceResolved, EdgeGranted, StrikeGranted, TurnOrderSet
from events.legends.effects import (
    ChanceRolled,
    EffectApplied,
    EffectEnded,
    EffectFailed,
    EffectTicked,
    FellProne,
    StoodUp,
)
from events.legends.sheet import GearLost
from events.legends.strikes import AttackRolled, ReactionsReadied, ReactionTriggered
from projections.messages import Param
from projections.sentences.saying import Sayings, Telling, choose, say


def _end(telling: Telling, name: str) -> Param:
    """The last cell of a path: `(3, 2)`."""
    x, y = telling.field(name)[-1]
    return f"({x}, {y})"


SAYINGS: Sayings = {
    AttackRolled: choose(
        lambda told: told.outcome,
        {
            "critical": say("{character} attacks {target} ({weapon}): {total} for {ddt}, a critical hit!"),
            "hit": say("{character} attacks {target} ({weapon}): {total} for {ddt}, a hit."),
            "miss": say("{character} attacks {target} ({weapon}): {total} for {ddt}, a miss."),
        },
    ),
    ReactionsReadied: say("{character} stands ready to react."),
    ReactionTriggered: choose(
        lambda told: told.success,
        {
            True: say("{character} reacts: {reaction}."),
            False: say("{character} tries to react ({reaction}), in vain."),
        },
    ),
    EffectApplied: choose(
        lambda told: told.refreshed,
        {
            True: say("{character} is affected once more: {effect}."),
            False: say("{character} is affected: {effect}."),
        },
    ),
    EffectFailed: choose(
        lambda told: told.reason,
        {
            "shaken_off": say("{character} shakes it off: {effect}."),
            "chance": say("{character} escapes it: {effect}."),
            "no_target": say("It does nothing to {character}: {effect}."),
        },
    ),
    EffectTicked: choose(
        lambda told: told.blocked,
        {
            True: say("{effect}: {character} can do nothing in this turn."),
            False: say("{effect} works on {character}."),
        },
    ),
    EffectEnded: say("{effect} ends for {character}."),
    FellProne: say("{character} slips and lies on the ground."),
    StoodUp: say("{character} stands up."),
    ChanceRolled: choose(
        lambda told: told.success,
        {
            True: say("{character}, {purpose}: {face} of {sides}, it happens."),
            False: say("{character}, {purpose}: {face} of {sides}, it does not happen."),
        },
    ),
    ConsequenceResolved: say("{character} can move and act."),
    EdgeGranted: choose(
        lambda told: told.edge,
        {
            "advantage": say("{character} has the advantage in its next attack."),
            "disadvantage": say("{character} has a disadvantage in its next attack."),
        },
    ),
    StrikeGranted: say("{character} may strike once more."),
    TurnOrderSet: say("{character} changes its place in the turn order."),
    CreaturePlaced: say("{character} stands at ({x}, {y})."),
    CreatureMoved: choose(
        lambda told: told.cause if told.path else "stays",
        {
            "move": say("{character} moves to {path}, {cost} cells.", path=_end),
            "jump": say("{character} jumps to {path}.", path=_end),
            "push": say("{character} is pushed to {path}.", path=_end),
            "shove": say("{character} is thrown back to {path}.", path=_end),
            "stays": say("{character} does not come off the spot."),
        },
    ),
    MapDrawn: say("A map is drawn: from ({left}, {bottom}) to ({right}, {top})."),
    ItemLanded: choose(
        lambda told: "nowhere" if told.x is None else "cell",
        {
            "cell": say("{item} lies at ({x}, {y})."),
            "nowhere": say("{item} lies on the ground."),
        },
    ),
    ItemThrown: choose(
        lambda told: (told.returned, told.x is not None),
        {
            (True, True): say("{character} throws {item} to ({x}, {y}), and it comes back to the hand."),
            (True, False): say("{character} throws {item}, and it comes back to the hand."),
            (False, True): say("{character} throws {item} to ({x}, {y})."),
            (False, False): say("{character} throws {item}."),
        },
    ),
    ItemTaken: choose(
        lambda told: told.to,
        {
            "hand": say("{character} takes {item} in hand."),
            "bag": say("{character} puts {item} into the bag."),
        },
    ),
    SmokeSpread: say("Smoke fills a zone of {radius} around ({x}, {y})."),
    SmokeThinned: say("The smoke thins; turns left: {turns}."),
    SmokeCleared: choose(
        lambda told: told.reason,
        {
            "expired": say("The smoke has cleared."),
            "strong_wind": say("A strong wind clears the smoke."),
            "wind_aura": say("The wind of a weapon clears the smoke."),
        },
    ),
    GearLost: say("{character} no longer has {item}."),
}
