"""LB-5.1.2 and LB-5.2: the map, the Movement phase, standing up."""

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta

from domain.kernel.cast import hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.legends.board import AHEAD, cells, obstructed, occupied, on_map
from domain.legends.derived import movement_of
from domain.legends.effect_table import at_work, blocking
from domain.legends.grid import Cell, walked
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.leaves.board import Place
from domain.legends.refusals import (
    ALREADY_MOVED,
    CELL_OCCUPIED,
    MOVEMENT_BLOCKED,
    MOVEMENT_EXCEEDED,
    NOT_ON_MAP,
    NOT_PRONE,
    OUT_OF_MAP,
    PRONE,
)
from domain.legends.smoke import blown_away
from domain.legends.state import Combatant, fighter, for_gm, name_of, on_their_feet
from domain.legends.traits import flies, moves_per_turn
from domain.legends.turns import Deed, require_turn
from domain.legends.words import At, Coordinate
from events.envelope import Fact, Roll
from events.legends.board import CreatureMoved, CreaturePlaced, Facing, Footprint, MapDrawn, Spot
from events.legends.effects import FellProne, StoodUp


class DrawMap(Command, frozen=True, tag="legends.draw_map"):
    """The game master draws the map: a rectangle from (`left`, `bottom`) to (`right`, `top`), and its obstacles."""

    right: Coordinate
    top: Coordinate
    left: Coordinate = 0
    bottom: Coordinate = 0
    obstacles: Annotated[tuple[At, ...], Meta(max_length=2_000)] = ()


class PlaceCreature(Command, frozen=True, tag="legends.place"):
    """The game master puts a creature in a cell: its front, looking to `facing`, and taking up a `footprint`."""

    character: CharacterId
    x: Coordinate
    y: Coordinate
    facing: Facing = "north"
    footprint: Footprint | None = None


class Move(Deed, frozen=True, tag="legends.move"):
    """Walk through the cells of `path`, one after the other; in one go, the cells left over are lost.

    `facing` turns a creature that takes several cells.
    """

    character: CharacterId
    path: Annotated[tuple[At, ...], Meta(min_length=1, max_length=500)]
    facing: Facing | None = None


class StandUp(Deed, frozen=True, tag="legends.stand_up"):
    """Whoever lies prone stands up, for the whole of its movement."""

    character: CharacterId


def draw_map(_: State, command: DrawMap, __: Context) -> Iterable[Fact]:
    """LB-5.2.1."""
    require(command.left <= command.right and command.bottom <= command.top, OUT_OF_MAP, "LB-5.2.1", x=0, y=0)
    obstacles: tuple[Spot, ...] = tuple(dict.fromkeys((one.x, one.y) for one in command.obstacles))
    return [MapDrawn(command.left, command.bottom, command.right, command.top, obstacles, "LB-5.2.1")]


def place_creature(state: State, command: PlaceCreature, _: Context) -> Iterable[Fact]:
    who = command.character
    fighter(state, who)
    before = find(state, Place, who)
    footprint = command.footprint or (before.footprint if before else "single")
    there = Place(command.x, command.y, command.facing, footprint)
    _require_room(state, who, there, over=False)
    return [CreaturePlaced(who, command.x, command.y, command.facing, footprint, "game_master", "LB-5.2.1")]


def move(state: State, command: Move, context: Context) -> Iterable[Fact]:
    """LB-5.1.2, LB-5.1.4, LB-5.2.1: one movement in a turn, before or after everything else."""
    who = command.character
    on_their_feet(state, who, context)
    turn = find(state, Combatant, who)
    if turn is not None:
        require_turn(state, who, context)
    index = _require_movement_left(state, who, turn, context)
    require_mobile(state, who, context)
    here = require_placed(state, who)
    path = [Cell(one.x, one.y) for one in command.path]
    cost = walked([Cell(here.x, here.y), *path])
    available = movement_of(state, who) // (1 if index < 2 else 2)
    if turn is not None:
        context.require(cost <= available, MOVEMENT_EXCEEDED, "LB-5.1.2", cost=cost, available=available)
    facing = command.facing or here.facing
    over = flies(state, who)
    for number, cell in enumerate(path, 1):
        last = number == len(path)
        _require_room(state, who, Place(cell.x, cell.y, facing, here.footprint), over=over and not last)
    gone, fell, rolls = _slippery(state, who, path, context)
    unused = max(0, available - len(gone)) if turn is not None else 0
    moved = CreatureMoved(
        who,
        tuple((cell.x, cell.y) for cell in gone),
        len(gone),
        unused,
        facing,
        "move",
        "LB-5.1.2",
        index=index if turn is not None else 0,
        flying=over,
        rolls=rolls,
    )
    down = [FellProne(who, "frozen", "LB-6.1.2")] if fell else []
    return [moved, *down, *blown_away(state, who, gone[-1])]


def stand_up(state: State, command: StandUp, context: Context) -> Iterable[Fact]:
    """LB-A35: the whole Movement phase; both movements of a bird."""
    who = command.character
    on_their_feet(state, who, context)
    turn = find(state, Combatant, who)
    if turn is not None:
        require_turn(state, who, context)
    leaf = find(state, Afflicted, who)
    require(leaf and leaf.prone, NOT_PRONE, "LB-6.1.2", character=name_of(state, who))
    context.require(turn is None or not turn.moves, ALREADY_MOVED, "LB-5.1.2", character=name_of(state, who))
    require_able_to_move(state, who, context)
    return [StoodUp(who, "movement", "LB-A35")]


def require_placed(state: State, who: str) -> Place:
    """Refuses whoever stands nowhere."""
    here = find(state, Place, who)
    if here is None:
        NOT_ON_MAP.because("LB-5.2.1", character=name_of(state, who))
    return here


def require_mobile(state: State, who: str, context: Context) -> None:
    """LB-6.1.2, LB-6.2.3: not held, and on its feet."""
    leaf = find(state, Afflicted, who)
    require_able_to_move(state, who, context)
    context.require(not (leaf and leaf.prone), PRONE, "LB-6.1.2", character=name_of(state, who))


def require_able_to_move(state: State, who: str, context: Context) -> None:
    effect = blocking(state, who, "movement")
    context.require(effect is None, MOVEMENT_BLOCKED, "LB-6.2.3", character=name_of(state, who), effect=effect)


def heading(direction: tuple[int, int], before: Facing) -> Facing:
    """The side to which one looks after going straight; a diagonal turns nobody."""
    return next((name for name, ahead in AHEAD.items() if ahead == direction), before)


def _require_movement_left(state: State, who: str, turn: Combatant | None, context: Context) -> int:
    """Which movement of the turn this is: 1, or 2 for a bird (LB-11.1.2)."""
    if turn is None:
        return 1
    most = moves_per_turn(state, who)
    context.require(turn.moves < most, ALREADY_MOVED, "LB-5.1.2", character=name_of(state, who))
    return turn.moves + 1


def _require_room(state: State, who: str, there: Place, *, over: bool) -> None:
    """LB-5.2.1, LB-11.1.1: on the map, and with nothing in it unless one flies over."""
    for cell in cells(there):
        require(on_map(state, cell), OUT_OF_MAP, "LB-5.2.1", x=cell.x, y=cell.y)
        taken = obstructed(state, cell) or occupied(state, cell, but=who)
        require(over or not taken, CELL_OCCUPIED, "LB-5.2.1", x=cell.x, y=cell.y)


def _slippery(
    state: State, who: str, path: Sequence[Cell], context: Context
) -> tuple[Sequence[Cell], bool, tuple[Roll, ...]]:
    """LB-6.1.2: for whoever is frozen a die in each cell; the first that falls ends the movement there."""
    chance = next((made.prone for _, made in at_work(state, who) if made.prone), None)
    if chance is None:
        return path, False, ()
    needed, sides = chance
    rolls: list[Roll] = []
    for number in range(1, len(path) + 1):
        rolls.append(context.dice.throw(1, sides, purpose="slipping", secret=hidden(state, who)))
        if rolls[-1].kept[0] <= needed:
            return path[:number], True, tuple(rolls)
    return path, False, tuple(rolls)


DECIDE: Deciders = {
    DrawMap: for_gm()(draw_map),
    PlaceCreature: for_gm("character")(place_creature),
    Move: owner("character")(move),
    StandUp: owner("character")(stand_up),
}
