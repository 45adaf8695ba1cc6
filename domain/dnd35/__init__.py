"""House rules on a 3.5 base (catalogue prefix HM): its contents.

`sheet` what a player fills in · `rounds` actions (HM-0.10) · `body` saves, wounds, death (HM-0.5) · `ailments` nausea,
weariness, rest (HM-16.9, A36) · `passing` what falls due as time passes · `potions/` mixology (HM-12, 13, 15 to 17).
"""

from collections.abc import Mapping
from typing import Any

import events.dnd35
import events.potions
from domain.dnd35 import ailments, rounds
from domain.dnd35.evolve import EVOLVE
from domain.dnd35.passing import passes
from domain.dnd35.potions import blast, drinking, effects, fixtures, flask, lore, shaking
from domain.dnd35.refusals import WORDING
from domain.dnd35.sheet import MOST_HP, MOST_SCORE, MOST_STOMACHS, Sheet, draw_up
from domain.dnd35.state import Ailments, Creature, Drinker, Flask
from domain.kernel.fold import Leaf, State, every, find
from domain.kernel.settings import Known
from domain.kernel.system import Condition, System
from events.envelope import Fact


def sound(leaf: Leaf) -> str | None:
    """What is wrong with a corrected sheet, or nothing."""
    if not isinstance(leaf, Creature):
        return None
    if leaf.hp > leaf.hp_max:
        return "above the maximum"
    if not 1 <= leaf.hp_max <= MOST_HP:
        return f"not from 1 to {MOST_HP}"
    if not 1 <= leaf.stomachs <= MOST_STOMACHS:
        return f"not from 1 to {MOST_STOMACHS}"
    if any(not 0 <= score <= MOST_SCORE for score in leaf.abilities.values()):
        return f"not from 0 to {MOST_SCORE}"
    if any(lost < 0 for lost in leaf.ability_damage.values()):
        return "below 0"
    return None


def portrait(state: State, character: str) -> Mapping[str, Any]:
    """The abilities as they are today, after damage, weariness and potions; what the flasks at hand weigh (HM-13.2)."""
    sheet, ill = find(state, Creature, character), find(state, Ailments, character)
    drunk = find(state, Drinker, character)
    if sheet is None:
        return {}
    running = drunk.running if drunk else ()
    abilities = {name: ailments.effective(sheet, ill or Ailments(), name, running) for name in sheet.abilities}
    held = {name: one for name, one in every(state, Flask).items() if one.holder == character and not one.destroyed}
    return {**abilities, "grams": {name: str(flask.gross_mass(one)) for name, one in held.items()}}


def condition(state: State, character: str) -> Condition:
    """Whoever is dead does nothing any more."""
    sheet = find(state, Creature, character)
    return "dead" if sheet is not None and sheet.dead else "able"


SYSTEM = System(
    name="dnd35",
    coin="cp",
    sheet=Sheet,
    draw_up=draw_up,
    deciders={
        **rounds.DECIDE,
        **ailments.DECIDE,
        **fixtures.DECIDE,
        **flask.DECIDE,
        **shaking.DECIDE,
        **drinking.DECIDE,
        **effects.DECIDE,
        **blast.DECIDE,
        **lore.DECIDE,
    },
    evolve=EVOLVE,
    facts=tuple(
        fact
        for module in (events.dnd35, events.potions)
        for fact in vars(module).values()
        if isinstance(fact, type) and issubclass(fact, Fact) and fact is not Fact
    ),
    numbers=(Creature,),
    sound=sound,
    wording=WORDING,
    passes=passes,
    condition=condition,
    portrait=portrait,
    settings=(Known(flask.IN_COMBAT, "flag"),),
)
