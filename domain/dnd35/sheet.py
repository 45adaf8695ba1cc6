"""The sheet that a character of the 3.5 house rules starts with: what the rules of this module ask for, no more."""

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.dnd35.refusals import HIT_POINTS_ABOVE_MAXIMUM
from domain.kernel.command import Context
from domain.kernel.fold import State
from domain.kernel.refusal import require
from events.dnd35 import Evasion, SheetFilled, SkillNumbers
from events.envelope import Fact

MOST_HP, MOST_SCORE, MOST_STOMACHS = 10_000, 100, 10

HitPoints = Annotated[int, Meta(ge=1, le=MOST_HP)]
CurrentHitPoints = Annotated[int, Meta(ge=-9, le=MOST_HP)]
Score = Annotated[int, Meta(ge=1, le=MOST_SCORE)]
Modifier = Annotated[int, Meta(ge=-100, le=100)]
Stomachs = Annotated[int, Meta(ge=1, le=MOST_STOMACHS)]
SkillKey = Literal["spellcraft", "craft_alchemy", "knowledge_arcana"]


class Abilities(Struct, frozen=True, forbid_unknown_fields=True):
    """The six scores, before any damage, ailment or potion."""

    strength: Score = 10
    dexterity: Score = 10
    constitution: Score = 10
    intelligence: Score = 10
    wisdom: Score = 10
    charisma: Score = 10


class SkillLine(Struct, frozen=True, forbid_unknown_fields=True):
    """`bonus` is the whole modifier of the check, ranks and ability included."""

    ranks: Annotated[int, Meta(ge=0, le=100)] = 0
    bonus: Modifier = 0


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, tag_field="system", tag="dnd35"):
    """Filled in by the player. Saves are whole modifiers. `hp` left out is `hp_max`.

    `poison_resistance` is added to saves against poison; a creature with several `stomachs` digests potions apart.
    """

    hp_max: HitPoints = 8
    hp: CurrentHitPoints | None = None
    abilities: Abilities = Abilities()
    fortitude: Modifier = 0
    reflex: Modifier = 0
    will: Modifier = 0
    evasion: Evasion = "none"
    poison_resistance: Modifier = 0
    poison_immune: bool = False
    stomachs: Stomachs = 1
    skills: dict[SkillKey, SkillLine] = {}


def draw_up(_: State, name: str, sheet: Sheet, __: Context) -> Iterable[Fact]:
    """The sheet as the player filled it in, its tables in the order in which they are stored."""
    hp = sheet.hp_max if sheet.hp is None else sheet.hp
    require(hp <= sheet.hp_max, HIT_POINTS_ABOVE_MAXIMUM, hp=hp, most=sheet.hp_max)
    return [
        SheetFilled(
            name,
            hp,
            sheet.hp_max,
            dict(sorted(asdict(sheet.abilities).items())),
            sheet.fortitude,
            sheet.reflex,
            sheet.will,
            sheet.evasion,
            sheet.poison_resistance,
            sheet.poison_immune,
            sheet.stomachs,
            {skill: SkillNumbers(line.ranks, line.bonus) for skill, line in sorted(sheet.skills.items())},
        )
    ]
