import pytest

from domain.campaign.cast import HideCharacter
from domain.kernel.command import Override
from domain.legends.checks import CallCheck, RollCheck, WithdrawCheck
from domain.legends.dying import TakeDamage
from domain.legends.luck import AddLuckDie, GrantLuckDice, SetStandingOrders
from events.envelope import Roll
from events.legends import (
    CheckCalled,
    CheckRolled,
    CheckWithdrawn,
    LuckDiceGranted,
    LuckDieSpent,
    Modifier,
    StandingOrdersSet,
    StatChecked,
)
from tests.domain.legends.stage import MAGICIAN, ROGUE, SheetClass, hero, now, stats, table
from tests.support.story import Story


def roll(**more: object) -> RollCheck:
    return RollCheck(**{"character": "ayla", "basis": "charisma", **more})


def call(story: Story, **more: object) -> str:
    called = {"character": "ayla", "basis": "charisma", "dc": 18, **more}
    return str(story.when(CallCheck(**called)).only(CheckCalled).check)


def speaker(**sheet: object) -> Story:
    return table(hero(**{"stats": stats(charisma=13, strength=14), **sheet}), hero("bonk", owner="bo"))


@pytest.mark.rule("LB-1.3", "LB-1.3.1")
@pytest.mark.parametrize(
    ("charisma", "dc", "face", "total", "outcome"),
    [(13, 18, 16, 17, "failure"), (13, 18, 17, 18, "success"), (9, 8, 9, 8, "success"), (9, 8, 8, 7, "failure")],
)
def test_a_die_check_reaches_the_difficulty_or_not(charisma, dc, face, total, outcome):
    told = table(hero(stats=stats(charisma=charisma))).when(roll(dc=dc), face).only(CheckRolled)
    assert (told.total, told.outcome, told.margin) == (total, outcome, total - dc)
    assert told.rolls == (Roll("check", 20, (face,), (face,), "declared"),)


@pytest.mark.rule("LB-1.3", "LB-1.1")
def test_a_check_called_for_is_rolled_once_by_whoever_plays_the_character():
    story = speaker()
    asked = call(story, reason="the king")
    story.when(roll(check=asked), by="bo").then_refused("NOT_OWNER")
    story.when(roll(character="bonk", check=asked), by="bo").then_refused("CHECK_OF_ANOTHER", character="Ayla")
    story.when(roll(check=asked), 17, by="ana").then(
        CheckRolled(
            "ayla",
            "charisma",
            13,
            18,
            17,
            (Modifier("charisma", 1, "LB-1.4"),),
            18,
            0,
            "success",
            (),
            (),
            "LB-1.3",
            check=asked,
        )
    )
    story.when(roll(check=asked), by="ana").then_refused("UNKNOWN_CHECK")
    assert not [place for place in story.state if place.startswith("legends.check/")]


@pytest.mark.rule("LB-1.3")
def test_the_game_master_withdraws_a_check():
    story = speaker()
    asked = call(story)
    story.when(WithdrawCheck(check=asked), by="ana").then_refused("NOT_GM")
    story.when(WithdrawCheck(check=asked)).then(CheckWithdrawn("ayla", asked))
    story.when(roll(check=asked), by="ana").then_refused("UNKNOWN_CHECK")


@pytest.mark.rule("LB-0.8", "LB-1.3", "LB-2.2.1", "LB-2.2.2", "LB-4.1.20")
@pytest.mark.parametrize("terms", [{"dc": 5}, {"dc": 5, "advantage": True}, {"gift": "lucky"}, {"disadvantage": True}])
def test_a_player_sets_no_terms(terms):
    speaker().when(roll(**terms), by="ana").then_refused("NOT_GM", "LB-0.8")


@pytest.mark.rule("LB-1.3", "LB-1.3.1")
def test_a_check_without_difficulty_is_refused():
    speaker().when(roll(), by="ana").then_refused("DIFFICULTY_REQUIRED", "LB-1.3")
    speaker().when(roll()).then_refused("DIFFICULTY_REQUIRED")


@pytest.mark.rule("LB-S02", "LB-0.3", "LB-2.1.1", "LB-2.1.2", "LB-2.2.3", "LB-X25")
def test_s02_advantage_and_luck_die():
    story = speaker(luck_dice=1)
    asked = call(story, advantage=True)
    story.when(roll(check=asked, use_luck_die=True), 9, 14, 3, by="ana")
    spent, told = story.facts
    assert spent == LuckDieSpent("ayla", 0, "command", "LB-2.1.2")
    assert isinstance(told, CheckRolled)
    assert (told.kept, told.total, told.outcome, told.advantages) == (14, 18, "success", ("gm",))
    assert told.rolls == (
        Roll("check", 20, (9, 14), (14,), "declared"),
        Roll("luck die", 4, (3,), (3,), "declared"),
    )
    asked = call(story)
    story.when(roll(check=asked, use_luck_die=True), by="ana").then_refused("NO_LUCK_DIE", "LB-2.1.1")


@pytest.mark.rule("LB-2.1.2", "LB-A6")
def test_a_luck_die_is_spent_on_a_failure_too():
    story = table(hero(luck_dice=2)).when(roll(dc=12, use_luck_die=True), 3, 2)
    assert (story.only(CheckRolled).total, story.only(CheckRolled).outcome, now(story).luck_dice) == (5, "failure", 1)


@pytest.mark.rule("LB-2.2.1", "LB-2.2.2", "LB-2.2.3", "LB-A8")
@pytest.mark.parametrize(
    ("terms", "faces", "kept"),
    [
        ({"advantage": True}, (6, 15), 15),
        ({"disadvantage": True}, (6, 15), 6),
        ({"advantage": True, "disadvantage": True}, (11,), 11),
        ({}, (11,), 11),
    ],
)
def test_advantage_and_disadvantage(terms, faces, kept):
    assert speaker().when(roll(dc=10, **terms), *faces).only(CheckRolled).kept == kept


@pytest.mark.rule("LB-0.7", "LB-A4", "LB-X26")
def test_a_natural_20_is_critical_and_nothing_else_is():
    story = speaker(luck_dice=1)
    assert story.when(roll(dc=40), 20).only(CheckRolled).outcome == "critical"
    assert story.when(roll(dc=40), 1).only(CheckRolled).outcome == "failure"
    assert story.when(roll(dc=20, use_luck_die=True), 19, 2).only(CheckRolled).outcome == "success"
    assert story.when(roll(dc=-5), 1).only(CheckRolled).outcome == "success"


@pytest.mark.rule("LB-A4", "LB-C16")
def test_a_campaign_may_rule_otherwise_on_20_and_1():
    plain = table(settings={"rulings.LB-A4": "a"})
    assert plain.when(roll(dc=40), 20).only(CheckRolled).outcome == "failure"
    harsh = table(settings={"rulings.LB-A4": "c"})
    assert harsh.when(roll(dc=-5), 1).only(CheckRolled).outcome == "failure"
    table(settings={"rulings.LB-A4": 3}).when(roll(dc=5)).then_refused("CAMPAIGN_DATA_MISSING")


@pytest.mark.rule("LB-4.1.20", "LB-A15")
def test_a_gift_adds_two():
    story = table(hero(stats=stats(charisma=12)))
    assert story.when(roll(dc=12, gift="silver tongue"), 9).only(CheckRolled).total == 12


@pytest.mark.rule("LB-1.5")
@pytest.mark.parametrize(("basis", "value"), [("perception", 12), ("speed", 13), ("stealth", 13), ("precision", 12)])
def test_a_check_may_rest_on_a_secondary_statistic(basis, value):
    six = stats(strength=15, dexterity=12, wisdom=15, intelligence=10)
    told = table(hero(stats=six, classes=(ROGUE,))).when(roll(basis=basis, dc=10), 10).only(CheckRolled)
    assert (told.value, told.modifiers[0].amount) == (value, 1)


@pytest.mark.rule("LB-1.5", "LB-1.2")
def test_an_unknown_statistic_is_refused_before_any_die():
    speaker().when(roll(basis="luck", dc=5)).then_refused("UNKNOWN_STAT", "LB-1.5", stat="luck")
    speaker().when(CallCheck(character="ayla", basis="movement", dc=5)).then_refused("UNKNOWN_STAT")
    speaker().when(roll(kind="stat", basis="speed", dc=5)).then_refused("UNKNOWN_STAT", "LB-1.2")
    speaker().when(CallCheck(character="ayla", kind="stat", basis="speed", dc=5)).then_refused("UNKNOWN_STAT")


@pytest.mark.rule("LB-3.5", "LB-0.11")
def test_precision_needs_the_specific_statistic_of_the_class():
    story = table(hero(classes=(SheetClass(id="seer", type="ability"),)))
    story.when(roll(basis="precision", dc=5)).then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-3.5", key="classes.seer.specific_stat"
    )
    story = table(
        hero(classes=(SheetClass(id="seer", type="ability"),)), settings={"classes.seer.specific_stat": "wisdom"}
    )
    assert story.when(roll(basis="precision", dc=5), 5).only(CheckRolled).value == 10


@pytest.mark.rule("LB-1.2", "LB-A1", "LB-S01", "LB-X53")
@pytest.mark.parametrize(
    ("strength", "comparison", "passed"), [(14, "gt", False), (15, "gt", True), (14, "ge", True), (13, "ge", False)]
)
def test_s01_more_than_14_or_at_least_14(strength, comparison, passed):
    story = table(hero(stats=stats(strength=strength)))
    asked = call(story, kind="stat", basis="strength", dc=14, comparison=comparison)
    story.when(RollCheck(character="ayla", check=asked), by="ana").then(
        StatChecked("ayla", "strength", strength, 14, comparison, passed, "LB-1.2", check=asked)
    )


@pytest.mark.rule("LB-A1", "LB-C16")
def test_a_campaign_may_read_plus_14_as_at_least_14():
    story = table(hero(stats=stats(strength=14)), settings={"rulings.LB-A1": "a"})
    assert story.when(roll(kind="stat", basis="strength", dc=14)).only(StatChecked).passed


@pytest.mark.rule("LB-1.2", "LB-2.1.4")
def test_no_luck_and_no_advantage_where_no_die_falls():
    story = speaker(luck_dice=1)
    plain = {"kind": "stat", "basis": "strength", "dc": 14}
    story.when(roll(**plain, use_luck_die=True)).then_refused("LUCK_DIE_NOT_ALLOWED", "LB-1.2", reason="stat_check")
    story.when(roll(**plain, advantage=True)).then_refused("ADVANTAGE_NOT_APPLICABLE", "LB-1.2")
    story.when(CallCheck(character="ayla", **plain, disadvantage=True)).then_refused("ADVANTAGE_NOT_APPLICABLE")


@pytest.mark.rule("LB-1.1")
def test_there_are_two_kinds_of_check():
    speaker().when(roll(kind="feeling", dc=5)).then_refused("UNKNOWN_CHECK_KIND", "LB-1.1", kind="feeling")
    speaker().when(CallCheck(character="ayla", kind="", basis="charisma", dc=5)).then_refused("UNKNOWN_CHECK_KIND")


@pytest.mark.rule("LB-0.2", "LB-8.0.1")
def test_authority_then_life_then_the_rest():
    story = speaker().when(TakeDamage(character="ayla", amount=200, cause="a fall"))
    story.when(roll(dc=5), by="ana").then_refused("NOT_GM")
    story.when(roll(), by="ana").then_refused("CHARACTER_DOWN", "LB-8.0.1", character="Ayla")
    story.when(roll(dc=5, override=Override("a whisper")), 5)
    assert story.told(CheckRolled)


@pytest.mark.rule("LB-2.1.3", "LB-0.8")
def test_luck_dice_are_the_game_masters_to_grant():
    story = speaker()
    grant = GrantLuckDice(character="ayla", reason="a fine speech")
    story.when(grant, by="ana").then_refused("NOT_GM")
    story.when(grant).then(LuckDiceGranted("ayla", 1, 1, "a fine speech", "LB-2.1.3"))
    story.when(grant).then(LuckDiceGranted("ayla", 1, 2, "a fine speech", "LB-2.1.3"))
    story.when(GrantLuckDice(character="ayla", reason="x", count=0)).then_refused("INVALID_AMOUNT", amount=0)


@pytest.mark.rule("LB-2.1.2")
def test_a_luck_die_never_comes_after_the_roll():
    speaker(luck_dice=1).when(AddLuckDie(character="ayla"), by="ana").then_refused("TOO_LATE_FOR_LUCK_DIE", "LB-2.1.2")


@pytest.mark.rule("LB-2.3", "LB-0.6", "LB-A48", "LB-A120")
def test_standing_orders_hold_until_changed_down_or_not():
    story = speaker(classes=(MAGICIAN,))
    assert (now(story).coin, now(story).resistance_luck) == ("pile", 0)
    orders = SetStandingOrders(character="ayla", coin="face", resistance_luck=1)
    story.when(orders, by="bo").then_refused("NOT_OWNER")
    story.when(orders, by="ana").then(StandingOrdersSet("ayla", "face", 1, "LB-2.3"))
    story.when(orders, by="ana").then()
    story.when(TakeDamage(character="ayla", amount=200, cause="a fall"))
    story.when(SetStandingOrders(character="ayla", resistance_luck=2), by="ana").then(
        StandingOrdersSet("ayla", "face", 2, "LB-2.3")
    )
    story.when(SetStandingOrders(character="ayla", coin="edge"), by="ana").then_refused(
        "UNKNOWN_COIN_SIDE", "LB-0.6", side="edge"
    )
    story.when(SetStandingOrders(character="ayla", resistance_luck=-1), by="ana").then_refused("INVALID_AMOUNT")


@pytest.mark.rule("LB-1.3", "LB-1.3.1")
def test_a_check_without_difficulty_is_none_and_its_terms_are_set_once():
    story = speaker().when(CallCheck(character="ayla", basis="charisma")).then_refused("DIFFICULTY_REQUIRED", "LB-1.3")
    asked = call(story)
    story.when(roll(check=asked, dc=5, advantage=True), 17).then_refused(
        "TERMS_ALREADY_SET", "LB-1.3.1", fields=["dc", "advantage"]
    )
    assert story.when(roll(check=asked), 17).only(CheckRolled).dc == 18


@pytest.mark.rule("LB-0.2", "LB-2.1.1")
@pytest.mark.parametrize("terms", [{}, {"kind": "x", "dc": 3}, {"basis": "luck", "dc": 3}])
def test_a_missing_luck_die_is_refused_before_the_terms_are_read(terms):
    speaker().when(roll(use_luck_die=True, **terms)).then_refused("NO_LUCK_DIE", "LB-2.1.1")


@pytest.mark.rule("LB-1.3", "LB-0.8")
def test_an_open_check_of_somebody_hidden_is_as_good_as_none():
    story = speaker()
    asked = call(story, character="bonk")
    story.when(HideCharacter(character="bonk"))
    story.when(roll(check=asked), by="ana").then_refused("UNKNOWN_CHECK")
    assert story.refused.params == {}
