"""LB-3.6: the secondary statistics as they are now, with the effects and the auras that a creature bears."""

from domain.kernel.fold import State
from domain.legends.effect_table import at_work
from domain.legends.state import fighter, ruling
from domain.legends.stats import movement, perception, precision, speed
from events.legends import Modifier


def speed_of(state: State, who: str) -> int:
    """LB-3.6: what is added first, then each halving in turn."""
    one = fighter(state, who)
    bearing = [made for _, made in at_work(state, who)]
    flat, halvings = sum(made.speed for made in bearing), sum(made.halves for made in bearing)
    if one.own_speed is None:
        return speed(one.stats, flat, halvings)
    value = one.own_speed + flat
    for _ in range(halvings):
        value //= 2
    return max(0, value)


def movement_of(state: State, who: str) -> int:
    """LB-3.2, LB-3.6: in cells."""
    bearing = [made for _, made in at_work(state, who)]
    numbed = any(made.two_thirds for made in bearing)
    return movement(speed_of(state, who), sum(made.movement for made in bearing), numbed=numbed)


def precision_of(state: State, who: str) -> int:
    """LB-3.5, LB-3.6: the value, of which the modifier is then taken (LB-A10)."""
    one = fighter(state, who)
    flat = 0 if _on_the_roll(state) else sum(made.precision for _, made in at_work(state, who))
    if one.own_precision is not None:
        return one.own_precision + flat
    return precision(state, one.stats, one.classes, flat)


def precision_shifts(state: State, who: str) -> tuple[Modifier, ...]:
    """LB-A10: what effects take of the roll itself, where the table settled that they do not change the value."""
    if not _on_the_roll(state):
        return ()
    bearing = at_work(state, who)
    return tuple(Modifier(one.effect, made.precision, "LB-A10") for one, made in bearing if made.precision)


def _on_the_roll(state: State) -> bool:
    return ruling(state, "LB-A10", "a", "ab") == "b"


def perception_of(state: State, who: str) -> int:
    return perception(fighter(state, who).stats)


def charisma_of(state: State, who: str) -> int:
    return fighter(state, who).stats.charisma


def check_maluses(state: State, who: str, basis: str) -> tuple[Modifier, ...]:
    """LB-6.2.14, LB-A43: what effects add to the total of a check on this statistic."""
    return tuple(
        Modifier(one.effect, made.rolls[basis], "LB-6.2.14") for one, made in at_work(state, who) if basis in made.rolls
    )
