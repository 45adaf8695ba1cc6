"""How a fact is told: `say` a sentence, or `choose` between several.

    DamageTaken: say("{character} takes {amount} damage from {cause}.")

A placeholder is a field of the fact. Fields that refer to characters come out as names; keys of the rules
(`{item}`, `{cause}` …) as words of the reader's language. `{actor}` is the member who gave the command. Whatever
else a field holds is said with it: `say("{member} joins as {role}.", member=a_member)`.

After that `python -m projections.extraction fr` prints what the catalogue of the system (`legends.po` …) still lacks.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.references import naming_fields
from domain.campaign.systems import SYSTEMS
from domain.kernel.cast import Character
from domain.kernel.fold import State, find
from events.envelope import Fact
from projections.messages import PLACEHOLDER, Coins, Goods, Instant, Param, Person, Seat, Settings, Span
from projections.view import Event


class Telling(Struct, frozen=True, gc=False):
    """One step of the story, being told."""

    before: State
    event: Event
    after: State

    @property
    def fact(self) -> Fact:
        return self.event.happened.fact

    def field(self, name: str) -> Any:
        return getattr(self.fact, name)

    def character(self, name: str) -> Character | None:
        return find(self.after, Character, name) or find(self.before, Character, name)


Part = Callable[[Telling, str], Param]
"""How the placeholder of this name is filled."""


class Sentence(Struct, frozen=True):
    """`msgid` with `{placeholders}`; where `count` names one, `plural` is the message for many."""

    msgid: str
    parts: Mapping[str, Part]
    plural: str = ""
    count: str = ""

    def params(self, telling: Telling) -> dict[str, Param]:
        """Every placeholder filled."""
        names = dict.fromkeys(PLACEHOLDER.findall(self.msgid + self.plural))
        return {name: self.parts.get(name, _plainly)(telling, name) for name in names}


class Choice(Struct, frozen=True):
    """One of several sentences, by the fact."""

    pick: Callable[[Any], object]
    sentences: Mapping[object, Sentence]

    def of(self, fact: Fact) -> Sentence:
        return self.sentences[self.pick(fact)]


Saying = Sentence | Choice
Sayings = dict[type[Fact], Saying]


def say(msgid: str, *, plural: str = "", count: str = "", **parts: Part) -> Sentence:
    """A sentence of the journal, in English."""
    return Sentence(msgid, parts, plural, count)


def choose(pick: Callable[[Any], object], sentences: Mapping[object, Sentence]) -> Choice:
    """The sentence that stands under `pick(fact)`."""
    return Choice(pick, sentences)


def a_member(telling: Telling, name: str) -> Param:
    """The field holds a member's id, or several, or none."""
    value = telling.field(name)
    if isinstance(value, tuple):
        return [Seat(one) for one in value]
    return None if value is None else Seat(value)


def some_coins(telling: Telling, name: str) -> Param:
    """The field holds coins of the first character the fact names."""
    return Coins(telling.field(name), _coin(telling))


def goods(coins: str, items: str) -> Part:
    """Two fields hold coins and items."""
    return lambda telling, _: Goods(telling.field(coins), _coin(telling), telling.field(items))


def a_span(telling: Telling, name: str) -> Param:
    """The field holds seconds of game time."""
    return Span(telling.field(name))


def an_instant(telling: Telling, name: str) -> Param:
    """The field holds microseconds since 1970."""
    return Instant(telling.field(name))


def some_settings(telling: Telling, name: str) -> Param:
    """The field holds settings by key."""
    return Settings(telling.field(name))


def number_called(telling: Telling, _: str) -> Param:
    """The last part of the dotted path of a number, which has a name of its own."""
    return str(telling.field("field")).rpartition(".")[2]


def the_old_name(telling: Telling, _: str) -> Param:
    """What the fact's character was called before."""
    before = find(telling.before, Character, telling.field("character"))
    return before.name if before else None


def _plainly(telling: Telling, name: str) -> Param:
    if name == "actor":
        return Seat(telling.event.happened.actor)
    value = telling.field(name)
    if any(field == name for field, _ in naming_fields(type(telling.fact))):
        return [_person(telling, one) for one in value] if isinstance(value, tuple) else _person(telling, value)
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, tuple) and all(isinstance(one, str | int) for one in value):
        return list(value)
    raise TypeError(f"{type(telling.fact).__name__}.{name} needs to be told how it is said")


def _person(telling: Telling, name: str | None) -> Person | None:
    if name is None:
        return None
    one = telling.character(name)
    return Person(name, one.name if one else name)


def _coin(telling: Telling) -> str:
    for field, several in naming_fields(type(telling.fact)):
        value = telling.field(field)
        if value and not several and (one := telling.character(value)) and one.system in SYSTEMS:
            return SYSTEMS[one.system].coin
    return ""
