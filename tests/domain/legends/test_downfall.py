import pytest

from domain.campaign.belongings import Give, Grant
from domain.campaign.cast import CreateCharacter, HideCharacter, RetireCharacter
from domain.campaign.corrections import Correct
from domain.campaign.game_clock import AdvanceClock
from domain.campaign.opening import ChangeSettings
from domain.campaign.rolls import RollDice
from domain.campaign.talk import Say
from domain.kernel.command import Override
from domain.legends.combat import BeginTurn
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
from domain.legends.levels import AwardLevels
from domain.legends.luck import GrantLuckDice
from domain.legends.rest import ChangeWater, TakeLongRest, TakeShortRest
from domain.legends.sheet import Sheet
from events.envelope import TABLE
from events.legends import (
    CharacterDied,
    CharacterDowned,
    CharacterErased,
    CharacterRecovered,
    CharacterRevived,
    DamageTaken,
    DeathSaveFailedByDamage,
    DeathSaveRolled,
    HitPointsHealed,
    ImportanceSet,
    LuckDieSpent,
    Modifier,
    Step,
    SummonDestroyed,
    TurnStarted,
)
from events.table import CharacterCreated, CharacterRetired, NumberCorrected, RefusalOverridden, Said
from tests.domain.legends.stage import MAGICIAN, hero, now, purse, stats, table
from tests.support.story import Story


def hit(amount: int, who: str = "ayla", **more: object) -> TakeDamage:
    return TakeDamage(character=who, amount=amount, cause="a blow", **more)


def heal(amount: int, who: str = "ayla") -> Heal:
    return Heal(character=who, amount=amount, cause="a prayer")


def save(story: Story, face: int, *more: int, luck: bool = False, by: str = "ana") -> Story:
    """A save; the turn that brings it begins where none is due."""
    if not now(story).saves_due:
        story.when(TURN)
    return story.when(RollDeathSave(character="ayla", use_luck_die=luck), face, *more, by=by)


TURN = BeginTurn(character="ayla")
FALL = hit(200)


def two(**sheet: object) -> Story:
    return table(hero(**{"hp_max": 85, **sheet}), hero("bonk", owner="bo"))


def fallen(**sheet: object) -> Story:
    return two(**sheet).when(FALL)


@pytest.mark.rule("LB-8.0.1")
def test_the_first_fall_puts_down_and_what_is_beyond_0_is_lost():
    two(hp=6).when(hit(20)).then(
        DamageTaken("ayla", 20, 20, 0, 6, 14, 0, 0, 6, 0, "a blow", "damage", (), "LB-16.2.5"),
        CharacterDowned("ayla", 0, "a blow", "LB-8.0.1"),
    )


@pytest.mark.rule("LB-8.0.2", "LB-X41")
def test_the_second_fall_kills_short_rests_or_not():
    story = fallen().when(heal(8))
    story.when(TakeShortRest(characters=("ayla",)), by="ana").when(TakeShortRest(characters=("ayla",)), by="ana")
    story.when(FALL)
    assert story.only(CharacterDied) == CharacterDied("ayla", "second_fall", "LB-8.0.2")
    assert not story.told(CharacterDowned)
    story.when(hit(1)).then_refused("CHARACTER_DEAD", "LB-8.2.1", character="Ayla")


@pytest.mark.rule("LB-8.0.2", "LB-12.1", "LB-X42")
def test_a_long_rest_forgets_the_fall():
    story = fallen(satiety=30).when(heal(8)).when(ChangeWater(litres=1, reason="a well"))
    story.when(TakeLongRest(characters=("ayla",))).when(FALL)
    assert story.told(CharacterDowned)


@pytest.mark.rule("LB-8.0.3", "LB-A53")
def test_who_is_no_player_character_dies_unless_important():
    story = table(hero("boar", kind="animal", owner=None, stats=None), hero("queen", kind="non_player", owner=None))
    story.when(hit(100, "boar"))
    assert story.only(CharacterDied) == CharacterDied("boar", "last_hit_point", "LB-8.0.3")
    story.when(SetImportance(character="queen", important=True), by="ana").then_refused("NOT_GM")
    story.when(SetImportance(character="queen", important=True)).then(ImportanceSet("queen", True, "LB-8.0.3"))
    story.when(SetImportance(character="queen", important=True)).then()
    assert story.when(hit(100, "queen")).told(CharacterDowned)


@pytest.mark.rule("LB-8.0.3")
def test_a_summon_vanishes():
    story = table(hero("zombie", kind="summon", owner="ana", stats=None, hp_max=10, important=True))
    story.when(hit(10, "zombie"))
    assert story.facts[1:] == [
        SummonDestroyed("zombie", "a blow", "LB-8.0.3"),
        CharacterRetired("zombie", reason="legends.summon_destroyed"),
    ]
    story.when(hit(1, "zombie")).then_refused("CHARACTER_RETIRED")
    story.when(TakeDamage(character="zombie", amount=1, cause="x", override=Override("why not"))).then_refused(
        "CHARACTER_DEAD"
    )


@pytest.mark.rule("LB-8.0.3", "LB-8.1.8")
def test_a_summon_killed_on_the_spot_vanishes_too():
    story = table(hero("zombie", kind="summon", owner="ana", stats=None))
    assert story.when(Kill(character="zombie", text="banished")).told(SummonDestroyed)


# Saves.


@pytest.mark.rule("LB-8.1.1", "LB-8.1.2")
@pytest.mark.parametrize(
    ("constitution", "face", "total", "outcome"),
    [
        (13, 9, 10, "success"),
        (13, 8, 9, "failure"),
        (8, 11, 9, "failure"),
        (8, 12, 10, "success"),
        (10, 10, 10, "success"),
    ],
)
def test_a_save_rests_on_constitution(constitution, face, total, outcome):
    told = save(fallen(stats=stats(constitution=constitution)), face).only(DeathSaveRolled)
    assert (told.total, told.outcome, told.needed) == (total, outcome, 10)


@pytest.mark.rule("LB-8.1.2", "LB-A55")
def test_no_face_of_a_save_is_special():
    weak, strong = fallen(stats=stats(constitution=1)), fallen(stats=stats(constitution=30))
    assert save(strong, 1).only(DeathSaveRolled).outcome == "success"
    assert (save(weak, 20).only(DeathSaveRolled).total, weak.only(DeathSaveRolled).successes) == (11, 1)


@pytest.mark.rule("LB-8.1.1", "LB-2.1.4", "LB-0.3")
def test_a_luck_die_goes_with_a_save_and_is_spent_before():
    story = fallen(luck_dice=1, stats=stats(constitution=13))
    save(story, 6, 3, luck=True).then(
        LuckDieSpent("ayla", 0, "command", "LB-2.1.2"),
        DeathSaveRolled(
            "ayla",
            6,
            (Modifier("constitution", 1, "LB-1.4"), Modifier("luck_die", 3, "LB-2.1.1")),
            10,
            10,
            "success",
            1,
            0,
            "LB-8.1.2",
        ),
    )
    story.when(TURN).when(RollDeathSave(character="ayla", use_luck_die=True), by="ana").then_refused("NO_LUCK_DIE")


@pytest.mark.rule("LB-8.1.1")
def test_one_save_a_turn_and_only_while_down():
    story = two().when(RollDeathSave(character="ayla"), by="ana").then_refused("NOT_DOWN", "LB-8.1.1")
    story.when(FALL).when(RollDeathSave(character="ayla"), by="ana").then_refused("SAVE_ALREADY_ROLLED", "LB-8.1.1")
    story.when(TURN).when(RollDeathSave(character="ayla"), 10, by="ana")
    story.when(RollDeathSave(character="ayla"), by="ana").then_refused("SAVE_ALREADY_ROLLED", "LB-8.1.1")
    story.when(RollDeathSave(character="ayla"), by="bo").then_refused("NOT_OWNER")
    save(story.when(TURN), 10)
    story.when(RollDeathSave(character="ayla", override=Override("mercy")), 10)
    assert story.told(RefusalOverridden)[0].code == "SAVE_ALREADY_ROLLED"
    assert story.told(CharacterRecovered)


@pytest.mark.rule("LB-8.1.4", "LB-A60")
@pytest.mark.parametrize(("most", "hp"), [(85, 8), (100, 10), (9, 1), (10, 1), (1, 1), (1_000, 100)])
def test_three_successes_get_up_with_a_tenth_and_at_least_1(most, hp):
    story = two(hp_max=most).when(hit(most))
    for _ in range(3):
        save(story, 10)
    assert story.only(CharacterRecovered).hp == hp
    one = now(story)
    assert (one.hp, one.life, one.successes, one.failures, one.fallen) == (hp, "standing", 0, 0, True)


@pytest.mark.rule("LB-8.1.7", "LB-A54")
def test_three_failures_kill_and_at_most_five_saves_are_needed():
    story = fallen()
    for face in (9, 10, 1, 20, 9):
        save(story, face)
    assert story.only(CharacterDied).cause == "three_failures"
    assert story.only(DeathSaveRolled).failures == 3
    story.when(RollDeathSave(character="ayla"), by="ana").then_refused("CHARACTER_DEAD")


# Damage while down.


@pytest.mark.rule("LB-8.1.3", "LB-X37", "LB-A56")
def test_several_wounds_of_one_turn_are_one_failure():
    story = (
        fallen()
        .when(hit(5))
        .then(
            DamageTaken("ayla", 5, 5, 0, 0, 5, 0, 0, 0, 0, "a blow", "damage", (), "LB-16.2.5"),
            DeathSaveFailedByDamage("ayla", "a blow", 1, "LB-8.1.3"),
        )
    )
    assert not story.when(hit(5, channel="hit_points")).told(DeathSaveFailedByDamage)
    story.when(TURN).when(hit(5)).when(RollDeathSave(character="ayla"), 10, by="ana")
    assert not story.when(hit(5)).told(DeathSaveFailedByDamage)
    story.when(TURN).then(TurnStarted("ayla", 0, "legends.turn", "LB-8.1.3"))
    assert story.when(hit(5)).only(CharacterDied).cause == "three_failures"


@pytest.mark.rule("LB-8.1.3")
def test_the_blow_that_puts_down_is_no_failure():
    assert now(fallen()).failures == 0


@pytest.mark.rule("LB-A115")
def test_a_loss_of_0_is_no_damage():
    nothing = hit(1, modifiers=(DamageModifier("wall", "reduction", 100),))
    assert not fallen().when(nothing).told(DeathSaveFailedByDamage)


@pytest.mark.rule("LB-A56", "LB-C16")
def test_a_campaign_may_count_every_wound():
    story = table(hero(), settings={"rulings.LB-A56": "a"}).when(FALL).when(hit(5)).when(hit(5))
    assert story.only(DeathSaveFailedByDamage).failures == 2
    table(hero(), settings={"rulings.LB-A56": "z"}).when(FALL).when(hit(5)).then_refused(
        "CAMPAIGN_DATA_MISSING", key="rulings.LB-A56"
    )


@pytest.mark.rule("LB-8.1.7", "LB-X38")
def test_the_third_failure_may_come_by_damage():
    story = fallen()
    save(story, 1)
    save(story, 1).when(hit(1))
    assert [type(fact) for fact in story.facts] == [DamageTaken, DeathSaveFailedByDamage, CharacterDied]
    assert now(story).dead


@pytest.mark.rule("LB-S14")
def test_s14_wounds_then_save_of_one_turn():
    story = fallen(stats=stats(constitution=10)).when(TURN).when(hit(10, channel="hit_points"))
    story.when(hit(5, channel="hit_points"))
    assert save(story, 7).only(DeathSaveRolled).failures == 2
    assert not story.when(hit(30)).told(DeathSaveFailedByDamage)
    story.when(TURN).when(hit(5, channel="hit_points"))
    assert story.only(CharacterDied).cause == "three_failures"


@pytest.mark.rule("LB-A61")
def test_outside_of_combat_a_save_is_due_each_minute():
    story = fallen().when(AdvanceClock(seconds=59))
    assert not story.told(TurnStarted)
    story.when(AdvanceClock(seconds=1))
    assert story.told(TurnStarted) == [TurnStarted("ayla", 60, "legends.minute", "LB-A61")]
    assert not story.when(AdvanceClock(seconds=59)).told(TurnStarted)
    story.when(RollDeathSave(character="ayla"), 10, by="ana")
    story.when(AdvanceClock(minutes=1))
    assert story.only(TurnStarted) == TurnStarted("ayla", 120, "legends.minute", "LB-A61")
    story.when(AdvanceClock(minutes=10))
    assert story.only(TurnStarted) == TurnStarted("ayla", 720, "legends.minute", "LB-A61", saves=4)


@pytest.mark.rule("LB-A61", "LB-8.1.1")
def test_each_of_several_minutes_has_its_save():
    story = fallen().when(AdvanceClock(minutes=3))
    for face in (10, 10, 10):
        story.when(RollDeathSave(character="ayla"), face, by="ana")
    assert story.only(CharacterRecovered).cause == "three_successes"


# What cannot be done meanwhile.


@pytest.mark.rule("LB-8.0.1", "LB-8.2.1")
def test_who_is_down_or_dead_handles_nothing_and_who_is_dead_says_nothing():
    story = fallen().when(Grant(character="ayla", reason="found", coins=5))
    give = Give(giver="ayla", taker="bonk", coins=1)
    story.when(give, by="ana").then_refused("CHARACTER_DOWN", character="Ayla")
    assert story.when(Say(text="help", character="ayla"), by="ana").told(Said)
    story.when(Kill(character="ayla", text="lava"))
    for command in (give, Say(text="boo", character="ayla"), RollDice(expression="1d6", character="ayla")):
        story.when(command, by="ana").then_refused("CHARACTER_DEAD", character="Ayla")
    story.when(Give(giver="ayla", taker="bonk", coins=5, override=Override("the friends take it")))
    assert (purse(story), purse(story, "bonk")) == (0, 5)
    assert story.when(RetireCharacter(character="ayla"), by="ana").told(CharacterRetired)


@pytest.mark.rule("LB-8.2.2")
def test_a_new_character_after_a_death_takes_the_game_masters_leave():
    story = fallen().when(Kill(character="ayla", text="lava"))
    new = CreateCharacter(name="Aylin", sheet=Sheet(stats=stats(), hp_max=100))
    story.when(new, by="bo")
    assert story.told(CharacterCreated)
    story.when(new, by="ana").then_refused("GM_PERMISSION_REQUIRED", "LB-8.2.2")
    story.when(ChangeSettings(settings={"players_create_characters": True})).when(new, by="ana")
    assert story.told(CharacterCreated)[0].owner == "ana"


# Getting up.


@pytest.mark.rule("LB-S13", "LB-8.1.5", "LB-8.1.6")
def test_s13_down_saved_raised_and_the_second_fall():
    story = table(
        hero(hp_max=85, hp=6, stats=stats(constitution=13, intelligence=13), classes=(MAGICIAN,), mana=40),
        hero("bonk", owner="bo"),
    )
    assert story.when(hit(20)).told(CharacterDowned)
    story.when(TURN).when(hit(5))
    assert story.only(DeathSaveFailedByDamage).failures == 1
    assert save(story, 9).only(DeathSaveRolled).successes == 1
    story.when(TURN).when(hit(5))
    assert save(story, 15).only(DeathSaveRolled).successes == 2
    assert now(story).failures == 2
    story.when(RaiseFallen(character="bonk", target="ayla"), by="bo").then(
        CharacterRecovered(
            "ayla", 8, "raised", (Step("hp", "floor(85 × 10 / 100)", 8, "LB-8.1.4"),), "LB-8.1.6", rescuer="bonk"
        )
    )
    one = now(story)
    assert (one.hp, one.mana, one.successes, one.failures, one.fallen) == (8, 40, 0, 0, True)
    assert story.when(hit(8)).only(CharacterDied).cause == "second_fall"


@pytest.mark.rule("LB-8.1.6", "LB-5.4.7")
def test_who_raises_whom():
    story = fallen()
    lift = RaiseFallen(character="bonk", target="ayla")
    story.when(RaiseFallen(character="ayla", target="ayla"), by="ana").then_refused("CHARACTER_DOWN")
    story.when(RaiseFallen(character="bonk", target="bonk"), by="bo").then_refused("TARGET_NOT_TEAMMATE", "LB-5.4.7")
    assert story.when(lift, by="bo").told(CharacterRecovered)
    story.when(lift, by="bo").then_refused("TARGET_NOT_ON_GROUND", "LB-5.4.7")
    story.when(Kill(character="ayla", text="lava")).when(lift, by="bo").then_refused("CHARACTER_DEAD")


@pytest.mark.rule("LB-8.1.9", "LB-X70")
def test_healing_raises_with_what_was_healed():
    story = fallen()
    save(story, 1)
    save(story, 1).when(heal(12)).then(
        HitPointsHealed("ayla", 12, 12, 0, 12, "a prayer", (), "LB-8.1.9"),
        CharacterRecovered("ayla", 12, "healed", (), "LB-8.1.9"),
    )
    one = now(story)
    assert (one.hp, one.failures, one.fallen, one.life) == (12, 0, True, "standing")


@pytest.mark.rule("LB-8.1.9", "LB-A58")
def test_healing_the_fallen_gives_at_most_the_maximum_and_at_least_1():
    assert fallen().when(heal(200)).only(CharacterRecovered).hp == 85
    story = fallen(hp_max=15).when(Heal(character="ayla", percent=5, cause="pancreas"))
    assert story.only(CharacterRecovered).hp == now(story).hp == 1
    assert [step.result for step in story.only(HitPointsHealed).steps] == [0, 1]


@pytest.mark.rule("LB-8.1.9", "LB-C18")
def test_a_table_may_refuse_that_healing_raises():
    story = table(hero(), settings={"healing_the_downed": "refused"}).when(FALL)
    story.when(heal(12)).then_refused("TARGET_IS_DOWN", "LB-8.1.9")
    story.when(Heal(character="ayla", amount=12, cause="x", override=Override("just once")))
    assert story.only(CharacterRecovered).hp == 12


@pytest.mark.rule("LB-A100", "LB-8.1.9")
def test_a_level_does_not_raise_the_fallen():
    story = fallen().when(AwardLevels(character="ayla", reason="a last stand"))
    assert (now(story).hp, now(story).hp_max, now(story).life) == (0, 89, "down")


# Death and beyond.


@pytest.mark.rule("LB-8.1.8")
def test_the_game_master_may_kill_on_the_spot():
    two().when(Kill(character="ayla", text="lava"), by="ana").then_refused("NOT_GM")
    two().when(Kill(character="ayla", text="lava")).then(CharacterDied("ayla", "instant", "LB-8.1.8", text="lava"))


@pytest.mark.rule("LB-0.9")
def test_who_died_half_way_up_can_still_be_corrected():
    story = save(fallen(), 10).when(Kill(character="ayla", text="lava"))
    assert story.when(Correct(character="ayla", field="xp", value=5, reason="a slip")).told(NumberCorrected)


@pytest.mark.rule("LB-8.2.1", "LB-X70")
def test_the_dead_are_neither_healed_nor_played():
    story = two().when(Kill(character="ayla", text="lava"))
    for command in (heal(5), TURN, TakeShortRest(characters=("ayla",)), GrantLuckDice(character="ayla", reason="x")):
        story.when(command).then_refused("CHARACTER_DEAD")


@pytest.mark.rule("LB-8.2.1")
def test_the_game_master_brings_back_or_erases():
    story = two().when(Revive(character="ayla", reason="a quest")).then_refused("NOT_DEAD")
    story.when(FALL).when(Kill(character="ayla", text="lava"))
    for hp in (0, 86):
        refused = story.when(Revive(character="ayla", reason="a quest", hp=hp))
        refused.then_refused("INVALID_AMOUNT", amount=hp, least=1, most=85)
    for hp in (1, 85):
        assert now(story.when(Revive(character="ayla", reason="a quest", hp=hp))).hp == hp
        story.when(Kill(character="ayla", text="lava"))
    story.when(Revive(character="ayla", reason="a quest"))
    assert story.only(CharacterRevived).hp == now(story).hp == 8
    assert now(story).fallen
    story.when(Kill(character="ayla", text="again")).when(Erase(character="ayla")).then(
        CharacterErased("ayla", "LB-8.2.1"), CharacterRetired("ayla", reason="legends.erased")
    )
    story.when(Revive(character="ayla", reason="regret", override=Override("x"))).then_refused("CHARACTER_RETIRED")


@pytest.mark.rule("LB-8.1.6")
def test_a_hidden_rescuer_is_not_named_to_those_who_see_the_rescued():
    story = fallen().when(HideCharacter(character="bonk")).when(RaiseFallen(character="bonk", target="ayla"), by="bo")
    assert story.only(CharacterRecovered).rescuer is None
    assert story.audiences == [TABLE]
