"""Finding out in advance what two mixed potions have become (HM-17.3)."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.dnd35.body import body
from domain.dnd35.potions.flask import FlaskId, held_flask
from domain.dnd35.refusals import HOUR_NOT_ELAPSED, NOT_CALM, NOT_DECLARED, NOT_MIXED, RANK_REQUIRED
from domain.dnd35.rounds import HOUR, current_round, require_alive
from domain.dnd35.sheet import SkillKey
from domain.dnd35.state import Flask, Mixture, Turn
from domain.kernel.cast import character
from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State, find, the
from domain.kernel.refusal import require
from events.envelope import Fact
from events.potions import AnalysisBegun, MixtureAnalysed

BASE = 20


class BeginAnalysis(Command, frozen=True, tag="dnd35.begin_analysis"):
    """An hour over one mixed pair of a flask one holds. Doing anything else breaks it off."""

    character: CharacterId
    flask: FlaskId
    pair: Annotated[str, Meta(min_length=1, max_length=64)]
    skill: SkillKey


class FinishAnalysis(Command, frozen=True, tag="dnd35.finish_analysis"):
    """The hour is over; the check is made."""

    character: CharacterId
    calm: bool = True


def begin_analysis(state: State, command: BeginAnalysis, context: Context) -> Iterable[Fact]:
    """HM-17.3, A42: one rank in the skill at least; a settled pair will do, and one dose that is left of it."""
    flask = held_flask(state, command.flask, command.character, context)
    require_alive(state, command.character)
    require(_holds(flask, command.pair), NOT_MIXED, "HM-17.3")
    name = character(state, command.character).name
    ranks = body(state, command.character).skill(command.skill).ranks
    context.require(ranks >= 1, RANK_REQUIRED, "HM-A42", character=name, skill=command.skill)
    here = current_round(state)
    return [AnalysisBegun(command.character, command.flask, command.pair, command.skill, here, here + HOUR)]


def finish_analysis(state: State, command: FinishAnalysis, context: Context) -> Iterable[Fact]:
    """HM-17.3: 20 and both caster levels to beat; the analyst's player alone learns the row."""
    who, here = command.character, current_round(state)
    turn = find(state, Turn, who)
    study = turn.study if turn else None
    if study is None:
        NOT_DECLARED.because("HM-17.3", character=character(state, who).name)
    flask = held_flask(state, study.flask, who, context)
    require(_holds(flask, study.pair), NOT_MIXED, "HM-17.3")
    left = study.since + HOUR - here
    require(left <= 0, HOUR_NOT_ELAPSED, "HM-17.3", rounds=left)
    context.require(command.calm, NOT_CALM, "HM-17.3")
    mixture = the(state, Mixture, study.pair)
    roll = context.dice.throw(1, 20, purpose="analysis of a mixture", secret=True)
    modifier = body(state, who).skill(study.skill).bonus
    face, dc = roll.faces[0], BASE + sum(mixture.nls)
    success = face + modifier >= dc
    return [
        MixtureAnalysed(
            who,
            character(state, who).owner or "",
            study.pair,
            study.skill,
            face,
            modifier,
            face + modifier,
            dc,
            success,
            compatible=mixture.compatible if success else None,
            row=mixture.row if success else "",
            doses=mixture.doses if success else (),
            marks=mixture.marks if success else (),
            rolls=(roll,),
        )
    ]


def _holds(flask: Flask, pair: str) -> bool:
    return any(dose.pair == pair for dose in flask.layers)


DECIDE: Deciders = {
    BeginAnalysis: owner("character")(begin_analysis),
    FinishAnalysis: owner("character")(finish_analysis),
}
