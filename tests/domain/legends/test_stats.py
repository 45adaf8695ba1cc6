import csv
from pathlib import Path

import pytest

from domain.legends.stats import modifier, movement, perception, precision, secondary, speed, stealth
from domain.legends.wheel import BY_FACE
from events.legends import CharacterClass, Stats
from tests.domain.legends.stage import CLERIC, DRUID, MAGICIAN, ROGUE, WARRIOR, SheetClass, hero, now, stats, table

CASES = Path(__file__).parents[2] / "cases"


@pytest.mark.rule("LB-1.4", "LB-A3", "LB-9.1.1")
def test_modifier_and_mana_of_every_printed_value():
    with (CASES / "lb_stat_modifiers.csv").open() as rows:
        for row in csv.DictReader(rows):
            value, mana = int(row["stat"]), int(row["derived_mana_max_level_0_mono"])
            assert modifier(value) == int(row["modifier"]), value
            made = table(hero(stats=stats(intelligence=value), classes=(MAGICIAN,)))
            assert now(made).mana_max == now(made).mana == mana, value


@pytest.mark.rule("LB-1.4")
def test_below_1_the_same_formula_holds_for_secondary_values():
    assert (modifier(0), modifier(-1)) == (-10, -11)


@pytest.mark.rule("LB-3.0", "LB-3.1", "LB-3.2", "LB-0.4")
def test_speed_and_movement_round_down():
    assert speed(Stats(strength=15, dexterity=12)) == 13
    assert (movement(15), movement(13)) == (7, 6)


@pytest.mark.rule("LB-3.3", "LB-3.4", "LB-1.5")
def test_perception_and_stealth():
    assert perception(Stats(wisdom=13, intelligence=8)) == 10
    assert stealth(Stats(wisdom=13, dexterity=12)) == 12
    assert modifier(perception(Stats(wisdom=15, intelligence=10))) == 1


@pytest.mark.rule("LB-3.6", "LB-0.9")
def test_the_order_of_modifiers():
    fast = Stats(strength=15, dexterity=15)
    assert speed(fast, flat=2) == 17
    assert speed(fast, flat=2, halvings=1) == 8
    assert speed(fast, flat=2, halvings=2) == 4
    assert movement(4) == 2
    assert movement(4, flat=-3) == 0
    one = [CharacterClass("warrior", "ability", specific_stat="strength")]
    state = table().state
    assert modifier(precision(state, fast, one, flat=-2)) == 1
    assert modifier(precision(state, fast, one, flat=-5)) == 0


@pytest.mark.rule("LB-X28", "LB-X29", "LB-X30", "LB-X31", "LB-A10", "LB-A42")
def test_halvings_thirds_and_flat_changes_together():
    assert speed(Stats(strength=15, dexterity=15), halvings=2) == 3
    assert speed(Stats(strength=13, dexterity=13), flat=2, halvings=1) == 7
    assert movement(14, numbed=True) == 4
    assert movement(14, flat=-3, numbed=True) == 1
    one = [CharacterClass("warrior", "ability", specific_stat="strength")]
    assert precision(table().state, Stats(strength=12), one, flat=-2) == 10


@pytest.mark.rule("LB-S03", "LB-3.5.1", "LB-X49")
def test_s03_secondary_statistics_of_a_double_class():
    monk = SheetClass(id="monk", type="ability", specific_stat="wisdom")
    story = table(hero(stats=stats(strength=15, dexterity=12, wisdom=13, intelligence=8), classes=(ROGUE, monk)))
    one = now(story)
    derived = {name: step.result for name, step in secondary(story.state, one.stats, one.classes).items()}
    assert derived == {"speed": 13, "movement": 6, "perception": 10, "stealth": 12, "precision": 12}
    assert [modifier(derived[name]) for name in ("perception", "stealth", "precision")] == [0, 1, 1]
    assert one.mana_max == 0


@pytest.mark.rule("LB-3.5", "LB-3.5.1")
def test_precision_is_the_specific_statistic():
    state = table().state
    fighter = CharacterClass("warrior", "ability", specific_stat="dexterity")
    assert precision(state, Stats(dexterity=15), [fighter]) == 15
    priest = CharacterClass("priest", "mana", specific_stat="wisdom")
    assert precision(state, Stats(dexterity=15, wisdom=12), [fighter, priest]) == 13
    assert precision(state, Stats(dexterity=15), [fighter, CharacterClass("b", "mana", None, "dexterity")]) == 15


@pytest.mark.rule("LB-9.1.2")
@pytest.mark.parametrize(
    ("name", "stat"),
    [
        ("cleric", "wisdom"),
        ("druid", "wisdom"),
        ("magician", "intelligence"),
        ("necromancer", "intelligence"),
        ("bastionist", "constitution"),
    ],
)
def test_the_mana_statistic_of_each_class(name, stat):
    liar = SheetClass(id=name, type="mana", mana_stat="charisma")
    assert now(table(hero(stats=stats(**{stat: 14}), classes=(liar,)))).mana_max == 95


@pytest.mark.rule("LB-9.1.2", "LB-0.11")
def test_a_class_of_mana_that_nobody_knows_is_the_campaigns_to_describe():
    creation = hero(stats=stats(charisma=12), classes=(SheetClass(id="bard", type="mana"),))
    story = table(hero("bo"))
    story.when(creation).then_refused("CAMPAIGN_DATA_MISSING", "LB-9.1.2", key="classes.bard.mana_stat")
    assert now(table(creation, settings={"classes.bard.mana_stat": "charisma"})).mana_max == 85


@pytest.mark.rule("LB-9.1.3", "LB-A64")
def test_two_classes_of_mana_share_one_pool_of_their_average():
    assert now(table(hero(stats=stats(wisdom=15, intelligence=12), classes=(CLERIC, MAGICIAN)))).mana_max == 90
    assert now(table(hero(stats=stats(wisdom=13), classes=(DRUID, WARRIOR)))).mana_max == 90


@pytest.mark.rule("LB-9.1.1")
def test_mana_never_begins_below_0():
    assert now(table(hero(stats=stats(intelligence=1), classes=(MAGICIAN,)))).mana_max == 30


def test_the_sheet_shows_what_no_leaf_holds():
    from domain.legends import SYSTEM

    story = table(hero(stats=stats(strength=15, dexterity=12), classes=(WARRIOR,)))
    shown = SYSTEM.portrait(story.state, "ayla")
    assert shown["speed"] == 13
    assert shown["precision"] == 15
    assert shown["modifiers"]["strength"] == 2
    assert SYSTEM.portrait(story.state, "nobody") == {}


@pytest.mark.rule("LB-15.1.1")
def test_the_wheel_holds_each_face_once():
    assert len(BY_FACE) == 100
