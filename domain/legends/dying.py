"""LB-8: the commands of wounds and of what comes after: damage, healing, saves, raising, death and beyond."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.kernel.cast import character, hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, Figure, Name, Reason, owner
from domain.kernel.fold import State, find
from domain.kernel.refusal import CHARACTER_RETIRED, WRONG_SYSTEM, require
from domain.legends.board import require_within
from domain.legends.checks import cast_d20, spend_luck
from domain.legends.downfall import (
    ENOUGH,
    Percentages,
    failed,
    get_up,
    heal,
    healing_raises,
    pipeline,
    tenth,
    vanish,
    wound,
)
from domain.legends.grid import BASIC_MOVE
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.luck import no_luck_die
from domain.legends.refusals import (
    CONSEQUENCE_PENDING,
    INVALID_AMOUNT,
    NOT_DEAD,
    NOT_DOWN,
    SAVE_ALREADY_ROLLED,
    TARGET_IS_DOWN,
    TARGET_NOT_ON_GROUND,
    TARGET_NOT_TEAMMATE,
)
from domain.legends.state import (
    Combatant,
    Fighter,
    fighter,
    for_gm,
    kind_of,
    name_of,
    on_their_feet,
    require_luck,
    side_of,
)
from domain.legends.stats import modifier
from domain.legends.turns import Deed, spend
from events.envelope import Fact
from events.legends import (
    Channel,
    CharacterDied,
    CharacterErased,
    CharacterRevived,
    DeathSaveRolled,
    ImportanceSet,
    Modifier,
    Step,
)
from events.legends.effects import StoodUp
from events.table import CharacterRetired

MOST = 1_000_000
SAVE = 10
"""LB-8.1.2."""


class DamageModifier(Struct, frozen=True, forbid_unknown_fields=True):
    """A named percentage of LB-5.5.2. An `element` may be negative; a perfect counter halves, whatever it says."""

    name: Name
    kind: Literal["bonus", "penalty", "element", "vulnerability", "reduction", "perfect_counter"]
    percent: Annotated[int, Meta(ge=-1_000, le=1_000)] = 0


class TakeDamage(Command, frozen=True, tag="legends.take_damage"):
    """The game master wounds. `channel` `hit_points` skips the armour."""

    character: CharacterId
    amount: Figure
    cause: Name
    channel: Channel = "damage"
    modifiers: Annotated[tuple[DamageModifier, ...], Meta(max_length=50)] = ()
    use_luck_die: bool = False


class Heal(Command, frozen=True, tag="legends.heal"):
    """The game master heals: by `amount`, or by `percent` of the maximum."""

    character: CharacterId
    cause: Name
    amount: Figure | None = None
    percent: Figure | None = None


class RollDeathSave(Command, frozen=True, tag="legends.roll_death_save"):
    character: CharacterId
    use_luck_die: bool = False


class RaiseFallen(Deed, frozen=True, tag="legends.raise_fallen"):
    """A team-mate puts somebody who is down, or prone, back on their feet."""

    character: CharacterId
    target: CharacterId


class Kill(Command, frozen=True, tag="legends.kill"):
    """An event that kills on the spot."""

    character: CharacterId
    text: Reason


class Erase(Command, frozen=True, tag="legends.erase"):
    """A dead character leaves play for good; its history stays."""

    character: CharacterId


class Revive(Command, frozen=True, tag="legends.revive"):
    """The game master has other plans for a dead character. Without `hp`, it comes back with 10 %."""

    character: CharacterId
    reason: Reason
    hp: Figure | None = None


class SetImportance(Command, frozen=True, tag="legends.set_importance"):
    """Whether an animal or a non-player character falls and saves like a player character."""

    character: CharacterId
    important: bool


def take_damage(state: State, command: TakeDamage, _: Context) -> Iterable[Fact]:
    """LB-5.5.2, LB-16.2.5."""
    fighter(state, command.character)
    no_luck_die(command.use_luck_die, "damage", "LB-2.1.1")
    _require_amount(command.amount, "LB-0.9")
    sums = {"bonus": 0, "penalty": 0, "element": 0, "vulnerability": 0, "reduction": 0}
    for each in command.modifiers:
        if each.kind != "perfect_counter":
            require(
                each.kind == "element" or each.percent >= 0,
                INVALID_AMOUNT,
                "LB-5.5.2",
                amount=each.percent,
                least=0,
                most=1_000,
            )
            sums[each.kind] += each.percent
    halved = any(each.kind == "perfect_counter" for each in command.modifiers)
    steps = pipeline(command.amount, Percentages(**sums, perfect_counter=halved))
    return wound(state, command.character, command.amount, cause=command.cause, channel=command.channel, steps=steps)


def heal_somebody(state: State, command: Heal, context: Context) -> Iterable[Fact]:
    """LB-8.1.9: any healing will do."""
    who = command.character
    one = fighter(state, who)
    raises = not one.down or healing_raises(state)
    context.require(raises, TARGET_IS_DOWN, "LB-8.1.9", character=name_of(state, who))
    given = command.percent if command.amount is None else command.amount
    _require_amount(given or 0, "LB-8.1.9")
    if command.amount is not None:
        return heal(state, who, command.amount, cause=command.cause)
    share = one.hp_max * (command.percent or 0) // 100
    steps = (Step("healing", f"floor({one.hp_max} × {command.percent} / 100)", share, "LB-0.4"),)
    return heal(state, who, share, cause=command.cause, steps=steps)


def roll_death_save(state: State, command: RollDeathSave, context: Context) -> Iterable[Fact]:
    """LB-8.1.1, LB-8.1.2: D20 and Constitution against 10, once a turn; no face is special."""
    who = command.character
    one, shown = fighter(state, who), name_of(state, who)
    require(one.down, NOT_DOWN, "LB-8.1.1", character=shown)
    fighting = find(state, Combatant, who)
    pending = fighting is not None and fighting.pending
    require(not pending, CONSEQUENCE_PENDING, "LB-8.1.1", character=shown)
    context.require(one.saves_due, SAVE_ALREADY_ROLLED, "LB-8.1.1", character=shown)
    require_luck(one, command.use_luck_die, shown)
    cast = cast_d20(context.dice, command.use_luck_die, purpose="death save", secret=hidden(state, who))
    modifiers = (Modifier("constitution", modifier(one.stats.constitution), "LB-1.4"), *cast.luck)
    total = cast.kept + sum(each.amount for each in modifiers)
    saved = total >= SAVE
    successes, failures = one.successes + saved, one.failures + (not saved)
    rolled = DeathSaveRolled(
        who,
        cast.kept,
        modifiers,
        total,
        SAVE,
        "success" if saved else "failure",
        successes,
        failures,
        "LB-8.1.2",
        rolls=cast.rolls,
    )
    after = get_up(state, who, one, cause="three_successes") if successes >= ENOUGH else failed(who, failures)
    return [*spend_luck(who, one, command.use_luck_die), rolled, *after]


def raise_fallen(state: State, command: RaiseFallen, context: Context) -> Iterable[Fact]:
    """LB-8.1.6, LB-5.4.7: a team-mate need not wait for the saves."""
    who, target = command.character, command.target
    on_their_feet(state, who, context)
    other, shown = fighter(state, target), name_of(state, target)
    leaf = find(state, Afflicted, target)
    prone = leaf is not None and leaf.prone
    spent = spend(state, who, "action", context, cause="legends.raise", rule="LB-5.4.7")
    mates = who != target and side_of(state, who) == side_of(state, target)
    context.require(mates, TARGET_NOT_TEAMMATE, "LB-5.4.7", character=shown)
    require(other.down or prone, TARGET_NOT_ON_GROUND, "LB-5.4.7", character=shown)
    require_within(state, context, who, target, BASIC_MOVE, "LB-5.4.0")
    rescuer = None if hidden(state, who) else who
    up: list[Fact] = [StoodUp(target, "raised", "LB-A35", helper=rescuer)] if prone else []
    return [*spent, *up, *(get_up(state, target, other, cause="raised", rescuer=rescuer) if other.down else ())]


def kill(state: State, command: Kill, _: Context) -> Iterable[Fact]:
    """LB-8.1.8: bypasses the fall."""
    fighter(state, command.character)
    if kind_of(state, command.character) == "summon":
        return vanish(command.character, command.text)
    return [CharacterDied(command.character, "instant", "LB-8.1.8", text=command.text)]


def erase(state: State, command: Erase, _: Context) -> Iterable[Fact]:
    """LB-8.2.1."""
    _dead(state, command.character)
    return [
        CharacterErased(command.character, "LB-8.2.1"),
        CharacterRetired(command.character, reason="legends.erased"),
    ]


def revive(state: State, command: Revive, _: Context) -> Iterable[Fact]:
    """LB-8.2.1: the fall that went before stays counted."""
    one = _dead(state, command.character)
    if command.hp is None:
        steps = tenth(one.hp_max)
        return [CharacterRevived(command.character, steps[-1].result, command.reason, steps, "LB-8.2.1")]
    possible = 1 <= command.hp <= one.hp_max
    require(possible, INVALID_AMOUNT, "LB-0.9", amount=command.hp, least=1, most=one.hp_max)
    return [CharacterRevived(command.character, command.hp, command.reason, (), "LB-8.2.1")]


def set_importance(state: State, command: SetImportance, _: Context) -> Iterable[Fact]:
    """LB-8.0.3, LB-A53."""
    if fighter(state, command.character).important == command.important:
        return []
    return [ImportanceSet(command.character, command.important, "LB-8.0.3")]


def _dead(state: State, who: str) -> Fighter:
    one, known = character(state, who), find(state, Fighter, who)
    if known is None:
        WRONG_SYSTEM.because(character=one.name, system="legends")
    require(known.life != "gone", CHARACTER_RETIRED, "LB-8.2.1", character=one.name)
    require(known.life == "dead", NOT_DEAD, "LB-8.2.1", character=one.name)
    return known


def _require_amount(amount: int, rule: str) -> None:
    require(1 <= amount <= MOST, INVALID_AMOUNT, rule, amount=amount, least=1, most=MOST)


DECIDE: Deciders = {
    TakeDamage: for_gm("character")(take_damage),
    Heal: for_gm("character")(heal_somebody),
    RollDeathSave: owner("character")(roll_death_save),
    RaiseFallen: owner("character")(raise_fallen),
    Kill: for_gm("character")(kill),
    Erase: for_gm("character")(erase),
    Revive: for_gm("character")(revive),
    SetImportance: for_gm("character")(set_importance),
}
