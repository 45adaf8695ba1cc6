"""What a poisoned body goes through (HM-16.8, 16.9, A35, A36): nausea, weariness, rest, Constitution coming back."""

from collections.abc import Iterable

from domain.dnd35.body import score
from domain.dnd35.refusals import NOT_POISONED
from domain.dnd35.rounds import DAY, HOUR, current_round, require_alive
from domain.dnd35.state import Ailments, Creature, Running, creature
from domain.kernel.cast import character
from domain.kernel.command import CharacterId, Command, Context, Deciders, gm, owner
from domain.kernel.fold import State, the
from domain.kernel.refusal import require
from events.dnd35 import AbilityRecovered, ConditionChanged, ConditionEnded, RestBegun, RestCompleted
from events.envelope import Fact
from events.potions import PoisonNeutralised

FULL_REST = 8 * HOUR

PENALTIES = {"exhausted": 6, "fatigued": 2}
"""HM-16.9: what weariness takes from Strength and Dexterity."""


class Rest(Command, frozen=True, tag="dnd35.rest"):
    """Complete rest begins, and goes on as time passes until the character does something."""

    character: CharacterId


class NeutralisePoison(Command, frozen=True, tag="dnd35.neutralise_poison"):
    """A spell, a herb: the poison is gone before it strikes again."""

    character: CharacterId


def rest(state: State, command: Rest, _: Context) -> Iterable[Fact]:
    """HM-A36: an hour of it turns exhausted into fatigued; eight are a full rest."""
    require_alive(state, command.character)
    return [RestBegun(command.character, current_round(state))]


def neutralise_poison(state: State, command: NeutralisePoison, _: Context) -> Iterable[Fact]:
    """HM-A35: before the second save, it cancels it."""
    creature(state, command.character)
    saves = the(state, Ailments, command.character).saves
    require(saves, NOT_POISONED, "HM-A35", character=character(state, command.character).name)
    return [PoisonNeutralised(command.character, cause="dnd35.game_master")]


def breathe(state: State, who: str, at: int) -> list[Fact]:
    """HM-A36: an hour of complete rest, and exhaustion eases to fatigue."""
    return [ConditionChanged(who, "exhausted", "fatigued", at, cause="dnd35.rest")]


def wake(state: State, who: str, at: int) -> list[Fact]:
    """HM-16.9, A36: eight hours of rest end fatigue, but not while the nausea lasts."""
    ill = the(state, Ailments, who)
    ends = ill.weariness and ill.nauseated_until is None
    return [
        RestCompleted(who, at),
        *([ConditionEnded(who, ill.weariness, at, cause="dnd35.rest")] if ends else []),
    ]


def recover_from_nausea(state: State, who: str, at: int) -> list[Fact]:
    """HM-A36: fatigue goes with the nausea for whoever has had a full rest since; others still need one."""
    ill = the(state, Ailments, who)
    ends = ill.weariness and ill.slept
    return [
        ConditionEnded(who, "nauseated", at, cause="dnd35.time", rule="HM-16.9"),
        *([ConditionEnded(who, ill.weariness, at, cause="dnd35.nausea_over")] if ends else []),
    ]


def regain(state: State, who: str, ability: str, at: int) -> list[Fact]:
    """HM-16.8: a point a day of what was lost for a time."""
    before = score(creature(state, who), ability)
    return [AbilityRecovered(who, ability, 1, before, before + 1, at, at + DAY)]


def effective(sheet: Creature, ill: Ailments, ability: str, running: Iterable[Running] = ()) -> int:
    """HM-16.9: an ability after damage and weariness, and with the best of the potions at work (HM-15.6: once)."""
    tired = PENALTIES.get(ill.weariness, 0) if ability in ("strength", "dexterity") else 0
    helped = max((one.dose.magnitudes.get(ability, 0) for one in running), default=0)
    return max(0, score(sheet, ability) - tired + helped)


DECIDE: Deciders = {Rest: owner("character")(rest), NeutralisePoison: gm(neutralise_poison)}
