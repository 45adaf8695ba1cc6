"""Which characters a command or a fact names."""

from functools import cache
from typing import Any, get_args, get_origin, get_type_hints

from msgspec import Struct

Path = tuple[str, bool]
"""A field, and whether it holds several."""


def characters_named(said: Struct) -> list[str]:
    """The ids in every field marked as referring to a character, in order, each once."""
    named: dict[str, None] = {}
    for field, several in naming_fields(type(said)):
        value = getattr(said, field)
        if several:
            named.update(dict.fromkeys(value))
        elif value is not None:
            named[value] = None
    return list(named)


@cache
def naming_fields(kind: type[Struct]) -> tuple[Path, ...]:
    """The fields of a command or a fact that are marked as referring to characters."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(
        (field, _is_many(hints[field])) for field in kind.__struct_fields__ if field in hints and _refers(hints[field])
    )


def _refers(hint: Any) -> bool:
    if any((getattr(meta, "extra", None) or {}).get("refers_to") == "character" for meta in _metas(hint)):
        return True
    return any(_refers(inner) for inner in get_args(hint) if inner is not Ellipsis and not isinstance(inner, str))


def _metas(hint: Any) -> tuple[Any, ...]:
    return tuple(getattr(hint, "__metadata__", ()))


def _is_many(hint: Any) -> bool:
    if get_origin(hint) in (tuple, list, dict):
        return True
    return any(_is_many(inner) for inner in get_args(hint) if inner is not Ellipsis and not isinstance(inner, str))
