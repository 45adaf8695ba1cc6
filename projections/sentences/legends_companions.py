"""Legends & Bonk, told: animals, summons, shapes."""

from events.legends.companions import (
    AnimalMeasured,
    CreatureSummoned,
    HitPointsSacrificed,
    ShapeAssumed,
    ShapeEnded,
    SpecialDefenceTriggered,
    SummonTurnsSet,
)
from projections.sentences.saying import Sayings, choose, say

SAYINGS: Sayings = {
    AnimalMeasured: say("{character} follows {master}: level {level}, {hp} of {hp_max} HP, speed {speed}."),
    SpecialDefenceTriggered: say("{character} defends itself: {defence}."),
    CreatureSummoned: say("{master} calls {character}."),
    SummonTurnsSet: say("{character} stays; turns left: {turns}."),
    HitPointsSacrificed: say("{character} sacrifices {amount} HP: {hp_before} → {hp} HP."),
    ShapeAssumed: say("{character} becomes an animal ({shape}): {hp} of {hp_max} HP."),
    ShapeEnded: choose(
        lambda told: told.reason,
        {
            "command": say("{character} has its own body again: {hp} of {hp_max} HP."),
            "zero_hp": say("{character} loses the shape of an animal with its last HP."),
            "game_master": say("The game master gives {character} its own body again: {hp} of {hp_max} HP."),
        },
    ),
}
