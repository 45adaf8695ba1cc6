"""LB-16.2: pieces of armour, what they are worth, and what a wound takes of it."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from domain.kernel.charter import setting
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, owner
from domain.kernel.fold import State, fold
from domain.kernel.refusal import require
from domain.legends.evolve import EVOLVE
from domain.legends.refusals import ALREADY_EQUIPPED, ALREADY_STOWED, ITEM_NOT_OWNED
from domain.legends.state import Fighter, fighter, name_of, number, on_their_feet
from domain.legends.turns import spend
from events.envelope import Fact
from events.legends import ArmourPointsRecalculated, Gear, GearTakenOff, GearWorn, Step

MOST_PERCENT = 1_000


class WearArmour(Command, frozen=True, tag="legends.wear_armour"):
    """Put on a piece that one has."""

    character: CharacterId
    item: Name


class TakeOffArmour(Command, frozen=True, tag="legends.take_off_armour"):
    """Put a piece back into the bag."""

    character: CharacterId
    item: Name


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


def wear_armour(state: State, command: WearArmour, context: Context) -> Iterable[Fact]:
    """LB-16.2.1: several pieces may be worn."""
    who = command.character
    on_their_feet(state, who, context)
    piece = gear_of(state, who, command.item)
    require(not piece.worn, ALREADY_EQUIPPED, "LB-5.4.2", character=name_of(state, who), item=piece.name)
    spent = spend(state, who, "action", context, cause="legends.wear_armour", rule="LB-5.4.2")
    worn = GearWorn(who, piece.name, percent_of(state, piece), "LB-16.2.1")
    return [*spent, worn, *recalculated(who, fighter(fold(EVOLVE, state, [worn]), who), cause="legends.wear_armour")]


def take_off_armour(state: State, command: TakeOffArmour, context: Context) -> Iterable[Fact]:
    """LB-5.4.3: what is stowed protects no more."""
    who = command.character
    on_their_feet(state, who, context)
    piece = gear_of(state, who, command.item)
    require(piece.worn, ALREADY_STOWED, "LB-5.4.3", character=name_of(state, who), item=piece.name)
    spent = spend(state, who, "action", context, cause="legends.take_off_armour", rule="LB-5.4.3")
    off = GearTakenOff(who, piece.name, "LB-5.4.3")
    return [*spent, off, *recalculated(who, fighter(fold(EVOLVE, state, [off]), who), cause="legends.take_off_armour")]


DECIDE: Deciders = {
    WearArmour: owner("character")(wear_armour),
    TakeOffArmour: owner("character")(take_off_armour),
}
