"""Drinking (HM-13.4 to 13.6): layer after layer from the top, or an emulsion in one go."""

from collections.abc import Iterable

from domain.dnd35.evolve import WORLD
from domain.dnd35.potions import effects, outcomes, stomach
from domain.dnd35.potions.blast import InCompany, require_bodies
from domain.dnd35.potions.compatibility import Identity, both, identity
from domain.dnd35.potions.flask import FlaskId, disturbed, held_flask, on_top
from domain.dnd35.potions.mixing import keep_the_secret
from domain.dnd35.refusals import (
    FLASK_EMPTY,
    MIXTURE_DRUNK_WHOLE,
    NO_EMULSION_ON_TOP,
    NOT_TOP_LAYER,
    OILS_ARE_NOT_DRUNK,
    TOO_MANY_POTIONS,
)
from domain.dnd35.rounds import current_round, require_action
from domain.dnd35.state import Mixture
from domain.kernel.cast import character
from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State, in_order, the
from domain.kernel.refusal import require
from events.envelope import Fact
from events.potions import Dose, MixtureDrunk, PotionDrunk


class DrinkLayer(InCompany, frozen=True, tag="dnd35.drink_layer"):
    """The top layer of a flask one holds. `dose`, where given, says which layer that is meant to be."""

    drinker: CharacterId
    flask: FlaskId
    dose: FlaskId | None = None


class DrinkMixture(Command, frozen=True, tag="dnd35.drink_mixture"):
    """The uppermost emulsion of a flask one holds, whole."""

    drinker: CharacterId
    flask: FlaskId


def drink_layer(state: State, command: DrinkLayer, context: Context) -> Iterable[Fact]:
    """HM-13.4: the layer poured last is drunk first, a standard action each."""
    who, here = command.drinker, current_round(state)
    flask = held_flask(state, command.flask, who, context)
    require(flask.layers, FLASK_EMPTY, "HM-13.4")
    dose = flask.layers[-1]
    require(command.dose in (None, dose.id), NOT_TOP_LAYER, "HM-13.4")
    require(dose.form == "potion", OILS_ARE_NOT_DRUNK, "HM-13.4")
    require(not on_top(flask, here), MIXTURE_DRUNK_WHOLE, "HM-13.4")
    require_bodies(state, command.nearby)
    _require_appetite(state, who)
    require_action(state, who, "standard", context)
    keep_the_secret(state, context, _hides(state, who, dose))
    return in_order(
        WORLD,
        state,
        [
            lambda _: [
                *disturbed(command.flask, flask, cause="dnd35.drunk"),
                PotionDrunk(who, command.flask, dose, here, "standard"),
            ],
            lambda now: _swallowed(now, who, dose, context, command),
        ],
    )


def drink_mixture(state: State, command: DrinkMixture, context: Context) -> Iterable[Fact]:
    """HM-13.5: both doses of a live emulsion at once, a full-round action; nothing else reacts with them.

    HM-13.6: one pair an action, so never two mixtures in one round.
    """
    who, here = command.drinker, current_round(state)
    flask = held_flask(state, command.flask, who, context)
    pair = on_top(flask, here)
    require(pair, NO_EMULSION_ON_TOP, "HM-13.5")
    lower, upper = flask.layers[-2:]
    _require_appetite(state, who)
    require_action(state, who, "full_round", context)
    keep_the_secret(state, context, [both(the(state, Mixture, pair).key)])
    return in_order(
        WORLD,
        state,
        [
            lambda _: [
                *disturbed(command.flask, flask, cause="dnd35.drunk"),
                MixtureDrunk(who, command.flask, lower, upper, here, "full_round"),
            ],
            lambda now: outcomes.come_out(now, who, pair, (lower, upper), context, InCompany(), cause="dnd35.drunk"),
        ],
    )


def _require_appetite(state: State, who: str) -> None:
    most = effects.MOST_RUNNING
    full = len(effects.running(state, who)) >= most
    require(not full, TOO_MANY_POTIONS, character=character(state, who).name, most=most)


def _swallowed(state: State, who: str, dose: Dose, context: Context, around: InCompany) -> list[Fact]:
    """HM-15.1: alone it simply works; after another it meets it; mixed long ago it does what that left of it."""
    if dose.ruined:
        return []
    if dose.mixed:
        return outcomes.come_out(state, who, dose.pair, (dose,), context, around, cause="dnd35.drunk")
    first = stomach.partner(state, who, dose)
    if first is None:
        return effects.start(state, who, dose, context)
    return stomach.meet(state, who, first, dose, context, around)


def _hides(state: State, who: str, dose: Dose) -> list[tuple[Identity, Identity]]:
    """The pair of identities whose outcome this drink will show."""
    if dose.mixed:
        return [both(the(state, Mixture, dose.pair).key)]
    first = stomach.partner(state, who, dose)
    return [(identity(first.dose), identity(dose))] if first else []


DECIDE: Deciders = {DrinkLayer: owner("drinker")(drink_layer), DrinkMixture: owner("drinker")(drink_mixture)}
