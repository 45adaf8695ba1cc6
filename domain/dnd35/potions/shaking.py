"""Mixing in a container (HM-12.8 to 12.16): a minute of shaking, an emulsion for an hour, a mark for ever."""

from collections.abc import Callable, Iterable
from typing import Annotated

from msgspec import Meta

from domain.dnd35.evolve import WORLD
from domain.dnd35.passing import a_round_passes
from domain.dnd35.potions import blast, outcomes
from domain.dnd35.potions.blast import InCompany, require_bodies
from domain.dnd35.potions.compatibility import identity
from domain.dnd35.potions.flask import FlaskId, held_flask, whole_flask
from domain.dnd35.potions.mixing import Meeting, judge, keep_the_secret
from domain.dnd35.refusals import ALREADY_SHAKEN, NOT_GAME_MASTER, NOT_VIGOROUS, NOTHING_TO_MIX
from domain.dnd35.rounds import HOUR, MINUTE, current_round, require_action
from domain.dnd35.state import Creature, Flask, Mixture
from domain.kernel.command import CharacterId, Context, Deciders, Name, gm, owner
from domain.kernel.fold import State, find, in_order, the
from domain.kernel.refusal import require
from events.envelope import Fact
from events.potions import (
    Dose,
    FlaskDestroyed,
    FlaskEmulsified,
    FlaskJolted,
    FlaskShaken,
    MixtureJudged,
    PotionsMixed,
    ShakingReset,
)

Rounds = Annotated[int, Meta(ge=1, le=100)]
BASE_MOVEMENT = "base_movement"


class ShakeFlask(InCompany, frozen=True, tag="dnd35.shake_flask"):
    """One round of hard shaking. The game master may have several follow each other; the clock moves between them."""

    actor: CharacterId
    flask: FlaskId
    rounds: Rounds = 1


class JoltFlask(InCompany, frozen=True, tag="dnd35.jolt_flask"):
    """A violent motion nobody meant, such as a cart on a bad road; `base_movement` is never violent enough.

    The holder is at the flask's side unless `nearby` says otherwise.
    """

    flask: FlaskId
    cause: Name
    rounds: Rounds = 1


def shake_flask(state: State, command: ShakeFlask, context: Context) -> Iterable[Fact]:
    """HM-12.8: a standard action buys one round of shaking; ten make an emulsion."""
    flask = held_flask(state, command.flask, command.actor, context)
    require(command.rounds == 1 or context.is_gm, NOT_GAME_MASTER, "HM-12.8")
    _require_shakable(state, flask, command.nearby)
    require_action(state, command.actor, "standard", context)
    return _round_after_round(
        state,
        command,
        context,
        actor=command.actor,
        round_of=lambda now: [_shaken(now, command.flask, command.actor)],
    )


def jolt_flask(state: State, command: JoltFlask, context: Context) -> Iterable[Fact]:
    """HM-12.10: violent motion counts like shaking, and costs nobody an action."""
    flask = whole_flask(state, command.flask, context)
    context.require(command.cause != BASE_MOVEMENT, NOT_VIGOROUS, "HM-12.10")
    _require_shakable(state, flask, command.nearby)
    return _round_after_round(
        state,
        command,
        context,
        actor=None,
        round_of=lambda now: [
            FlaskJolted(command.flask, flask.holder, current_round(now), cause=command.cause),
            _shaken(now, command.flask, None),
        ],
    )


def interruption(flask: Flask, here: int) -> int:
    """HM-12.9: how many whole rounds nobody shook."""
    return 0 if flask.last_shaken is None else here - flask.last_shaken - 1


def new_and_old_pairs(layers: tuple[Dose, ...]) -> tuple[list[tuple[int, int]], list[str]]:
    """HM-12.14: from the bottom, neighbours that have never mixed meet, and old partners still together mix again.

    HM-A24: a layer that cannot mix keeps its neighbours apart. HM-12.15: an oil is such a layer.
    """
    new: list[tuple[int, int]] = []
    old: list[str] = []
    at = 0
    while at + 1 < len(layers):
        one, other = layers[at], layers[at + 1]
        if _fresh(one) and _fresh(other):
            new.append((at, at + 1))
        elif one.pair and one.pair == other.pair:
            old.append(one.pair)
        else:
            at += 1
            continue
        at += 2
    return new, old


def _fresh(dose: Dose) -> bool:
    return dose.form == "potion" and not dose.mixed and not dose.ruined


def _require_shakable(state: State, flask: Flask, nearby: dict[str, int]) -> None:
    require(len(flask.layers) >= 2, NOTHING_TO_MIX, "HM-12.8")
    require(flask.last_shaken != current_round(state), ALREADY_SHAKEN, "HM-12.8")
    require_bodies(state, nearby)


def _round_after_round(
    state: State,
    command: ShakeFlask | JoltFlask,
    context: Context,
    *,
    actor: str | None,
    round_of: Callable[[State], list[Fact]],
) -> list[Fact]:
    """One round, or several with the clock moving in between; it stops with the flask, or with the hand.

    A round that makes new pairs may ask for dice, and how many is a secret: where a player throws none it is refused
    whatever waits.
    """
    name = command.flask
    before = the(state, Flask, name)
    if _progress(before, current_round(state)) >= MINUTE:
        new = [(before.layers[low], before.layers[high]) for low, high in new_and_old_pairs(before.layers)[0]]
        keep_the_secret(state, context, [(identity(low), identity(high)) for low, high in new])

    def able(now: State) -> bool:
        hand = find(now, Creature, actor or "")
        return not the(now, Flask, name).destroyed and not (hand and hand.dead)

    def one(now: State) -> list[Fact]:
        return in_order(
            WORLD,
            now,
            [
                lambda at: _reset(at, name),
                round_of,
                lambda at: _complete(at, name, context, command) if the(at, Flask, name).progress >= MINUTE else [],
            ],
        )

    parts: list[Callable[[State], list[Fact]]] = [one]
    for _ in range(command.rounds - 1):
        parts.append(lambda now: a_round_passes(now, context) if able(now) else [])
        parts.append(lambda now: one(now) if able(now) else [])
    return in_order(WORLD, state, parts)


def _reset(state: State, name: str) -> list[Fact]:
    """HM-12.9: one round's rest is forgiven; after two the minute starts again."""
    flask = the(state, Flask, name)
    gap = interruption(flask, current_round(state))
    if gap < 2 or not flask.progress:
        return []
    return [ShakingReset(name, flask.holder, flask.progress, cause="dnd35.interrupted", gap=gap)]


def _progress(flask: Flask, here: int) -> int:
    """HM-12.8: one more than before, or the first of a new minute."""
    return flask.progress + 1 if interruption(flask, here) < 2 else 1


def _shaken(state: State, name: str, actor: str | None) -> FlaskShaken:
    flask, here = the(state, Flask, name), current_round(state)
    return FlaskShaken(
        name, flask.holder, here, _progress(flask, here), actor=actor, action="standard" if actor else "none"
    )


def _complete(state: State, name: str, context: Context, around: InCompany) -> list[Fact]:
    """HM-12.8, 12.14: everything in the flask is one emulsion; new pairs react, the lowest first."""
    flask = the(state, Flask, name)
    at = current_round(state) + 1
    new, old = new_and_old_pairs(flask.layers)
    pairs = [(context.new_id("pair"), flask.layers[low], flask.layers[high]) for low, high in new]
    return in_order(
        WORLD,
        state,
        [
            lambda _: [FlaskEmulsified(name, flask.holder, at, at + HOUR, renewed=tuple(old))],
            *(
                lambda now, pair=pair, low=low, high=high: _meet(now, name, pair, low, high, context, around)
                for pair, low, high in pairs
            ),
        ],
    )


def _meet(state: State, name: str, pair: str, low: Dose, high: Dose, context: Context, around: InCompany) -> list[Fact]:
    """HM-12.16: the lower one is the first. HM-A31: once the flask is gone nothing more meets in it."""
    flask = the(state, Flask, name)
    if flask.destroyed:
        return []

    def judged(now: State) -> list[Fact]:
        verdict: MixtureJudged = judge(now, Meeting(pair, "flask", low, high), context)
        return [verdict, PotionsMixed(pair, (low.id, high.id), "flask", flask.holder, flask=name)]

    return in_order(WORLD, state, [judged, lambda now: _explode(now, name, pair, context, around)])


def _explode(state: State, name: str, pair: str, context: Context, around: InCompany) -> list[Fact]:
    """HM-16.7: row 01 outside a body shows itself, and takes the flask with all its layers."""
    mixture, flask = the(state, Mixture, pair), the(state, Flask, name)
    if mixture.row != "explosion":
        return []
    nearby = _distances(flask, around)
    return in_order(
        WORLD,
        state,
        [
            lambda now: outcomes.discover(now, pair, flask.holder, cause="dnd35.explosion"),
            lambda now: blast.detonate(
                now, flask.holder, mixture, context, nearby=nearby, things=around.things, flask=name
            ),
            lambda _: [FlaskDestroyed(name, flask.holder, flask.layers, cause="dnd35.explosion")],
        ],
    )


def _distances(flask: Flask, around: InCompany) -> dict[str, int]:
    """HM-A32: whoever shakes is at 0 m; only a flask that nobody shook may burst away from its holder."""
    shaken_by_hand = isinstance(around, ShakeFlask)
    return {flask.holder: 0, **around.nearby, **({flask.holder: 0} if shaken_by_hand else {})}


DECIDE: Deciders = {ShakeFlask: owner("actor")(shake_flask), JoltFlask: gm(jolt_flask)}
