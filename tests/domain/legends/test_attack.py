"""LB-5.5: attacks. Ayla strikes at the boar, which stands beside her; in a fight she comes first."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.campaign.book import EVOLVE
from domain.kernel.fold import fold
from domain.legends.afflicting import ApplyEffect
from domain.legends.attack import GrantEdge, MakeAttack
from domain.legends.combat import Act, EndTurn, StartCombat
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.luck import GrantLuckDice, SetStandingOrders
from domain.legends.sheet import SheetArmour
from domain.legends.state import Combatant
from events.legends import (
    ActivityDone,
    CharacterDied,
    CharacterDowned,
    DamageTaken,
    DeathSaveFailedByDamage,
    Gear,
    GearGained,
    HitPointsHealed,
    LuckDieSpent,
    Modifier,
    Step,
)
from events.legends.combat import StrikeGranted
from events.legends.effects import ChanceRolled, EffectApplied, EffectEnded, EffectFailed
from events.legends.strikes import AttackRolled
from events.legends.words import Attack, Inflict
from tests.domain.legends.stage import WARRIOR, hero, now, stats, table
from tests.support.story import Story

DDT = {"creatures.boar.ddt": 13, "creatures.ayla.ddt": 13}


def wield(story: Story, who: str = "ayla", *, damage: str = "18", **more: Any) -> Story:
    """A weapon in hand, with what its attack carries in `more`."""
    gear = {name: more.pop(name) for name in ("auras", "heavy", "spiked", "name", "worn") if name in more}
    name = gear.pop("name", "sword")
    worn = gear.pop("worn", True)
    piece = Gear(name, kind="weapon", worn=worn, attack=Attack(name, damage=damage, **more), **gear)
    story.state = fold(EVOLVE, story.state, [GearGained(who, piece, "legends.test", "LB-5.4.2")])
    return story


def fight(settings: dict[str, Any] | None = None, boar: dict[str, Any] | None = None, **ayla: Any) -> Story:
    """Ayla, of Precision 15, has the first turn; the boar the second."""
    ayla.setdefault("stats", stats(strength=15))
    ayla.setdefault("classes", (WARRIOR,))
    beast = hero("boar", kind="npc", owner=None, **{"hp_max": 100, **(boar or {})})
    story = table(hero(**ayla), hero("bonk", owner="bo"), beast, settings={**DDT, **(settings or {})})
    story.when(StartCombat(participants=("ayla", "boar")), 20, 1)
    assert story.refused is None
    return story


def attack(story: Story, *faces: int, **more: Any) -> Story:
    more.setdefault("character", "ayla")
    more.setdefault("target", "boar")
    return story.when(MakeAttack(**more), *faces)


def put(story: Story, effect: str, *faces: int, who: str = "boar", **more: Any) -> Story:
    story.when(ApplyEffect(character=who, effect=effect, cause="trap", **more), *faces)
    assert story.refused is None, story.refused
    return story


def borne(story: Story, who: str = "boar") -> list[str]:
    leaf = story.state.get(f"legends.afflicted/{who}")
    return [one.effect for one in leaf.effects] if isinstance(leaf, Afflicted) else []


def turn(story: Story, who: str = "ayla") -> Combatant:
    leaf = story.state[f"legends.combatant/{who}"]
    assert isinstance(leaf, Combatant)
    return leaf


# To hit.


@pytest.mark.rule("LB-5.5.1", "LB-3.5", "LB-5.3.1", "LB-A28", "LB-C15")
def test_a_strike_that_hits():
    story = wield(fight(boar={"hp": 30, "armour": (SheetArmour("hide", 2),)}), damage="1d6+3")
    attack(story, 11, 5).then(
        ActivityDone("ayla", "action", "legends.attack", 0, 1, "LB-5.3.1"),
        AttackRolled(
            "ayla", "boar", "sword", 15, 11, (Modifier("precision", 2, "LB-3.5"),), 13, 13, "hit", (), (), "LB-5.5.1"
        ),
        DamageTaken("boar", 8, 8, 2, 6, 0, 2, 0, 30, 24, "legends.attack", "damage", (), "LB-16.2.5"),
    )
    assert [(roll.purpose, roll.faces) for fact in story.facts for roll in fact.rolls] == [
        ("attack", (11,)),
        ("damage", (5,)),
    ]


@pytest.mark.rule("LB-5.5.1")
def test_a_strike_that_misses_throws_no_damage():
    story = attack(wield(fight(), damage="1d6"), 10)
    assert story.only(AttackRolled).outcome == "miss"
    assert story.told(DamageTaken) == []


@pytest.mark.rule("LB-A4")
def test_a_natural_20_hits_and_does_nothing_more():
    story = attack(wield(fight(settings={"creatures.boar.ddt": 40})), 20)
    assert (story.only(AttackRolled).outcome, story.only(DamageTaken).amount) == ("critical", 18)


@pytest.mark.rule("LB-A4")
def test_a_table_may_do_without_natural_20s():
    story = attack(wield(fight(settings={"creatures.boar.ddt": 40, "rulings.LB-A4": "a"})), 20)
    assert story.only(AttackRolled).outcome == "miss"


@pytest.mark.rule("LB-2.1.4", "LB-5.5.1", "LB-0.3")
def test_a_luck_die_goes_with_the_die_to_hit():
    story = fight()
    story.when(GrantLuckDice(character="ayla", count=1, reason="bravery"))
    attack(wield(story), 8, 3, use_luck_die=True)
    assert story.only(LuckDieSpent).stock == 0
    assert (story.only(AttackRolled).total, story.only(AttackRolled).outcome) == (13, "hit")
    attack(story.when(EndTurn(character="ayla")).when(EndTurn(character="boar")), use_luck_die=True)
    story.then_refused("NO_LUCK_DIE")


@pytest.mark.rule("LB-2.2.1", "LB-2.2.2", "LB-2.2.3")
@pytest.mark.parametrize(
    ("more", "faces", "kept"),
    [
        ({"advantage": True}, (6, 15), 15),
        ({"disadvantage": True}, (6, 15), 6),
        ({"advantage": True, "disadvantage": True}, (6,), 6),
    ],
)
def test_the_game_master_gives_an_edge_with_the_attack(more, faces, kept):
    story = attack(wield(fight(settings={"creatures.boar.ddt": 40})), *faces, **more)
    assert story.only(AttackRolled).kept == kept


@pytest.mark.rule("LB-2.2.1", "LB-2.2.2")
@pytest.mark.parametrize(("disadvantage", "kept"), [(False, 15), (True, 6)])
def test_an_edge_granted_beforehand_is_good_for_one_attack(disadvantage, kept):
    story = wield(fight(settings={"creatures.boar.ddt": 40, "turn.actions": 2}))
    story.when(GrantEdge(character="ayla", disadvantage=disadvantage, reason="smoke"))
    assert attack(story, 6, 15).only(AttackRolled).kept == kept
    assert attack(story, 6).only(AttackRolled).kept == 6


@pytest.mark.rule("LB-0.8", "LB-2.2.1", "LB-A28")
@pytest.mark.parametrize("more", [{"advantage": True}, {"disadvantage": True}, {"ddt": 5}])
def test_edges_and_difficulties_are_the_game_masters(more):
    story = wield(fight())
    story.when(MakeAttack(character="ayla", target="boar", **more), by="ana").then_refused("NOT_GM", "LB-0.8")


@pytest.mark.rule("LB-6.1.8", "LB-3.6", "LB-X31", "LB-A10")
@pytest.mark.parametrize(("ruling", "modifiers"), [("a", [0]), ("b", [1, -2])])
def test_a_lower_precision_changes_the_value_or_the_roll(ruling, modifiers):
    story = wield(fight(settings={"rulings.LB-A10": ruling}, stats=stats(strength=12)))
    put(story, "soaked", who="ayla")
    rolled = attack(story, 20).only(AttackRolled)
    assert [one.amount for one in rolled.modifiers] == modifiers
    assert rolled.precision == (10 if ruling == "a" else 12)


# Legality.


@pytest.mark.rule("LB-5.5.1", "LB-5.3.3", "LB-5.3.1")
def test_one_action_is_one_strike():
    story = attack(wield(fight()), 2)
    attack(story).then_refused("NO_ACTION_LEFT", left=1)
    attack(story, extra=True).then_refused("NO_STRIKE_LEFT", "LB-5.5.3")


@pytest.mark.rule("LB-5.5.1", "LB-A28")
def test_a_target_without_a_ddt_waits_for_the_game_master():
    story = wield(fight(), "boar")
    story.when(StartCombat(participants=("bonk",))).then_refused("COMBAT_ALREADY_RUNNING")
    attack(wield(story), target="bonk").then_refused("DIFFICULTY_REQUIRED", "LB-5.5.1")
    assert attack(story, 2, target="bonk", ddt=10).only(AttackRolled).ddt == 10


@pytest.mark.rule("LB-5.5.1")
def test_nobody_attacks_itself_nor_without_a_weapon():
    story = fight()
    attack(story, target="ayla").then_refused("TARGET_INVALID")
    attack(story).then_refused("ITEM_NOT_OWNED")
    attack(wield(story, worn=False)).then_refused("ITEM_NOT_OWNED")
    attack(wield(story, name="axe"), weapon="sword").then_refused("ITEM_NOT_OWNED", choices=["axe"])


@pytest.mark.rule("LB-1.2.1", "LB-A2", "LB-X54")
@pytest.mark.parametrize(("strength", "ruling", "refused"), [(14, "b", True), (15, "b", False), (14, "a", False)])
def test_a_heavy_weapon_is_tested_at_each_attack(strength, ruling, refused):
    story = fight(settings={"rulings.LB-A2": ruling}, stats=stats(strength=strength))
    wield(story, heavy=True, auras=("strength",))
    if refused:
        attack(story).then_refused("STAT_TOO_LOW", stat="strength", required="+14", actual=14)
    else:
        assert attack(story, 2).only(AttackRolled)


@pytest.mark.rule("LB-5.5.1", "LB-6.2.1", "LB-0.2")
def test_whoever_is_incapacitated_does_not_strike():
    story = put(wield(fight()), "incapacitated", who="ayla")
    attack(story).then_refused("INCAPACITATED")


@pytest.mark.rule("LB-A37", "LB-6.2.1")
def test_a_table_may_let_incapacity_forbid_only_one_of_the_two():
    story = put(wield(fight(settings={"rulings.LB-A37": "b"})), "incapacitated", who="ayla")
    assert attack(story, 2).only(AttackRolled)
    story.when(Act(character="ayla", text="drink", cost="sub_action")).then_refused("INCAPACITATED")


# Damage.


@pytest.mark.rule("LB-5.5.2", "LB-16.1.7", "LB-6.2.18", "LB-6.2.7", "LB-A46")
def test_each_step_of_the_damage_is_floored():
    story = wield(fight(), damage="15", auras=("strength",))
    put(put(story, "deafened", who="ayla"), "weakness", turns=3, x=20)
    assert attack(story, 20).only(DamageTaken).steps == (
        Step("attacker_bonus", "floor(15 × 120 / 100)", 18, "LB-5.5.2"),
        Step("attacker_penalty", "floor(18 × 75 / 100)", 13, "LB-5.5.2"),
        Step("vulnerability", "floor(13 × 120 / 100)", 15, "LB-5.5.2"),
    )


@pytest.mark.rule("LB-6.2.18")
def test_deafened_takes_a_quarter_of_the_damage():
    story = put(wield(fight(), damage="10"), "deafened", who="ayla")
    assert attack(story, 20).only(DamageTaken).amount == 7


@pytest.mark.rule("LB-6.2.7")
def test_weakness_makes_attacks_worse():
    story = put(wield(fight()), "weakness", turns=2, x=15)
    assert attack(story, 20).only(DamageTaken).amount == 20


@pytest.mark.rule("LB-6.2.5", "LB-X4")
def test_a_piercing_attack_passes_the_armour_by_once():
    story = fight(settings={"turn.actions": 2}, boar={"hp": 50, "armour": (SheetArmour("hide", 30),)})
    wield(wield(story, name="pike", damage="20", properties=("piercing",)), damage="20")
    pierced = attack(story, 20, weapon="pike").only(DamageTaken)
    assert (pierced.pierced, pierced.to_armour, pierced.armour, pierced.hp) == (True, 0, 30, 30)
    plain = attack(story, 20, weapon="sword").only(DamageTaken)
    assert (plain.armour, plain.hp) == (10, 30)


@pytest.mark.rule("LB-6.2.6", "LB-A44", "LB-X6")
@pytest.mark.parametrize(("ruling", "gained"), [("a", 7), ("b", 4)])
def test_life_steal_gives_back_half_of_what_was_removed(ruling, gained):
    story = fight(settings={"rulings.LB-A44": ruling}, hp=50, boar={"hp": 9, "armour": (SheetArmour("hide", 5),)})
    wield(story, damage="20", properties=("life_steal",))
    healed = attack(story, 20).only(HitPointsHealed)
    assert (healed.gained, healed.hp, healed.cause) == (gained, 50 + gained, "life_steal")


@pytest.mark.rule("LB-S12", "LB-6.2.6", "LB-16.1.7", "LB-16.1.13")
def test_strength_weakness_and_life_steal_together():
    story = fight(hp=50, hp_max=60, boar={"hp": 30, "armour": (SheetArmour("hide", 20),)})
    wield(story, damage="18", auras=("strength", "strength", "strength"), properties=("life_steal",))
    put(story, "weakness", turns=3, x=10)
    attack(story, 11)
    assert [step.result for step in story.only(DamageTaken).steps] == [26, 28]
    assert (now(story, "boar").armour, now(story, "boar").hp, now(story).hp) == (0, 22, 60)


@pytest.mark.rule("LB-8.0.3", "LB-5.5.1")
def test_a_foe_that_loses_its_last_hit_point_dies_and_takes_no_effect():
    story = wield(fight(boar={"hp": 5}), inflicts=(Inflict("poisoned"),), auras=("fire",))
    attack(story, 20)
    assert story.only(CharacterDied).cause == "last_hit_point"
    assert story.told(EffectApplied) == []


@pytest.mark.rule("LB-A113", "LB-8.1.3", "LB-5.5.1")
def test_an_attack_on_whoever_is_down_only_counts_as_damage():
    story = wield(fight(boar={"hp": 5, "important": True}, settings={"turn.actions": 3}), inflicts=(Inflict("mad"),))
    assert attack(story, 20).only(CharacterDowned)
    attack(story, 20)
    assert story.only(DeathSaveFailedByDamage).failures == 1
    assert story.told(EffectApplied) == []


# What a strike leaves behind.


@pytest.mark.rule("LB-5.5.1", "LB-6.3.4")
def test_effects_come_in_the_order_of_the_attack():
    story = wield(fight(), inflicts=(Inflict("poisoned"), Inflict("bleeding", chance=50)))
    attack(story, 20, 50)
    assert [type(one) for one in story.facts[3:]] == [EffectApplied, ChanceRolled, EffectApplied]
    assert borne(story) == ["poisoned", "bleeding"]


@pytest.mark.rule("LB-6.3.4", "LB-X20", "LB-6.3.1")
def test_chance_first_resistance_second():
    story = wield(fight(settings={"turn.actions": 4}), damage="", inflicts=(Inflict("bleeding", chance=50),))
    put(story, "bleeding")
    attack(story, 20, 72)
    assert story.only(ChanceRolled).success is False
    applied = attack(story, 20, 33, 7).only(EffectApplied)
    assert (applied.refreshed, applied.times) == (True, 2)
    attack(story, 20, 33, 4)
    assert story.only(EffectFailed).step == 3
    assert borne(story) == []


@pytest.mark.rule("LB-6.2.11", "LB-A41", "LB-4.1.33")
def test_a_spiked_weapon_makes_bleed():
    attack(wield(story := fight(), spiked=True), 20)
    assert borne(story) == ["bleeding"]


@pytest.mark.rule("LB-A41")
def test_a_table_may_leave_spikes_to_chance():
    story = fight(settings={"rulings.LB-A41": "b", "spikes.chance": 50})
    assert attack(wield(story, spiked=True), 20, 51).only(ChanceRolled).success is False
    assert borne(story) == []


@pytest.mark.rule("LB-A41")
def test_spiked_armour_makes_a_neighbour_bleed():
    story = fight(boar={"armour": (SheetArmour("spines", 10),)})
    boar = now(story, "boar")
    spiked = tuple(replace(one, spiked=True, kind="armour") for one in boar.gear)
    story.state = {**story.state, "legends.fighter/boar": replace(boar, gear=spiked)}
    attack(wield(story), 20)
    assert (borne(story, "ayla"), borne(story)) == (["bleeding"], [])


@pytest.mark.rule("LB-16.1.4", "LB-16.1.5", "LB-16.1.6", "LB-A91", "LB-C17")
def test_auras_add_their_effects_wind_then_lightning_then_fire():
    story = wield(fight(), damage="", auras=("fire", "wind", "lightning"))
    attack(story, 20, 1, 2, 1)
    assert [(one.purpose, one.sides, one.needed, one.success) for one in story.told(ChanceRolled)] == [
        ("wind", 4, 1, True),
        ("lightning", 4, 1, False),
        ("fire", 4, 1, True),
    ]
    assert [(one.effect, one.marker) for one in story.told(EffectApplied)] == [
        ("destabilised", True),
        ("burned", False),
    ]


@pytest.mark.rule("LB-16.1.5", "LB-16.1.13", "LB-A111", "LB-A93")
def test_two_lightning_auras_throw_a_d8():
    story = wield(fight(settings={"turn.actions": 2}), damage="", auras=("lightning", "lightning"))
    assert attack(story, 20, 3).only(ChanceRolled).success is True
    assert attack(story, 20, 4).only(ChanceRolled).success is False


# Dodging.


@pytest.mark.rule("LB-6.2.10", "LB-5.5.1")
@pytest.mark.parametrize(("face", "dodges"), [(30, True), (31, False)])
def test_time_dodges_the_blow(face, dodges):
    story = put(wield(fight(), inflicts=(Inflict("mad"),)), "time_dodge", turns=2, x=30)
    attack(story, 20, face)
    assert story.only(ChanceRolled).success is dodges
    assert bool(story.told(DamageTaken)) is not dodges
    assert bool(story.told(EffectApplied)) is not dodges


@pytest.mark.rule("LB-16.1.9", "LB-A94")
@pytest.mark.parametrize(("face", "dodges"), [(9, True), (10, False)])
def test_three_time_auras_throw_a_d16(face, dodges):
    story = wield(wield(fight()), "boar", auras=("time", "time", "time"))
    attack(story, 20, face)
    assert (story.only(ChanceRolled).sides, story.only(ChanceRolled).success) == (16, dodges)


@pytest.mark.rule("LB-A108")
def test_the_better_of_aura_and_effect_is_rolled_once():
    story = wield(wield(fight()), "boar", auras=("time",))
    put(story, "time_dodge", turns=2, x=30)
    assert attack(story, 20, 31).only(ChanceRolled).sides == 100


# Reflection, backlash.


@pytest.mark.rule("LB-6.2.9", "LB-A45", "LB-X5")
def test_reflection_sends_back_three_quarters_through_the_armour():
    story = fight(armour=(SheetArmour("plate", 10),))
    wield(story, damage="20", properties=("piercing",))
    attack(put(story, "reflection", turns=2), 20)
    back = story.told(DamageTaken)[1]
    assert (back.character, back.amount, back.to_armour, back.to_hp, back.cause) == ("ayla", 15, 10, 5, "reflection")
    assert back.steps == (Step("reflection", "floor(20 × 75 / 100)", 15, "LB-6.2.9"),)


@pytest.mark.rule("LB-X8", "LB-6.2.9")
def test_what_comes_back_is_not_sent_back_again():
    story = wield(fight(), damage="20")
    put(put(story, "reflection", turns=2), "reflection", who="ayla", turns=2)
    assert [one.amount for one in attack(story, 20).told(DamageTaken)] == [20, 15]


@pytest.mark.rule("LB-A45", "LB-6.2.9")
def test_reflection_works_although_its_bearer_fell():
    story = put(wield(fight(boar={"hp": 5}), damage="20"), "reflection", turns=2)
    assert [one.character for one in attack(story, 20).told(DamageTaken)] == ["boar", "ayla"]


@pytest.mark.rule("LB-X9", "LB-6.2.9", "LB-2.3")
def test_an_effect_comes_back_by_the_attackers_own_ladder():
    story = wield(fight(), damage="", inflicts=(Inflict("bleeding"),))
    put(put(story, "bleeding", who="ayla"), "reflection", turns=2)
    story.when(GrantLuckDice(character="ayla", count=1, reason="bravery"))
    story.when(SetStandingOrders(character="ayla", resistance_luck=1))
    attack(story, 20, 8, 2)
    assert (borne(story), borne(story, "ayla")) == (["reflection", "bleeding"], [])
    assert [one.reason for one in story.told(EffectEnded)] == ["shaken_off"]


@pytest.mark.rule("LB-X7", "LB-8.1.9")
def test_whoever_the_reflection_fells_steals_no_life():
    story = wield(fight(hp=10), damage="20", properties=("life_steal",))
    attack(put(story, "reflection", turns=2), 20)
    assert story.only(CharacterDowned).character == "ayla"
    assert story.told(HitPointsHealed) == []
    assert turn(story, "boar").acting


@pytest.mark.rule("LB-X75", "LB-6.2.13")
def test_reflected_damage_does_not_break_the_spell():
    story = wield(fight(), damage="20")
    put(story, "lovestruck", who="ayla", order="strike", by="boar")
    attack(put(story, "reflection", turns=2), 20, carries_out_order=True)
    assert "lovestruck" in borne(story, "ayla")


@pytest.mark.rule("LB-6.2.13")
def test_an_attack_of_the_inflictors_side_breaks_the_spell():
    story = put(wield(fight(), damage="1"), "lovestruck", order="guard the door", by="bonk")
    attack(story, 20)
    assert story.only(EffectEnded).reason == "hurt_by_inflictor_side"


@pytest.mark.rule("LB-6.1.5", "LB-A38", "LB-X11")
def test_poison_strikes_back_at_whoever_deals_damage():
    story = wield(fight(settings={"turn.actions": 3}, stats=stats(strength=14)), damage="22")
    put(story, "poisoned", who="ayla")
    attack(story, 20, 31)
    assert (story.only(ChanceRolled).purpose, story.told(DamageTaken)[1].amount) == ("backlash", 5)
    assert attack(story, 20, 51).only(DamageTaken).character == "boar"
    assert attack(story, 2).told(ChanceRolled) == []


@pytest.mark.rule("LB-X10", "LB-6.1.5")
def test_the_backlash_takes_the_damage_after_the_targets_weakness():
    story = put(wield(fight()), "weakness", turns=2, x=20)
    put(story, "poisoned", who="ayla")
    assert [one.amount for one in attack(story, 20, 50).told(DamageTaken)] == [21, 5]


# Further strikes.


@pytest.mark.rule("LB-5.5.3", "LB-16.1.8", "LB-6.2.4", "LB-A104")
def test_quick_style_and_agility_make_three_strikes_of_one_action():
    story = wield(fight(), damage="8", auras=("agility",))
    put(story, "quick_style", who="ayla")
    attack(story, 20, 1)
    assert [(one.cause, one.left) for one in story.told(StrikeGranted)] == [("quick_style", 1), ("agility", 2)]
    assert attack(story, 20).only(AttackRolled).extra
    attack(story, 2, target="boar")
    attack(story).then_refused("NO_ACTION_LEFT")
    assert now(story, "boar").hp == 84


@pytest.mark.rule("LB-A104")
def test_a_table_may_count_only_the_better_of_the_two():
    story = wield(fight(settings={"rulings.LB-A104": "b"}), auras=("agility",))
    put(story, "quick_style", who="ayla")
    assert attack(story, 20).only(StrikeGranted).left == 1


@pytest.mark.rule("LB-16.1.8")
def test_agility_is_tried_after_the_first_strike_only_hit_or_miss():
    story = wield(fight(settings={"turn.actions": 2}), auras=("agility",))
    assert attack(story, 2, 2).only(ChanceRolled).success is False
    assert attack(story, 2).told(ChanceRolled) == []


@pytest.mark.rule("LB-X12", "LB-6.1.7", "LB-A40", "LB-5.5.3")
def test_lacerated_costs_once_when_the_last_strike_is_made():
    story = put(wield(fight(hp_max=85), damage="8"), "lacerated", who="ayla")
    put(story, "quick_style", who="ayla")
    assert attack(story, 20).told(DamageTaken)[-1].character == "boar"
    assert attack(story, 20).told(DamageTaken)[-1].to_hp == 5
    assert now(story).hp == 80


@pytest.mark.rule("LB-X14", "LB-A40")
def test_the_action_is_carried_out_before_lacerated_fells():
    story = put(wield(fight(hp_max=85, hp=5)), "lacerated", who="ayla")
    assert [one.character for one in attack(story, 20).told(DamageTaken)] == ["boar", "ayla"]
    assert story.only(CharacterDowned).character == "ayla"


@pytest.mark.rule("LB-S08", "LB-6.1.5", "LB-X1")
def test_poison_armour_and_backlash():
    story = fight(hp_max=40, armour=(SheetArmour("plate", 8),), stats=stats(strength=14), boar={"hp_max": 90})
    story.when(EndTurn(character="ayla"))
    wield(put(story, "poisoned", who="ayla"), damage="22")
    story.when(EndTurn(character="boar"))
    assert (now(story).hp, now(story).armour) == (38, 0)
    attack(story, 10, 50, ddt=12)
    assert now(story).hp == 33
    story.when(EndTurn(character="ayla")).when(EndTurn(character="boar"))
    assert now(story).hp == 28
    assert attack(story, 9, ddt=12).only(AttackRolled).total == 11
