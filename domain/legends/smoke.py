"""LB-6.2.12: zones of smoke, how they thin, and the wind that clears them."""

from collections.abc import Iterable

from domain.kernel.cast import hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, Key
from domain.kernel.fold import State, every, find
from domain.kernel.refusal import require
from domain.legends.auras import worn
from domain.legends.effect_table import EFFECTS
from domain.legends.grid import WIDEST, Cell, distance
from domain.legends.leaves.board import Place, Smoke
from domain.legends.refusals import INVALID_RADIUS, UNKNOWN_SMOKE
from domain.legends.state import Fighter, for_gm
from domain.legends.words import Coordinate
from events.envelope import Fact
from events.legends.board import SmokeCleared, SmokeSpread, SmokeThinned

TURNS = EFFECTS["smoked"].turns or 0
WIND = "wind"


class SpreadSmoke(Command, frozen=True, tag="legends.spread_smoke"):
    """The game master fills a zone with smoke. It lasts 6 turns of its `creator`; without one, until it is cleared."""

    x: Coordinate
    y: Coordinate
    radius: Coordinate
    creator: CharacterId | None = None


class ClearSmoke(Command, frozen=True, tag="legends.clear_smoke"):
    """A strong wind clears a zone of smoke."""

    smoke: Key


def spread_smoke(state: State, command: SpreadSmoke, context: Context) -> Iterable[Fact]:
    return spread(state, Cell(command.x, command.y), command.radius, command.creator, context.new_id("s"))


def clear_smoke(state: State, command: ClearSmoke, _: Context) -> Iterable[Fact]:
    require(find(state, Smoke, command.smoke), UNKNOWN_SMOKE, "LB-6.2.12", smoke=command.smoke)
    return [SmokeCleared(command.smoke, "strong_wind", "LB-6.2.12")]


def spread(state: State, centre: Cell, radius: int, creator: str | None, name: str) -> list[Fact]:
    """Refuses `INVALID_RADIUS`."""
    require(0 <= radius <= WIDEST, INVALID_RADIUS, "LB-6.2.12", radius=radius, most=WIDEST)
    by = None if creator is None or hidden(state, creator) else creator
    return [SmokeSpread(name, centre.x, centre.y, radius, TURNS, "LB-6.2.12", creator=by)]


def obscured(state: State, who: str) -> bool:
    """LB-A50: whether a creature stands in smoke."""
    here = find(state, Place, who)
    return here is not None and any(_within(one, Cell(here.x, here.y)) for one in every(state, Smoke).values())


def blown_away(state: State, who: str, cell: Cell) -> list[Fact]:
    """LB-A50: a wind aura clears the zone that its bearer enters, or attacks into."""
    one = find(state, Fighter, who)
    if one is None or not worn(one)[WIND]:
        return []
    zones = every(state, Smoke).items()
    return [SmokeCleared(name, "wind_aura", "LB-A50") for name, smoke in zones if _within(smoke, cell)]


def thinned(state: State, who: str) -> list[Fact]:
    """In the Consequence phase of whoever made it."""
    zones = every(state, Smoke).items()
    return [
        SmokeThinned(name, smoke.turns - 1, "LB-6.2.12")
        for name, smoke in zones
        if smoke.creator == who and smoke.turns
    ]


def dispersed(state: State, who: str) -> list[Fact]:
    """At the end of the turn of whoever made it, where no turn is left of it."""
    zones = every(state, Smoke).items()
    return [
        SmokeCleared(name, "expired", "LB-6.2.12") for name, smoke in zones if smoke.creator == who and not smoke.turns
    ]


def _within(smoke: Smoke, cell: Cell) -> bool:
    return distance(Cell(smoke.x, smoke.y), cell) <= smoke.radius


DECIDE: Deciders = {SpreadSmoke: for_gm()(spread_smoke), ClearSmoke: for_gm()(clear_smoke)}
