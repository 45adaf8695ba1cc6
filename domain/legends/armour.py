"""LB-16.2: pieces of armour, what they are worth, and what a wound takes of it."""

from collections.abc import Sequence

from msgspec.structs import replace

from domain.kernel.charter import setting
from domain.kernel.fold import State
from domain.legends.refusals import ITEM_NOT_OWNED
from domain.legends.state import Fighter, fighter, name_of, number
from events.envelope import Fact
from events.legends import ArmourPointsRecalculated, Gear, Step

MOST_PERCENT = 1_000


def points(hp_max: int, gear: Sequence[Gear]) -> tuple[Step, ...]:
    """LB-16.2.2, LB-16.2.3: a share of the maximum of hit points for each piece worn, floored one by one."""
    return tuple(
        Step(one.name, f"floor({hp_max} × {one.percent} / 100)", hp_max * one.percent // 100, "LB-16.2.2")
        for one in gear
        if one.worn and one.percent is not None
    )


def recalculated(who: str, one: Fighter, cause: str) -> list[Fact]:
    """LB-16.2.4: another maximum; the points lost since the last rest stay lost."""
    steps = points(one.hp_max, one.gear)
    most = sum(step.result for step in steps)
    if most == one.armour_max:
        return []
    armour = replace(one, armour_max=most).armour
    return [
        ArmourPointsRecalculated(
            who, one.armour_max, most, one.armour_lost, one.armour, armour, cause, steps, "LB-16.2.4"
        )
    ]


def gear_of(state: State, who: str, item: str) -> Gear:
    """The piece of this name. Refuses `ITEM_NOT_OWNED`."""
    for one in fighter(state, who).gear:
        if one.name == item:
            return one
    ITEM_NOT_OWNED.because("LB-5.4.2", character=name_of(state, who), item=item)


def percent_of(state: State, piece: Gear) -> int:
    """LB-16.2.1: what the campaign's catalogue says of the piece, or what stands on the sheet."""
    key = f"armour.{piece.name}.percent"
    if piece.percent is not None and setting(state, key, "") == "":
        return piece.percent
    return number(state, key, "LB-16.2.1", most=MOST_PERCENT)
