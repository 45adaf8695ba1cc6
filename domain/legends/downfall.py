"""LB-8 and LB-16.2.5: wounds, going down, getting up, dying. Rules that other chapters build on; no command here."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.kernel.clock import now
from domain.kernel.fold import State
from domain.kernel.refusal import require
from domain.legends.effect_table import at_work
from domain.legends.refusals import CAMPAIGN_DATA_MISSING
from domain.legends.state import SUMMON_GONE, Fighter, fighter, kind_of, ruling, word
from events.envelope import Fact, Roll
from events.legends import (
    Channel,
    CharacterDied,
    CharacterDowned,
    CharacterRecovered,
    DamageTaken,
    DeathSaveFailedByDamage,
    HitPointsHealed,
    Step,
    SummonDestroyed,
)
from events.legends.effects import EffectEnded
from events.table import CharacterRetired

ENOUGH = 3
"""LB-8.1.1: successes to get up, failures to die."""


class Percentages(Struct, frozen=True):
    """LB-5.5.2: what changes the damage of an attack, each kind already summed, in percent."""

    bonus: int = 0
    penalty: int = 0
    element: int = 0
    vulnerability: int = 0
    reduction: int = 0
    perfect_counter: bool = False


def pipeline(base: int, by: Percentages) -> tuple[Step, ...]:
    """LB-5.5.2: the steps (a) to (f) that apply, in this order, each floored."""
    halved = 50 if by.perfect_counter else 100
    shares = (
        ("attacker_bonus", 100 + by.bonus),
        ("attacker_penalty", max(0, 100 - by.penalty)),
        ("element", max(0, 100 + by.element)),
        ("vulnerability", 100 + by.vulnerability),
        ("reduction", 100 - min(100, by.reduction)),
        ("perfect_counter", halved),
    )
    steps: list[Step] = []
    amount = base
    for name, share in shares:
        if share != 100:
            steps.append(Step(name, f"floor({amount} × {share} / 100)", amount * share // 100, "LB-5.5.2"))
            amount = steps[-1].result
    return tuple(steps)


def wound(
    state: State,
    who: str,
    base: int,
    *,
    cause: str,
    channel: Channel = "damage",
    steps: Sequence[Step] = (),
    pierced: bool = False,
    kind: str = "",
    by_side: str = "",
    rolls: tuple[Roll, ...] = (),
) -> list[Fact]:
    """LB-16.2.5: armour points go first, hit points after; LB-6.0.5: losses of hit points skip the armour.

    `by_side` is the side of whoever attacked: LB-6.2.13.
    """
    one = fighter(state, who)
    amount = max(0, steps[-1].result if steps else base)
    to_armour = 0 if one.down or pierced or channel == "hit_points" else min(amount, one.armour)
    to_hp = min(amount - to_armour, one.hp)
    taken = DamageTaken(
        who,
        base,
        amount,
        to_armour,
        to_hp,
        amount - to_armour - to_hp,
        one.armour,
        one.armour - to_armour,
        one.hp,
        one.hp - to_hp,
        cause,
        channel,
        tuple(steps),
        "LB-6.0.5" if channel == "hit_points" else "LB-16.2.5",
        pierced=pierced,
        kind=kind,
        rolls=rolls,
    )
    if one.down:
        return [taken, *_wounded_while_down(state, who, one, amount, cause)]
    if to_hp and to_hp == one.hp:
        return [taken, *last_hit_point(state, who, one, cause)]
    return [taken, *(_awakened(state, who, by_side) if amount and by_side else ())]


def _awakened(state: State, who: str, by_side: str) -> list[Fact]:
    """LB-6.2.13: damage by the inflictor or an ally of theirs breaks the spell."""
    return [
        EffectEnded(who, one.effect, "hurt_by_inflictor_side", "LB-6.2.13")
        for one, made in at_work(state, who)
        if made.ends_on == "hurt_by_inflictor_side" and one.side == by_side
    ]


def cured(state: State, who: str) -> list[Fact]:
    """LB-8.1.5: whoever gets up is rid of every effect that wounds; the others stay."""
    return [EffectEnded(who, one.effect, "recovered", "LB-8.1.5") for one, made in at_work(state, who) if made.wounds]


def last_hit_point(state: State, who: str, one: Fighter, cause: str) -> list[Fact]:
    """LB-8.0.1 to LB-8.0.3: the first fall since the long rest puts down, the second kills; the others just die."""
    kind = kind_of(state, who)
    if kind == "summon":
        return vanish(who, cause)
    if kind != "player" and not one.important:
        return [CharacterDied(who, "last_hit_point", "LB-8.0.3")]
    if one.fallen:
        return [CharacterDied(who, "second_fall", "LB-8.0.2")]
    return [CharacterDowned(who, now(state), cause, "LB-8.0.1")]


def vanish(who: str, cause: str) -> list[Fact]:
    """LB-8.0.3: nothing of a summon is left."""
    return [SummonDestroyed(who, cause, "LB-8.0.3"), CharacterRetired(who, reason=SUMMON_GONE)]


def failed(who: str, failures: int) -> list[Fact]:
    """LB-8.1.7: the third failure kills."""
    return [CharacterDied(who, "three_failures", "LB-8.1.7")] if failures >= ENOUGH else []


def get_up(state: State, who: str, one: Fighter, *, cause: str, rescuer: str | None = None) -> list[Fact]:
    """LB-8.1.4, LB-8.1.6: on its feet with 10 % of the maximum, at least 1."""
    steps = tenth(one.hp_max)
    if cause == "raised":
        raised = CharacterRecovered(who, steps[-1].result, "raised", steps, "LB-8.1.6", rescuer=rescuer)
        return [raised, *cured(state, who)]
    return [CharacterRecovered(who, steps[-1].result, "three_successes", steps, "LB-8.1.4"), *cured(state, who)]


def tenth(hp_max: int) -> tuple[Step, ...]:
    """LB-8.1.4, LB-A60: 10 % of the maximum, at least 1."""
    share = hp_max * 10 // 100
    steps = (Step("hp", f"floor({hp_max} × 10 / 100)", share, "LB-8.1.4"),)
    return steps if share else (*steps, Step("hp", f"max(1, {share})", 1, "LB-A60"))


def heal(
    state: State, who: str, amount: int, *, cause: str, steps: Sequence[Step] = (), rescuer: str | None = None
) -> list[Fact]:
    """LB-0.9: up to the maximum. LB-8.1.9: whoever is down gets up with what was healed, at least 1.

    Ask `healing_raises` first.
    """
    one = fighter(state, who)
    if one.down:
        return [*_raised_by_healing(who, one, amount, cause, steps, rescuer), *cured(state, who)]
    gained = min(amount, one.hp_max - one.hp)
    if not gained:
        return []
    return [HitPointsHealed(who, amount, gained, one.hp, one.hp + gained, cause, tuple(steps), "LB-0.9")]


def healing_raises(state: State) -> bool:
    """LB-C18. Refuses a setting that is neither of the two."""
    chosen = word(state, "healing_the_downed") or "raises"
    require(chosen in ("raises", "refused"), CAMPAIGN_DATA_MISSING, "LB-C18", key="healing_the_downed")
    return chosen == "raises"


def _raised_by_healing(
    who: str, one: Fighter, amount: int, cause: str, steps: Sequence[Step], rescuer: str | None
) -> list[Fact]:
    hp = max(1, min(amount, one.hp_max))
    if hp != amount:
        steps = (*steps, Step("hp", f"max(1, min({amount}, {one.hp_max}))", hp, "LB-A58"))
    return [
        HitPointsHealed(who, amount, hp, 0, hp, cause, tuple(steps), "LB-8.1.9"),
        CharacterRecovered(who, hp, "healed", (), "LB-8.1.9", rescuer=rescuer),
    ]


def _wounded_while_down(state: State, who: str, one: Fighter, amount: int, cause: str) -> Iterable[Fact]:
    """LB-8.1.3, LB-A56: one failure a turn, whatever wounds and however often; a loss of 0 is none (LB-A115)."""
    each_counts = ruling(state, "LB-A56", "c", "ac") == "a"
    if not amount or (one.wounded and not each_counts):
        return []
    failures = one.failures + 1
    return [DeathSaveFailedByDamage(who, cause, failures, "LB-8.1.3"), *failed(who, failures)]
