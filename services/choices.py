"""What could have stood in a place of a request where nothing fits."""

import re
from difflib import get_close_matches
from typing import Any

import msgspec
from msgspec import inspect

MOST = 20


def possible(form: Any, raw: bytes, error: msgspec.ValidationError) -> str | None:
    """What `error` should have said besides: the closest names, or all choices where they are few."""
    found = re.search(r"Invalid (?:enum )?value '(.*?)'(?: - at `\$([^`]*)`)?$", str(error), re.S)
    if found is None:
        return None
    try:
        value = msgspec.json.decode(raw)
    except RecursionError:
        return None
    choices = sorted(_choices(inspect.type_info(form), _steps(found[2] or ""), value))
    if len(choices) > MOST:
        choices = get_close_matches(found[1], choices, n=3, cutoff=0.5)
    return ", ".join(choices) or None


def _steps(path: str) -> list[str]:
    """`.offer.items[0]` as `offer`, `items`, `0`."""
    return re.findall(r"[^.\[\]]+", path)


def _choices(kind: inspect.Type, steps: list[str], value: Any) -> set[str]:
    match kind:
        case inspect.UnionType():
            if tagged := [one for one in kind.types if isinstance(one, inspect.StructType) and one.tag_field]:
                return _among(tagged, steps, value)
            return {choice for one in kind.types for choice in _choices(one, steps, value)}
        case inspect.LiteralType():
            return {str(choice) for choice in kind.values} if not steps else set()
        case inspect.StructType() if steps and isinstance(value, dict):
            if steps == [kind.tag_field]:
                return {str(kind.tag)}
            fields = [one for one in kind.fields if one.encode_name == steps[0]]
            return {c for one in fields for c in _choices(one.type, steps[1:], value.get(steps[0]))}
        case inspect.VarTupleType() | inspect.ListType() if steps and isinstance(value, list):
            return _choices(kind.item_type, steps[1:], value[int(steps[0])] if steps[0].isdigit() else None)
        case inspect.Metadata():
            return _choices(kind.type, steps, value)
    return set()


def _among(structs: list[inspect.StructType], steps: list[str], value: Any) -> set[str]:
    """The tags, where the tag is wrong; else what the struct of this tag allows."""
    field = structs[0].tag_field
    if steps == [field] or not isinstance(value, dict):
        return {str(one.tag) for one in structs}
    return {c for one in structs if one.tag == value.get(field) for c in _choices(one, steps, value)}
