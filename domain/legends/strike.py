"""LB-5.5: one strike, from the die to hit to what the blow leaves behind, in the order of LB-5.5.1.

Legality is asked before (`attack.py`); from here on dice fall.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from domain.kernel.cast import hidden
from domain.kernel.command import Context
from domain.kernel.dice import Dice
from domain.kernel.fold import State, find, fold
from domain.legends import auras, elements
from domain.legends.amount import throw_amount
from domain.legends.blow import Blow, counter
from domain.legends.board import gap
from domain.legends.checks import cast_d20, outcome, spend_luck
from domain.legends.derived import precision_of, precision_shifts
from domain.legends.downfall import Percentages, heal, pipeline, wound
from domain.legends.effect_table import at_work
from domain.legends.effects import Wish, inflict
from domain.legends.evolve import EVOLVE
from domain.legends.grid import BASIC_MOVE, Cell
from domain.legends.leaves.board import Place
from domain.legends.reactions import answers
from domain.legends.smoke import blown_away, obscured
from domain.legends.state import Combatant, Fighter, fighter, number, ruling, side_of
from domain.legends.stats import modifier
from events.envelope import Fact
from events.legends import DamageTaken, Modifier, Step
from events.legends.combat import StrikeGranted
from events.legends.effects import ChanceRolled, EffectApplied
from events.legends.strikes import AttackRolled, ReactionTriggered
from events.legends.words import Attack

ON_HIT = {"wind": "destabilised", "lightning": "electrified", "fire": "burned"}
"""LB-16.1.4 to LB-16.1.6: what these auras inflict, in the order in which they do."""
SPIKES = "bleeding"
"""LB-A41."""


class Struck(Struct, frozen=True):
    """What a strike did; `hit` when it was neither missed nor dodged."""

    facts: list[Fact]
    hit: bool


def strike(state: State, who: str, target: str, blow: Blow, context: Context) -> Struck:
    """LB-5.5.1, steps 2 to 12."""
    return _Strike(state, who, target, blow, context).made()


class _Strike:
    """One strike in the making. `state` runs along with what is told."""

    def __init__(self, state: State, who: str, target: str, blow: Blow, context: Context) -> None:
        self.state, self.who, self.target, self.blow, self.context = state, who, target, blow, context
        self.dice = context.dice
        self.secret = hidden(state, who, target)
        self.told: list[Fact] = []
        self.fresh = fighter(state, target).life == "standing"
        """Whether the target stood: one that is down takes damage and nothing else (LB-A113)."""

    def tell(self, facts: Iterable[Fact]) -> list[Fact]:
        new = list(facts)
        self.state = fold(EVOLVE, self.state, new)
        self.told += new
        return new

    def made(self) -> Struck:
        first = self._first_of_turn()
        before = self.state
        hit = self._rolled_to_hit() and not self._dodged()
        answered = self._answered(hit)
        if hit:
            self._landed(before, any(one.outcome == "perfect_counter" and one.success for one in answered))
        if first and self._stands(self.who):
            self.tell(_one_more(self.state, self.who, self.dice, self.secret))
        if any(one.outcome == "counter_attack" and one.success for one in answered):
            self._countered()
        return Struck(self.told, hit)

    def _first_of_turn(self) -> bool:
        turn = find(self.state, Combatant, self.who)
        return turn is not None and turn.acting and not turn.struck and not self.blow.answer

    def _stands(self, who: str) -> bool:
        one = find(self.state, Fighter, who)
        return one is not None and one.life == "standing"

    # Step 2.

    def _rolled_to_hit(self) -> bool:
        blow, attack, state = self.blow, self.blow.attack, self.state
        one, turn = fighter(state, self.who), find(state, Combatant, self.who)
        choice = ruling(state, "LB-A4", "b", "abc")
        relation = _relation(state, one, self.target, attack)
        elemental = ("element",) if elements.advantage_effect(state) == "roll" else ()
        granted = turn.edge if turn else ""
        smoky = ruling(state, "LB-A50", "b", "ab") == "a" and (
            obscured(state, self.who) or obscured(state, self.target)
        )
        advantages = (
            *blow.advantages,
            *(("gm",) if granted == "advantage" else ()),
            *(elemental if relation == "advantage" else ()),
        )
        disadvantages = (
            *blow.disadvantages,
            *(("gm",) if granted == "disadvantage" else ()),
            *(elemental if relation == "disadvantage" else ()),
            *(("smoke",) if smoky else ()),
        )
        cast = cast_d20(self.dice, blow.luck, advantages, disadvantages, purpose="attack", secret=self.secret)
        value = precision_of(state, self.who)
        modifiers = (
            Modifier("precision", modifier(value), "LB-3.5"),
            *precision_shifts(state, self.who),
            *cast.luck,
        )
        total = cast.kept + sum(each.amount for each in modifiers)
        came = outcome(choice, cast.kept, total, blow.ddt)
        self.tell(spend_luck(self.who, one, blow.luck))
        self.tell(
            [
                AttackRolled(
                    self.who,
                    self.target,
                    attack.name,
                    value,
                    cast.kept,
                    modifiers,
                    total,
                    blow.ddt,
                    {"critical": "critical", "success": "hit", "failure": "miss"}[came],  # type: ignore[arg-type]
                    advantages,
                    disadvantages,
                    "LB-5.5.1",
                    extra=blow.extra,
                    cause=blow.cause,
                    rolls=cast.rolls,
                )
            ]
        )
        there = find(state, Place, self.target)
        if there is not None:
            self.tell(blown_away(state, self.who, Cell(there.x, there.y)))
        return came != "failure"

    # Step 3.

    def _dodged(self) -> bool:
        """LB-A108: one roll, with the better chance of the aura and of the effect. Nobody dodges lying down."""
        one = fighter(self.state, self.target)
        if one.life != "standing":
            return False
        by_effect = max((borne.x for borne, made in at_work(self.state, self.target) if made.x == "dodge"), default=0)
        chances = [(by_effect, 100, "LB-6.2.10")] if by_effect else []
        aura = auras.chance(one, "time")
        if aura is not None:
            chances.append((*aura, "LB-16.1.9"))
        if not chances:
            return False
        needed, sides, rule = max(chances, key=lambda each: each[0] / each[1])
        return self._chance(self.target, "dodge", needed, sides, rule)

    def _chance(self, who: str, purpose: str, needed: int, sides: int, rule: str) -> bool:
        rolled = chance_rolled(self.dice, who, purpose, needed, sides, rule, self.secret)
        self.tell([rolled])
        return rolled.success

    # Step 4.

    def _answered(self, hit: bool) -> list[ReactionTriggered]:
        if self.blow.answer:
            return []
        told = self.tell(answers(self.state, self.target, self.who, hit, self.context))
        return [one for one in told if isinstance(one, ReactionTriggered)]

    def _countered(self) -> None:
        """One strike back with what is in hand, where both still stand; it is not answered again."""
        if not (self._stands(self.who) and self._stands(self.target)):
            return
        back = counter(self.state, self.target, self.who, self.context)
        if back is not None:
            self.tell(back.shot)
            self.tell(_Strike(self.state, self.target, self.who, back.blow, self.context).made().facts)

    # Steps 5 to 11.

    def _landed(self, before: State, halved: bool) -> None:
        reflected = _reflects(self.state, self.target) if self.fresh else 0
        amount, removed = self._damage(halved)
        took_hold = self._left_behind() if self._stands(self.target) else []
        if reflected:
            self._sent_back(before, amount, reflected, took_hold)
        self._pricked()
        if self._stands(self.who):
            self._stolen(removed)
        if self._stands(self.who):
            self._backlash(amount)

    def _damage(self, halved: bool) -> tuple[int, DamageTaken | None]:
        """Steps 5 to 7: the damage of the attack, and what it took."""
        attack = self.blow.attack
        if not attack.damage:
            return 0, None
        base = throw_amount(attack.damage, self.dice, purpose="damage", secret=self.secret)
        steps = pipeline(base.total, _percentages(self.state, self.who, self.target, attack, halved))
        new = self.tell(
            wound(
                self.state,
                self.target,
                base.total,
                cause=self.blow.cause,
                steps=steps,
                pierced="piercing" in attack.properties,
                by_side=side_of(self.state, self.who),
                rolls=base.rolls,
            )
        )
        taken = next(one for one in new if isinstance(one, DamageTaken))
        return taken.amount, taken

    def _left_behind(self) -> list[EffectApplied]:
        """Step 8: what the attack carries, in its order; then what the auras of the weapons in hand may add."""
        told: list[Fact] = []
        for carried in self.blow.attack.inflicts:
            told += self._inflicted(carried.effect, carried.turns, carried.x, carried.chance)
        if self.blow.spiked:
            told += self._inflicted(SPIKES, chance=spikes(self.state))
        one = fighter(self.state, self.who)
        for aura, rule in (("wind", "LB-16.1.4"), ("lightning", "LB-16.1.5"), ("fire", "LB-16.1.6")):
            chance = auras.chance(one, aura)
            if chance and self._stands(self.target) and self._chance(self.target, aura, *chance, rule):
                told += self._inflicted(ON_HIT[aura])
        return [one for one in told if isinstance(one, EffectApplied)]

    def _inflicted(self, effect: str, turns: int | None = None, x: int | None = None, chance: int = 100) -> list[Fact]:
        wish = Wish(
            effect=effect,
            cause=self.blow.cause,
            turns=turns,
            x=x,
            chance=chance,
            by=self.who,
            side=side_of(self.state, self.who),
            cell=self.blow.eject_to,
        )
        return self.tell(inflict(self.state, self.target, wish, self.dice))

    def _sent_back(self, before: State, amount: int, percent: int, took_hold: Sequence[EffectApplied]) -> None:
        """Step 9, LB-6.2.9, LB-A45: once, through the attacker's armour, and by nobody's side (LB-X75)."""
        returned = Step("reflection", f"floor({amount} × {percent} / 100)", amount * percent // 100, "LB-6.2.9")
        if returned.result:
            self.tell(wound(self.state, self.who, amount, cause="reflection", steps=(returned,)))
        for one in took_hold:
            wish = Wish(
                effect=one.effect,
                cause="reflection",
                turns=_as_given(one),
                x=one.x or None,
                order=one.order,
                by=self.target,
                side=side_of(before, self.target),
                reflected=True,
            )
            self.tell(inflict(self.state, self.who, wish, self.dice))

    def _pricked(self) -> None:
        """LB-A41: whoever strikes from beside it bleeds on spiked armour."""
        bearer = find(self.state, Fighter, self.target)
        armour = bearer is not None and any(one.spiked and one.worn and one.kind == "armour" for one in bearer.gear)
        if not (armour and self.fresh and beside(self.state, self.who, self.target, self.blow.attack)):
            return
        side = side_of(self.state, self.target)
        wish = Wish(effect=SPIKES, cause="spikes", chance=spikes(self.state), by=self.target, side=side)
        self.tell(inflict(self.state, self.who, wish, self.dice))

    def _stolen(self, taken: DamageTaken | None) -> None:
        """Step 10, LB-6.2.6, LB-A44: half of what was really removed."""
        if taken is None or "life_steal" not in self.blow.attack.properties:
            return
        armour_too = ruling(self.state, "LB-A44", "a", "ab") == "a"
        removed = taken.to_hp + (taken.to_armour if armour_too else 0)
        steps = (Step("life_steal", f"floor({removed} × 50 / 100)", removed // 2, "LB-6.2.6"),)
        self.tell(heal(self.state, self.who, removed // 2, cause="life_steal", steps=steps))

    def _backlash(self, amount: int) -> None:
        """Step 11, LB-6.1.5, LB-A38: for each strike that dealt damage."""
        for _, made in at_work(self.state, self.who):
            if not (made.backlash and amount):
                continue
            needed, percent = made.backlash
            if self._chance(self.who, "backlash", needed, 100, "LB-6.1.5"):
                share = Step("backlash", f"floor({amount} × {percent} / 100)", amount * percent // 100, "LB-6.1.5")
                self.tell(wound(self.state, self.who, amount, cause=made.key, steps=(share,), kind=made.damage_kind))


def spikes(state: State) -> int:
    """LB-A41: in percent; certain, unless the table leaves it to a chance that it names."""
    if ruling(state, "LB-A41", "a", "ab") == "a":
        return 100
    return number(state, "spikes.chance", "LB-A41", most=100)


def beside(state: State, who: str, target: str, attack: Attack) -> bool:
    """Whether the attacker stands beside the target; without a map, whether the attack reaches no farther."""
    far = gap(state, who, target)
    return attack.range <= BASIC_MOVE if far is None else far <= BASIC_MOVE


def chance_rolled(dice: Dice, who: str, purpose: str, needed: int, sides: int, rule: str, secret: bool) -> ChanceRolled:
    """LB-0.5: a face up to `needed` is a success."""
    roll = dice.throw(1, sides, purpose=purpose, secret=secret)
    face = roll.kept[0]
    return ChanceRolled(who, purpose, face, sides, needed, face <= needed, rule, rolls=(roll,))


def _relation(state: State, one: Fighter, target: str, attack: Attack) -> elements.Relation | None:
    """LB-7.5: the element of the attack, or else the attacker's own, against the target's."""
    return elements.relation(state, attack.element or one.element, fighter(state, target).element)


def _percentages(state: State, who: str, target: str, attack: Attack, halved: bool) -> Percentages:
    """LB-5.5.2: what changes the damage, of both sides, each kind summed."""
    one = fighter(state, who)
    dealt = [made.dealt for _, made in at_work(state, who)]
    taken = [made.taken + (borne.x if made.x == "taken" else 0) for borne, made in at_work(state, target)]
    by_percent = elements.advantage_effect(state) == "percent"
    relation = _relation(state, one, target, attack) if by_percent else None
    return Percentages(
        bonus=auras.bonus(one, "strength") + sum(share for share in dealt if share > 0),
        penalty=-sum(share for share in dealt if share < 0),
        element=elements.percent_of(state, relation) if relation else 0,
        vulnerability=sum(share for share in taken if share > 0),
        reduction=-sum(share for share in taken if share < 0),
        perfect_counter=halved,
    )


def _reflects(state: State, who: str) -> int:
    return max((made.reflects for _, made in at_work(state, who)), default=0)


def _as_given(one: EffectApplied) -> int | None:
    """The turns for which it took hold; None for what lasts as the effect itself says."""
    return one.remaining or None


def _one_more(state: State, who: str, dice: Dice, secret: bool) -> list[Fact]:
    """Step 12, LB-5.5.3, LB-A104: Quick style and Agility give one strike each, after the first of the turn."""
    turn = find(state, Combatant, who)
    if turn is None:
        return []
    told: list[Fact] = []
    left = turn.strikes
    if any(made.key == "quick_style" for _, made in at_work(state, who)):
        left += 1
        told.append(StrikeGranted(who, "quick_style", left, "LB-6.2.4"))
    chance = auras.chance(fighter(state, who), "agility")
    if chance is None or (told and ruling(state, "LB-A104", "a", "ab") == "b"):
        return told
    rolled = chance_rolled(dice, who, "agility", *chance, "LB-16.1.8", secret)
    return [*told, rolled, *([StrikeGranted(who, "agility", left + 1, "LB-16.1.8")] if rolled.success else ())]
