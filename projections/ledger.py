"""The ledger: every movement of a character's coins, items and numbers, with its balance and its cause.

It compares the leaves before and after each event, so a new rule has its movements told without a line here.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from domain.campaign.systems import SYSTEMS
from domain.kernel.belongings import Bag, Purse
from domain.kernel.cast import Character
from domain.kernel.fold import Leaf, State, find
from events.codec import kind_of
from events.envelope import GM
from projections.view import Event, Row, View, knowing, narrowed, touched

SPREAD = 1_000
"""Lines kept free for the movements of one event: line = seq × SPREAD + place."""


class Movement(Struct, frozen=True, gc=False, omit_defaults=True):
    """`what` is `coins`, `items.<item>`, or a number of the leaf such as `hp` or `stats.strength`.

    `cause` is the fact's own, or its type. `command` is the id of the command that brought it.
    """

    seq: int
    at_us: int
    leaf: str
    what: str
    change: int
    balance: int
    cause: str
    type: str
    command: str
    actor: str
    session: int
    rule: str = ""


def lines(before: State, event: Event, after: State) -> Iterable[Row]:
    """The movements of one event, each under the character they concern."""
    happened = event.happened
    fact = happened.fact
    kind = kind_of(fact)
    count: dict[str, int] = {}
    for place in touched(before, event, after):
        was, now = before.get(place), after.get(place)
        name = place.partition("/")[2]
        leaf = now or was
        if leaf is None or not _counted(after, name, leaf):
            continue
        audience = GM if leaf.SECRET else narrowed(happened.audience, knowing(after, leaf.concerns(name)))
        for what, change, balance in _movements(was, now):
            place_in_event = count[name] = count.get(name, -1) + 1
            doc = Movement(
                event.seq,
                event.at_us,
                str(type(leaf).__struct_config__.tag),
                what,
                change,
                balance,
                _text(fact, "cause") or _text(fact, "reason") or kind,
                kind,
                happened.command,
                happened.actor,
                happened.session,
                rule=_text(fact, "rule"),
            )
            yield Row(name, event.seq * SPREAD + min(place_in_event, SPREAD - 1), doc, audience)


def _counted(state: State, name: str, leaf: Leaf) -> bool:
    if isinstance(leaf, Purse | Bag):
        return True
    one = find(state, Character, name)
    system = SYSTEMS.get(one.system) if one else None
    return system is not None and leaf.OF_CHARACTER and isinstance(leaf, system.numbers)


def _movements(was: Leaf | None, now: Leaf | None) -> Iterator[tuple[str, int, int]]:
    """Name, change and balance of every integer that is not what it was."""
    old, new = dict(_integers(was)), dict(_integers(now))
    for what in {**old, **new}:
        balance = new.get(what, 0)
        if change := balance - old.get(what, 0):
            yield what, change, balance


def _integers(value: Any, path: str = "") -> Iterator[tuple[str, int]]:
    if isinstance(value, bool):
        return
    if isinstance(value, int):
        yield path, value
    elif isinstance(value, Struct):
        for field in value.__struct_fields__:
            yield from _integers(getattr(value, field), f"{path}.{field}" if path else field)
    elif isinstance(value, dict):
        for field, inner in sorted(value.items()):
            yield from _integers(inner, f"{path}.{field}" if path else str(field))


def _text(fact: Struct, field: str) -> str:
    value = getattr(fact, field, "")
    return value if isinstance(value, str) else ""


LEDGER = View("ledger", 1, lines, of_character=True)
