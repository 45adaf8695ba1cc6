"""Random commands, legal and not, by anybody: pools stay in bounds and nothing is told twice."""

from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.campaign.belongings import Grant
from domain.campaign.book import EVOLVE, FACTS
from domain.campaign.corrections import Correct
from domain.campaign.deciding import decide
from domain.campaign.game_clock import AdvanceClock
from domain.kernel.belongings import Bag, Purse
from domain.kernel.command import Command, Context, Override
from domain.kernel.dice import Keep, everything
from domain.kernel.fold import State, every, find, fold, state_hash
from domain.kernel.refusal import Refused
from domain.legends.bounds import sound
from domain.legends.checks import CallCheck, RollCheck
from domain.legends.combat import Act, BeginTurn, EndCombat, EndTurn, JoinCombat, LeaveCombat, StartCombat
from domain.legends.dying import (
    DamageModifier,
    Erase,
    Heal,
    Kill,
    RaiseFallen,
    Revive,
    RollDeathSave,
    SetImportance,
    TakeDamage,
)
from domain.legends.equipping import Equip, Stow
from domain.legends.levels import AssignStatPoint, AwardExperience, AwardLevels
from domain.legends.luck import GrantLuckDice, SetStandingOrders
from domain.legends.meals import Eat
from domain.legends.negotiation import (
    AdjustPrice,
    AssessNegotiation,
    CloseNegotiation,
    OpenNegotiation,
    RollNegotiation,
)
from domain.legends.rest import ChangeWater, TakeLongRest, TakeShortRest
from domain.legends.sheet import SheetArmour, SheetItem, SheetTechnique
from domain.legends.state import Combatant, Fight, Fighter, Negotiation, PendingCheck, Team
from domain.legends.trade import ARTICLES, Buy
from domain.legends.wheel import ClaimPrize, SpinWheel
from events.codec import Codec, kind_of
from events.envelope import Happened, Roll
from tests.domain.legends.stage import CUIRASS, DRUID, MAGICIAN, PLATE, SHAMAN, hero, table

CODEC = Codec(FACTS)
SETTINGS = {"xp.catch_up_multiplier": 3, "wheel.curse": "a tail", "negotiation.dc": 12, "prices.wheat": 0}
CAST = (
    hero(hp_max=85, classes=(MAGICIAN,), armour=(CUIRASS, PLATE), techniques=(SheetTechnique("parry", 3, recharge=2),)),
    hero("bonk", owner="bo", hp_max=9, classes=(DRUID, SHAMAN), resources={"offering": 4}, luck_dice=3, satiety=90),
    hero("wolf", kind="animal", hp_max=33, stats=None, armour=(SheetArmour("coat", 29, worn=False),)),
    hero("imp", kind="summon", hp_max=7, stats=None, equipment=(SheetItem("sabre", "epic"),)),
)
NAMES = st.sampled_from([*["ayla", "bonk"] * 6, "wolf", "imp", "nobody"])
AMOUNTS = st.one_of(st.integers(1, 60), st.integers(1, 9), st.sampled_from([-3, 0, 1, 85, 200, 1_000_000]))
SEATS = st.sampled_from([*["gm"] * 7, "ana", "bo", "zoe"])
STATS = st.sampled_from(["strength", "intelligence", "wisdom", "charisma", "speed", "precision", "luck"])
WORDS = st.just("a reason")
FLAGS = st.booleans()
MODIFIERS = st.lists(
    st.builds(
        DamageModifier,
        st.just("a thing"),
        st.sampled_from(["bonus", "penalty", "element", "vulnerability", "reduction", "perfect_counter"]),
        st.integers(-200, 200),
    ),
    max_size=3,
).map(tuple)
TOGETHER = st.lists(NAMES, min_size=1, max_size=3).map(tuple)
GEAR = st.sampled_from(["cuirass", "greaves", "coat", "sabre", "spoon"])
FIELDS = st.sampled_from(["hp", "mana", "armour_lost", "satiety", "luck_dice", "level", "stats.wisdom", "speed", "xp"])


class Seeded:
    """Dice that show whatever comes."""

    def __init__(self, seed: int) -> None:
        self._random, self.thrown = Random(seed), 0

    def throw(self, count: int, sides: int, purpose: str, keep: Keep = everything, *, secret: bool = False) -> Roll:
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        self.thrown += count
        return Roll(purpose, sides, faces, keep(faces), "declared")

    def done(self) -> None:
        """Nothing is left over."""


def of(kind: type[Command], /, **fields: st.SearchStrategy[object]) -> st.SearchStrategy[Command]:
    return st.builds(kind, **fields, override=st.sampled_from([None, None, None, Override("why not")]))


BODY = st.one_of(
    of(
        TakeDamage,
        character=NAMES,
        amount=AMOUNTS,
        cause=WORDS,
        modifiers=MODIFIERS,
        channel=st.sampled_from(["damage", "hit_points"]),
    ),
    of(Heal, character=NAMES, amount=st.none() | AMOUNTS, percent=st.none() | AMOUNTS, cause=WORDS),
    of(BeginTurn, character=NAMES),
    of(Correct, character=NAMES, field=st.just("satiety"), value=st.just(60), reason=WORDS),
    of(RaiseFallen, character=NAMES, target=NAMES),
    of(Revive, character=NAMES, hp=st.none() | AMOUNTS, reason=WORDS),
    of(SetImportance, character=NAMES, important=FLAGS),
    of(Equip, character=NAMES, item=GEAR),
    of(Stow, character=NAMES, item=GEAR),
    of(AdvanceClock, minutes=st.integers(0, 3)),
    of(Correct, character=NAMES, field=FIELDS, value=AMOUNTS, reason=WORDS),
)
RARE = st.one_of(of(Kill, character=NAMES, text=WORDS), of(Erase, character=NAMES))
MIND = st.one_of(
    of(CallCheck, character=NAMES, basis=STATS, dc=AMOUNTS, kind=st.sampled_from(["die", "stat"]), advantage=FLAGS),
    of(RollCheck, character=NAMES, basis=STATS, dc=st.none() | AMOUNTS, use_luck_die=FLAGS, disadvantage=FLAGS),
    of(GrantLuckDice, character=NAMES, count=AMOUNTS, reason=WORDS),
    of(SetStandingOrders, character=NAMES, coin=st.sampled_from([None, "face", "edge"]), resistance_luck=AMOUNTS),
    of(AwardExperience, character=NAMES, amount=st.integers(-1, 3_000), reason=WORDS),
    of(AwardLevels, character=NAMES, count=st.integers(-1, 3), reason=WORDS),
    of(AssignStatPoint, character=NAMES, first=STATS, second=STATS),
    of(SpinWheel, character=NAMES),
    of(SpinWheel, character=NAMES),
    of(
        ClaimPrize,
        character=NAMES,
        statistic=STATS,
        item=st.none() | GEAR,
        percent=st.none() | AMOUNTS,
        prize=st.sampled_from(["stat_plus_one", "random_weapon", "random_armour", "equipment_rarity_up", "hell"]),
        rarity=st.sampled_from(["rare", "super_epic", "odd"]),
    ),
)
STOMACH = st.one_of(
    of(Grant, character=NAMES, coins=st.integers(0, 2_000), reason=WORDS),
    of(
        Buy,
        character=NAMES,
        item=st.sampled_from([*ARTICLES, "dragon"]),
        quantity=st.integers(-1, 5),
        merchant=st.just("Bela"),
    ),
    of(
        Eat,
        character=NAMES,
        items=st.lists(st.sampled_from([*ARTICLES, "survival_ration"]), min_size=1, max_size=3).map(tuple),
    ),
    of(TakeLongRest, characters=TOGETHER),
    of(TakeShortRest, characters=TOGETHER),
    of(ChangeWater, litres=AMOUNTS, reason=WORDS),
    of(OpenNegotiation, character=NAMES, merchant=st.just("Bela"), modifiers=st.just({}) | st.just({"aura": 4})),
)

FIGHT = st.one_of(
    of(StartCombat, participants=TOGETHER, surprised=TOGETHER | st.just(()), luck=TOGETHER | st.just(())),
    of(JoinCombat, character=NAMES, use_luck_die=FLAGS),
    of(LeaveCombat, character=NAMES),
    of(Act, character=NAMES, text=WORDS, cost=st.sampled_from(["action", "sub_action", "free"])),
    of(EndTurn, character=NAMES, skip=FLAGS),
)


class Table(RuleBasedStateMachine):
    """One campaign, four characters, and everybody's wishes."""

    state: State

    @initialize()
    def open(self) -> None:
        self.state = table(*CAST, settings=SETTINGS).state
        self.commands = 0

    @rule(command=BODY, by=SEATS, seed=st.integers(0, 10**6))
    def body(self, command: Command, by: str, seed: int) -> None:
        self.give(command, by, seed)

    @rule(command=MIND, by=SEATS, seed=st.integers(0, 10**6))
    def mind(self, command: Command, by: str, seed: int) -> None:
        self.give(command, by, seed)

    @rule(command=STOMACH, by=SEATS, seed=st.integers(0, 10**6))
    def stomach(self, command: Command, by: str, seed: int) -> None:
        self.give(command, by, seed)

    @rule(command=FIGHT, by=SEATS, seed=st.integers(0, 10**6))
    def fight(self, command: Command, by: str, seed: int) -> None:
        self.give(command, by, seed)

    @precondition(lambda self: any(one.acting for one in every(self.state, Combatant).values()))
    @rule(seed=st.integers(0, 10**6))
    def next_turn(self, seed: int) -> None:
        name = next(name for name, one in every(self.state, Combatant).items() if one.acting)
        self.give(EndTurn(character=name), "gm", seed)

    @precondition(lambda self: find(self.state, Fight) is not None)
    @rule(dice=st.integers(1, 10))
    def peace(self, dice: int) -> None:
        if dice == 1:
            self.give(EndCombat(), "gm", dice)

    @rule(command=RARE, dice=st.integers(1, 40))
    def fate(self, command: Command, dice: int) -> None:
        if dice == 1:
            self.give(command, "gm", dice)

    @precondition(lambda self: any(one.down for one in every(self.state, Fighter).values()))
    @rule(luck=FLAGS, turn=FLAGS, seed=st.integers(0, 10**6))
    def save(self, luck: bool, turn: bool, seed: int) -> None:
        name = next(name for name, one in every(self.state, Fighter).items() if one.down)
        if turn:
            self.give(BeginTurn(character=name), "gm", seed)
        self.give(RollDeathSave(character=name, use_luck_die=luck), "gm", seed)

    @precondition(lambda self: any(one.dead for one in every(self.state, Fighter).values()))
    @rule(seed=st.integers(0, 10**6))
    def wonder(self, seed: int) -> None:
        name = next(name for name, one in every(self.state, Fighter).items() if one.dead)
        self.give(Revive(character=name, reason="a wonder"), "gm", seed)

    @precondition(lambda self: every(self.state, PendingCheck))
    @rule(luck=FLAGS, seed=st.integers(0, 10**6))
    def called(self, luck: bool, seed: int) -> None:
        name, asked = next(iter(every(self.state, PendingCheck).items()))
        self.give(RollCheck(character=asked.character, check=name, use_luck_die=luck), "gm", seed)

    @precondition(lambda self: every(self.state, Negotiation))
    @rule(step=st.integers(0, 3), number=st.integers(0, 40), seed=st.integers(0, 10**6))
    def haggle(self, step: int, number: int, seed: int) -> None:
        name, deal = next(iter(every(self.state, Negotiation).items()))
        commands = (
            AssessNegotiation(negotiation=name, critical=number, success=number),
            RollNegotiation(character=deal.character, negotiation=name),
            AdjustPrice(negotiation=name, percent=number - 20, reason="a mood"),
            CloseNegotiation(negotiation=name),
        )
        self.give(commands[step], "gm", seed)

    def give(self, command: Command, by: str, seed: int) -> None:
        self.commands += 1
        before, image = self.state, state_hash(self.state)
        dice = Seeded(seed)
        role = {"gm": "gm", "zoe": "spectator"}.get(by, "player")
        context = Context(
            actor=by,
            role=role,  # type: ignore[arg-type]
            now_us=0,
            command_id=f"k{self.commands}",
            campaign="c_test",
            dice=dice,
            override=command.override.reason if command.override else None,
        )
        try:
            told, self.state = decide(before, command, context)
        except Refused:
            assert dice.thrown == 0, "a refusal showed a die"
            assert state_hash(before) == image
            return
        facts = [one.fact for one in told]
        half = len(facts) // 2
        assert state_hash(before) == image
        assert fold(EVOLVE, before, facts) == self.state
        assert fold(EVOLVE, fold(EVOLVE, before, facts[:half]), facts[half:]) == self.state
        for one in told:
            happened = Happened(by, one.audience, f"k{self.commands}", 0, one.fact)
            body = CODEC.encode(happened)
            assert CODEC.decode(kind_of(one.fact), type(one.fact).VERSION, body) == happened

    @invariant()
    def pools_are_in_bounds(self) -> None:
        if not hasattr(self, "state"):
            return
        for name, one in every(self.state, Fighter).items():
            assert sound(one) is None, (name, sound(one), one)
            assert 0 <= one.armour <= one.armour_max
            assert (one.life == "standing") == (one.hp > 0), one
            assert one.armour_max == sum(
                one.hp_max * piece.percent // 100 for piece in one.gear if piece.worn and piece.percent is not None
            )
        assert all(purse.coins >= 0 for purse in every(self.state, Purse).values())
        assert all(count > 0 for bag in every(self.state, Bag).values() for count in bag.items.values())
        self.one_turn_at_a_time()
        team = find(self.state, Team) or Team()
        assert team.water >= 0
        assert team.short_rests >= 0

    def one_turn_at_a_time(self) -> None:
        """LB-5.0.1: and nobody has more of it, or had it oftener, than the others in order."""
        fight, fighting = find(self.state, Fight), every(self.state, Combatant)
        assert sum(one.acting for one in fighting.values()) <= 1
        assert fight is not None or not fighting
        for one in fighting.values():
            assert fight is not None
            assert 0 <= one.turns_until <= fight.round
            assert not (one.acting and one.turns_until == fight.round)
            assert 0 <= one.actions <= 1
            assert 0 <= one.sub_actions <= 1


Table.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestTable = Table.TestCase
