import pytest

from domain.campaign.belongings import Grant
from domain.campaign.corrections import Correct
from domain.legends.dying import Kill, TakeDamage
from domain.legends.levels import COSTS, ROWS, AssignStatPoint, AwardExperience, AwardLevels
from domain.legends.stats import modifier
from domain.legends.wheel import SpinWheel
from events.envelope import Roll
from events.legends import (
    ClassGainUnlocked,
    ExperienceAwarded,
    LevelGained,
    ManaMaximumSet,
    StatIncreased,
    StatPointRolled,
    Step,
)
from events.table import NumberCorrected
from tests.domain.legends.stage import CLERIC, DRUID, MAGICIAN, ROGUE, SHAMAN, WARRIOR, hero, now, purse, stats, table
from tests.support.story import Story


def xp(amount: int, who: str = "ayla") -> AwardExperience:
    return AwardExperience(character=who, amount=amount, reason="a quest")


def levels(count: int = 1, who: str = "ayla") -> AwardLevels:
    return AwardLevels(character=who, count=count, reason="a feat")


def point(first: str = "strength", second: str = "intelligence", **more: object) -> AssignStatPoint:
    return AssignStatPoint(**{"character": "ayla", "first": first, "second": second, **more})


@pytest.mark.rule("LB-S24", "LB-15.0.4", "LB-15.0.5", "LB-15.0.6", "LB-A107")
def test_s24_levels_of_a_double_class():
    story = table(hero(stats=stats(wisdom=13), classes=(DRUID, SHAMAN)))
    story.when(Grant(character="ayla", reason="pay", coins=100)).when(xp(300))
    first, second = story.told(LevelGained)
    assert (first.hp_max, first.mana_max, second.hp_max, second.mana_max) == (105, 92, 110, 94)
    one = now(story)
    assert (one.level, one.xp, one.hp, one.mana) == (2, 30, 110, 94)
    assert [(gain.class_id, gain.gain, gain.level) for gain in story.told(ClassGainUnlocked)] == [
        ("druid", "spell", 2),
        ("shaman", "skill", 2),
    ]
    assert (one.spins_owed, one.stat_points_owed) == (1, 1)
    story.when(SpinWheel(character="ayla"), 30, by="ana")
    assert purse(story) == 1_300
    story.when(point("wisdom", "strength"), 1, by="ana")
    assert (now(story).stats.wisdom, now(story).mana_max, now(story).mana) == (14, 99, 99)
    story.when(SpinWheel(character="ayla"), by="ana").then_refused("NO_SPIN_OWED", "LB-15.0.5")


@pytest.mark.rule("LB-15.0.1", "LB-15.0.2")
@pytest.mark.parametrize(("amount", "level", "left"), [(119, 0, 119), (120, 1, 0), (300, 2, 30), (22_370, 20, 0)])
def test_experience_buys_levels_and_the_surplus_is_kept(amount, level, left):
    story = table(hero()).when(xp(amount))
    assert (now(story).level, now(story).xp) == (level, left)
    assert story.only(ExperienceAwarded).xp == amount


@pytest.mark.rule("LB-15.0.2", "LB-A86")
def test_the_printed_table():
    assert [row.level for row in ROWS] == list(range(1, 21))
    assert sum(COSTS.values()) == 22_370


@pytest.mark.rule("LB-A86", "LB-C16")
def test_a_campaign_may_read_the_table_as_totals():
    story = table(hero(), settings={"rulings.LB-A86": "b"}).when(xp(150))
    assert (now(story).level, now(story).xp) == (2, 0)
    assert [(fact.xp_cost, fact.rule) for fact in story.told(LevelGained)] == [(120, "LB-15.0.5"), (30, "LB-15.0.6")]


@pytest.mark.rule("LB-15.0.1")
def test_a_level_given_keeps_the_experience():
    story = table(hero(level=4)).when(xp(30)).when(levels())
    assert (now(story).level, now(story).xp, story.only(LevelGained).xp_cost) == (5, 30, 0)


@pytest.mark.rule("LB-15.0.1", "LB-0.8")
@pytest.mark.parametrize("amount", [0, -1])
def test_awards_are_positive_and_the_game_masters(amount):
    story = table(hero())
    story.when(xp(amount)).then_refused("INVALID_AMOUNT", "LB-15.0.1", amount=amount)
    story.when(levels(amount)).then_refused("INVALID_AMOUNT", "LB-15.0.1")
    story.when(xp(5), by="ana").then_refused("NOT_GM")
    story.when(levels(), by="ana").then_refused("NOT_GM")


@pytest.mark.rule("LB-A106", "LB-C12")
def test_level_20_is_the_last_unless_the_campaigns_table_goes_on():
    story = table(hero(level=19)).when(xp(4_000))
    assert (now(story).level, now(story).xp) == (20, 150)
    story.when(xp(1)).then_refused("MAX_LEVEL", "LB-A106", most=20)
    story.when(levels()).then_refused("MAX_LEVEL")
    table(hero(level=19)).when(levels(2)).then_refused("MAX_LEVEL")
    longer = {"xp.max_level": 21, "xp.table.21": 4_600}
    assert now(table(hero(level=20), settings=longer).when(xp(4_600))).level == 21
    table(hero(level=20), settings={"xp.max_level": 21}).when(xp(1)).then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-C12", key="xp.table.21"
    )


@pytest.mark.rule("LB-15.0.3", "LB-A87", "LB-X45")
@pytest.mark.parametrize(("start", "row"), [(85, [89, 93, 97]), (100, [105, 110, 115])])
def test_five_percent_compound_and_floor_at_each_level(start, row):
    story = table(hero(hp_max=start)).when(levels(3))
    assert [fact.hp_max for fact in story.told(LevelGained)] == row
    assert story.told(LevelGained)[0].steps == (Step("hp_max", f"floor({start} × 105 / 100)", row[0], "LB-15.0.3"),)


@pytest.mark.rule("LB-A100", "LB-X44")
@pytest.mark.parametrize(("hp", "after"), [(40, 45), (1, 6), (100, 105)])
def test_what_one_has_rises_by_the_gain(hp, after):
    assert now(table(hero(hp=hp)).when(levels())).hp == after


@pytest.mark.rule("LB-A100", "LB-C16")
def test_a_campaign_may_raise_the_maximum_only():
    story = table(hero(hp=40, classes=(MAGICIAN,), mana=3), settings={"rulings.LB-A100": "a"}).when(levels())
    assert (now(story).hp, now(story).hp_max, now(story).mana, now(story).mana_max) == (40, 105, 3, 78)


@pytest.mark.rule("LB-15.0.3", "LB-15.0.4", "LB-A88", "LB-X46")
@pytest.mark.parametrize(
    ("classes", "start", "after"),
    [
        ((MAGICIAN,), 110, 115),
        ((MAGICIAN, ROGUE), 110, 112),
        ((MAGICIAN, CLERIC), 110, 115),
        ((MAGICIAN, CLERIC), 90, 94),
        ((MAGICIAN, ROGUE), 90, 92),
        ((WARRIOR, ROGUE), 0, 0),
    ],
)
def test_mana_of_single_and_double_classes(classes, start, after):
    six = stats(intelligence=10 + (start - 75) // 5, wisdom=10 + (start - 75) // 5) if start else stats()
    story = table(hero(stats=six, classes=classes))
    assert now(story).mana_max == start
    assert now(story.when(levels())).mana_max == after


@pytest.mark.rule("LB-15.0.5", "LB-15.0.6")
def test_odd_levels_owe_a_spin_and_even_ones_a_point():
    one = now(table(hero()).when(levels(3)))
    assert (one.spins_owed, one.stat_points_owed) == (2, 1)


@pytest.mark.rule("LB-15.0.6")
@pytest.mark.parametrize(("face", "stat"), [(1, "strength"), (2, "intelligence")])
def test_a_coin_chooses_between_the_two_statistics_named(face, stat):
    story = table(hero(classes=(WARRIOR,))).when(levels(2)).when(point(), face, by="ana")
    assert story.facts[0] == StatPointRolled(
        "ayla", "strength", "intelligence", face, stat, 0, "LB-15.0.6", rolls=story.facts[0].rolls
    )
    assert story.facts[0].rolls == (Roll("stat point", 2, (face,), (face,), "declared"),)
    told = story.only(StatIncreased)
    assert (told.stat, told.before, told.after) == (stat, 10, 11)
    assert getattr(now(story).stats, stat) == 11


@pytest.mark.rule("LB-15.0.6", "LB-2.1.4", "LB-0.6")
def test_what_a_point_of_statistic_needs():
    story = table(hero(luck_dice=1)).when(point(), by="ana").then_refused("NO_STAT_POINT_OWED", "LB-15.0.6")
    story.when(levels(2))
    story.when(point("strength", "strength"), by="ana").then_refused("TWO_DISTINCT_STATS_REQUIRED", "LB-15.0.6")
    story.when(point("strength", "speed"), by="ana").then_refused("UNKNOWN_STAT", "LB-15.0.6", stat="speed")
    story.when(point(use_luck_die=True), by="ana").then_refused("LUCK_DIE_NOT_ALLOWED", reason="coin")
    story.when(point(), by="bo").then_refused("NOT_OWNER")
    assert now(story).stat_points_owed == 1


@pytest.mark.rule("LB-A107", "LB-X47", "LB-S15")
def test_s15_a_point_of_the_mana_statistic_is_worth_5():
    story = table(hero(stats=stats(intelligence=13), classes=(MAGICIAN,), level=1)).when(levels())
    before = now(story).mana_max
    story.when(point(), 2, by="ana")
    assert story.only(ManaMaximumSet).mana_max == before + 5
    story = table(hero(stats=stats(intelligence=13), classes=(MAGICIAN,))).when(levels(2))
    assert not story.when(point("charisma", "strength"), 1, by="ana").told(ManaMaximumSet)


@pytest.mark.rule("LB-A64", "LB-A107")
def test_of_two_mana_statistics_only_the_floored_average_counts():
    six = stats(wisdom=13, intelligence=12)
    story = table(hero(stats=six, classes=(CLERIC, MAGICIAN))).when(levels(4))
    story.when(point("intelligence", "strength"), 1, by="ana")
    assert story.only(ManaMaximumSet).steps[0].reckoning.endswith("(13 − 12)")
    assert not story.when(point("intelligence", "strength"), 1, by="ana").told(ManaMaximumSet)


@pytest.mark.rule("LB-X48", "LB-3.1", "LB-X73", "LB-A63")
def test_what_a_point_changes_besides():
    story = table(hero(stats=stats(strength=14, dexterity=12, constitution=12))).when(levels(6))
    story.when(point("strength", "dexterity"), 1, by="ana")
    assert [step.name for step in story.only(StatIncreased).steps] == []
    story.when(point("dexterity", "strength"), 1, by="ana")
    assert [(step.name, step.result) for step in story.only(StatIncreased).steps] == [
        ("speed", 14),
        ("movement", 7),
    ]
    hp = now(story).hp_max
    story.when(point("constitution", "strength"), 1, by="ana")
    assert now(story).hp_max == hp
    assert modifier(now(story).stats.constitution) == 1


@pytest.mark.rule("LB-15.2.0", "LB-15.2.1", "LB-15.2.2", "LB-15.2.3", "LB-15.2.4", "LB-A90")
@pytest.mark.parametrize(
    ("classes", "level", "gains"),
    [
        ((MAGICIAN,), 8, {"spell": 4}),
        ((MAGICIAN,), 20, {"spell": 10}),
        ((ROGUE,), 6, {"action": 2}),
        ((ROGUE,), 20, {"action": 5}),
        ((SHAMAN,), 20, {"skill": 6, "resource": 6}),
        ((DRUID, SHAMAN), 8, {"spell": 2, "skill": 2, "resource": 1}),
        ((DRUID, SHAMAN), 20, {"spell": 5, "skill": 3, "resource": 3}),
        ((ROGUE, WARRIOR), 20, {"action": 6}),
        ((), 20, {}),
    ],
)
def test_class_gains(classes, level, gains):
    assert now(table(hero(classes=classes)).when(levels(level))).gains == gains


@pytest.mark.rule("LB-15.2.4", "LB-A90", "LB-4.1.8")
def test_a_resource_gained_is_one_more_at_most():
    story = table(hero(classes=(SHAMAN,), resources={"offering": 4})).when(levels(3))
    assert story.told(ClassGainUnlocked)[-1].resource_max == 5
    assert (now(story).resources, now(story).resource_max) == ({"offering": 4}, {"offering": 5})


# Catching up.


def troop(newcomer: int = 0, others: tuple[int, ...] = (6, 5, 5), multiplier: int | None = 2) -> Story:
    cast = [hero("ayla", level=newcomer), *(hero(f"h{n}", owner="bo", level=at) for n, at in enumerate(others))]
    return table(*cast, settings={} if multiplier is None else {"xp.catch_up_multiplier": multiplier})


@pytest.mark.rule("LB-8.2.3", "LB-A62", "LB-8.2.2")
def test_a_newcomer_catches_up_with_the_troop():
    told = troop().when(xp(120)).only(ExperienceAwarded)
    assert (told.base, told.multiplier, told.amount) == (120, 2, 240)
    assert told.steps[0] == Step("average_level", "floor(16 / 3)", 5, "LB-A62")
    story = troop().when(xp(120))
    assert (now(story).level, now(story).xp) == (1, 120)


@pytest.mark.rule("LB-8.2.3")
@pytest.mark.parametrize(("level", "multiplier"), [(4, 2), (5, 1), (6, 1)])
def test_nobody_is_hurried_beyond_the_average(level, multiplier):
    assert troop(level).when(xp(1)).only(ExperienceAwarded).multiplier == multiplier


@pytest.mark.rule("LB-8.2.3", "LB-A62")
def test_the_dead_and_the_beasts_are_no_part_of_the_average():
    story = troop(0, (6,)).when(Kill(character="h0", text="lava"))
    assert story.when(xp(1)).only(ExperienceAwarded).multiplier == 1
    beasts = table(hero(), hero("wolf", kind="animal", level=9, stats=None))
    assert beasts.when(xp(1)).only(ExperienceAwarded).multiplier == 1
    assert beasts.when(xp(1, "wolf")).only(ExperienceAwarded).multiplier == 1


@pytest.mark.rule("LB-8.2.3", "LB-C12")
def test_the_campaign_says_how_fast():
    troop(multiplier=None).when(xp(1)).then_refused("CAMPAIGN_DATA_MISSING", "LB-8.2.3", key="xp.catch_up_multiplier")
    assert troop(5, multiplier=None).when(xp(1)).only(ExperienceAwarded).multiplier == 1
    assert troop(multiplier=1).when(xp(1)).only(ExperienceAwarded).amount == 1


@pytest.mark.rule("LB-8.2.1", "LB-15.0.1")
def test_the_dead_learn_nothing():
    story = table(hero()).when(TakeDamage(character="ayla", amount=200, cause="x")).when(xp(120))
    assert now(story).level == 1
    story.when(Kill(character="ayla", text="lava")).when(xp(120)).then_refused("CHARACTER_DEAD")
    story.when(point(), by="ana").then_refused("CHARACTER_DEAD")


@pytest.mark.rule("LB-A107", "LB-9.1.1", "LB-0.9")
def test_a_corrected_statistic_moves_the_mana_that_rests_on_it():
    story = table(hero(stats=stats(intelligence=13), classes=(MAGICIAN,), mana=40))
    story.when(Correct(character="ayla", field="stats.intelligence", value=11, reason="an error"))
    assert [type(fact) for fact in story.facts] == [NumberCorrected, ManaMaximumSet]
    assert (now(story).mana, now(story).mana_max) == (30, 80)
    assert not story.when(Correct(character="ayla", field="stats.charisma", value=9, reason="x")).told(ManaMaximumSet)
