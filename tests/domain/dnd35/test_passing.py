"""What falls due as time passes: in order, once, whatever the size of the step."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.campaign.deciding import decide
from domain.campaign.game_clock import AdvanceClock
from domain.dnd35.ailments import Rest
from domain.dnd35.rounds import DAY
from domain.dnd35.sheet import Sheet
from domain.kernel.command import Context
from domain.kernel.fold import State
from events.dnd35 import AbilityRecovered, SaveRolled
from events.envelope import Fact, Roll
from events.potions import FlaskSettled, PotionEffectEnded
from events.table import ClockAdvanced
from tests.domain.dnd35.bench import BULL, FLY, OWL, UNSEEN, Bench


class RowOfDice:
    """One endless row of faces, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random, self.thrown = random.Random(seed), 0

    def throw(self, count, sides, purpose, keep=None, *, secret=False):
        self.thrown += count
        faces = tuple(self._random.randint(1, sides) for _ in range(count))
        return Roll(purpose, sides, faces, faces, "declared")

    def done(self) -> None:
        """Never at an end."""


def busy_table() -> State:
    """Poisons at work in two bodies, an emulsion that will part, potions that will run out, somebody at rest."""
    sheet = Sheet(hp_max=30)
    bench = Bench(ayla=sheet, bonk=sheet)
    lethal = bench.flask(50, FLY, OWL)
    bench.shake(lethal, 2)
    weak = bench.flask(50, BULL, UNSEEN, holder="bonk")
    bench.shake(weak, 5, holder="bonk")
    bench.wait_until(20)
    bench.shake(bench.flask(50, FLY, "sleep"), 50)
    bench.wait_until(30)
    bench.drink("jump")
    bench.wait_until(31)
    bench.drink_mixture(lethal, 15)
    bench.drink_mixture(weak, 15, 2, who="bonk")
    bench.do(Rest(character="bonk"))
    return bench.story.state


TABLE = busy_table()
SECONDS = 6 * (12 * DAY)


def pass_time(seed: int, steps: list[int]) -> tuple[list[Fact], State]:
    state, dice, facts = TABLE, RowOfDice(seed), []
    for number, step in enumerate(steps):
        context = Context(actor="gm", role="gm", now_us=0, command_id=str(number), campaign="c_test", dice=dice)
        dice.thrown = 0
        told, state = decide(state, AdvanceClock(seconds=step), context)
        facts += [one.fact for one in told if not isinstance(one.fact, ClockAdvanced)]
    return facts, state


@pytest.mark.rule("HM-0.1", "HM-12.11", "HM-16.8", "HM-16.9", "HM-A36", "HM-P19")
@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.integers(1, SECONDS - 1), max_size=12))
def test_one_step_tells_what_many_tell(seed, cuts):
    marks = sorted({0, *cuts, SECONDS})
    steps = [after - before for before, after in pairwise(marks)]
    whole, small = pass_time(seed, [SECONDS]), pass_time(seed, steps)
    assert whole[0] == small[0]
    assert whole[1] == small[1]


def test_and_something_does_fall_due():
    facts, _ = pass_time(3, [SECONDS])
    kinds = {type(fact) for fact in facts}
    assert {SaveRolled, FlaskSettled, PotionEffectEnded} <= kinds
    assert any(AbilityRecovered in {type(fact) for fact in pass_time(seed, [SECONDS])[0]} for seed in range(9))


def test_nothing_falls_due_twice():
    facts, state = pass_time(3, [SECONDS])
    context = Context(actor="gm", role="gm", now_us=0, command_id="y", campaign="c_test", dice=RowOfDice(1))
    told, _ = decide(state, AdvanceClock(days=100), context)
    assert facts
    assert [type(one.fact) for one in told] == [ClockAdvanced]
