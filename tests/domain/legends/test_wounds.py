import pytest

from domain.legends.downfall import Percentages, pipeline
from domain.legends.dying import DamageModifier, Heal, TakeDamage
from events.legends import DamageTaken, HitPointsHealed, Step
from tests.domain.legends.stage import hero, table
from tests.support.story import Story


def hit(amount: int, **more: object) -> TakeDamage:
    return TakeDamage(character="ayla", amount=amount, cause="a blow", **more)


def heal(amount: int) -> Heal:
    return Heal(character="ayla", amount=amount, cause="a prayer")


def two(**sheet: object) -> Story:
    return table(hero(**{"hp_max": 85, **sheet}), hero("bonk", owner="bo"))


@pytest.mark.rule("LB-5.5.2", "LB-A46")
def test_the_whole_pipeline_floors_at_each_step():
    by = Percentages(bonus=20, penalty=25, vulnerability=20, reduction=10, perfect_counter=True)
    assert [step.result for step in pipeline(15, by)] == [18, 13, 15, 13, 6]


@pytest.mark.rule("LB-5.5.2")
def test_one_kind_is_summed_before_it_is_applied_and_reductions_stop_at_100():
    thorns = (DamageModifier("aura", "bonus", 20), DamageModifier("song", "bonus", 30))
    told = two().when(hit(15, modifiers=thorns)).only(DamageTaken)
    assert (told.base, told.amount) == (15, 22)
    assert told.steps == (Step("attacker_bonus", "floor(15 × 150 / 100)", 22, "LB-5.5.2"),)
    walls = (DamageModifier("fat", "reduction", 70), DamageModifier("stone", "reduction", 70))
    assert two().when(hit(15, modifiers=walls)).only(DamageTaken).amount == 0


@pytest.mark.rule("LB-0.4", "LB-A46")
def test_ten_less_a_quarter_is_seven():
    assert two().when(hit(10, modifiers=(DamageModifier("deaf", "penalty", 25),))).only(DamageTaken).amount == 7


@pytest.mark.rule("LB-5.5.2")
def test_an_element_may_weaken_and_a_counter_halves_an_odd_blow():
    frail = (DamageModifier("water", "element", -150), DamageModifier("counter", "perfect_counter"))
    assert two().when(hit(15, modifiers=frail)).only(DamageTaken).amount == 0
    assert two().when(hit(15, modifiers=frail[1:])).only(DamageTaken).amount == 7
    two().when(hit(15, modifiers=(DamageModifier("x", "bonus", -1),))).then_refused("INVALID_AMOUNT", "LB-5.5.2")


@pytest.mark.rule("LB-0.9")
@pytest.mark.parametrize("amount", [0, -5])
def test_damage_is_a_positive_number(amount):
    two().when(hit(amount)).then_refused("INVALID_AMOUNT", "LB-0.9", amount=amount)


@pytest.mark.rule("LB-0.8")
def test_only_the_game_master_wounds_and_heals():
    two().when(hit(5), by="ana").then_refused("NOT_GM")
    two().when(heal(5), by="ana").then_refused("NOT_GM")


@pytest.mark.rule("LB-2.1.1", "LB-X24")
def test_no_luck_die_with_damage():
    two().when(hit(5, use_luck_die=True)).then_refused("LUCK_DIE_NOT_ALLOWED", "LB-2.1.1", reason="damage")


@pytest.mark.rule("LB-0.9")
def test_healing_stops_at_the_maximum():
    story = two(hp=80)
    story.when(heal(12)).then(HitPointsHealed("ayla", 12, 5, 80, 85, "a prayer", (), "LB-0.9"))
    story.when(heal(12)).then()
    story.when(heal(0)).then_refused("INVALID_AMOUNT")
    story.when(heal(-4)).then_refused("INVALID_AMOUNT")
    story.when(Heal(character="ayla", cause="nothing")).then_refused("INVALID_AMOUNT")


@pytest.mark.rule("LB-0.4")
def test_a_share_of_an_odd_maximum_is_floored():
    assert two(hp=1).when(Heal(character="ayla", percent=10, cause="a charm")).only(HitPointsHealed).gained == 8
