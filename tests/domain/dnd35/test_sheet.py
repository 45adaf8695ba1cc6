"""The sheet: filled in, corrected, shown."""

import pytest

from domain.campaign.cast import CreateCharacter
from domain.campaign.corrections import Correct
from domain.dnd35.sheet import Abilities, Sheet, SkillLine
from events.dnd35 import SheetFilled, SkillNumbers
from events.table import NumberCorrected
from tests.domain.dnd35.bench import Bench


def test_a_sheet_left_blank_is_whole():
    told = Bench().do(CreateCharacter(name="Cy", sheet=Sheet()), by="ana").only(SheetFilled)
    assert (told.hp, told.hp_max, told.stomachs, told.evasion) == (8, 8, 1, "none")
    assert set(told.abilities.values()) == {10}


def test_a_sheet_says_what_potions_ask_for():
    sheet = Sheet(
        hp_max=30,
        hp=-3,
        abilities=Abilities(constitution=14),
        fortitude=6,
        evasion="improved",
        poison_resistance=2,
        stomachs=4,
        skills={"spellcraft": SkillLine(4, 9)},
    )
    told = Bench().do(CreateCharacter(name="Cy", sheet=sheet), by="ana").only(SheetFilled)
    assert (told.hp, told.fortitude, told.evasion, told.poison_resistance, told.stomachs) == (-3, 6, "improved", 2, 4)
    assert (told.abilities["constitution"], told.skills) == (14, {"spellcraft": SkillNumbers(4, 9)})


def test_hit_points_fit_under_their_maximum():
    Bench().do(CreateCharacter(name="Cy", sheet=Sheet(hp_max=8, hp=9))).then_refused("HitPointsAboveMaximum", most=8)


@pytest.mark.parametrize(
    ("field", "value", "fits"),
    [
        ("hp", 30, True),
        ("hp", 31, False),
        ("hp_max", 0, False),
        ("stomachs", 2, True),
        ("stomachs", 0, False),
        ("abilities.constitution", 101, False),
        ("ability_damage.constitution", -1, False),
    ],
)
def test_the_game_master_corrects_what_makes_sense(field, value, fits):
    story = Bench(ayla=Sheet(hp_max=30, hp=20)).do(Correct(character="ayla", field=field, value=value, reason="x"))
    if fits:
        assert story.only(NumberCorrected).after == value
    else:
        story.then_refused("NUMBER_OUT_OF_BOUNDS")
