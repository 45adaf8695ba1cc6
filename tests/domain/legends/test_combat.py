import pytest

from domain.campaign.cast import HideCharacter
from domain.campaign.game_clock import AdvanceClock
from domain.kernel.command import Override
from domain.legends.combat import (
    Act,
    EndCombat,
    EndTurn,
    JoinCombat,
    LeaveCombat,
    StartCombat,
    order,
)
from domain.legends.dying import Kill, RaiseFallen, RollDeathSave, TakeDamage
from domain.legends.equipping import Equip
from domain.legends.rest import TakeShortRest
from domain.legends.sheet import SheetArmour
from domain.legends.state import Combatant, Fight
from events.envelope import TABLE
from events.legends import (
    ActivityDone,
    CharacterRecovered,
    CombatantLeft,
    CombatEnded,
    CombatStarted,
    GearWorn,
    InitiativeRolled,
    LuckDieSpent,
    ManaRecharged,
    Modifier,
    RoundStarted,
    TurnEnded,
    TurnStarted,
)
from events.table import ClockAdvanced, RefusalOverridden
from tests.domain.legends.stage import MAGICIAN, hero, now, stats, table
from tests.support.story import Story

QUICK = stats(strength=20, dexterity=20)


def arena(settings: dict[str, object] | None = None, **ayla: object) -> Story:
    """Ayla and Bonk against a boar."""
    boar = hero("boar", kind="animal", owner=None, stats=None, hp_max=40)
    return table(hero(**ayla), hero("bonk", owner="bo", hp_max=50), boar, settings=settings)


def start(*faces: int, surprised: tuple[str, ...] = (), story: Story | None = None, **ayla: object) -> Story:
    begun = StartCombat(participants=("ayla", "bonk", "boar"), surprised=surprised)
    return (story or arena(**ayla)).when(begun, *faces)


def end(who: str, **more: object) -> EndTurn:
    return EndTurn(character=who, **more)


def acting(story: Story) -> list[str]:
    return [name for name in ("ayla", "bonk", "boar") if combatant(story, name).acting]


def combatant(story: Story, name: str) -> Combatant:
    leaf = story.state[f"legends.combatant/{name}"]
    assert isinstance(leaf, Combatant)
    return leaf


# The order.


@pytest.mark.rule("LB-5.0.1", "LB-5.0.2", "LB-A16", "LB-C6")
def test_a_fight_begins_with_a_roll_of_everybody_and_the_turn_of_the_first():
    start(5, 12, 9).then(
        CombatStarted("LB-5.0.1"),
        InitiativeRolled("ayla", 5, (Modifier("speed", 0, "LB-1.4"),), 5, 10, 0, False, 1, "LB-5.0.2"),
        InitiativeRolled("bonk", 12, (Modifier("speed", 0, "LB-1.4"),), 12, 10, 1, False, 1, "LB-5.0.2"),
        InitiativeRolled("boar", 9, (Modifier("speed", 0, "LB-1.4"),), 9, 10, 2, False, 1, "LB-5.0.2"),
        RoundStarted(1, "LB-5.0.1"),
        TurnStarted("bonk", 0, "legends.combat", "LB-5.0.1", actions=1, sub_actions=1),
    )


@pytest.mark.rule("LB-5.0.2", "LB-A17")
@pytest.mark.parametrize(
    ("faces", "expected"),
    [
        ((10, 6, 20), ["boar", "ayla", "bonk"]),
        ((6, 11, 11), ["ayla", "bonk", "boar"]),
        ((4, 11, 11), ["bonk", "boar", "ayla"]),
        ((1, 3, 3), ["ayla", "bonk", "boar"]),
    ],
    ids=["by total", "a tie goes to the quicker", "then to the player character", "modifiers count"],
)
def test_who_comes_first(faces, expected):
    assert order(start(*faces, stats=QUICK).state) == expected


@pytest.mark.rule("LB-5.0.2", "LB-2.1.1", "LB-2.1.2")
def test_a_luck_die_helps_to_come_first_and_must_be_there():
    story = arena(luck_dice=1)
    lucky = StartCombat(participants=("ayla", "bonk"), luck=("ayla",))
    story.when(lucky, 5, 4, 8)
    assert story.only(LuckDieSpent).stock == 0
    assert [told.total for told in story.told(InitiativeRolled)] == [9, 8]
    story.when(EndCombat()).when(lucky).then_refused("NO_LUCK_DIE", character="Ayla")


@pytest.mark.rule("LB-5.0.1")
def test_one_fight_at_a_time_and_only_the_game_master_starts_and_ends_it():
    story = start(5, 12, 9)
    story.when(StartCombat(participants=("ayla",))).then_refused("COMBAT_ALREADY_RUNNING", "LB-5.0.1")
    story.when(EndCombat(), by="ana").then_refused("NOT_GM")
    story.when(EndCombat()).then(
        *(CombatantLeft(who, "legends.combat_ended", "LB-5.0.4") for who in ("ayla", "bonk", "boar")),
        CombatEnded(1, "LB-5.0.4"),
    )
    assert not [place for place in story.state if place.startswith(("legends.combatant", "legends.fight/"))]
    assert "legends.fight" not in story.state
    story.when(EndCombat()).then_refused("NOT_IN_COMBAT")
    story.when(end("ayla"), by="ana").then_refused("NOT_IN_COMBAT")


# Turns and rounds.


@pytest.mark.rule("LB-5.0.1", "LB-A19", "LB-0.8")
def test_one_after_the_other_and_a_round_is_a_minute():
    story = start(5, 12, 9)
    story.when(end("bonk"), by="ana").then_refused("NOT_OWNER")
    story.when(end("ayla"), by="ana").then_refused("NOT_YOUR_TURN", "LB-5.0.1", character="Ayla")
    story.when(end("bonk"), by="bo").then(
        TurnEnded("bonk", 1, "", "LB-5.0.1"),
        TurnStarted("boar", 0, "legends.combat", "LB-5.0.1", actions=1, sub_actions=1),
    )
    assert story.when(end("boar")).only(TurnStarted).character == "ayla"
    story.when(end("ayla"), by="ana").then(
        TurnEnded("ayla", 1, "", "LB-5.0.1"),
        ClockAdvanced(60, 60),
        RoundStarted(2, "LB-5.0.1"),
        TurnStarted("bonk", 60, "legends.combat", "LB-5.0.1", actions=1, sub_actions=1),
    )


@pytest.mark.rule("LB-5.0.1")
def test_the_game_master_passes_over_somebody():
    story = start(5, 12, 9)
    story.when(end("bonk", skip=True), by="bo").then_refused("NOT_GM")
    assert story.when(end("bonk", skip=True)).only(TurnEnded).reason == "game_master"
    assert acting(story) == ["boar"]


@pytest.mark.rule("LB-5.0.3", "LB-A18")
def test_the_surprised_skip_their_first_turn_whole_and_only_that():
    story = start(5, 12, 9, surprised=("bonk", "ayla"), stats=stats(intelligence=13), classes=(MAGICIAN,), mana=10)
    assert [told.reason for told in story.told(TurnEnded)] == ["surprise"]
    assert story.only(TurnStarted).character == "boar"
    story.when(end("boar"))
    assert [told.character for told in story.told(TurnEnded)] == ["boar", "ayla"]
    assert story.only(TurnStarted).character == "bonk"
    assert not story.told(ManaRecharged)
    story.when(end("bonk")).when(end("boar"))
    assert story.only(TurnStarted).character == "ayla"
    assert story.only(ManaRecharged).mana == 15


@pytest.mark.rule("LB-A17")
def test_a_latecomer_rolls_and_comes_in_with_the_next_round():
    story = arena().when(StartCombat(participants=("ayla", "boar")), 5, 9)
    story.when(JoinCombat(character="boar")).then_refused("ALREADY_FIGHTING", "LB-A17", character="Boar")
    joined = story.when(JoinCombat(character="bonk"), 20).only(InitiativeRolled)
    assert (joined.total, joined.entry, joined.from_round) == (20, 2, 2)
    assert story.when(end("boar")).only(TurnStarted).character == "ayla"
    assert story.when(end("ayla")).only(TurnStarted).character == "bonk"


@pytest.mark.rule("LB-5.0.4")
def test_whoever_leaves_in_mid_turn_hands_it_on():
    story = start(5, 12, 9)
    story.when(LeaveCombat(character="bonk")).then(
        CombatantLeft("bonk", "legends.left", "LB-5.0.4"),
        TurnStarted("boar", 0, "legends.combat", "LB-5.0.1", actions=1, sub_actions=1),
    )
    story.when(LeaveCombat(character="bonk")).then_refused("NOT_IN_COMBAT")
    story.when(LeaveCombat(character="ayla")).then(CombatantLeft("ayla", "legends.left", "LB-5.0.4"))


@pytest.mark.rule("LB-5.0.1", "LB-8.2.1")
def test_the_dead_have_no_turn():
    story = start(5, 12, 9).when(Kill(character="boar", text="a spear"))
    assert story.when(end("bonk")).only(TurnStarted).character == "ayla"
    story.when(Kill(character="ayla", text="lava")).when(Kill(character="bonk", text="lava"))
    assert story.when(LeaveCombat(character="boar")).told(CombatantLeft)


# What a turn holds.


@pytest.mark.rule("LB-5.1.3", "LB-5.3.3", "LB-5.4.8", "LB-5.1.4")
def test_an_action_and_a_sub_action_in_any_order_and_no_second_one():
    story = start(5, 12, 9)
    climb = Act(character="bonk", text="climbs the wall")
    story.when(Act(character="bonk", text="cries", cost="free"), by="bo").then_refused("NOT_GM", "LB-5.4.8")
    story.when(Act(character="bonk", text="drinks", cost="sub_action")).then(
        ActivityDone("bonk", "sub_action", "legends.act", 1, 0, "LB-5.4.8", text="drinks")
    )
    story.when(climb, by="bo").then(
        ActivityDone("bonk", "action", "legends.act", 0, 0, "LB-5.4.8", text="climbs the wall")
    )
    story.when(climb, by="bo").then_refused("NO_ACTION_LEFT", "LB-5.3.3", character="Bonk", left=0)
    story.when(Act(character="bonk", text="x", cost="sub_action")).then_refused("NO_SUB_ACTION_LEFT", left=0)
    assert story.when(Act(character="bonk", text="cries", cost="free")).told(ActivityDone)
    story.when(Act(character="bonk", text="once more", override=Override("heroism")))
    assert story.told(RefusalOverridden)[0].code == "NO_ACTION_LEFT"


@pytest.mark.rule("LB-C6")
def test_a_campaign_may_give_more_of_a_turn():
    story = start(5, 12, 9, settings={"turn.actions": 2, "turn.sub_actions": 0})
    assert (story.only(TurnStarted).actions, story.only(TurnStarted).sub_actions) == (2, 0)


@pytest.mark.rule("LB-5.4.2", "LB-5.3.1", "LB-0.2")
def test_putting_on_armour_takes_the_action_of_ones_turn():
    story = start(12, 5, 9, armour=(SheetArmour("mail", 47, worn=False),))
    story.when(Equip(character="ayla", item="mail"), by="ana")
    assert [type(fact) for fact in story.facts][:2] == [ActivityDone, GearWorn]
    story.when(Act(character="ayla", text="jumps"), by="ana").then_refused("NO_ACTION_LEFT")
    story.when(Act(character="bonk", text="jumps"), by="bo").then_refused("NOT_YOUR_TURN")


@pytest.mark.rule("LB-5.4.7", "LB-5.4.0")
def test_raising_a_friend_takes_the_action():
    story = start(5, 12, 9).when(TakeDamage(character="ayla", amount=500, cause="x"))
    story.when(RaiseFallen(character="bonk", target="ayla"), by="bo")
    assert [type(fact) for fact in story.facts] == [ActivityDone, CharacterRecovered]
    story.when(TakeDamage(character="ayla", amount=1, cause="x"))
    assert combatant(story, "bonk").actions == 0


# The consequence phase.


@pytest.mark.rule("LB-9.2.1", "LB-5.1.1")
@pytest.mark.parametrize(("mana", "gained"), [(10, 5), (88, 2), (90, 0)])
def test_mana_comes_back_by_5_at_the_beginning_of_ones_turn(mana, gained):
    story = start(12, 5, 9, stats=stats(intelligence=13), classes=(MAGICIAN,), mana=mana)
    assert [(told.amount, told.mana) for told in story.told(ManaRecharged)] == [(gained, mana + gained)] * bool(gained)
    assert now(story).mana == mana + gained


@pytest.mark.rule("LB-9.2.1", "LB-8.1.1", "LB-8.1.5")
def test_the_fallen_have_their_save_in_their_turn_and_no_mana():
    story = start(5, 12, 9, stats=stats(intelligence=13), classes=(MAGICIAN,), mana=10)
    story.when(TakeDamage(character="ayla", amount=500, cause="x"))
    story.when(RollDeathSave(character="ayla"), by="ana").then_refused("SAVE_ALREADY_ROLLED")
    story.when(end("bonk")).when(end("boar"))
    assert not story.told(ManaRecharged)
    story.when(Act(character="ayla", text="crawls"), by="ana").then_refused("CHARACTER_DOWN")
    story.when(RollDeathSave(character="ayla"), 15, by="ana")
    story.when(end("ayla"), by="ana")
    story.when(RollDeathSave(character="ayla"), by="ana").then_refused("SAVE_ALREADY_ROLLED")


@pytest.mark.rule("LB-A61", "LB-A19")
def test_the_minutes_of_a_fight_bring_no_saves_of_their_own():
    story = start(5, 12, 9).when(TakeDamage(character="ayla", amount=500, cause="x"))
    story.when(AdvanceClock(minutes=2))
    assert not story.told(TurnStarted)
    story.when(EndCombat()).when(AdvanceClock(minutes=1))
    assert story.only(TurnStarted).cause == "legends.minute"


# Around it.


@pytest.mark.rule("LB-12.1", "LB-12.2")
def test_nobody_rests_in_a_fight():
    story = start(5, 12, 9)
    story.when(TakeShortRest(characters=("ayla",)), by="ana").then_refused("IN_COMBAT", character="Ayla")


@pytest.mark.rule("LB-5.0.1", "LB-0.8")
def test_a_hidden_creature_fights_without_being_named():
    story = arena().when(HideCharacter(character="boar"))
    story.when(StartCombat(participants=("ayla", "boar")), 5, 12)
    seen = dict(zip([type(fact) for fact in story.facts], story.audiences, strict=True))
    assert seen[CombatStarted] == seen[RoundStarted] == TABLE
    assert [audience for fact, audience in zip(story.facts, story.audiences, strict=True) if "boar" in repr(fact)] == [
        ("gm",)
    ] * 2
    fight = story.state["legends.fight"]
    assert isinstance(fight, Fight)
    assert "boar" not in repr(fight)
