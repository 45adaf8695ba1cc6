"""The detail of an event, on demand: its dice, formulas, named modifiers, roundings and rules, field by field.

It reads the fields of the fact and knows none of them, so every fact has its detail.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from events.envelope import Fact
from projections.catalogues import Language, spoken, word
from projections.messages import Names, dice, told


class Item(Struct, frozen=True):
    """One line: what it is, and what it says. `depth` is how far it stands in."""

    label: str
    text: str
    depth: int = 0


def detail(locale: str, fact: Fact, names: Names | None = None) -> list[Item]:
    """Everything the fact says, its dice first."""
    language = spoken(locale)
    items = [Item(label(language, "rolls"), line) for line in dice(locale, fact.rolls)]
    for field in fact.__struct_fields__:
        if field != "rolls":
            items += _items(language, field, getattr(fact, field), 0, names)
    return items


def label(language: Language, field: str) -> str:
    """What a field is called."""
    return word(language, "field", field) or field.replace("_", " ")


def _items(language: Language, field: str, value: Any, depth: int, names: Names | None) -> Iterator[Item]:
    if value is None or value in ("", (), {}):
        return
    name = label(language, field)
    if isinstance(value, Struct):
        yield Item(name, "", depth)
        for inner in value.__struct_fields__:
            yield from _items(language, inner, getattr(value, inner), depth + 1, names)
    elif isinstance(value, dict):
        yield Item(name, "", depth)
        for key, inner in value.items():
            yield from _items(language, str(key), inner, depth + 1, names)
    elif isinstance(value, list | tuple) and any(isinstance(one, Struct | dict | list | tuple) for one in value):
        yield Item(name, "", depth)
        for number, inner in enumerate(value, 1):
            yield from _items(language, str(number), inner, depth + 1, names)
    elif field in _MEMBERS and names is not None:
        known = [names.get(one, one) for one in (value if isinstance(value, list | tuple) else [value])]
        yield Item(name, told(language, field, known), depth)
    else:
        yield Item(name, told(language, field, list(value) if isinstance(value, tuple) else value, names), depth)


_MEMBERS = frozenset({"member", "owner", "writer", "to", "by"})
