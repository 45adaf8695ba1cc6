"""Characters of Legends & Bonk, ready to play."""

from typing import Any

from domain.campaign.cast import CreateCharacter
from domain.kernel.belongings import coins
from domain.legends.sheet import Sheet, SheetArmour, SheetClass, SheetStats
from domain.legends.state import Fighter, Team, team
from events.table import Kind
from tests.support.story import Story, given, opened

MAGICIAN = SheetClass(id="magician", type="mana", specific_stat="intelligence")
DRUID = SheetClass(id="druid", type="mana", specific_stat="wisdom")
CLERIC = SheetClass(id="cleric", type="mana", specific_stat="wisdom")
SHAMAN = SheetClass(id="shaman", type="resource", specific_stat="wisdom", resource="offering")
ROGUE = SheetClass(id="rogue", type="ability", specific_stat="dexterity")
WARRIOR = SheetClass(id="warrior", type="ability", specific_stat="strength")

CUIRASS = SheetArmour("cuirass", 47, "super_rare")
PLATE = SheetArmour("greaves", 23)


def stats(**chosen: int) -> SheetStats:
    """The six, 10 where nothing is said."""
    names = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
    return SheetStats(**{name: chosen.get(name, 10) for name in names})


def hero(name: str = "ayla", *, owner: str | None = "ana", kind: Kind = "player", **sheet: Any) -> CreateCharacter:
    """A character of 100 hit points, unless the sheet says else."""
    sheet.setdefault("stats", stats())
    sheet.setdefault("hp_max", 100)
    return CreateCharacter(name=name.capitalize(), id=name, owner=owner, kind=kind, sheet=Sheet(**sheet))


def table(*cast: CreateCharacter, settings: dict[str, Any] | None = None) -> Story:
    """A campaign in which these characters have been created by the game master."""
    story = given(*opened("legends", settings=settings))
    for one in cast or (hero(),):
        story.when(one)
        assert story.refused is None, (story.refused.code, story.refused.params)
    return story


def now(story: Story, name: str = "ayla") -> Fighter:
    """The fighter as it stands."""
    leaf = story.state[f"legends.fighter/{name}"]
    assert isinstance(leaf, Fighter)
    return leaf


def purse(story: Story, name: str = "ayla") -> int:
    return coins(story.state, name)


def everybody(story: Story) -> Team:
    return team(story.state)
