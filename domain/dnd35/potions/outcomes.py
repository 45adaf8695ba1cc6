"""What a mixture does to whoever drinks it, mark by mark (HM-16.6 to 16.17), and when the table learns of it (HM-17.5).

In a stomach the first potion is already at work when the mark finds it; out of a flask both are only starting.
"""

from collections.abc import Callable

from domain.dnd35.evolve import WORLD
from domain.dnd35.potions import blast, poison
from domain.dnd35.potions.blast import InCompany
from domain.dnd35.potions.effects import (
    at_work,
    enhance,
    finish,
    opposed,
    prolong,
    start,
    start_enhanced,
    start_prolonged,
)
from domain.dnd35.rounds import current_round
from domain.dnd35.state import Mixture
from domain.kernel.cast import Character
from domain.kernel.command import Context
from domain.kernel.fold import State, find, in_order, the
from events.envelope import Fact
from events.potions import Dose, Mark, MixOutcomeDiscovered, Ratio

React = Callable[[State, str, Dose, Mixture, Context], list[Fact]]


def come_out(
    state: State, who: str, pair: str, doses: tuple[Dose, ...], context: Context, around: InCompany, *, cause: str
) -> list[Fact]:
    """HM-16.17: the pair's outcome is learnt, each dose does what its mark says, and the row itself strikes.

    `doses` come in the order of their dice: the earlier or lower one first.
    """
    marks = the(state, Mixture, pair)
    by_dose = dict(zip(marks.doses, marks.marks, strict=True))
    reactions = [
        lambda now, dose=dose: MARKS[by_dose[dose.id]](now, who, dose, the(now, Mixture, pair), context)
        for dose in doses
    ]
    return in_order(
        WORLD,
        state,
        [
            lambda now: discover(now, pair, who, cause=cause),
            *reactions,
            lambda now: opposed(now, who, pair),
            lambda now: _strike(now, who, pair, context, around),
        ],
    )


def discover(state: State, pair: str, who: str, *, cause: str) -> list[Fact]:
    """HM-17.5: on an explosion, a stomach mix, or a marked dose drunk, everybody at the table learns the row.

    What happens to somebody hidden teaches the table nothing.
    """
    mixture = the(state, Mixture, pair)
    if mixture.discovered:
        return []
    seen = find(state, Character, who)
    return [
        MixOutcomeDiscovered(
            pair,
            who,
            mixture.key,
            mixture.compatible,
            mixture.row,
            mixture.doses,
            mixture.marks,
            Ratio(mixture.f_n, mixture.f_d),
            mixture.s,
            mixture.dc,
            cause=cause,
            k=mixture.k,
            first=mixture.first,
            second=mixture.second,
            prolonged=mixture.prolonged,
            open=seen is None or not seen.hidden,
        )
    ]


def normal(state: State, who: str, dose: Dose, _: Mixture, context: Context) -> list[Fact]:
    """HM-16.13, 15.6: it works as usual."""
    return [] if at_work(state, who, dose.id) else start(state, who, dose, context)


def enhanced(state: State, who: str, dose: Dose, _: Mixture, context: Context) -> list[Fact]:
    """HM-16.14, 16.15: it gains what two metamagic feats give."""
    one = at_work(state, who, dose.id)
    return [enhance(who, one)] if one else start_enhanced(state, who, dose, context)


def long(state: State, who: str, dose: Dose, mixture: Mixture, context: Context) -> list[Fact]:
    """HM-16.16: it lasts for days."""
    if at_work(state, who, dose.id):
        return prolong(state, who, dose, mixture.s, context)
    return start_prolonged(state, who, dose, mixture.s, context)


def inert(state: State, who: str, dose: Dose, mixture: Mixture, _: Context) -> list[Fact]:
    """HM-16.10 to 16.12: it does nothing any more, and stops if it ran."""
    return _stopped(state, who, dose, cause="dnd35.nullified", rule=NULLIFIES.get(mixture.row, "HM-16.17"))


def spoiled(state: State, who: str, dose: Dose, _: Mixture, __: Context) -> list[Fact]:
    """HM-A31: what exploded or turned to poison does nothing else."""
    return _stopped(state, who, dose, cause="dnd35.spoiled", rule="HM-A31")


NULLIFIES = {"both_destroyed": "HM-16.10", "first_nullified": "HM-16.11", "second_nullified": "HM-16.12"}
MARKS: dict[Mark, React] = {
    "normal": normal,
    "enhanced": enhanced,
    "long": long,
    "inert": inert,
    "lethal": spoiled,
    "mild": spoiled,
    "destroyed": spoiled,
}


def _strike(state: State, who: str, pair: str, context: Context, around: InCompany) -> list[Fact]:
    """What three rows do beside spoiling both potions."""
    match the(state, Mixture, pair).row:
        case "explosion":
            return blast.inside(state, who, pair, context, around)
        case "lethal_poison":
            return poison.lethal(state, who, pair, context)
        case "mild_poison":
            return poison.mild(state, who, pair, context)
        case _:
            return []


def _stopped(state: State, who: str, dose: Dose, *, cause: str, rule: str) -> list[Fact]:
    one = at_work(state, who, dose.id)
    return [finish(who, one, current_round(state), cause=cause, rule=rule)] if one else []
