"""LB-5.4.1 to LB-5.4.3: pick up, equip, stow; what is in hand, what is worn, what lies in the bag."""

from collections.abc import Iterable

from msgspec.structs import replace

from domain.kernel.belongings import held
from domain.kernel.cast import character
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, owner
from domain.kernel.fold import State, find, fold
from domain.kernel.refusal import require
from domain.legends.armour import gear_of, percent_of, recalculated
from domain.legends.arms import HELD, free_hands, landing
from domain.legends.blow import HEAVY
from domain.legends.board import require_cell_within
from domain.legends.checks import compare
from domain.legends.evolve import EVOLVE
from domain.legends.grid import BASIC_MOVE, Cell
from domain.legends.leaves.board import Lying
from domain.legends.refusals import (
    ALREADY_EQUIPPED,
    ALREADY_STOWED,
    ITEM_NOT_ON_GROUND,
    ITEM_NOT_OWNED,
    NO_ANIMAL_SLOT,
    NO_FREE_HAND,
    NOT_AN_ANIMAL_ITEM,
    STAT_TOO_LOW,
)
from domain.legends.state import Fighter, fighter, for_gm, name_of, on_their_feet, ruling
from domain.legends.turns import Deed, spend
from domain.legends.words import Coordinate
from events.envelope import Fact
from events.legends import Gear, GearGained, GearTakenOff, GearWorn, StatChecked
from events.legends.board import ItemTaken
from events.table import ItemsSpent

ANIMAL_SLOTS = 2
"""LB-11.0.4."""


class LayItem(Command, frozen=True, tag="legends.lay_item"):
    """The game master lays something on the ground: a crate, a key, a sword. Without a cell, nowhere in particular."""

    item: Name
    x: Coordinate | None = None
    y: Coordinate | None = None


class PickUp(Deed, frozen=True, tag="legends.pick_up"):
    """Take what lies on the ground, into a free hand or, where there is none or it is asked for, into the bag."""

    character: CharacterId
    item: Name
    bag: bool = False


class Equip(Deed, frozen=True, tag="legends.equip"):
    """Put in hand, or on oneself, what one has. Something of the bag such as an arrow is taken in hand for one shot."""

    character: CharacterId
    item: Name


class Stow(Deed, frozen=True, tag="legends.stow"):
    """Put a piece back into the bag."""

    character: CharacterId
    item: Name


def lay_item(state: State, command: LayItem, _: Context) -> Iterable[Fact]:
    cell = None if command.x is None or command.y is None else Cell(command.x, command.y)
    return [landing(state, Gear(command.item), cell, "game_master", "LB-5.4.1")]


def pick_up(state: State, command: PickUp, context: Context) -> Iterable[Fact]:
    """LB-5.4.1, LB-A24."""
    who = command.character
    one = on_their_feet(state, who, context)
    spent = spend(state, who, "action", context, cause="legends.pick_up", rule="LB-5.4.1")
    there = lying(state, command.item)
    require_reach(state, context, who, there)
    gear = there.gear
    if any(piece.name == gear.name for piece in one.gear):
        gear = replace(gear, name=command.item)
    strong = not gear.heavy or _strong_enough(state, who, one).passed
    room = gear.kind in HELD and free_hands(state, one) >= gear.hands
    hand = room and strong and not command.bag and ruling(state, "LB-A24", "b", "ab") == "b"
    taken = ItemTaken(who, command.item, "hand" if hand else "bag", "LB-5.4.1")
    return [*spent, taken, GearGained(who, replace(gear, worn=hand), "legends.pick_up", "LB-5.4.1")]


def equip(state: State, command: Equip, context: Context) -> Iterable[Fact]:
    """LB-5.4.2: a heavy weapon asks for more than 14 in Strength; armour protects from then on."""
    who, shown = command.character, name_of(state, command.character)
    one = on_their_feet(state, who, context)
    spent = spend(state, who, "action", context, cause="legends.equip", rule="LB-5.4.2")
    if not any(piece.name == command.item for piece in one.gear) and held(state, who, command.item):
        return [*spent, *_one_in_hand(state, who, one, command.item, context)]
    piece = gear_of(state, who, command.item)
    require(not piece.worn, ALREADY_EQUIPPED, "LB-5.4.2", character=shown, item=piece.name)
    _require_animal_slot(state, who, one, piece)
    _require_hand(state, who, one, piece, context)
    checked: list[Fact] = []
    if piece.heavy:
        tried = _strong_enough(state, who, one)
        context.require(
            tried.passed,
            STAT_TOO_LOW,
            "LB-1.2.1",
            character=shown,
            item=piece.name,
            stat="strength",
            required=f"+{HEAVY}",
            actual=tried.value,
        )
        checked = [tried]
    protects = piece.kind == "armour" or piece.percent is not None
    percent = percent_of(state, piece) if protects else None
    worn = GearWorn(who, piece.name, percent, "LB-16.2.1" if protects else "LB-5.4.2")
    after = fighter(fold(EVOLVE, state, [worn]), who)
    return [*spent, *checked, worn, *recalculated(who, after, cause="legends.equip")]


def stow(state: State, command: Stow, context: Context) -> Iterable[Fact]:
    """LB-5.4.3: what is stowed neither strikes nor protects."""
    who = command.character
    on_their_feet(state, who, context)
    spent = spend(state, who, "action", context, cause="legends.stow", rule="LB-5.4.3")
    piece = gear_of(state, who, command.item)
    require(piece.worn, ALREADY_STOWED, "LB-5.4.3", character=name_of(state, who), item=piece.name)
    off = GearTakenOff(who, piece.name, "LB-5.4.3")
    return [*spent, off, *recalculated(who, fighter(fold(EVOLVE, state, [off]), who), cause="legends.stow")]


def lying(state: State, item: str) -> Lying:
    """Refuses what lies nowhere."""
    found = find(state, Lying, item)
    if found is None:
        ITEM_NOT_ON_GROUND.because("LB-5.4.1", item=item)
    return found


def require_reach(state: State, context: Context, who: str, there: Lying) -> None:
    """LB-5.4.0: within range 1; nothing is measured of what lies nowhere in particular."""
    if there.x is not None and there.y is not None:
        require_cell_within(state, context, who, Cell(there.x, there.y), BASIC_MOVE, "LB-5.4.0")


def _strong_enough(state: State, who: str, one: Fighter) -> StatChecked:
    return compare(state, who, one, "strength", HEAVY, "gt", None)


def _require_hand(state: State, who: str, one: Fighter, piece: Gear, context: Context) -> None:
    """LB-C9, LB-A116: as many weapons as hands. Animals have slots instead."""
    if piece.kind not in HELD or character(state, who).kind == "animal":
        return
    free = free_hands(state, one)
    shown = name_of(state, who)
    context.require(free >= piece.hands, NO_FREE_HAND, "LB-A116", character=shown, item=piece.name, free=max(0, free))


def _require_animal_slot(state: State, who: str, one: Fighter, piece: Gear) -> None:
    """LB-11.0.4: two, for animal items."""
    if character(state, who).kind != "animal":
        return
    shown = name_of(state, who)
    require(piece.kind == "animal_item", NOT_AN_ANIMAL_ITEM, "LB-11.0.4", character=shown, item=piece.name)
    used = sum(each.worn and each.kind == "animal_item" for each in one.gear)
    require(used < ANIMAL_SLOTS, NO_ANIMAL_SLOT, "LB-11.0.4", character=shown, most=ANIMAL_SLOTS)


def _one_in_hand(state: State, who: str, one: Fighter, item: str, context: Context) -> list[Fact]:
    """LB-A26: one of what the bag holds, ready for a shot."""
    piece = Gear(item, kind="ammunition", worn=True)
    _require_hand(state, who, one, piece, context)
    left = held(state, who, item) - 1
    require(left >= 0, ITEM_NOT_OWNED, "LB-5.4.2", character=name_of(state, who), item=item)
    return [
        ItemsSpent(who, item, 1, left, cause="legends.equip"),
        GearGained(who, piece, "legends.equip", "LB-A26"),
    ]


DECIDE: Deciders = {
    LayItem: for_gm()(lay_item),
    PickUp: owner("character")(pick_up),
    Equip: owner("character")(equip),
    Stow: owner("character")(stow),
}
