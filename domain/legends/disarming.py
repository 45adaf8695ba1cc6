"""LB-6.1.3 and LB-6.2.2: the weapon in hand falls to the ground, four cells away or where its bearer stands."""

from domain.kernel.cast import hidden
from domain.kernel.dice import Dice
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.legends.arms import dropped, weapon_in_hand
from domain.legends.board import DIRECTIONS, away_from, open_cell
from domain.legends.grid import Cell, distance
from domain.legends.leaves.board import Place
from domain.legends.refusals import INVALID_CELL
from domain.legends.state import ruling
from events.envelope import Fact, Roll
from events.legends import Attack

AWAY = 4
"""LB-6.1.3: in cells."""
LEAVING_THE_HAND = ("ejected", "disarmed")


def bare(state: State, who: str, effect: str) -> bool:
    """Whether this effect has nothing to act on: there is no weapon in hand."""
    return effect in LEAVING_THE_HAND and weapon_in_hand(state, who) is None


def require_landing(state: State, target: str, attack: Attack, cell: Cell | None) -> Cell | None:
    """LB-A36: the attacker chooses a free cell at a distance of exactly 4; nothing is chosen without a map."""
    ejects = any(one.effect == "ejected" for one in attack.inflicts)
    here = find(state, Place, target)
    armed = weapon_in_hand(state, target) is not None
    if not (ejects and armed) or here is None or ruling(state, "LB-A36", "a", "abc") != "a":
        return None
    far = distance(Cell(here.x, here.y), cell) if cell else 0
    require(cell and far == AWAY and open_cell(state, cell), INVALID_CELL, "LB-6.1.3", distance=far, exactly=AWAY)
    return cell


def fallen(state: State, who: str, effect: str, cell: Cell | None, by: str | None, dice: Dice) -> list[Fact]:
    """The weapon lies on the ground: where it was sent, or where the table's ruling sends it."""
    here = find(state, Place, who)
    if here is None:
        return dropped(state, who, None, effect, "LB-6.1.3" if effect == "ejected" else "LB-6.2.2")
    foot = Cell(here.x, here.y)
    if effect == "disarmed":
        return dropped(state, who, foot, effect, "LB-6.2.2")
    rolls: tuple[Roll, ...] = ()
    if cell is None:
        x, y = away_from(here, find(state, Place, by) if by else None)
        if ruling(state, "LB-A36", "a", "abc") == "b":
            rolls = (dice.throw(1, len(DIRECTIONS), purpose="direction", secret=hidden(state, who, by)),)
            x, y = tuple(DIRECTIONS.values())[rolls[0].kept[0] - 1]
        aimed = Cell(here.x + _leg(x, y) * x, here.y + _leg(x, y) * y)
        cell = aimed if open_cell(state, aimed) else foot
    return dropped(state, who, cell, effect, "LB-6.1.3", rolls)


def _leg(x: int, y: int) -> int:
    """How many steps in this direction make a distance of 4."""
    return 3 if x and y else AWAY
