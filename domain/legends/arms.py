"""LB-5.4: what is in hand: the weapons one strikes with, how far they reach, what they shoot, how they are lost."""

from msgspec.structs import replace

from domain.kernel.belongings import held
from domain.kernel.command import Context
from domain.kernel.fold import State, every, find
from domain.legends.arsenal import attack_of
from domain.legends.grid import Cell
from domain.legends.leaves.board import Lying
from domain.legends.refusals import NO_AMMUNITION, QUIVER_REQUIRED
from domain.legends.state import Fighter, fighter, name_of, number
from events.envelope import Fact, Roll
from events.legends import Attack, Gear
from events.legends.board import ItemLanded
from events.legends.sheet import GearLost
from events.table import ItemsSpent

HELD = ("weapon", "ammunition", "item")
"""What takes a hand when it is worn; armour, quivers and talismans take none."""


def in_hand(one: Fighter) -> tuple[Gear, ...]:
    """What is equipped and takes a hand."""
    return tuple(piece for piece in one.gear if piece.worn and piece.kind in HELD and piece.percent is None)


def free_hands(state: State, one: Fighter) -> int:
    """LB-C9, LB-A116: two hands, or as many as the campaign gives, less what is held."""
    return number(state, "characters.hands", "LB-C9", 2, most=100) - sum(piece.hands for piece in in_hand(one))


def weapon_in_hand(state: State, who: str) -> Gear | None:
    """The first thing in hand that strikes."""
    one = find(state, Fighter, who)
    held_now = in_hand(one) if one else ()
    return next((piece for piece in held_now if piece.kind == "weapon" or attack_of(state, piece)), None)


def dropped(
    state: State, who: str, cell: Cell | None, cause: str, rule: str, rolls: tuple[Roll, ...] = ()
) -> list[Fact]:
    """The weapon in hand leaves it, and lies in this cell; nowhere in particular without a map."""
    piece = weapon_in_hand(state, who)
    if piece is None:
        return []
    landed = landing(state, piece, cell, cause, rule, rolls)
    return [GearLost(who, piece.name, cause, rule), landed]


def landing(
    state: State, piece: Gear, cell: Cell | None, cause: str, rule: str, rolls: tuple[Roll, ...] = ()
) -> ItemLanded:
    """The piece on the ground, under a name that nothing else there has."""
    x, y = (None, None) if cell is None else (cell.x, cell.y)
    return ItemLanded(_free_name(state, piece.name), replace(piece, worn=False), x, y, cause, rule, rolls=rolls)


def _free_name(state: State, name: str) -> str:
    taken = every(state, Lying)
    return next(each for n in range(len(taken) + 1) if (each := f"{name} {n + 1}" if n else name) not in taken)


def ready_to_shoot(state: State, who: str, attack: Attack, context: Context) -> list[Fact]:
    """LB-5.4.9: out of a quiver that is worn, or what was taken in hand for this shot."""
    what = attack.ammunition
    if not what:
        return []
    one, shown = fighter(state, who), name_of(state, who)
    if any(piece.name == what and piece.kind == "ammunition" for piece in in_hand(one)):
        return [GearLost(who, what, "legends.attack", "LB-5.4.9")]
    quiver = any(piece.worn and piece.kind == "quiver" for piece in one.gear)
    context.require(quiver, QUIVER_REQUIRED, "LB-5.4.9", character=shown, item=what)
    left = held(state, who, what)
    if not left:
        NO_AMMUNITION.because("LB-5.4.9", character=shown, item=what)
    return [ItemsSpent(who, what, 1, left - 1, cause="legends.attack")]


def reaches(state: State, who: str, attack: Attack, target: str) -> int:
    """LB-16.3: in cells."""
    return attack.range
