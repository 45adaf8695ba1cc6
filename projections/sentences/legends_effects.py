"""Legends & Bonk, told: attacks, effects, places on the map."""

from events.legends.board import CreaturePlaced
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
from projections.sentences.saying import Sayings, choose, say

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
    GearLost: say("{character} no longer has {item}."),
}
