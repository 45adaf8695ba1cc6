"""Sentences in the reader's language: a message id, its parameters, and the names of the members.

A parameter that is plain text is looked up first as a key of the kind its placeholder names (`{item}`, `{role}`,
`{cause}` …; `{systems}` lists what each is a `system`), so keys of the rules come out translated and what somebody
typed comes out as typed.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from babel.dates import format_datetime
from babel.lists import format_list
from babel.numbers import format_decimal
from babel.units import format_unit
from msgspec import Struct

from events.envelope import Roll
from projections.catalogues import LOCALES, Language, spoken, text, word

Names = Mapping[str, str]
"""What the members are called, by id. A name can be erased: then it is missing here."""


class Person(Struct, frozen=True, gc=False, tag_field="is", tag="character"):
    """A character, under the name it had then."""

    id: str
    name: str


class Seat(Struct, frozen=True, gc=False, tag_field="is", tag="member"):
    """A member, whose name is found when the sentence is told."""

    id: str


class Coins(Struct, frozen=True, gc=False, tag_field="is", tag="coins"):
    """An amount of the unit `coin`."""

    amount: int
    coin: str


class Goods(Struct, frozen=True, gc=False, tag_field="is", tag="goods", omit_defaults=True):
    """Coins, in the unit `coin`, and items; perhaps nothing."""

    coins: int = 0
    coin: str = ""
    items: dict[str, int] = {}


class Span(Struct, frozen=True, gc=False, tag_field="is", tag="span"):
    """A length of game time."""

    seconds: int


class Instant(Struct, frozen=True, gc=False, tag_field="is", tag="instant"):
    """A moment of the real world, in microseconds since 1970."""

    at_us: int


class Settings(Struct, frozen=True, gc=False, tag_field="is", tag="settings"):
    """What the table agreed on, by key."""

    chosen: dict[str, str | int | bool]


Value = Person | Seat | Coins | Goods | Span | Instant | Settings | str | int | bool | None
Param = Value | list[Value]

PLACEHOLDER = re.compile(r"\{(\w+)\}")
_PARTS = (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


def sentence(
    locale: str,
    msgid: str,
    params: Mapping[str, Any],
    names: Names | None = None,
    *,
    plural: str = "",
    count: str = "",
) -> str:
    """The sentence in the language of this tag. `count` names what chooses between `msgid` and `plural`.

    A placeholder without parameter stays as it is written; what stands in a parameter is never read as a placeholder.
    """
    language, number = spoken(locale), params.get(count) if count else None
    pattern = text(language, msgid, plural, number if isinstance(number, int) else None)
    return PLACEHOLDER.sub(
        lambda found: told(language, found[1], params[found[1]], names) if found[1] in params else found[0], pattern
    )


def told(language: Language, name: str, value: object, names: Names | None = None) -> str:
    """One parameter as text. `name` is the placeholder it stands for."""
    locale = LOCALES[language]
    match value:
        case Person():
            return value.name
        case Seat():
            return (names or {}).get(value.id) or text(language, "somebody")
        case Coins():
            return coins(language, value.amount, value.coin)
        case Goods():
            return goods(language, value)
        case Span():
            return span(language, value.seconds)
        case Instant():
            moment = datetime.fromtimestamp(value.at_us // 1_000_000, UTC)
            return f"{format_datetime(moment, 'medium', locale=locale)} UTC"
        case Settings():
            pairs = [f"{key} = {told(language, 'setting', chosen)}" for key, chosen in value.chosen.items()]
            return format_list(pairs, locale=locale) if pairs else ""
        case bool():
            return text(language, "yes") if value else text(language, "no")
        case int():
            return format_decimal(value, locale=locale)
        case None:
            return text(language, "nobody")
        case str():
            return word(language, name, value) or value
        case Sequence():
            return format_list([told(language, name.removesuffix("s"), one, names) for one in value], locale=locale)
    return str(value)


def coins(language: Language, amount: int, coin: str) -> str:
    """`1,200 MC`."""
    return f"{told(language, 'amount', amount)} {told(language, 'coin', coin)}".rstrip()


def goods(language: Language, value: Goods) -> str:
    """`1,200 MC and 2 × rope`."""
    parts = [coins(language, value.coins, value.coin)] if value.coins else []
    parts += [
        f"{told(language, 'quantity', quantity)} × {told(language, 'item', item)}"
        for item, quantity in value.items.items()
    ]
    return format_list(parts, locale=LOCALES[language]) if parts else text(language, "nothing")


def span(language: Language, seconds: int) -> str:
    """`1 hour, 30 minutes`."""
    parts = []
    for unit, length in _PARTS:
        amount, seconds = divmod(seconds, length)
        if amount:
            parts.append(format_unit(amount, unit, "long", locale=LOCALES[language]))
    none = format_unit(0, "second", "long", locale=LOCALES[language])
    return format_list(parts, "unit", locale=LOCALES[language]) if parts else none


def dice(locale: str, rolls: Sequence[Roll]) -> list[str]:
    """Each roll as `to hit: d20: 14`, with the faces kept where some were not."""
    lines = []
    for roll in rolls:
        size = f"{len(roll.faces)}d{roll.sides}" if len(roll.faces) != 1 else f"d{roll.sides}"
        params: dict[str, Any] = {
            "purpose": roll.purpose,
            "die": size,
            "faces": ", ".join(str(face) for face in roll.faces),
            "kept": ", ".join(str(face) for face in roll.kept),
        }
        all_count = sorted(roll.kept) == sorted(roll.faces)
        lines.append(sentence(locale, ROLL if all_count else ROLL_KEPT, params))
    return lines


ROLL = "{purpose}: {die}: {faces}"
ROLL_KEPT = "{purpose}: {die}: {faces} (kept: {kept})"
PHRASES = ("somebody", "nobody", "nothing", "yes", "no", ROLL, ROLL_KEPT)
"""The message ids that this module itself uses."""
