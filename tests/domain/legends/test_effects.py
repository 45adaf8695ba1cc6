"""LB-6: how effects take hold, act, and end. Ayla bears them; in a fight she comes first, and the boar after her."""

import pytest

from domain.campaign.game_clock import AdvanceClock
from domain.legends.afflicting import ApplyEffect, EndEffect, PourWater
from domain.legends.combat import Act, BeginTurn, EndCombat, EndTurn, StartCombat
from domain.legends.derived import movement_of, precision_of, speed_of
from domain.legends.dying import Heal, RollDeathSave, TakeDamage
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.luck import SetStandingOrders
from domain.legends.sheet import SheetArmour
from events.legends import (
    ActivityDone,
    CharacterDowned,
    CharacterRecovered,
    DamageTaken,
    DeathSaveFailedByDamage,
    DeathSaveRolled,
    LuckDieSpent,
    ManaRecharged,
    Step,
    TurnEnded,
    TurnStarted,
)
from events.legends.combat import ConsequenceResolved
from events.legends.effects import EffectApplied, EffectEnded, EffectFailed, EffectTicked
from tests.domain.legends.stage import WARRIOR, hero, now, stats, table
from tests.support.story import Story


def fight(settings: dict[str, object] | None = None, **ayla: object) -> Story:
    """Ayla has the first turn, the boar the second."""
    boar = hero("boar", kind="npc", owner=None, hp_max=40)
    story = table(hero(**ayla), hero("bonk", owner="bo"), boar, settings=settings)
    story.when(StartCombat(participants=("ayla", "boar")), 20, 1)
    assert story.refused is None
    return story


def put(story: Story, effect: str, *faces: int, who: str = "ayla", **more: object) -> Story:
    story.when(ApplyEffect(character=who, effect=effect, cause="trap", **more), *faces)
    return story


def again(story: Story) -> Story:
    """Both turns are over, and Ayla's next begins."""
    story.when(EndTurn(character="ayla"))
    assert story.refused is None, story.refused
    return story.when(EndTurn(character="boar"))


def begin(story: Story, *faces: int, **more: object) -> Story:
    return story.when(BeginTurn(character="ayla", **more), *faces)


def borne(story: Story, who: str = "ayla") -> dict[str, int | None]:
    leaf = story.state.get(f"legends.afflicted/{who}")
    assert leaf is None or isinstance(leaf, Afflicted)
    return {one.effect: one.remaining for one in leaf.effects} if leaf else {}


# Taking hold and lasting.


@pytest.mark.rule("LB-6.0.1", "LB-6.0.3")
def test_an_effect_takes_hold_for_the_turns_of_its_bearer():
    put(fight(), "poisoned").then(EffectApplied("ayla", "poisoned", "trap", 5, 1, 1, "LB-6.0.1"))


@pytest.mark.rule("LB-6.0.1", "LB-6.0.3", "LB-6.2.7", "LB-6.2.9", "LB-6.2.10", "LB-6.2.15", "LB-6.2.16", "LB-A30")
@pytest.mark.parametrize(
    ("effect", "more", "code"),
    [
        ("slowed", {}, "DURATION_REQUIRED"),
        ("numbed", {}, "DURATION_REQUIRED"),
        ("reflection", {}, "DURATION_REQUIRED"),
        ("weakness", {"x": 10}, "DURATION_REQUIRED"),
        ("weakness", {"turns": 2}, "X_REQUIRED"),
        ("time_dodge", {"turns": 2}, "X_REQUIRED"),
        ("slowed", {"turns": 0}, "INVALID_DURATION"),
        ("lovestruck", {}, "ORDER_REQUIRED"),
        ("itchy", {}, "UNKNOWN_EFFECT"),
        ("armour_piercing", {}, "UNKNOWN_EFFECT"),
    ],
)
def test_what_an_effect_must_be_told(effect, more, code):
    put(fight(), effect, **more).then_refused(code)


@pytest.mark.rule("LB-4.2.21")
def test_a_duration_is_a_turn_or_more():
    put(fight(), "slowed", turns=-1).then_refused("INVALID_DURATION", "LB-4.2.21", turns=-1)


@pytest.mark.rule("LB-6.0.2", "LB-A29", "LB-6.2.1")
def test_a_turn_long_effect_covers_one_whole_own_turn():
    story = put(fight().when(EndTurn(character="ayla")), "incapacitated").when(EndTurn(character="boar"))
    assert story.told(EffectTicked) == [EffectTicked("ayla", "incapacitated", 1, 0, "LB-6.0.2")]
    story.when(Act(character="ayla", text="shout")).then_refused("INCAPACITATED", effect="incapacitated")
    again(story)
    assert borne(story) == {}
    assert story.when(Act(character="ayla", text="shout")).only(ActivityDone)


@pytest.mark.rule("LB-6.0.2", "LB-A29")
def test_an_effect_received_in_ones_own_turn_counts_from_the_next():
    story = again(put(fight(), "incapacitated"))
    story.when(Act(character="ayla", text="shout")).then_refused("INCAPACITATED")


@pytest.mark.rule("LB-6.0.2", "LB-6.1.5")
def test_poison_acts_five_times_and_costs_25():
    story = put(fight(hp_max=85), "poisoned")
    for left in (4, 3, 2, 1, 0):
        again(story)
        assert borne(story) == {"poisoned": left}
    again(story)
    assert (now(story).hp, borne(story)) == (60, {})


@pytest.mark.rule("LB-6.0.4", "LB-A31", "LB-6.3.1")
def test_the_same_effect_again_starts_its_duration_anew_and_adds_nothing():
    story = again(put(fight(), "poisoned"))
    applied = put(story, "poisoned", 4).only(EffectApplied)
    assert (applied.refreshed, applied.remaining, applied.step, applied.times) == (True, 5, 2, 2)
    again(story)
    assert now(story).hp == 90


@pytest.mark.rule("LB-A31")
def test_a_table_may_let_the_second_application_do_nothing():
    story = again(put(fight(settings={"rulings.LB-A31": "c"}), "poisoned"))
    put(story, "poisoned").then()
    assert borne(story) == {"poisoned": 4}


@pytest.mark.rule("LB-6.0.5", "LB-A33", "LB-X1", "LB-X2")
@pytest.mark.parametrize(
    ("effect", "hp", "armour"), [("poisoned", 100, 25), ("frozen", 100, 24), ("bleeding", 95, 30), ("burned", 90, 30)]
)
def test_damage_meets_the_armour_and_a_loss_of_hit_points_does_not(effect, hp, armour):
    story = again(put(fight(armour=(SheetArmour("plate", 30),)), effect))
    assert (now(story).hp, now(story).armour) == (hp, armour)


@pytest.mark.rule("LB-X1")
def test_what_the_armour_does_not_hold_goes_on():
    story = again(put(fight(hp=40, armour=(SheetArmour("plate", 3),)), "poisoned"))
    assert (now(story).hp, now(story).armour) == (38, 0)


@pytest.mark.rule("LB-A33")
@pytest.mark.parametrize(("option", "hp", "armour"), [("a", 100, 25), ("c", 95, 30)])
def test_a_table_may_send_all_effects_one_way(option, hp, armour):
    settings = {"rulings.LB-A33": option}
    story = again(put(fight(settings=settings, armour=(SheetArmour("plate", 30),)), "bleeding"))
    assert (now(story).hp, now(story).armour) == (hp, armour)


# Burned.


@pytest.mark.rule("LB-6.1.1", "LB-5.1.1", "LB-S07")
def test_a_burn_is_sure_once_then_asks_its_die_and_water_ends_it():
    story = again(put(fight(hp_max=85, hp=80, armour=(SheetArmour("plate", 12),)), "burned"))
    assert (now(story).hp, now(story).armour) == (72, 10)
    again(story)
    assert story.only(TurnStarted).pending
    story.when(Act(character="ayla", text="run")).then_refused("CONSEQUENCE_PENDING", "LB-5.1.1")
    lost = (Step("hit_points", "floor(85 × 10 / 100)", 8, "LB-0.4"),)
    begin(story, 2).then(
        EffectTicked("ayla", "burned", 2, 1, "LB-6.0.2"),
        DamageTaken("ayla", 8, 8, 0, 8, 0, 10, 10, 72, 64, "burned", "hit_points", lost, "LB-6.0.5"),
        ConsequenceResolved("ayla", "LB-5.1.1"),
    )
    story.when(EndTurn(character="ayla"))
    story.when(PourWater(character="bonk", target="ayla"), by="bo")
    story.then(EffectEnded("ayla", "burned", "water", "LB-6.1.1"))
    story.when(EndTurn(character="boar"))
    assert now(story).hp == 64
    story.when(PourWater(character="bonk", target="ayla"), by="bo").then_refused("EFFECT_NOT_PRESENT", "LB-6.1.1")


@pytest.mark.rule("LB-6.1.1", "LB-X17", "LB-A32")
def test_a_burn_that_fails_its_die_is_over_without_damage():
    story = again(again(put(fight(hp_max=85), "burned")))
    begin(story, 3)
    assert story.only(EffectEnded).reason == "burned_out"
    again(story)
    assert (now(story).hp, borne(story)) == (77, {})


@pytest.mark.rule("LB-6.1.1")
def test_the_third_turn_of_a_burn_is_the_last_and_less_likely():
    story = again(again(put(fight(hp_max=85), "burned")))
    again(begin(story, 2))
    begin(story, 2)
    assert (now(story).hp, borne(story)) == (69, {})


@pytest.mark.rule("LB-X18", "LB-6.0.4", "LB-A118")
@pytest.mark.parametrize(("face", "hp"), [(9, 70), (10, 80)])
def test_a_burn_again_is_sure_again_unless_it_is_shaken_off_and_then_there_is_none(face, hp):
    story = again(again(put(fight(), "burned")))
    begin(story, 2)
    put(story, "burned", face)
    again(story)
    assert now(story).hp == hp


@pytest.mark.rule("LB-6.1.8", "LB-X16", "LB-A32")
def test_getting_soaked_ends_a_burn_but_no_burn_ends_that():
    story = put(put(fight(), "burned"), "soaked")
    assert story.told(EffectEnded) == [EffectEnded("ayla", "burned", "water", "LB-6.1.1")]
    put(story, "burned", 4)
    assert set(borne(story)) == {"soaked", "burned"}


@pytest.mark.rule("LB-5.1.5", "LB-5.1.1", "LB-8.0.1")
def test_a_burn_may_fell_its_bearer_before_it_acts_and_the_turn_stops_there():
    story = fight(hp_max=85, hp=8)
    again(put(put(story, "burned"), "poisoned"))
    kinds = [type(fact) for fact in story.facts[-5:]]
    assert kinds == [EffectTicked, DamageTaken, CharacterDowned, TurnEnded, TurnStarted]
    assert (now(story).life, borne(story)["poisoned"]) == ("down", 5)
    story.when(Act(character="ayla", text="run")).then_refused("CHARACTER_DOWN")
    assert story.facts == []


# Others.


@pytest.mark.rule("LB-6.1.2")
def test_the_cold_costs_six_four_times():
    story = put(fight(), "frozen")
    for _ in range(5):
        again(story)
    assert now(story).hp == 76


@pytest.mark.rule("LB-6.1.4", "LB-A37", "LB-S09")
@pytest.mark.parametrize(("face", "code"), [(50, "INCAPACITATED"), (51, None)])
def test_thunder_may_take_action_and_sub_action(face, code):
    story = again(put(fight(), "thunderstruck"))
    assert begin(story, face).told(EffectTicked)[0].blocked == (code is not None)
    story.when(Act(character="ayla", text="run"))
    assert (story.refused.code if story.refused else None) == code
    again(story)
    assert borne(story) == {}


@pytest.mark.rule("LB-6.1.6", "LB-S10", "LB-A39")
def test_the_mire_lets_go_on_a_six():
    story = put(fight(luck_dice=1), "mired")
    for face in (5, 1):
        begin(again(story), face)
    assert borne(story) == {"mired": 2}
    begin(again(story), 6)
    assert (story.only(EffectEnded).effect, story.only(EffectEnded).rule) == ("mired", "LB-6.1.6")


@pytest.mark.rule("LB-6.1.6", "LB-A7", "LB-2.1.4")
def test_a_luck_die_helps_out_of_the_mire_and_out_of_nothing_else():
    story = again(put(fight(luck_dice=1), "thunderstruck"))
    begin(story, use_luck_die=True).then_refused("LUCK_DIE_NOT_ALLOWED", reason="chance_roll")
    again(put(begin(story, 60), "mired"))
    begin(story, 4, 2, use_luck_die=True)
    assert story.only(LuckDieSpent).stock == 0
    assert borne(story) == {}


@pytest.mark.rule("LB-6.1.6")
def test_without_a_six_the_mire_lasts_four_turns():
    story = put(fight(), "mired")
    for face in (5, 1, 2, 3):
        begin(again(story), face)
    again(story)
    assert borne(story) == {}


@pytest.mark.rule("LB-6.1.7", "LB-A40", "LB-X13", "LB-A34")
def test_a_laceration_costs_once_a_turn_with_an_action_and_nothing_without():
    story = put(fight(hp_max=85), "lacerated")
    story.when(Act(character="ayla", text="drink", cost="sub_action"))
    assert not story.told(DamageTaken)
    story.when(Act(character="ayla", text="strike"))
    kinds = [type(fact) for fact in story.facts]
    assert kinds == [ActivityDone, EffectTicked, DamageTaken]
    assert (now(story).hp, now(story).hp_max) == (80, 85)
    again(story)
    assert now(story).hp == 80


@pytest.mark.rule("LB-X14", "LB-6.1.7")
def test_the_action_is_done_before_the_laceration_fells():
    story = put(fight(hp_max=85, hp=5), "lacerated").when(Act(character="ayla", text="strike"))
    assert [type(fact) for fact in story.facts] == [
        ActivityDone,
        EffectTicked,
        DamageTaken,
        CharacterDowned,
        TurnEnded,
        TurnStarted,
    ]


@pytest.mark.rule("LB-6.2.11", "LB-A34")
def test_bleeding_costs_a_share_each_turn():
    story = put(fight(hp_max=85), "bleeding")
    for _ in range(6):
        again(story)
    assert (now(story).hp, now(story).hp_max) == (61, 85)


@pytest.mark.rule("LB-A115")
def test_a_share_that_floors_to_nothing_is_no_damage():
    story = again(put(fight(hp_max=9), "burned"))
    assert not story.told(DamageTaken)


@pytest.mark.rule("LB-6.1.8", "LB-6.2.15", "LB-6.2.16", "LB-6.2.18", "LB-3.6", "LB-3.1", "LB-3.2", "LB-A42", "LB-A10")
@pytest.mark.parametrize(
    ("effects", "speed", "cells", "precision"),
    [
        ((), 15, 7, 15),
        (("soaked",), 7, 3, 13),
        (("slowed",), 7, 3, 15),
        (("slowed", "soaked"), 3, 1, 13),
        (("numbed",), 15, 4, 15),
        (("deafened",), 15, 4, 12),
        (("numbed", "deafened"), 15, 1, 12),
        (("soaked", "deafened"), 7, 0, 10),
    ],
)
def test_what_effects_do_to_speed_movement_and_precision(effects, speed, cells, precision):
    story = fight(stats=stats(strength=15, dexterity=15), classes=(WARRIOR,))
    for effect in effects:
        put(story, effect, **({"turns": 2} if effect in ("slowed", "numbed") else {}))
    found = speed_of(story.state, "ayla"), movement_of(story.state, "ayla"), precision_of(story.state, "ayla")
    assert found == (speed, cells, precision)


@pytest.mark.rule("LB-X28", "LB-X30")
def test_effects_add_up_in_the_order_of_the_book():
    assert movement_of(put(put(fight(), "soaked"), "slowed", turns=1).state, "ayla") == 1
    story = put(put(fight(stats=stats(strength=15, dexterity=15)), "deafened"), "numbed", turns=2)
    assert movement_of(story.state, "ayla") == 1


@pytest.mark.rule("LB-6.2.13", "LB-A49")
def test_whoever_is_lovestruck_does_only_what_carries_out_the_order():
    story = put(fight(), "lovestruck", order="guard the door", by="boar")
    refused = story.when(Act(character="ayla", text="flee"), by="ana")
    refused.then_refused("CONTROLLED_BY_ORDER", "LB-6.2.13", order="guard the door")
    assert story.when(Act(character="ayla", text="stand guard", carries_out_order=True), by="ana").only(ActivityDone)
    put(story, "lovestruck", order="jump", order_harms_bearer=True).then_refused("ORDER_SELF_HARM", "LB-6.2.13")


# The ladder.


@pytest.mark.rule("LB-6.3.1", "LB-6.3.2", "LB-6.3.3", "LB-S11", "LB-A48", "LB-X19", "LB-X21")
def test_the_ladder_of_resistance():
    story = fight(stats=stats(strength=13, dexterity=13))
    story.when(SetStandingOrders(character="ayla", coin="edge"), by="ana").then_refused("UNKNOWN_COIN_SIDE")
    story.when(SetStandingOrders(character="ayla", coin="face"), by="ana")
    expected = [((), 6), ((10,), 13), ((4,), 6), ((4,), 13), ((3,), 6), ((2,), 13), ((1,), 6), ((2,), 13)]
    for faces, speed in expected:
        put(story, "slowed", *faces, turns=2)
        assert speed_of(story.state, "ayla") == speed, faces
        assert bool(story.told(EffectFailed)) == (speed == 13)
    story.when(EndCombat()).when(StartCombat(participants=("ayla", "boar")), 20, 1)
    put(story, "slowed", turns=2)
    assert story.only(EffectApplied).step == 1


@pytest.mark.rule("LB-6.3.1", "LB-6.3.2", "LB-A118")
def test_shaking_off_ends_what_runs_and_does_not_count():
    story = again(again(put(fight(), "poisoned")))
    put(story, "poisoned", 10).then(
        EffectFailed("ayla", "poisoned", "trap", "shaken_off", 2, "LB-6.3.1"),
        EffectEnded("ayla", "poisoned", "shaken_off", "LB-A118"),
    )
    applied = put(story, "poisoned", 4).only(EffectApplied)
    assert (applied.step, applied.times, applied.refreshed) == (2, 2, False)


@pytest.mark.rule("LB-A118")
def test_a_table_may_let_the_running_effect_go_on():
    story = put(fight(settings={"rulings.LB-A118": "a"}), "poisoned")
    put(story, "poisoned", 10)
    assert borne(story) == {"poisoned": 5}


@pytest.mark.rule("LB-2.3", "LB-6.3.1", "LB-X23", "LB-A120", "LB-A7")
def test_a_standing_order_adds_luck_to_resistance_and_not_to_the_coin():
    story = fight(luck_dice=2).when(SetStandingOrders(character="ayla", resistance_luck=1), by="ana")
    put(put(story, "bleeding"), "bleeding", 8, 2)
    assert story.only(LuckDieSpent) == LuckDieSpent("ayla", 1, "standing_order", "LB-2.3", rolls=())
    assert (borne(story), now(story).resistance_luck) == ({}, 0)
    put(story, "bleeding", 9)
    assert borne(story) == {"bleeding": None}


@pytest.mark.rule("LB-2.3")
def test_without_a_luck_die_the_order_is_passed_over():
    story = fight().when(SetStandingOrders(character="ayla", resistance_luck=1), by="ana")
    assert put(put(story, "bleeding"), "bleeding", 8).only(EffectApplied).step == 2


@pytest.mark.rule("LB-6.3.3", "LB-X22", "LB-A47")
def test_what_helps_is_not_resisted_and_out_of_a_fight_nothing_is():
    story = put(fight(), "quick_style")
    put(story, "quick_style")
    assert story.only(EffectApplied).step == 1
    put(story, "quick_style", resist=True).then_refused("NOT_RESISTIBLE", "LB-6.3.3")
    outside = put(put(table(), "poisoned"), "poisoned")
    assert outside.only(EffectApplied).times == 0


# Down, up, and afterwards.


@pytest.mark.rule("LB-8.1.5", "LB-8.1.6", "LB-8.1.9", "LB-A57", "LB-X39", "LB-X40", "LB-S13", "LB-9.2.1", "LB-X71")
def test_down_with_poison_and_up_without():
    story = fight(hp_max=85, hp=6, stats=stats(constitution=13))
    put(put(story, "slowed", turns=2), "poisoned")
    story.when(TakeDamage(character="ayla", amount=20, cause="club"))
    assert now(story).life == "down"
    story.when(EndTurn(character="boar"))
    assert not story.told(ManaRecharged)
    assert [told.failures for told in story.told(DeathSaveFailedByDamage)] == [1]
    story.when(RollDeathSave(character="ayla"), 9)
    assert [type(fact) for fact in story.facts] == [DeathSaveRolled, TurnEnded, TurnStarted]
    story.when(EndTurn(character="boar")).when(RollDeathSave(character="ayla"), 15)
    assert (now(story).successes, now(story).failures, borne(story)) == (2, 2, {"slowed": 2, "poisoned": 3})
    story.when(Heal(character="ayla", amount=12, cause="herbs"))
    assert story.told(EffectEnded) == [EffectEnded("ayla", "poisoned", "recovered", "LB-8.1.5")]
    assert story.only(CharacterRecovered).hp == 12
    assert borne(story) == {"slowed": 2}


@pytest.mark.rule("LB-8.1.3", "LB-8.1.7", "LB-X37", "LB-X38", "LB-S14")
def test_several_wounds_in_one_turn_fail_once_and_the_third_failure_kills_before_the_save():
    story = fight(hp=100)
    put(put(story, "burned"), "bleeding")
    again(story)
    story.when(TakeDamage(character="ayla", amount=200, cause="club"))
    story.when(EndTurn(character="boar"))
    begin(story, 1)
    assert len(story.told(DeathSaveFailedByDamage)) == 1
    story.when(RollDeathSave(character="ayla"), 7)
    assert now(story).failures == 2
    story.when(TakeDamage(character="ayla", amount=5, cause="arrow"))
    assert now(story).failures == 2
    story.when(EndTurn(character="boar"))
    begin(story, 3)
    assert now(story).life == "dead"


@pytest.mark.rule("LB-A113", "LB-6.0.1")
def test_no_new_effect_on_whoever_is_down():
    story = fight(hp=6).when(TakeDamage(character="ayla", amount=20, cause="club"))
    put(story, "slowed", turns=2).then_refused("TARGET_IS_DOWN", "LB-A113")


@pytest.mark.rule("LB-8.1.1")
def test_a_save_waits_for_its_turn_and_for_the_consequences():
    story = again(put(fight(), "burned"))
    story.when(TakeDamage(character="ayla", amount=200, cause="club"))
    story.when(RollDeathSave(character="ayla")).then_refused("SAVE_ALREADY_ROLLED")
    story.when(EndTurn(character="boar"))
    story.when(RollDeathSave(character="ayla")).then_refused("CONSEQUENCE_PENDING", "LB-8.1.1")


@pytest.mark.rule("LB-5.0.4", "LB-A109")
def test_the_end_of_the_fight_ends_some_effects_and_the_others_go_on_by_the_minute():
    story = put(put(fight(), "bleeding"), "poisoned")
    again(story)
    again(story)
    again(story)
    assert now(story).hp == 70
    story.when(EndCombat())
    assert story.told(EffectEnded) == [EffectEnded("ayla", "bleeding", "combat_ended", "LB-5.0.4")]
    story.when(AdvanceClock(minutes=10))
    assert (now(story).hp, borne(story)) == (60, {})


@pytest.mark.rule("LB-A61", "LB-A57")
def test_out_of_the_fight_whoever_is_down_suffers_and_saves_by_the_minute():
    story = put(table(hero(hp=6)), "poisoned").when(TakeDamage(character="ayla", amount=20, cause="fall"))
    story.when(AdvanceClock(minutes=2))
    assert (now(story).failures, now(story).saves_due) == (2, 2)
    story.when(AdvanceClock(minutes=1))
    assert now(story).life == "dead"


@pytest.mark.rule("LB-X65", "LB-5.0.3")
def test_a_skipped_turn_ticks_nothing():
    boar = hero("boar", kind="npc", owner=None, hp_max=40)
    story = put(table(hero(), boar), "poisoned")
    story.when(StartCombat(participants=("ayla", "boar"), surprised=("ayla",)), 20, 1)
    assert (now(story).hp, borne(story)) == (100, {"poisoned": 5})
    story.when(Act(character="ayla", text="run")).then_refused("SURPRISED", "LB-5.0.3")
    story.when(EndTurn(character="boar"))
    assert now(story).hp == 95


@pytest.mark.rule("LB-X34", "LB-A115")
def test_the_game_master_ends_an_effect():
    story = put(fight(), "poisoned").when(EndEffect(character="ayla", effect="poisoned"))
    story.then(EffectEnded("ayla", "poisoned", "dispelled", "LB-6.0.1"))
    story.when(EndEffect(character="ayla", effect="poisoned")).then_refused("EFFECT_NOT_PRESENT")
