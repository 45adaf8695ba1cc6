"""Rounds, and what fits into one (HM-0.1, HM-0.10)."""

from collections.abc import Iterable

from domain.dnd35.refusals import ALREADY_MOVED, NO_ACTION_LEFT, NOT_ALIVE
from domain.dnd35.state import Turn, creature
from domain.kernel.cast import character
from domain.kernel.clock import ROUND, now
from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State, find
from events.dnd35 import Action, FiveFootStepTaken, MoveTaken
from events.envelope import Fact

MINUTE, HOUR, DAY = 10, 600, 14_400
"""In rounds."""

EXCLUDES: dict[Action, tuple[Action, ...]] = {
    "none": (),
    "standard": ("standard", "full_round"),
    "move": ("move", "full_round"),
    "full_round": ("standard", "move", "full_round"),
    "five_foot_step": (),
}
ALREADY: dict[Action, tuple[Action, ...]] = {"move": ("five_foot_step",), "five_foot_step": ("move", "five_foot_step")}


class TakeFiveFootStep(Command, frozen=True, tag="dnd35.take_five_foot_step"):
    """A metre and a half, beside whatever else fills the round."""

    character: CharacterId


class TakeMove(Command, frozen=True, tag="dnd35.take_move"):
    """The move action of this round."""

    character: CharacterId


def current_round(state: State) -> int:
    """HM-0.1: a round is six seconds of the campaign's clock."""
    return now(state) // ROUND


def require_alive(state: State, who: str) -> None:
    if creature(state, who).dead:
        NOT_ALIVE.because(character=character(state, who).name)


def require_action(state: State, who: str, action: Action, context: Context) -> None:
    """HM-0.10: a standard and a move action, or one full-round action; a step only where nobody moved otherwise."""
    require_alive(state, who)
    turn = find(state, Turn, who) or Turn()
    done = turn.actions if turn.round == current_round(state) else ()
    name = character(state, who).name
    moved = set(done).intersection(ALREADY.get(action, ()))
    context.require(not moved, ALREADY_MOVED, "HM-13.7", character=name)
    taken = set(done).intersection(EXCLUDES[action])
    context.require(not taken, NO_ACTION_LEFT, "HM-0.10", character=name, action=action)


def take_five_foot_step(state: State, command: TakeFiveFootStep, context: Context) -> Iterable[Fact]:
    """HM-13.7: the step goes with a full-round action, and with no other movement."""
    require_action(state, command.character, "five_foot_step", context)
    return [FiveFootStepTaken(command.character, current_round(state))]


def take_move(state: State, command: TakeMove, context: Context) -> Iterable[Fact]:
    """HM-0.10: moving otherwise uses up the move action."""
    require_action(state, command.character, "move", context)
    return [MoveTaken(command.character, current_round(state))]


DECIDE: Deciders = {
    TakeFiveFootStep: owner("character")(take_five_foot_step),
    TakeMove: owner("character")(take_move),
}
