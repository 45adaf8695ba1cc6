"""Carrying and pouring potions (HM-13.1 to 13.3, 13.8): layers, weights, hands."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from domain.dnd35.potions.measures import mass
from domain.dnd35.refusals import (
    EMULSION_NOT_SETTLED,
    FLASK_DESTROYED,
    FLASK_EMPTY,
    FLASK_IN_OTHER_HANDS,
    FLASK_NOT_HELD,
    FLASK_TOO_SMALL,
    SAME_FLASK,
    SAME_HOLDER,
    UNKNOWN_FLASK,
)
from domain.dnd35.rounds import HOUR, current_round, require_action, require_alive
from domain.dnd35.state import Flask, creature
from domain.kernel.cast import character, hidden
from domain.kernel.charter import setting
from domain.kernel.command import CharacterId, Command, Context, Deciders, gm, owner
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from events.dnd35 import Action
from events.envelope import Fact
from events.potions import (
    Dose,
    FlaskHandedOver,
    FlaskLeft,
    FlaskMade,
    FlaskReceived,
    PotionPoured,
    ShakingReset,
)

VIAL = 25
"""HM-13.2: grams of one basic potion, and what its vial holds and weighs."""

IN_COMBAT = "dnd35_in_combat"
"""The setting that says whether pouring costs an action (HM-A45); true unless the table sets it false."""

FlaskId = Annotated[str, Meta(min_length=1, max_length=64)]
Grams = Annotated[int, Meta(ge=1, le=100_000)]


class MakeFlask(Command, frozen=True, tag="dnd35.make_flask"):
    """The game master puts an empty flask into somebody's hands."""

    holder: CharacterId
    capacity: Grams = VIAL


class HandOver(Command, frozen=True, tag="dnd35.hand_over_flask"):
    giver: CharacterId
    taker: CharacterId
    flask: FlaskId


class PourPotion(Command, frozen=True, tag="dnd35.pour_potion"):
    """The top layer of one flask goes on top of another."""

    actor: CharacterId
    source: FlaskId
    target: FlaskId


def whole_flask(state: State, name: str, context: Context) -> Flask:
    """A flask that can still be used. One held by somebody the member does not know of is as good as none."""
    flask = find(state, Flask, name)
    if flask is None or not _knows_holder(state, flask, context):
        UNKNOWN_FLASK.because(flask=name)
    require(not flask.destroyed, FLASK_DESTROYED)
    return flask


def held_flask(state: State, name: str, who: str, context: Context) -> Flask:
    """A flask in this character's hands."""
    flask = whole_flask(state, name, context)
    if flask.holder != who and hidden(state, flask.holder, who):
        # A fact that names both would be sealed for one who sees the flask change: not even an override lets it pass.
        FLASK_IN_OTHER_HANDS.because(character=character(state, who).name)
    context.require(flask.holder == who, FLASK_NOT_HELD, character=character(state, who).name)
    return flask


def gross_mass(flask: Flask) -> Fraction:
    """HM-13.2: a flask weighs as much as it holds, and then its liquids."""
    return flask.capacity + mass(flask.layers)


def require_room(flask: Flask, dose: Dose) -> None:
    """HM-13.1: no more liquid than the flask is made for."""
    needed = mass((*flask.layers, dose))
    require(needed <= flask.capacity, FLASK_TOO_SMALL, "HM-13.1", capacity=flask.capacity, needed=str(needed))


def live_emulsion(flask: Flask, here: int) -> tuple[str, ...]:
    """HM-A39: the pairs that are one liquid, for an hour after the shaking was complete."""
    if flask.emulsified_at is None or here >= flask.emulsified_at + HOUR:
        return ()
    return flask.emulsion


def on_top(flask: Flask, here: int) -> str:
    """The pair of a live emulsion that is uppermost, or nothing."""
    pair = flask.layers[-1].pair if flask.layers else ""
    return pair if pair and pair in live_emulsion(flask, here) else ""


def disturbed(name: str, flask: Flask, *, cause: str) -> list[Fact]:
    """HM-13.8, A30: pouring in or out, and drinking, make the minute of shaking start again."""
    return [ShakingReset(name, flask.holder, flask.progress, cause=cause)] if flask.progress else []


def make_flask(state: State, command: MakeFlask, context: Context) -> Iterable[Fact]:
    creature(state, command.holder)
    return [FlaskMade(context.new_id("flask"), command.holder, command.capacity)]


def hand_over(state: State, command: HandOver, context: Context) -> Iterable[Fact]:
    """From hand to hand. To or from a hidden hand, the other side learns of the flask and not of the hand."""
    flask = held_flask(state, command.flask, command.giver, context)
    creature(state, command.taker)
    require_alive(state, command.giver)
    taker = character(state, command.taker)
    require(flask.holder != command.taker, SAME_HOLDER, character=taker.name)
    if taker.hidden or character(state, flask.holder).hidden:
        return [
            FlaskLeft(command.flask, flask.holder),
            FlaskReceived(command.flask, command.taker, flask.capacity, flask.layers),
        ]
    return [FlaskHandedOver(command.flask, flask.holder, command.taker)]


def pour_potion(state: State, command: PourPotion, context: Context) -> Iterable[Fact]:
    """HM-13.8: the top layer goes on top; onto an emulsion, but never out of one. A standard action in combat."""
    source = held_flask(state, command.source, command.actor, context)
    target = held_flask(state, command.target, command.actor, context)
    require(command.source != command.target, SAME_FLASK, "HM-13.8")
    require(source.layers, FLASK_EMPTY, "HM-13.8")
    here = current_round(state)
    require(not on_top(source, here), EMULSION_NOT_SETTLED, "HM-13.8")
    dose = source.layers[-1]
    require_room(target, dose)
    action: Action = "standard" if setting(state, IN_COMBAT, True) else "none"
    require_action(state, command.actor, action, context)
    return [
        *disturbed(command.source, source, cause="dnd35.poured"),
        *disturbed(command.target, target, cause="dnd35.poured"),
        PotionPoured(command.actor, command.source, command.target, dose, here, action),
    ]


def _knows_holder(state: State, flask: Flask, context: Context) -> bool:
    one = character(state, flask.holder)
    mine = context.is_gm or flask.holder in context.acts_for or one.owner == context.actor
    return mine or not one.hidden


DECIDE: Deciders = {
    MakeFlask: gm(make_flask),
    HandOver: owner("giver")(hand_over),
    PourPotion: owner("actor")(pour_potion),
}
