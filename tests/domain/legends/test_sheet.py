import pytest
from msgspec import ValidationError, convert

from domain.campaign.corrections import Correct
from domain.campaign.systems import Sheet as AnySheet
from domain.legends.sheet import Sheet, SheetArmour, SheetTechnique
from events.legends import SheetDrawnUp
from events.table import CharacterCreated, NumberCorrected
from tests.domain.legends.stage import (
    CUIRASS,
    DRUID,
    MAGICIAN,
    PLATE,
    SHAMAN,
    WARRIOR,
    CreateCharacter,
    hero,
    now,
    stats,
    table,
)
from tests.support.story import given, opened


def create(creation: CreateCharacter, by: str = "gm", settings: dict[str, object] | None = None):
    return given(*opened("legends", settings=settings)).when(creation, by=by)


def own(**sheet: object) -> CreateCharacter:
    return CreateCharacter(name="Cy", sheet=Sheet(**{"stats": stats(), "hp_max": 30, **sheet}))


@pytest.mark.rule("LB-4.1.21", "LB-A106", "LB-A82")
def test_a_player_draws_up_a_character_of_level_0_with_full_pools_and_an_empty_stomach():
    story = create(own(classes=(MAGICIAN,)), by="ana")
    told = story.only(SheetDrawnUp)
    assert (told.level, told.hp, told.hp_max, told.mana, told.mana_max, told.satiety) == (0, 30, 30, 75, 75, 0)
    assert story.only(CharacterCreated).character == told.character


@pytest.mark.rule("LB-0.8", "LB-8.2.2", "LB-2.1.3", "LB-8.0.3")
@pytest.mark.parametrize("given_away", [{"level": 1}, {"luck_dice": 1}, {"satiety": 1}, {"important": True}])
def test_levels_luck_satiety_and_importance_are_the_game_masters_to_write(given_away):
    create(own(**given_away), by="ana").then_refused("NOT_GM", "LB-0.8")
    assert create(own(**given_away)).refused is None


@pytest.mark.rule("LB-4.1.21", "LB-1.4")
@pytest.mark.parametrize("strength", [0, -3, 10**30])
def test_a_statistic_out_of_range_is_refused(strength):
    create(own(stats=stats(strength=strength))).then_refused("STAT_OUT_OF_RANGE", "LB-4.1.21", stat="strength")


@pytest.mark.rule("LB-4.1.21", "LB-0.11", "LB-A102")
def test_only_animals_and_summons_go_without_statistics():
    create(hero(stats=None)).then_refused("CAMPAIGN_DATA_MISSING", key="creation.stat_distribution")
    create(hero("bard", stats=None, kind="non_player")).then_refused("CAMPAIGN_DATA_MISSING")
    story = create(hero("wolf", stats=None, kind="animal"))
    assert now(story, "wolf").stats.constitution == 10


@pytest.mark.rule("LB-4.1.4")
def test_a_double_class_takes_two_different_classes():
    create(own(classes=(DRUID, DRUID))).then_refused("DUPLICATE_CLASS", "LB-4.1.4", class_id="druid")
    assert create(own(classes=(DRUID, SHAMAN))).refused is None


@pytest.mark.rule("LB-4.1.3")
def test_a_sub_race_belongs_to_its_race():
    races = {"races.elf": "wood, high"}
    create(own(race="elf", subrace="hill"), settings=races).then_refused("SUBRACE_MISMATCH", "LB-4.1.3")
    create(own(subrace="wood"), settings=races).then_refused("SUBRACE_MISMATCH")
    assert create(own(race="elf", subrace="high"), settings=races).refused is None


@pytest.mark.rule("LB-A63", "LB-0.11")
def test_hit_points_come_from_the_sheet_or_from_the_campaign_and_from_nowhere_else():
    create(own(hp_max=None)).then_refused("CAMPAIGN_DATA_MISSING", "LB-A63", key="characters.base_hp")
    create(own(hp_max=None), settings={"characters.base_hp": "85"}).then_refused("CAMPAIGN_DATA_MISSING")
    story = create(own(hp_max=None, level=3), settings={"characters.base_hp": 85})
    assert [step.result for step in story.only(SheetDrawnUp).steps] == [85, 89, 93, 97]


@pytest.mark.rule("LB-A63", "LB-X73")
def test_constitution_does_not_touch_hit_points():
    assert create(own(stats=stats(constitution=18))).only(SheetDrawnUp).hp_max == 30


@pytest.mark.rule("LB-16.2.2", "LB-16.2.3")
def test_armour_on_the_sheet_is_worth_its_share_of_the_maximum():
    told = create(own(hp_max=85, armour=(CUIRASS, PLATE, SheetArmour("spare", 50, worn=False)))).only(SheetDrawnUp)
    assert told.armour_max == 39 + 19
    assert [(step.name, step.result) for step in told.steps] == [("hp_max", 85), ("cuirass", 39), ("greaves", 19)]


def test_two_pieces_or_techniques_of_one_name_are_refused():
    create(own(armour=(CUIRASS, CUIRASS))).then_refused("GEAR_NAME_TAKEN")
    twice = (SheetTechnique("parry", 3), SheetTechnique("parry", 1))
    create(own(techniques=twice)).then_refused("GEAR_NAME_TAKEN")


@pytest.mark.rule("LB-0.9")
def test_no_pool_begins_above_its_maximum():
    create(own(hp=31)).then_refused("INVALID_AMOUNT", "LB-0.9", most=30)
    create(own(mana=1)).then_refused("INVALID_AMOUNT", most=0)
    create(own(techniques=(SheetTechnique("parry", 3, uses=4),))).then_refused("INVALID_AMOUNT", most=3)
    assert create(own(hp=1)).only(SheetDrawnUp).hp == 1


@pytest.mark.rule("LB-4.1.6", "LB-S03")
def test_no_class_of_mana_no_mana():
    assert create(own(classes=(WARRIOR,))).only(SheetDrawnUp).mana_max == 0


@pytest.mark.rule("LB-4.1.22", "LB-3.1", "LB-3.2", "LB-3.3", "LB-3.4")
@pytest.mark.parametrize("field", ["speed", "movement", "perception", "stealth", "precision", "armour"])
def test_a_derived_number_is_never_set(field):
    table().when(Correct(character="ayla", field=field, value=20, reason="more")).then_refused("DERIVED_FIELD")


def test_a_sheet_with_a_field_too_many_is_no_sheet():
    with pytest.raises(ValidationError, match="speed"):
        convert({"system": "legends", "speed": 20}, AnySheet)


def correct(field: str, value: int, story=None):
    story = story or table(hero(classes=(MAGICIAN,), resources={"vow": 3}, techniques=(SheetTechnique("parry", 3),)))
    return story.when(Correct(character="ayla", field=field, value=value, reason="a slip"))


@pytest.mark.rule("LB-0.9")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hp", 101),
        ("hp", 0),
        ("hp", -1),
        ("hp_max", 99),
        ("mana", 76),
        ("mana_max", 74),
        ("armour_lost", -1),
        ("level", -1),
        ("luck_dice", -1),
        ("satiety", -1),
        ("successes", 1),
        ("resources.vow", 4),
        ("resources.pact", 1),
        ("techniques.parry", 4),
        ("techniques.dodge", 1),
    ],
)
def test_a_correction_stays_within_the_clamps(field, value):
    correct(field, value).then_refused("NUMBER_OUT_OF_BOUNDS", field=field, value=value)


@pytest.mark.rule("LB-1.4", "LB-0.9")
@pytest.mark.parametrize("value", [-1, 0, 1_001])
def test_a_statistic_out_of_range_is_refused_as_on_a_new_sheet(value):
    correct("stats.strength", value).then_refused("STAT_OUT_OF_RANGE", "LB-1.4", stat="strength", least=1)


@pytest.mark.rule("LB-0.9")
@pytest.mark.parametrize(
    ("field", "value"), [("hp", 1), ("mana", 0), ("stats.strength", 24), ("resources.vow", 0), ("techniques.parry", 1)]
)
def test_the_game_master_corrects_what_is_possible(field, value):
    assert correct(field, value).only(NumberCorrected).after == value


@pytest.mark.parametrize("field", ["gear.cuirass", "life", "classes.0", "fallen"])
def test_what_is_no_number_cannot_be_corrected(field):
    correct(field, 1).then_refused("NO_SUCH_NUMBER")
