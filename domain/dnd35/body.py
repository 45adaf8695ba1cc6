"""A 3.5 sheet as a body that potions act on, and its saving throws (HM-0.5)."""

from typing import cast

from msgspec import Struct

from domain.dnd35.rounds import DAY, current_round
from domain.dnd35.state import Creature, creature
from domain.kernel.body import Body, Evasion, Harm, Save, Skill
from domain.kernel.command import Context
from domain.kernel.fold import State
from events.dnd35 import (
    AbilityDamaged,
    CharacterDied,
    HitPointsLost,
    HitPointsRestored,
    SaveRolled,
)
from events.envelope import Fact, Roll

DEAD_AT = -10
"""HM-A34: hit points at which one is dead outright; above it, dying at worst."""


class SheetBody(Struct, frozen=True):
    """One creature of this system as it stands in `state`."""

    state: State
    name: str
    sheet: Creature

    @property
    def alive(self) -> bool:
        return not self.sheet.dead

    @property
    def stomachs(self) -> int:
        return self.sheet.stomachs

    @property
    def evasion(self) -> Evasion:
        return self.sheet.evasion

    @property
    def poison_immune(self) -> bool:
        return self.sheet.poison_immune

    @property
    def poison_resistance(self) -> int:
        return self.sheet.poison_resistance

    def save_modifier(self, save: Save) -> int:
        return cast("int", getattr(self.sheet, save))

    def skill(self, name: str) -> Skill:
        line = self.sheet.skills.get(name)
        return Skill(line.ranks, line.bonus) if line else Skill(0, 0)

    def killed_outright_by(self, amount: int) -> bool:
        """HM-A34: hit points at -10 or less right after the damage."""
        return amount > 0 and self.sheet.hp - amount <= DEAD_AT

    def hurt(self, harm: Harm, rolls: tuple[Roll, ...] = ()) -> list[Fact]:
        """HM-A34: hit points fall as far as they fall; at -10 one is dead."""
        before, after = self.sheet.hp, self.sheet.hp - harm.amount
        lost = HitPointsLost(
            self.name,
            harm.amount,
            before,
            after,
            dict(sorted(harm.by_type.items())),
            cause=harm.cause,
            rule=harm.rule,
            rolls=rolls,
        )
        return [lost, *(self.die(harm.cause, "HM-A34") if self.killed_outright_by(harm.amount) else [])]

    def heal(self, amount: int, cause: str, rule: str) -> list[Fact]:
        """Never above the maximum, and never the dead."""
        before = self.sheet.hp
        after = max(before, min(self.sheet.hp_max, before + amount))
        return [HitPointsRestored(self.name, amount, before, after, cause=cause, rule=rule)] if self.alive else []

    def weaken(self, ability: str, amount: int, cause: str, rule: str, rolls: tuple[Roll, ...] = ()) -> list[Fact]:
        """HM-16.8: a temporary loss; Constitution at 0 is death."""
        before = score(self.sheet, ability)
        after = max(0, before - amount)
        recovers_at = current_round(self.state) + DAY
        lost = AbilityDamaged(
            self.name, ability, amount, before, after, recovers_at, cause=cause, rule=rule, rolls=rolls
        )
        return [lost, *(self.die(cause, rule) if ability == "constitution" and after == 0 else [])]

    def die(self, cause: str, rule: str) -> list[Fact]:
        return [CharacterDied(self.name, cause=cause, rule=rule)]


def body(state: State, name: str) -> Body:
    """The body of a character of this system. Refuses those of another."""
    return SheetBody(state, name, creature(state, name))


def score(sheet: Creature, ability: str) -> int:
    """An ability after what it has lost for a time."""
    return max(0, sheet.abilities.get(ability, 0) - sheet.ability_damage.get(ability, 0))


def throw(context: Context, count: int, sides: int, *, purpose: str, secret: bool) -> tuple[Roll, ...]:
    """HM-0.2: with no dice to throw none is asked for, and the sum is 0."""
    return (context.dice.throw(count, sides, purpose, secret=secret),) if count else ()


def total(rolls: tuple[Roll, ...]) -> int:
    return sum(sum(roll.kept) for roll in rolls)


def saving_throw(
    who: str,
    one: Body,
    save: Save,
    *,
    against: str,
    s: int,
    dc: int,
    rule: str,
    context: Context,
    secret: bool,
    pair: str = "",
    blast: str = "",
    second: bool = False,
) -> SaveRolled:
    """HM-0.5: a save succeeds at its DC; a natural 1 fails, a natural 20 succeeds. Resistance helps against poison."""
    if save == "fortitude":
        roll = context.dice.throw(1, 20, purpose="fortitude save", secret=secret)
    else:
        roll = context.dice.throw(1, 20, purpose="reflex save", secret=secret)
    face = roll.faces[0]
    modifier = one.save_modifier(save)
    resistance = one.poison_resistance if against in ("lethal_poison", "mild_poison") else 0
    reached = face + modifier + resistance
    success = face == 20 or (face != 1 and reached >= dc)
    return SaveRolled(
        who,
        save,
        against,
        face,
        modifier,
        resistance,
        reached,
        dc,
        s,
        success,
        rule,
        pair=pair,
        blast=blast,
        second=second,
        rolls=(roll,),
    )
