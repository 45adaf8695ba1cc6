"""Legends & Bonk (catalogue prefix LB): its contents."""

from domain.kernel.system import System
from domain.legends import armour, checks, combat, dying, levels, luck, meals, negotiation, rest, trade, wheel
from domain.legends.bounds import corrected, sound
from domain.legends.downfall import minutes_pass
from domain.legends.effect_table import EFFECTS, MARKERS
from domain.legends.evolve import EVOLVE
from domain.legends.settings import SETTINGS
from domain.legends.sheet import Sheet, draw_up
from domain.legends.state import Fighter, condition
from domain.legends.stats import DERIVED, portrait
from events.legends import FACTS

SYSTEM = System(
    name="legends",
    coin="MC",
    sheet=Sheet,
    draw_up=draw_up,
    deciders={
        **checks.DECIDE,
        **luck.DECIDE,
        **dying.DECIDE,
        **combat.DECIDE,
        **armour.DECIDE,
        **rest.DECIDE,
        **meals.DECIDE,
        **trade.DECIDE,
        **negotiation.DECIDE,
        **levels.DECIDE,
        **wheel.DECIDE,
    },
    evolve=EVOLVE,
    facts=FACTS,
    numbers=(Fighter,),
    sound=sound,
    articles=(*trade.ARTICLES, meals.RATION),
    derived=DERIVED,
    passes=lambda state, until, _: minutes_pass(state, until),
    condition=condition,
    corrected=corrected,
    portrait=portrait,
    settings=SETTINGS,
    vocabulary={"effect": (*EFFECTS, *MARKERS)},
)
