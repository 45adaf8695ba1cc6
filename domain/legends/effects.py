"""LB-6: how an effect takes hold of a creature, acts in its Consequence phase, and ends."""

from msgspec import Struct

from domain.kernel.cast import hidden
from domain.kernel.dice import Dice
from domain.kernel.fold import State, every, find, fold
from domain.kernel.refusal import require
from domain.legends.disarming import LEAVING_THE_HAND, bare, fallen
from domain.legends.downfall import wound
from domain.legends.effect_table import Effect, at_work, effect, find_effect
from domain.legends.evolve import EVOLVE
from domain.legends.grid import Cell
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.refusals import (
    DURATION_REQUIRED,
    INVALID_DURATION,
    LUCK_DIE_NOT_ALLOWED,
    ORDER_REQUIRED,
    X_REQUIRED,
)
from domain.legends.state import Combatant, Fighter, fighter, require_luck, ruling
from events.envelope import Fact, Roll
from events.legends import Channel, LuckDieSpent, Step
from events.legends.combat import StrikeGranted
from events.legends.effects import ChanceRolled, EffectApplied, EffectEnded, EffectFailed, EffectTicked, EndOfEffect

LONGEST = 1_000
"""In turns."""
LADDER = {2: 10, 3: 4}
"""LB-6.3.1: the die of each step, of which only the highest face helps; before it none, after it a coin."""


class Wish(Struct, frozen=True, kw_only=True):
    """An effect about to be put on somebody. `cause` is what brings it; `by` who inflicts it, of `side`.

    `cell` is where it sends the weapon that it takes out of a hand.
    """

    effect: str
    cause: str
    turns: int | None = None
    x: int | None = None
    chance: int = 100
    order: str = ""
    by: str | None = None
    side: str = ""
    reflected: bool = False
    cell: Cell | None = None


def require_possible(state: State, wish: Wish) -> Effect:
    """LB-6.0.1: what an effect needs to be told. Ask before any die falls."""
    made = effect(state, wish.effect)
    named = wish.turns is not None
    require(named or made.lasts != "unspecified", DURATION_REQUIRED, "LB-6.0.3", effect=made.key)
    require(not named or 1 <= (wish.turns or 0) <= LONGEST, INVALID_DURATION, "LB-4.2.21", turns=wish.turns)
    require(not made.x or wish.x is not None, X_REQUIRED, "LB-6.0.1", effect=made.key)
    require(made.key != "lovestruck" or wish.order, ORDER_REQUIRED, "LB-6.2.13", effect=made.key)
    return made


def inflict(state: State, who: str, wish: Wish, dice: Dice) -> list[Fact]:
    """LB-6.3.4: its chance first, then the ladder; whoever is down or dead gets no new effect (LB-A113)."""
    one, made = find(state, Fighter, who), effect(state, wish.effect)
    fighting = find(state, Combatant, who) is not None
    if one is None or one.life != "standing" or (made.lasts == "combat" and not fighting and wish.turns is None):
        return []
    if bare(state, who, made.key):
        return [EffectFailed(who, made.key, wish.cause, "no_target", 0, "LB-6.1.3")]
    told: list[Fact] = []
    if wish.chance < 100:
        told.append(_percent(state, who, made.key, wish.chance, dice))
        if not told[0].success:  # type: ignore[attr-defined]
            return told
    leaf = find(state, Afflicted, who) or Afflicted()
    running = leaf.of(made.key) is not None
    if running and ruling(state, "LB-A31", "b", "bc") == "c":
        return told
    times = leaf.taken.get(made.key, 0)
    step, rolls = 1, _NONE
    if made.resistible and fighting:
        step = min(4, times + 1)
        tried = _shake_off(state, who, one, step, dice)
        told += tried.luck
        if tried.success:
            ends = running and ruling(state, "LB-A118", "b", "ab") == "b"
            told.append(
                EffectFailed(
                    who, made.key, wish.cause, "shaken_off", step, "LB-6.3.1", called=tried.called, rolls=tried.rolls
                )
            )
            return [*told, *([EffectEnded(who, made.key, "shaken_off", "LB-A118")] if ends else ())]
        rolls = tried.rolls
    told.append(
        EffectApplied(
            who,
            made.key,
            wish.cause,
            _lasting(state, who, made, wish.turns),
            step,
            times + 1 if fighting else 0,
            "LB-6.0.4" if running else "LB-6.0.1",
            x=wish.x or 0,
            order=wish.order,
            refreshed=running,
            reflected=wish.reflected,
            marker=made.marker,
            instant=made.lasts == "instant",
            by=None if wish.by is None or hidden(state, wish.by) else wish.by,
            side=wish.side,
            rolls=rolls,
        )
    )
    return [*told, *_at_once(state, who, made, wish, dice)]


def _lasting(state: State, who: str, made: Effect, turns: int | None) -> int | None:
    """LB-6.0.2, LB-6.0.3: the turns of its bearer; None until the fight ends."""
    if made.lasts == "this_turn":
        fighting = find(state, Combatant, who)
        return 0 if fighting is not None and fighting.acting else 1
    if made.lasts == "instant":
        return 0
    return turns if turns is not None else made.turns


def _at_once(state: State, who: str, made: Effect, wish: Wish, dice: Dice) -> list[Fact]:
    """LB-6.1.8: what is water ends a burn. LB-6.2.4: a strike more, for whoever has struck already in this turn."""
    if made.key in LEAVING_THE_HAND:
        return fallen(state, who, made.key, wish.cell, wish.by, dice)
    if made.water:
        return ended(state, who, "burned", "water", "LB-6.1.1")
    fighting = find(state, Combatant, who)
    if made.key == "quick_style" and fighting is not None and fighting.acting and fighting.struck:
        return [StrikeGranted(who, "quick_style", fighting.strikes + 1, "LB-6.2.4")]
    return []


_NONE: tuple[Roll, ...] = ()


class Tried(Struct, frozen=True):
    success: bool
    rolls: tuple[Roll, ...] = ()
    luck: tuple[Fact, ...] = ()
    called: str = ""


def _shake_off(state: State, who: str, one: Fighter, step: int, dice: Dice) -> Tried:
    """LB-6.3.1: nothing, D10, D4, then a coin; luck dice by standing order only (LB-2.3), and never on the coin."""
    secret = hidden(state, who)
    if step == 1:
        return Tried(False)
    if step == 4:
        coin = dice.throw(1, 2, purpose="coin", secret=secret)
        return Tried(("pile", "face")[coin.kept[0] - 1] == one.coin, (coin,), called=one.coin)
    base = dice.throw(1, LADDER[step], purpose="resistance", secret=secret)
    if not (one.resistance_luck and one.luck_dice):
        return Tried(base.kept[0] >= LADDER[step], (base,))
    lucky = dice.throw(1, 4, purpose="luck die", secret=secret)
    spent = LuckDieSpent(who, one.luck_dice - 1, "standing_order", "LB-2.3")
    return Tried(base.kept[0] + lucky.kept[0] >= LADDER[step], (base, lucky), (spent,))


def _percent(state: State, who: str, purpose: str, needed: int, dice: Dice, rule: str = "LB-0.5") -> ChanceRolled:
    roll = dice.throw(1, 100, purpose="chance", secret=hidden(state, who))
    return ChanceRolled(who, purpose, roll.kept[0], 100, needed, roll.kept[0] <= needed, rule, rolls=(roll,))


# The Consequence phase.


def dice_due(state: State, who: str) -> bool:
    """Whether a die falls in the Consequence phase of this creature that is not the rules' own to skip."""
    down = fighter(state, who).down
    return any(
        (one.stage > 0 and one.stage < len(made.stages)) or (not down and (made.stun or made.shake))
        for one, made in at_work(state, who)
    )


def require_luck_of_use(state: State, who: str, announced: bool, shown: str) -> None:
    """LB-2.1.4: in this phase only the die that shakes an effect off takes a luck die."""
    one = fighter(state, who)
    shaking = not one.down and any(made.shake for _, made in at_work(state, who))
    require(not announced or shaking, LUCK_DIE_NOT_ALLOWED, "LB-2.1.4", reason="chance_roll")
    require_luck(one, announced, shown)


def consequence(state: State, who: str, dice: Dice, luck: bool = False) -> list[Fact]:
    """LB-5.1.1: each effect in the order in which it came; the phase stops where the creature falls."""
    told: list[Fact] = []
    before = fighter(state, who).life
    for name in [one.effect for one, _ in at_work(state, who)]:
        new = _tick(state, who, name, dice, luck)
        state = fold(EVOLVE, state, new)
        told += new
        now = find(state, Fighter, who)
        if now is None or now.life != before:
            break
    return told


def _tick(state: State, who: str, name: str, dice: Dice, luck: bool) -> list[Fact]:
    """LB-6.0.2: its chance, its damage, its counter. LB-A57: on whoever is down only what wounds goes on."""
    one = fighter(state, who)
    leaf, made = find(state, Afflicted, who), find_effect(state, name)
    borne = leaf.of(name) if leaf else None
    if borne is None or made is None or (one.down and not made.wounds):
        return []
    rolls: tuple[Roll, ...] = ()
    blocked = False
    told: list[Fact] = []
    secret = hidden(state, who)
    if 0 < borne.stage < len(made.stages):
        needed, sides = made.stages[borne.stage]
        rolls = (dice.throw(1, sides, purpose="burning on", secret=secret),)
        if rolls[0].kept[0] > needed:
            return [EffectEnded(who, name, "burned_out", "LB-6.1.1", rolls=rolls)]
    if made.stun:
        rolls = (dice.throw(1, 100, purpose="stunned", secret=secret),)
        blocked = rolls[0].kept[0] <= made.stun
    if made.shake:
        base = dice.throw(1, made.shake, purpose="breaking free", secret=secret)
        total, rolls = base.kept[0], (base,)
        if luck:
            lucky = dice.throw(1, 4, purpose="luck die", secret=secret)
            total, rolls = total + lucky.kept[0], (base, lucky)
            told.append(LuckDieSpent(who, one.luck_dice - 1, "command", "LB-2.1.2"))
        if total >= made.shake:
            return [*told, EffectEnded(who, name, "dispelled", "LB-6.1.6", rolls=rolls)]
    left = None if borne.remaining is None else borne.remaining - 1
    counted = left is not None or made.percent or made.flat or made.stun or made.shake
    if not counted:
        return told
    ticked = EffectTicked(who, name, borne.stage + 1, left, "LB-6.0.2", blocked=blocked, rolls=rolls)
    return [*told, ticked, *_damage(fold(EVOLVE, state, [*told, ticked]), who, made)]


def _damage(state: State, who: str, made: Effect) -> list[Fact]:
    """LB-6.0.5: what is worded as damage meets the armour, a share of the maximum does not; 0 is none (LB-A115)."""
    if made.percent:
        return lost_share(state, who, made, made.percent)
    if not made.flat:
        return []
    channel = _channel(state, made)
    return wound(state, who, made.flat, cause=made.key, channel=channel, kind=made.damage_kind)


def lost_share(state: State, who: str, made: Effect, percent: int) -> list[Fact]:
    hp_max = fighter(state, who).hp_max
    lost = hp_max * percent // 100
    if not lost:
        return []
    steps = (Step("hit_points", f"floor({hp_max} × {percent} / 100)", lost, "LB-0.4"),)
    return wound(state, who, lost, cause=made.key, channel=_channel(state, made), steps=steps)


def _channel(state: State, made: Effect) -> Channel:
    """LB-A33: as the book has it (b), all through the armour (a), or none (c)."""
    chosen = ruling(state, "LB-A33", "b", "abc")
    return {"a": "damage", "b": made.channel, "c": "hit_points"}[chosen]


# Ends.


def ended(state: State, who: str, name: str, reason: EndOfEffect, rule: str) -> list[Fact]:
    """The effect ends, where it is at work."""
    leaf = find(state, Afflicted, who)
    return [EffectEnded(who, name, reason, rule)] if leaf and leaf.of(name) else []


def expired(state: State, who: str) -> list[Fact]:
    """LB-A29: an effect whose counter has come to 0 ends with the turn."""
    return [EffectEnded(who, one.effect, "expired", "LB-6.0.2") for one, _ in at_work(state, who) if one.remaining == 0]


def toil(state: State, who: str) -> list[Fact]:
    """LB-6.1.7, LB-A40: Lacerated costs once a turn, when the action is over, extra strikes included."""
    turn, leaf = find(state, Combatant, who), find(state, Afflicted, who)
    made = find_effect(state, "lacerated")
    if turn is None or leaf is None or made is None or not turn.toiled or turn.bled or not leaf.of(made.key):
        return []
    borne = leaf.of(made.key)
    ticked = EffectTicked(who, made.key, (borne.stage if borne else 0) + 1, None, "LB-6.1.7")
    return [ticked, *lost_share(fold(EVOLVE, state, [ticked]), who, made, made.percent_per_action)]


def combat_over(state: State) -> list[Fact]:
    """LB-5.0.4: what lasts until the end of the fight ends for everybody."""
    return [
        EffectEnded(who, one.effect, "combat_ended", "LB-5.0.4")
        for who in every(state, Afflicted)
        for one, made in at_work(state, who)
        if made.lasts == "combat" and one.remaining is None
    ]


def rested(state: State, who: str) -> list[Fact]:
    """LB-12.1, LB-A105: a long rest ends them all."""
    return [EffectEnded(who, one.effect, "rest", "LB-12.1") for one, _ in at_work(state, who)]
