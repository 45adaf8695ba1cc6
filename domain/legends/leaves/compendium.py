"""LB-17.1: the entries of a campaign's compendium, and its bestiary."""

from typing import Any, ClassVar, TypeVar

from domain.kernel.fold import Leaf, State, begin, end, find, key, reducers, step
from events.legends.compendium import (
    CreatureDefined,
    CreatureEntry,
    CreatureRemoved,
    Entry,
    EntryDefined,
    EntryRemoved,
)

E = TypeVar("E")


class Listed(Leaf, frozen=True, tag="legends.entry"):
    """One entry, under `<kind>.<key>`."""

    entry: Entry


class Bestiary(Leaf, frozen=True, tag="legends.creature"):
    """A creature to meet, which only game masters read."""

    SECRET: ClassVar[bool] = True

    entry: CreatureEntry


def kind_of_entry(entry: Any) -> str:
    """`weapon`, `class` …: the word that stands in its `kind`."""
    return str(type(entry).__struct_config__.tag)


def listed(state: State, kind: type[E], name: str | None) -> E | None:
    """The entry of this kind under this key, or None."""
    if not name:
        return None
    found = find(state, Listed, f"{kind.__struct_config__.tag}.{name}")  # type: ignore[attr-defined]
    return found.entry if found is not None and isinstance(found.entry, kind) else None


EVOLVE = reducers(
    step(
        EntryDefined,
        lambda told: key(Listed, f"{kind_of_entry(told.entry)}.{told.key}"),
        lambda _, told: Listed(told.entry),
    ),
    step(EntryRemoved, lambda told: key(Listed, f"{told.kind}.{told.key}"), lambda _, __: None),
    begin(CreatureDefined, Bestiary, "key", lambda told: Bestiary(told.entry)),
    end(CreatureRemoved, Bestiary, "key"),
)
