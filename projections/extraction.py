"""Which messages the catalogues must know, found in the code itself.

`python -m projections.extraction fr` prints what the French catalogue lacks, ready to be filled in.
"""

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, get_args

import msgspec
from msgspec import Struct

import domain
from domain.campaign.book import FACTS
from domain.campaign.systems import SYSTEMS
from domain.kernel.refusal import Refusal
from events.table import DiceMode, Kind, Role
from projections.catalogues import LANGUAGES, WORDS, Language
from projections.journal import ERASED
from projections.messages import PHRASES, PLACEHOLDER
from projections.sentences import EVERY

ENGLISH = ("", "field", "purpose")
"""The kinds of message whose id is their English text."""


class Message(Struct, frozen=True, order=True):
    """`context` is the kind of word for which `id` is a key; sentences have none."""

    context: str
    id: str
    plural: str = ""


def wanted() -> set[Message]:
    """Every message that somebody may be told."""
    sentences = {Message("", one.msgid, one.plural) for one in (*EVERY, ERASED)}
    refusals = {Message("", refusal.sentence) for refusal in every_refusal()}
    return sentences | refusals | {Message("", phrase) for phrase in PHRASES} | set(words())


def words() -> Iterator[Message]:
    """Keys of closed lists, purposes of rolls and causes, names of fields and of what the rules sell."""
    for context, keys in (("role", get_args(Role)), ("kind", get_args(Kind)), ("mode", get_args(DiceMode))):
        yield from (Message(context, key) for key in keys)
    for system in SYSTEMS.values():
        yield Message("system", system.name)
        yield Message("coin", system.coin)
        yield from (Message("item", article) for article in getattr(system, "articles", ()))
        yield from (Message(context, key) for context, keys in system.vocabulary.items() for key in keys)
    yield from literals(files("domain"))
    causes = [cause for fact in FACTS if isinstance(cause := _default(fact, "cause"), str) and cause]
    yield from (Message("cause", cause) for cause in causes)
    leaves = [leaf for system in SYSTEMS.values() for leaf in system.numbers]
    yield from (Message("field", field) for kind in (*FACTS, *leaves) for field in kind.__struct_fields__)


def _default(fact: type[Struct], field: str) -> object:
    return next((one.default for one in msgspec.structs.fields(fact) if one.name == field), None)


def every_refusal() -> list[Refusal]:
    """Every refusal that a module of the domain holds."""
    found: dict[int, Refusal] = {}
    for module in _modules(domain):
        for value in vars(module).values():
            found.update({id(refusal): refusal for refusal in _refusals(value)})
    return list(found.values())


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    for info in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        yield importlib.import_module(info.name)


def _refusals(value: Any) -> Iterator[Refusal]:
    if isinstance(value, Refusal):
        yield value
    elif isinstance(value, dict):
        yield from (refusal for inner in value.values() for refusal in _refusals(inner))
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (refusal for inner in value for refusal in _refusals(inner))
    elif isinstance(value, Struct):
        yield from (refusal for field in value.__struct_fields__ for refusal in _refusals(getattr(value, field)))
    elif isinstance(value, type) and value.__module__.startswith("domain."):
        yield from (inner for inner in vars(value).values() if isinstance(inner, Refusal))


def literals(folder: Traversable) -> set[Message]:
    """The keys that stand in the code itself: what dice are thrown for, and causes given by name."""
    found: set[Message] = set()
    for entry in folder.iterdir():
        if entry.is_dir():
            found |= literals(entry)
        elif entry.name.endswith(".py"):
            calls = (node for node in ast.walk(ast.parse(entry.read_text("utf-8"))) if isinstance(node, ast.Call))
            found.update(message for call in calls for message in _keys_in(call))
    return found


def _keys_in(call: ast.Call) -> Iterator[Message]:
    given = [(keyword.arg, keyword.value) for keyword in call.keywords if keyword.arg in ("cause", "purpose")]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "throw":
        given += [("purpose", argument) for argument in call.args[2:3]]
    for context, value in given:
        if context and isinstance(value, ast.Constant) and isinstance(value.value, str) and value.value:
            yield Message(context, value.value)


def missing(language: Language) -> list[Message]:
    """What the catalogues of this language do not say."""
    return sorted(one for one in wanted() if not _said(language, one))


def _said(language: Language, message: Message) -> bool:
    if language == "en" and message.context in ENGLISH:
        return True
    return len(WORDS[language].get((message.context, message.id), ())) == (2 if message.plural else 1)


def entries(messages: Iterable[Message]) -> str:
    """These messages as entries of a catalogue, to be filled in."""
    return "\n".join(_entry(message) for message in messages)


def _entry(message: Message) -> str:
    lines = [f'msgctxt "{_escaped(message.context)}"'] if message.context else []
    lines.append(f'msgid "{_escaped(message.id)}"')
    if message.plural:
        lines += [f'msgid_plural "{_escaped(message.plural)}"', 'msgstr[0] ""', 'msgstr[1] ""']
    else:
        lines.append('msgstr ""')
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def placeholders(text: str) -> set[str]:
    """The names in braces."""
    return set(PLACEHOLDER.findall(text))


if __name__ == "__main__":
    for wanted_language in sys.argv[1:] or LANGUAGES:
        sys.stdout.write(entries(missing(wanted_language)))  # type: ignore[arg-type]
