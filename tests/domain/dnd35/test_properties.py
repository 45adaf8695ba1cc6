"""Random flasks, drinkers and clocks: what holds whatever happens (HM-P)."""

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.campaign.book import EVOLVE, FACTS
from domain.campaign.cast import CreateCharacter
from domain.campaign.deciding import decide
from domain.campaign.game_clock import AdvanceClock
from domain.dnd35.ailments import Rest
from domain.dnd35.potions.compatibility import Identity, key, reasons_against
from domain.dnd35.potions.drinking import DrinkLayer, DrinkMixture
from domain.dnd35.potions.effects import running
from domain.dnd35.potions.fixtures import FIXTURES, MakePotion
from domain.dnd35.potions.flask import HandOver, MakeFlask, PourPotion, gross_mass
from domain.dnd35.potions.measures import exactly, mass
from domain.dnd35.potions.mixing import mix_sum
from domain.dnd35.potions.shaking import JoltFlask, ShakeFlask
from domain.dnd35.rounds import TakeFiveFootStep, TakeMove
from domain.dnd35.sheet import Sheet
from domain.dnd35.state import Constant, Creature, Flask, Mixture
from domain.kernel.command import Command, Context
from domain.kernel.fold import every, find, fold, the
from domain.kernel.refusal import Refused
from events.codec import Codec, kind_of
from events.dnd35 import HitPointsLost, SaveRolled
from events.envelope import Happened, Roll
from events.potions import (
    ExplosionDetonated,
    FlaskDestroyed,
    FlaskEmulsified,
    FlaskSettled,
    FlaskShaken,
    MixtureDrunk,
    MixtureJudged,
    PotionDrunk,
    PotionMade,
    PotionPoured,
    PotionsMixed,
)
from tests.support.story import opened

CODEC = Codec(FACTS)
WHO = ("ayla", "bonk", "cow")
POTIONS = sorted(FIXTURES)
"""Few enough that the same pairs come back."""


class RandomDice:
    """Faces out of one seed; a tenth of the hundred-sided ones explode or poison, to see more of it."""

    def __init__(self, seed: int) -> None:
        self._random, self.thrown, self.rolls = random.Random(seed), 0, []

    def throw(self, count, sides, purpose, keep=None, *, secret=False):
        self.thrown += count
        faces = tuple(self._face(sides) for _ in range(count))
        self.rolls.append(Roll(purpose, sides, faces, faces, "declared"))
        return self.rolls[-1]

    def _face(self, sides: int) -> int:
        if sides == 100 and self._random.random() < 0.3:
            return self._random.choice((1, 2, 3, 5, 85, 95, 100))
        return self._random.randint(1, sides)

    def done(self) -> None:
        """Never at an end."""


class Cellar(RuleBasedStateMachine):
    """Three drinkers (one of them a cow with four stomachs), any number of flasks, and a model beside them."""

    @initialize(seed=st.integers(0, 10**9))
    def open_the_cellar(self, seed):
        self.state = fold(EVOLVE, {}, opened("dnd35"))
        self.seed, self.count, self.faces = seed, 0, 0
        self.made = self.gone = Fraction()
        self.registry: dict[str, Constant] = {}
        self.layers: dict[str, list[str]] = {}
        self.counted: dict[str, list[int]] = {}
        self.partners: Counter[str] = Counter()
        self.oils: set[str] = set()
        for name, stomachs in zip(WHO, (1, 2, 4), strict=True):
            sheet = Sheet(hp_max=200, stomachs=stomachs, fortitude=8, evasion="improved" if name == "cow" else "none")
            self.give(CreateCharacter(name=name, sheet=sheet, kind="non_player", id=name))
            self.fill(name, 125, ["fly", "owls-wisdom"])

    # -- commands

    @rule(
        holder=st.sampled_from(WHO),
        capacity=st.sampled_from((50, 75, 125)),
        potions=st.lists(st.sampled_from(POTIONS), min_size=1, max_size=5),
    )
    def fill(self, holder, capacity, potions):
        self.give(MakeFlask(holder=holder, capacity=capacity))
        flask = list(every(self.state, Flask))[-1]
        for potion in potions:
            self.give(MakePotion(holder=holder, potion=potion, flask=flask))

    @rule(who=st.sampled_from(WHO), potion=st.sampled_from(POTIONS), rounds=st.integers(1, 12))
    def drink_another(self, who, potion, rounds):
        self.give(AdvanceClock(rounds=rounds))
        self.give(MakePotion(holder=who, potion=potion))
        self.give(DrinkLayer(drinker=who, flask=list(every(self.state, Flask))[-1]))

    @rule(
        data=st.data(),
        potion=st.sampled_from(POTIONS),
        nls=st.sampled_from((None, None, 0, 1, 7)),
        division=st.sampled_from((1, 1, 1, 2, 10)),
        dilution=st.sampled_from((1, 1, 1, 2)),
        tradition=st.sampled_from((None, None, "divine", "neither")),
    )
    def make_potion(self, data, potion, nls, division, dilution, tradition):
        self.give(
            MakePotion(
                holder="ayla",
                potion=potion,
                flask=self.some(data),
                nls=nls,
                division=division,
                dilution=dilution,
                tradition=tradition,
            )
        )

    @rule(data=st.data())
    def pour(self, data):
        source = self.some(data)
        self.give(PourPotion(actor=self.holder(source), source=source, target=self.some(data)))

    @rule(data=st.data(), rounds=st.sampled_from((1, 9, 10, 10, 10)), cart=st.booleans())
    def shake(self, data, rounds, cart):
        self.give(AdvanceClock(rounds=data.draw(st.integers(1, 3))))
        flask, nearby = self.some(data), {name: data.draw(st.integers(0, 700)) for name in WHO}
        if cart:
            self.give(JoltFlask(flask=flask, cause="cart", rounds=rounds, nearby=nearby))
        else:
            self.give(ShakeFlask(actor=self.holder(flask), flask=flask, rounds=rounds, nearby=nearby))

    @rule(data=st.data())
    def drink_layer(self, data):
        flask = self.some(data)
        self.give(AdvanceClock(rounds=1))
        self.give(DrinkLayer(drinker=self.holder(flask), flask=flask, nearby={"bonk": 250}))

    @rule(data=st.data())
    def drink_mixture(self, data):
        live = [name for name, leaf in every(self.state, Flask).items() if leaf.emulsion]
        flask = data.draw(st.sampled_from(live)) if live else self.some(data)
        self.give(AdvanceClock(rounds=1))
        self.give(DrinkMixture(drinker=self.holder(flask), flask=flask))

    @rule(data=st.data(), taker=st.sampled_from(WHO))
    def hand_over(self, data, taker):
        flask = self.some(data)
        self.give(HandOver(giver=self.holder(flask), taker=taker, flask=flask))

    @rule(seconds=st.sampled_from((1, 6, 6, 12, 18, 60, 300, 3_600, 86_400)))
    def advance(self, seconds):
        self.give(AdvanceClock(seconds=seconds))

    @rule(who=st.sampled_from(WHO), kind=st.sampled_from((Rest, TakeMove, TakeFiveFootStep)))
    def do_something(self, who, kind):
        self.give(kind(character=who))

    # -- what each of them must leave

    def give(self, command: Command) -> None:
        self.count += 1
        dice, before = RandomDice(self.seed + self.count), self.state
        context = Context(actor="gm", role="gm", now_us=0, command_id=f"c{self.count}", campaign="c_test", dice=dice)
        try:
            told, after = decide(before, command, context)
        except Refused:
            assert dice.thrown == 0
            return
        facts = [one.fact for one in told]
        self.replays(facts, before, after)
        self.registry_is_constant(facts, dice)
        self.only_drinks_and_shakes_mix(command, facts, dice)
        self.one_drink_takes_one_unit(command, facts)
        self.shaking_counts(facts)
        self.pairs(facts, before)
        self.blasts(facts)
        for fact in facts:
            self.masses(fact)
            self.order(fact)
        self.state = after

    def replays(self, facts, before, after):
        """HM-P19, and encode and decode agree."""
        stored = [CODEC.encode(Happened("gm", fact.audience, "c", 0, fact)) for fact in facts]
        read = [CODEC.decode(kind_of(fact), fact.VERSION, body).fact for fact, body in zip(facts, stored, strict=True)]
        assert read == facts
        assert fold(EVOLVE, before, read) == after

    def registry_is_constant(self, facts, dice):
        """HM-P5, P6: a d100 falls for a new, incompatible pair that is not known, and for no other."""
        expected = 0
        for judged in (fact for fact in facts if isinstance(fact, MixtureJudged)):
            told = Constant(judged.row, judged.first, judged.second, judged.prolonged)
            if not judged.compatible:
                expected += judged.key not in self.registry
                assert judged.known == (judged.key in self.registry)
                assert self.registry.setdefault(judged.key, told) == told
            else:
                assert judged.marks == ("normal", "normal")
        assert [roll.sides for roll in dice.rolls].count(100) == expected

    def only_drinks_and_shakes_mix(self, command, facts, dice):
        """HM-P10."""
        if isinstance(command, PourPotion | MakePotion | HandOver | MakeFlask):
            assert dice.thrown == 0
        if not isinstance(command, ShakeFlask | JoltFlask | DrinkLayer):
            assert not [fact for fact in facts if isinstance(fact, PotionsMixed)]

    def one_drink_takes_one_unit(self, command, facts):
        """HM-P11, P3."""
        drunk = [fact for fact in facts if isinstance(fact, PotionDrunk | MixtureDrunk)]
        assert len(drunk) == isinstance(command, DrinkLayer | DrinkMixture)
        for fact in drunk:
            layers = [dose.id for dose in the(self.state, Flask, fact.flask).layers]
            if isinstance(fact, MixtureDrunk):
                assert [fact.lower.id, fact.upper.id] == layers[-2:]
                assert fact.lower.pair == fact.upper.pair != ""
                assert fact.lower.pair in the(self.state, Flask, fact.flask).emulsion
            else:
                assert fact.dose.id == layers[-1]

    def shaking_counts(self, facts):
        """HM-P15: ten counted rounds, no two neighbours more than two apart, and nothing else, make an emulsion."""
        for fact in facts:
            if isinstance(fact, FlaskShaken):
                rounds = self.counted.setdefault(fact.flask, [])
                if rounds and fact.round - rounds[-1] > 2:
                    rounds.clear()
                rounds.append(fact.round)
                assert fact.progress == len(rounds)
                self.emulsion_due = len(rounds) == 10
            elif isinstance(fact, FlaskEmulsified):
                assert self.counted.pop(fact.flask)[-1] + 1 == fact.at
                self.emulsion_due = False
            elif isinstance(fact, PotionPoured):
                self.counted.pop(fact.from_flask, None)
                self.counted.pop(fact.into_flask, None)
            elif isinstance(fact, PotionDrunk | MixtureDrunk | PotionMade):
                self.counted.pop(fact.flask, None)
        assert not getattr(self, "emulsion_due", False)

    def pairs(self, facts, before):
        """HM-P4, P7, P8, P16: two doses, each for the first time, both potions; S within its bounds."""
        doses = {dose.id: dose for leaf in every(before, Flask).values() for dose in leaf.layers}
        doses |= {one.dose.id: one.dose for who in WHO for one in running(before, who)}
        for fact in facts:
            if isinstance(fact, PotionsMixed):
                one, other = fact.doses
                assert one != other
                self.partners.update(fact.doses)
                assert not {one, other} & self.oils
            if isinstance(fact, MixtureJudged):
                a, b = (identity_of(doses[name]) for name in fact.doses)
                assert fact.compatible == (not reasons_against(a, b)) == (not reasons_against(b, a))
                assert fact.key == key(a, b)
                half = mix_sum(Fraction(1, 2), *fact.nls)
                assert 0 <= fact.s <= (half if fact.medium == "stomach" else sum(fact.nls))
                assert fact.medium == "stomach" or fact.s == sum(fact.nls)
        assert not self.partners or max(self.partners.values()) == 1

    def blasts(self, facts):
        """HM-P18: nobody is hurt twice, nor beyond the sphere, and the types add up."""
        hurt = Counter(fact.character for fact in facts if isinstance(fact, HitPointsLost))
        assert not hurt or max(hurt.values()) <= 1 + sum(isinstance(fact, ExplosionDetonated) for fact in facts)
        for fact in facts:
            if isinstance(fact, HitPointsLost):
                assert sum(fact.by_type.values()) == fact.amount == fact.before - fact.after
            if isinstance(fact, ExplosionDetonated) and not fact.flask:
                at = facts.index(fact)
                assert fact.centre not in {one.character for one in facts[at:] if isinstance(one, SaveRolled)}

    def masses(self, fact):
        """HM-P1: what was made is in a flask, drunk, or destroyed."""
        if isinstance(fact, PotionMade):
            self.made += exactly(fact.dose.mass)
            if fact.dose.form == "oil":
                self.oils.add(fact.dose.id)
        elif isinstance(fact, PotionDrunk):
            self.gone += exactly(fact.dose.mass)
        elif isinstance(fact, MixtureDrunk):
            self.gone += mass((fact.lower, fact.upper))
        elif isinstance(fact, FlaskDestroyed):
            self.gone += mass(fact.doses)

    def order(self, fact):
        """HM-P3, P9: a stack for each flask, that settling and shaking never touch."""
        if isinstance(fact, PotionMade):
            self.layers.setdefault(fact.flask, []).append(fact.dose.id)
        elif isinstance(fact, PotionPoured):
            assert self.layers[fact.from_flask].pop() == fact.dose.id
            self.layers.setdefault(fact.into_flask, []).append(fact.dose.id)
        elif isinstance(fact, PotionDrunk):
            assert self.layers[fact.flask].pop() == fact.dose.id
        elif isinstance(fact, MixtureDrunk):
            assert self.layers[fact.flask].pop() == fact.upper.id
            assert self.layers[fact.flask].pop() == fact.lower.id
        elif isinstance(fact, FlaskDestroyed):
            self.layers[fact.flask] = []
        elif isinstance(fact, FlaskSettled | FlaskEmulsified):
            assert fact.flask in self.layers

    # -- what holds at any moment

    @invariant()
    def nothing_is_lost_or_created(self):
        inside = sum((mass(leaf.layers) for leaf in every(self.state, Flask).values()), Fraction())
        assert self.made == inside + self.gone

    @invariant()
    def no_flask_overflows_and_its_stack_is_in_order(self):
        for name, leaf in every(self.state, Flask).items():
            assert mass(leaf.layers) <= leaf.capacity
            assert gross_mass(leaf) == leaf.capacity + mass(leaf.layers)
            assert [dose.id for dose in leaf.layers] == self.layers.get(name, [])
            for pair in leaf.emulsion:
                at = [place for place, dose in enumerate(leaf.layers) if dose.pair == pair]
                assert len(at) == 2
                assert at[1] == at[0] + 1

    @invariant()
    def mixed_doses_have_a_partner_and_a_mark_of_their_own(self):
        for leaf in every(self.state, Flask).values():
            for dose in leaf.layers:
                assert dose.mixed == bool(self.partners[dose.id]) == bool(dose.pair)
                if dose.pair:
                    assert dose.id in the(self.state, Mixture, dose.pair).doses

    @invariant()
    def one_unmixed_potion_runs_in_each_stomach_at_most(self):
        for who in WHO:
            body = find(self.state, Creature, who)
            waiting = [one for one in running(self.state, who) if one.dose.form == "potion" and not one.dose.mixed]
            assert body is None or len(waiting) <= body.stomachs

    @invariant()
    def the_registry_only_grows(self):
        assert every(self.state, Constant) == self.registry

    # -- helpers

    def flasks(self):
        whole = [name for name, leaf in every(self.state, Flask).items() if not leaf.destroyed]
        return [name for name in whole if self.layers.get(name)] or whole or list(every(self.state, Flask))

    def some(self, data):
        return data.draw(st.sampled_from(self.flasks()))

    def holder(self, flask):
        return the(self.state, Flask, flask).holder


def identity_of(dose) -> Identity:
    return Identity(dose.spell, dose.tradition, dose.nls)


Cellar.TestCase.settings = settings(
    max_examples=60, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck)
)
TestCellar = pytest.mark.rule(
    *(f"HM-P{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 18, 19)), "HM-0.4"
)(Cellar.TestCase)
