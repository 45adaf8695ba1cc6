"""Mixtures that poison (HM-16.8, 16.9), once per pair and drinker."""

from collections.abc import Callable

from domain.dnd35.body import body, saving_throw, throw, total
from domain.dnd35.rounds import DAY, MINUTE, current_round
from domain.dnd35.state import Ailments, Mixture, PendingSave
from domain.kernel.body import Body
from domain.kernel.cast import hidden
from domain.kernel.command import Context
from domain.kernel.fold import State, the
from events.dnd35 import ConditionApplied
from events.envelope import Fact
from events.potions import PoisonNeutralised, PoisonSecondSaveScheduled, PoisonTaken

LETHAL, MILD = "lethal_poison", "mild_poison"


def lethal(state: State, who: str, pair: str, context: Context) -> list[Fact]:
    """HM-16.8: a Fortitude save or death; whoever lives saves again ten rounds later.

    HM-A35: no dice for the immune; nothing more for whoever has had this mixture's poison before.
    """
    return _once(state, who, pair, LETHAL, context, _save_or_die)


def mild(state: State, who: str, pair: str, context: Context) -> list[Fact]:
    """HM-16.9: exhausted in any case, and nauseated for days that a Fortitude save makes fewer.

    HM-A22: with an S of 0 there is no save, no nausea and no exhaustion.
    """
    return _once(state, who, pair, MILD, context, _sicken)


def second_save(state: State, who: str, due: PendingSave, context: Context) -> list[Fact]:
    """HM-16.8: ten rounds after the first; a failure costs 2d6 Constitution for a time, which can kill."""
    one = body(state, who)
    if one.poison_immune:
        return [PoisonNeutralised(who, cause="dnd35.immune")]
    save = saving_throw(
        who,
        one,
        "fortitude",
        against=LETHAL,
        s=due.s,
        dc=due.dc,
        rule="HM-16.8",
        context=context,
        secret=hidden(state, who),
        pair=due.pair,
        second=True,
    )
    if save.success:
        return [save]
    rolls = throw(context, 2, 6, purpose="Constitution lost", secret=hidden(state, who))
    return [save, *one.weaken("constitution", total(rolls), cause="dnd35.lethal_poison", rule="HM-16.8", rolls=rolls)]


Bite = Callable[[State, str, Body, str, Mixture, Context], list[Fact]]


def _once(state: State, who: str, pair: str, poison: str, context: Context, bite: Bite) -> list[Fact]:
    mixture = the(state, Mixture, pair)
    if who in mixture.poisoned:
        return []
    one = body(state, who)
    rule = "HM-16.8" if poison == LETHAL else "HM-16.9"
    taken = PoisonTaken(who, pair, poison, mixture.s, mixture.dc, immune=one.poison_immune, rule=rule)
    harmless = one.poison_immune or (poison == MILD and mixture.s == 0)
    return [taken, *([] if harmless else bite(state, who, one, pair, mixture, context))]


def _save_or_die(state: State, who: str, one: Body, pair: str, mixture: Mixture, context: Context) -> list[Fact]:
    save = saving_throw(
        who,
        one,
        "fortitude",
        against=LETHAL,
        s=mixture.s,
        dc=mixture.dc,
        rule="HM-16.8",
        context=context,
        secret=hidden(state, who),
        pair=pair,
    )
    if not save.success:
        return [save, *one.die(cause="dnd35.lethal_poison", rule="HM-16.8")]
    return [save, PoisonSecondSaveScheduled(who, pair, current_round(state) + MINUTE, mixture.s, mixture.dc)]


def _sicken(state: State, who: str, one: Body, pair: str, mixture: Mixture, context: Context) -> list[Fact]:
    s, here = mixture.s, current_round(state)
    save = saving_throw(
        who,
        one,
        "fortitude",
        against=MILD,
        s=s,
        dc=mixture.dc,
        rule="HM-16.9",
        context=context,
        secret=hidden(state, who),
        pair=pair,
    )
    count = (0 if s == 1 else 1) if save.success else s
    rolls = throw(context, count, 10, purpose="days of nausea", secret=hidden(state, who))
    days = total(rolls) or 1
    sick_already = the(state, Ailments, who).nauseated_until or 0
    until = max(sick_already, here + DAY * days)
    nausea = ConditionApplied(
        who,
        "nauseated",
        here,
        cause="dnd35.mild_poison",
        rule="HM-16.9",
        until=until,
        days=days,
        s=s,
        rolls=rolls,
    )
    return [save, nausea, ConditionApplied(who, "exhausted", here, cause="dnd35.mild_poison", rule="HM-16.9", s=s)]
