"""Legends & Bonk, told: the campaign's own rules data."""

from events.legends.compendium import CreatureDefined, CreatureRemoved, EntryDefined, EntryRemoved
from projections.messages import Param
from projections.sentences.saying import Sayings, Telling, say


def _name(telling: Telling, _: str) -> Param:
    return str(telling.field("entry").name)


SAYINGS: Sayings = {
    EntryDefined: say("The compendium says what {entry} is.", entry=_name),
    EntryRemoved: say("The compendium forgets {key}."),
    CreatureDefined: say("The bestiary says what {entry} is.", entry=_name),
    CreatureRemoved: say("The bestiary forgets {key}."),
}
