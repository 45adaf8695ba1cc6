"""Legends & Bonk (catalogue prefix LB): its contents."""

from msgspec.structs import replace

from domain.kernel.command import Deciders
from domain.kernel.system import System
from domain.legends import (
    afflicting,
    attack,
    checks,
    combat,
    dying,
    equipping,
    levels,
    luck,
    meals,
    movement,
    moves,
    negotiation,
    rest,
    smoke,
    trade,
    wheel,
)
from domain.legends.bounds import corrected, sound
from domain.legends.effect_table import EFFECTS, MARKERS
from domain.legends.evolve import EVOLVE
from domain.legends.minutes import minutes_pass
from domain.legends.settings import SETTINGS
from domain.legends.sheet import Sheet, draw_up
from domain.legends.state import Fighter, condition
from domain.legends.stats import DERIVED, portrait
from events.legends import FACTS

DECIDE: Deciders = {
    **checks.DECIDE,
    **luck.DECIDE,
    **dying.DECIDE,
    **combat.DECIDE,
    **afflicting.DECIDE,
    **attack.DECIDE,
    **movement.DECIDE,
    **equipping.DECIDE,
    **moves.DECIDE,
    **smoke.DECIDE,
    **rest.DECIDE,
    **meals.DECIDE,
    **trade.DECIDE,
    **negotiation.DECIDE,
    **levels.DECIDE,
    **wheel.DECIDE,
}

SYSTEM = System(
    name="legends",
    coin="MC",
    sheet=Sheet,
    draw_up=draw_up,
    deciders={command: replace(decider, decide=combat.goes_on(decider.decide)) for command, decider in DECIDE.items()},
    evolve=EVOLVE,
    facts=FACTS,
    numbers=(Fighter,),
    sound=sound,
    articles=(*trade.ARTICLES, meals.RATION),
    derived=DERIVED,
    passes=lambda state, until, context: minutes_pass(state, until, context.dice),
    condition=condition,
    corrected=corrected,
    portrait=portrait,
    settings=SETTINGS,
    vocabulary={"effect": (*EFFECTS, *MARKERS)},
)
