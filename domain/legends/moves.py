"""LB-5.4.4 to LB-5.4.6: jump, push, throw: a die says how far, in a straight line (LB-A25)."""

from collections.abc import Iterable
from itertools import takewhile

from msgspec.structs import replace

from domain.kernel.cast import hidden
from domain.kernel.command import CharacterId, Context, Deciders, Name, owner
from domain.kernel.dice import Dice
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.arms import in_hand
from domain.legends.arsenal import attack_of
from domain.legends.board import DIRECTIONS, away_from, cells, open_cell, require_within, straight
from domain.legends.checks import spend_luck
from domain.legends.equipping import lying, require_reach
from domain.legends.grid import BASIC_MOVE, Cell
from domain.legends.leaves.board import Lying, Place
from domain.legends.movement import heading, require_mobile, require_placed
from domain.legends.refusals import INVALID_DIRECTION, ITEM_NOT_OWNED, TARGET_INVALID
from domain.legends.smoke import blown_away
from domain.legends.state import fighter, name_of, on_their_feet, require_luck
from domain.legends.turns import Deed, spend
from events.envelope import Fact, Roll
from events.legends import Gear, GearLost
from events.legends.board import CreatureMoved, ItemLanded, ItemThrown

DICE = {
    name: int(die.lstrip("D"))
    for name, die in read("domain.legends", "lb_basic_moves", lambda row: (row["key"], row["die"]))
    if die
}
"""LB-5.4.4 to LB-5.4.6: the sides of the die of each move that has one."""
assert set(DICE) == {"jump", "push", "throw"}, "lb_basic_moves.csv names other dice"


class Jump(Deed, frozen=True, tag="legends.jump"):
    """Straight on in one of the eight directions: `north`, `north_east` …"""

    character: CharacterId
    direction: Name
    use_luck_die: bool = False


class Push(Deed, frozen=True, tag="legends.push"):
    """Push a creature (`target`) or a thing on the ground (`item`) straight away from oneself."""

    character: CharacterId
    target: CharacterId | None = None
    item: Name | None = None
    direction: Name | None = None
    use_luck_die: bool = False


class Throw(Deed, frozen=True, tag="legends.throw"):
    """Throw what is in hand, or a thing that lies beside one."""

    character: CharacterId
    item: Name
    direction: Name
    use_luck_die: bool = False


def jump(state: State, command: Jump, context: Context) -> Iterable[Fact]:
    """LB-5.4.4: an action, and not the movement of the turn; it stops before an obstacle."""
    who = command.character
    one = on_their_feet(state, who, context)
    spent = spend(state, who, "action", context, cause="legends.jump", rule="LB-5.4.4")
    require_mobile(state, who, context)
    require_luck(one, command.use_luck_die, name_of(state, who))
    here = require_placed(state, who)
    direction = _direction(command.direction)
    far, rolls = _how_far(context.dice, "jump", command.use_luck_die, hidden(state, who))
    lucky = spend_luck(who, one, command.use_luck_die)
    moved = slid(state, who, here, direction, far, "jump", "LB-5.4.4", rolls)
    return [*spent, *lucky, moved, *(blown_away(state, who, Cell(*moved.path[-1])) if moved.path else ())]


def push(state: State, command: Push, context: Context) -> Iterable[Fact]:
    """LB-5.4.5: whoever is held fast can be pushed all the same."""
    who = command.character
    one = on_their_feet(state, who, context)
    spent = spend(state, who, "action", context, cause="legends.push", rule="LB-5.4.5")
    named = (command.target is None) != (command.item is None) and command.target != who
    require(named, TARGET_INVALID, "LB-5.4.5", character=name_of(state, who))
    here = require_placed(state, who)
    secret = hidden(state, who, command.target)
    if command.target is not None:
        fighter(state, command.target)
        there = require_placed(state, command.target)
        require_within(state, context, who, command.target, BASIC_MOVE, "LB-5.4.0")
        direction = _away(here, there, command.direction)
        require_luck(one, command.use_luck_die, name_of(state, who))
        far, rolls = _how_far(context.dice, "push", command.use_luck_die, secret)
        pushed: Fact = slid(state, command.target, there, direction, far, "push", "LB-5.4.5", rolls)
    else:
        item = command.item or ""
        thing = lying(state, item)
        require_reach(state, context, who, thing)
        direction = _away(here, _cell_of(thing, here), command.direction)
        require_luck(one, command.use_luck_die, name_of(state, who))
        far, rolls = _how_far(context.dice, "push", command.use_luck_die, secret)
        path = straight(state, Cell(thing.x or 0, thing.y or 0), direction, far) if thing.x is not None else []
        x, y = (path[-1].x, path[-1].y) if path else (thing.x, thing.y)
        pushed = ItemLanded(item, thing.gear, x, y, "push", "LB-5.4.5", rolls=rolls)
    return [*spent, *spend_luck(who, one, command.use_luck_die), pushed]


def throw(state: State, command: Throw, context: Context) -> Iterable[Fact]:
    """LB-5.4.6, LB-6.2.8: the first obstacle stops it; a loyal weapon comes back to the hand."""
    who = command.character
    one = on_their_feet(state, who, context)
    spent = spend(state, who, "action", context, cause="legends.throw", rule="LB-5.4.6")
    piece = next((each for each in in_hand(one) if each.name == command.item), None)
    thing = find(state, Lying, command.item) if piece is None else None
    require(piece or thing, ITEM_NOT_OWNED, "LB-5.4.6", character=name_of(state, who), item=command.item)
    if thing is not None:
        require_reach(state, context, who, thing)
    require_luck(one, command.use_luck_die, name_of(state, who))
    direction = _direction(command.direction)
    far, rolls = _how_far(context.dice, "throw", command.use_luck_die, hidden(state, who))
    end = _flown(state, who, direction, far)
    x, y = (None, None) if end is None else (end.x, end.y)
    attack = attack_of(state, piece) if piece else None
    loyal = attack is not None and "loyalty" in attack.properties
    thrown = ItemThrown(who, command.item, x, y, loyal, "LB-6.2.8" if loyal else "LB-5.4.6", rolls=rolls)
    told = [*spent, *spend_luck(who, one, command.use_luck_die), thrown]
    if loyal:
        return told
    return [*told, *_landed(who, command.item, piece, thing, x, y)]


def _landed(who: str, item: str, piece: Gear | None, thing: Lying | None, x: int | None, y: int | None) -> list[Fact]:
    """Where it lies now; what was in hand is lost to it."""
    if piece is None:
        return [ItemLanded(item, thing.gear, x, y, "throw", "LB-5.4.6")] if thing else []
    lost = GearLost(who, item, "legends.throw", "LB-5.4.6")
    return [lost, ItemLanded(item, replace(piece, worn=False), x, y, "throw", "LB-5.4.6")]


def slid(
    state: State,
    who: str,
    here: Place,
    direction: tuple[int, int],
    far: int,
    cause: str,
    rule: str,
    rolls: tuple[Roll, ...] = (),
) -> CreatureMoved:
    """LB-A25: a creature goes straight, each diagonal step counting one, up to the last cell that has room for it."""

    def room(step: int) -> bool:
        there = replace(here, x=here.x + step * direction[0], y=here.y + step * direction[1])
        return all(open_cell(state, cell, but=who) for cell in cells(there))

    steps = list(takewhile(room, range(1, far + 1)))
    path = tuple((here.x + step * direction[0], here.y + step * direction[1]) for step in steps)
    facing = heading(direction, here.facing) if cause == "jump" else here.facing
    return CreatureMoved(who, path, len(path), 0, facing, cause, rule, rolls=rolls)


def shoved(state: State, who: str, by: str, far: int, cause: str) -> list[Fact]:
    """Straight away from somebody by so many cells; nothing happens without a map."""
    here, there = find(state, Place, who), find(state, Place, by)
    if here is None or there is None or not far:
        return []
    return [slid(state, who, here, away_from(here, there), far, cause, "LB-5.3.1")]


def _how_far(dice: Dice, move: str, luck: bool, secret: bool) -> tuple[int, tuple[Roll, ...]]:
    """LB-2.1.4: a die of distance takes a luck die."""
    base = dice.throw(1, DICE[move], purpose=move, secret=secret)
    if not luck:
        return base.kept[0], (base,)
    lucky = dice.throw(1, 4, purpose="luck die", secret=secret)
    return base.kept[0] + lucky.kept[0], (base, lucky)


def _flown(state: State, who: str, direction: tuple[int, int], far: int) -> Cell | None:
    here = find(state, Place, who)
    if here is None:
        return None
    path = straight(state, Cell(here.x, here.y), direction, far, but=who)
    return path[-1] if path else Cell(here.x, here.y)


def _direction(name: str) -> tuple[int, int]:
    found = DIRECTIONS.get(name)
    if found is None:
        INVALID_DIRECTION.because("LB-A25", direction=name, choices=list(DIRECTIONS))
    return found


def _away(here: Place, there: Place, named: str | None) -> tuple[int, int]:
    """The direction named, which must not lead back to whoever pushes; straight away without one."""
    if named is None:
        return away_from(there, here)
    x, y = _direction(named)
    leads_away = x * (there.x - here.x) + y * (there.y - here.y) > 0 or (here.x, here.y) == (there.x, there.y)
    require(leads_away, INVALID_DIRECTION, "LB-5.4.5", direction=named, choices=list(DIRECTIONS))
    return x, y


def _cell_of(thing: Lying, here: Place) -> Place:
    return here if thing.x is None or thing.y is None else Place(thing.x, thing.y)


DECIDE: Deciders = {
    Jump: owner("character")(jump),
    Push: owner("character")(push),
    Throw: owner("character")(throw),
}
