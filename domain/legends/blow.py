"""LB-5.5.1, step 1: what one strikes with, at whom it can be aimed, and what it takes to hit."""

from msgspec import Struct

from domain.kernel.cast import hidden
from domain.kernel.charter import setting
from domain.kernel.command import Context
from domain.kernel.fold import State
from domain.kernel.refusal import Refused
from domain.legends.amount import require_amount
from domain.legends.arms import in_hand, reaches, ready_to_shoot
from domain.legends.arsenal import attack_of
from domain.legends.board import gap
from domain.legends.checks import compare
from domain.legends.grid import Cell
from domain.legends.refusals import ATTACK_DDT_REQUIRED, STAT_TOO_LOW, UNKNOWN_WEAPON
from domain.legends.state import Fighter, fighter, name_of, ruling
from events.envelope import Fact
from events.legends import Attack, Gear

HEAVY = 14
"""LB-1.2.1: a heavy weapon asks for more Strength than this."""


class Armed(Struct, frozen=True):
    """A way to strike, and the piece one strikes with, if any."""

    attack: Attack
    gear: Gear | None = None


class Blow(Struct, frozen=True, kw_only=True):
    """A strike about to be made. `spiked`: with a spiked weapon. `eject_to`: where a weapon flies (LB-6.1.3).

    `advantages` and `disadvantages` beside those that the strike finds itself; `extra`: beyond the first of the
    action; `answer`: a counter-attack, which is no strike of one's own turn and is not answered.
    """

    attack: Attack
    ddt: int
    cause: str = "legends.attack"
    spiked: bool = False
    luck: bool = False
    advantages: tuple[str, ...] = ()
    disadvantages: tuple[str, ...] = ()
    eject_to: Cell | None = None
    extra: bool = False
    answer: bool = False


class Back(Struct, frozen=True):
    """A counter-attack that can be made, and what its shot takes of the quiver."""

    blow: Blow
    shot: list[Fact]


def ways(state: State, one: Fighter) -> list[Armed]:
    """What is in hand, then what the creature strikes with by itself."""
    held = [(gear, attack_of(state, gear)) for gear in in_hand(one)]
    return [
        *(Armed(attack, gear) for gear, attack in held if attack is not None),
        *(Armed(attack) for attack in one.attacks),
    ]


def armed(state: State, who: str, weapon: str | None) -> Armed:
    """The weapon named, or the first at hand. Refuses `ITEM_NOT_OWNED`."""
    known = ways(state, fighter(state, who))
    for way in known:
        if weapon in (None, way.attack.name, way.gear.name if way.gear else None):
            return way
    choices = [way.gear.name if way.gear else way.attack.name for way in known]
    UNKNOWN_WEAPON.because("LB-5.4.2", character=name_of(state, who), item=weapon or "", choices=choices)


def wieldable(state: State, who: str, way: Armed) -> bool:
    """LB-1.2.1, LB-A2: whether a heavy weapon may be used with the Strength that one has now."""
    if way.gear is None or not way.gear.heavy or ruling(state, "LB-A2", "b", "ab") == "a":
        return True
    return compare(state, who, fighter(state, who), "strength", HEAVY, "gt", None).passed


def require_wieldable(state: State, who: str, way: Armed, context: Context) -> None:
    item = way.gear.name if way.gear else ""
    actual = fighter(state, who).stats.strength
    context.require(
        wieldable(state, who, way),
        STAT_TOO_LOW,
        "LB-1.2.1",
        character=name_of(state, who),
        item=item,
        stat="strength",
        required=f"+{HEAVY}",
        actual=actual,
    )


def require_readable(way: Armed) -> None:
    """Refuses damage that is no dice notation, before any die falls."""
    if way.attack.damage:
        require_amount(way.attack.damage, way.attack.name, "LB-5.5.1")


def ddt_of(state: State, target: str) -> int | None:
    """LB-A28, LB-C15: what it takes to hit this creature; None where nobody said so."""
    one = fighter(state, target)
    if one.ddt is not None:
        return one.ddt
    for name in (one.entry, target):
        said = setting(state, f"creatures.{name}.ddt", "") if name else ""
        if isinstance(said, int) and not isinstance(said, bool):
            return said
    return None


def require_ddt(state: State, target: str, given: int | None) -> int:
    """Refuses `DIFFICULTY_REQUIRED`."""
    known = given if given is not None else ddt_of(state, target)
    if known is None:
        ATTACK_DDT_REQUIRED.because("LB-5.5.1", character=name_of(state, target))
    return known


def counter(state: State, who: str, target: str, context: Context) -> Back | None:
    """The strike back that a reaction allows: with the first weapon that reaches, is ready and may be wielded.

    None where there is no such weapon, nobody said what it takes to hit, or the attacker cannot be seen.
    """
    ddt = ddt_of(state, target)
    unseen = hidden(state, target) and not hidden(state, who)
    far = gap(state, who, target)
    if ddt is None or unseen:
        return None
    for way in ways(state, fighter(state, who)):
        within = far is None or far <= reaches(state, who, way.attack, target)
        if within and wieldable(state, who, way):
            try:
                require_readable(way)
                shot = ready_to_shoot(state, who, way.attack, context)
            except Refused:
                continue
            return Back(blow_with(way, ddt, cause="legends.counter_attack", answer=True), shot)
    return None


def blow_with(way: Armed, ddt: int, **more: object) -> Blow:
    return Blow(attack=way.attack, ddt=ddt, spiked=bool(way.gear and way.gear.spiked), **more)  # type: ignore[arg-type]
