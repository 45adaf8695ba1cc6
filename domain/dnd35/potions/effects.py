"""A potion at work: it starts, lasts, is enhanced or prolonged, and ends."""

from collections.abc import Iterable

from domain.dnd35.body import body, throw, total
from domain.dnd35.refusals import EFFECT_NOT_RUNNING
from domain.dnd35.rounds import DAY, current_round
from domain.dnd35.state import Drinker, Running, creature
from domain.kernel.cast import character, hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, Key, gm
from domain.kernel.fold import State, find
from events.envelope import Fact, Roll
from events.potions import (
    Dose,
    Effect,
    PotionEffectEnded,
    PotionEffectEnhanced,
    PotionEffectProlonged,
    PotionEffectStarted,
    PotionTookEffect,
)

HEALING = "healing"


class EndEffect(Command, frozen=True, tag="dnd35.end_effect"):
    """The game master ends a running potion: discharged, dispelled, no longer concentrated on."""

    character: CharacterId
    dose: Key


MOST_RUNNING = 200
"""In one body: no rule bounds it, and each of them costs a moment whenever time passes."""


def running(state: State, who: str) -> tuple[Running, ...]:
    """HM-A21: the potions at work now, in the order they were drunk; one runs while its round has not come."""
    drinker = find(state, Drinker, who)
    here = current_round(state)
    return tuple(one for one in drinker.running if one.until is None or one.until > here) if drinker else ()


def at_work(state: State, who: str, dose: str) -> Running | None:
    """This dose, if it runs in this character."""
    return next((one for one in running(state, who) if one.dose.id == dose), None)


def start(state: State, who: str, dose: Dose, context: Context) -> list[Fact]:
    """A potion acts as it was brewed to: an instantaneous one at once, any other for its rounds."""
    if dose.duration == 0:
        return _at_once(state, who, dose, context, enhanced=False)
    return [_started(state, who, dose, context)]


def start_enhanced(state: State, who: str, dose: Dose, context: Context) -> list[Fact]:
    """HM-16.17: a dose enhanced long ago is enhanced whenever it is drunk."""
    if dose.duration == 0:
        return _at_once(state, who, dose, context, enhanced=True)
    begun = _started(state, who, dose, context)
    return [begun, enhance(who, Running(dose, begun.started, begun.total, begun.until, begun.rolled))]


def start_prolonged(state: State, who: str, dose: Dose, s: int, context: Context) -> list[Fact]:
    """HM-A27: the days are rolled at each ingestion, before whatever else the potion rolls."""
    lasting = prolong(state, who, dose, s, context)
    return [_started(state, who, dose, context), *lasting]


def enhance(who: str, one: Running) -> PotionEffectEnhanced:
    """HM-A26: twice the whole duration, from its start; what the dice made counts half as much again, rounded down."""
    longer = None if one.total is None else 2 * one.total
    return PotionEffectEnhanced(
        who,
        one.dose.id,
        one.dose.spell,
        one.total,
        longer,
        None if longer is None else one.started + longer,
        rolled_before=one.worth,
        rolled_after=empowered(one.worth),
    )


def prolong(state: State, who: str, dose: Dose, s: int, context: Context) -> list[Fact]:
    """HM-16.16: Sd10 days from now, whatever it lasted. HM-A22: with an S of 0 it keeps its own duration."""
    rolls = throw(context, s, 10, purpose="days of effect", secret=hidden(state, who))
    if not rolls:
        return []
    days, here = total(rolls), current_round(state)
    return [PotionEffectProlonged(who, dose.id, dose.spell, days, s, here, here + DAY * days, rolls=rolls)]


def finish(who: str, one: Running, at: int, *, cause: str, rule: str) -> PotionEffectEnded:
    return PotionEffectEnded(who, one.dose.id, one.dose.spell, at, cause=cause, rule=rule)


def opposed(state: State, who: str, pair: str) -> list[Fact]:
    """HM-A37: two potions of one mixture that undo each other, both at work in one body, both end."""
    mine = [one for one in running(state, who) if pair and one.dose.pair == pair]
    if len(mine) < 2 or not any(one.dose.spell in other.dose.opposed_by for one in mine for other in mine):
        return []
    here = current_round(state)
    return [finish(who, one, here, cause="dnd35.opposed", rule="HM-16.13") for one in mine]


def empowered(worth: int | None) -> int | None:
    """HM-A26: half as much again, rounded down."""
    return None if worth is None else worth * 3 // 2


def end_effect(state: State, command: EndEffect, _: Context) -> Iterable[Fact]:
    creature(state, command.character)
    one = at_work(state, command.character, command.dose)
    if one is None:
        EFFECT_NOT_RUNNING.because(character=character(state, command.character).name)
    return [finish(command.character, one, current_round(state), cause="dnd35.game_master", rule="")]


def _started(state: State, who: str, dose: Dose, context: Context) -> PotionEffectStarted:
    here = current_round(state)
    until = None if dose.duration is None else here + dose.duration
    if dose.effect is None:
        return PotionEffectStarted(who, dose, here, dose.duration, until)
    rolls = _rolled(state, who, dose.effect, context)
    rolled = total(rolls) + dose.effect.bonus
    return PotionEffectStarted(who, dose, here, dose.duration, until, rolled=rolled, rolls=rolls)


def _rolled(state: State, who: str, effect: Effect, context: Context) -> tuple[Roll, ...]:
    return throw(context, effect.dice, effect.sides, purpose="effect of the potion", secret=hidden(state, who))


def _at_once(state: State, who: str, dose: Dose, context: Context, *, enhanced: bool) -> list[Fact]:
    if dose.effect is None:
        return [PotionTookEffect(who, dose)]
    rolls = _rolled(state, who, dose.effect, context)
    rolled = total(rolls) + dose.effect.bonus
    worth = rolled * 3 // 2 if enhanced else rolled
    facts: list[Fact] = [PotionTookEffect(who, dose, rolled=rolled, rolls=rolls)]
    if enhanced:
        facts.append(
            PotionEffectEnhanced(who, dose.id, dose.spell, 0, 0, None, rolled_before=rolled, rolled_after=worth)
        )
    if dose.effect.counts == HEALING:
        facts += body(state, who).heal(max(0, worth), cause="dnd35.potion", rule="")
    return facts


DECIDE: Deciders = {EndEffect: gm(end_effect)}
