"""The sheet: everything one may see of a character, as it stands now."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.systems import SYSTEMS
from domain.kernel.belongings import Bag, Purse
from domain.kernel.cast import Character
from domain.kernel.charter import Charter
from domain.kernel.fold import Leaf, State, every, find, key
from events.envelope import GM, TABLE, Audience
from events.table import Kind
from projections.view import Event, Row, View, knowing, narrowed, touched

OPEN, SECRET = 0, 1
"""The lines of a sheet: what whoever knows of the character sees, and what is for the game master alone."""


class Sheet(Struct, frozen=True, tag_field="part", tag="open"):
    """`coins` count the unit `coin`. `leaves` are the leaves of the system by tag, `numbers` what derives from them."""

    character: str
    name: str
    kind: Kind
    system: str
    owner: str | None
    hidden: bool
    retired: bool
    coin: str
    coins: int
    items: dict[str, int]
    leaves: dict[str, Any]
    numbers: dict[str, Any]


class Secrets(Struct, frozen=True, tag_field="part", tag="secret"):
    """The leaves that only the game master sees."""

    character: str
    leaves: dict[str, Any]


def lines(before: State, event: Event, after: State) -> Iterable[Row]:
    """The sheets that this step changed."""
    for name in _concerned(before, touched(before, event, after), after):
        for line, part in ((OPEN, _open), (SECRET, _secret)):
            was, now = part(before, name), part(after, name)
            if was != now:
                doc, audience = now or (None, GM)
                yield Row(name, line, doc, audience)


Part = Callable[[State, str], tuple[Struct, Audience] | None]


def _concerned(before: State, places: list[str], after: State) -> list[str]:
    """The characters of whom the changed leaves tell something, each once, in the order met."""
    names: dict[str, None] = {}
    for place in places:
        kind, _, name = place.partition("/")
        one, other = before.get(place), after.get(place)
        for leaf in (one, other):
            if leaf is not None:
                names.update(dict.fromkeys(leaf.concerns(name)))
        if kind == _CHARTER:
            names.update(dict.fromkeys(every(after, Character)))
        if isinstance(one, Character) and isinstance(other, Character) and _known_to(one) != _known_to(other):
            for tied, leaf in after.items():
                concerned = leaf.concerns(tied.partition("/")[2])
                if name in concerned:
                    names.update(dict.fromkeys(concerned))
    return list(names)


_CHARTER = key(Charter)


def _known_to(one: Character) -> tuple[bool, str | None]:
    return one.hidden, one.owner


def _open(state: State, name: str) -> tuple[Struct, Audience] | None:
    one = find(state, Character, name)
    if one is None:
        return None
    system = SYSTEMS.get(one.system)
    audience = knowing(state, [name])
    shown = Shown(state, audience)
    purse, bag = find(state, Purse, name), find(state, Bag, name)
    doc = Sheet(
        name,
        one.name,
        one.kind,
        one.system,
        one.owner,
        one.hidden,
        one.retired,
        system.coin if system else "",
        purse.coins if purse else 0,
        dict(bag.items) if bag else {},
        {kind: _plain(leaf) for kind, leaf in _leaves(shown, name)},
        dict(system.portrait(shown, name)) if system else {},
    )
    return doc, audience


def _secret(state: State, name: str) -> tuple[Struct, Audience] | None:
    shown = Shown(state, knowing(state, [name]))
    kept_back = {kind: _plain(leaf) for kind, leaf in _leaves(state, name) if f"{kind}/{name}" not in shown}
    return (Secrets(name, kept_back), GM) if kept_back else None


def _leaves(state: State, name: str) -> Iterator[tuple[str, Leaf]]:
    """The leaves of this character that its system keeps, by tag."""
    for kind in _kinds(Leaf):
        leaf = find(state, kind, name) if kind.OF_CHARACTER else None
        if leaf is not None and not isinstance(leaf, Character | Purse | Bag):
            yield str(kind.__struct_config__.tag), leaf


def _kinds(kind: type[Leaf]) -> Iterator[type[Leaf]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from _kinds(inner)


def _plain(leaf: Leaf) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(leaf)
    del plain["leaf"]
    return plain


class Shown(Mapping[str, Leaf]):
    """The part of a state that everybody in an audience may see."""

    def __init__(self, state: State, audience: Audience) -> None:
        self._state, self._audience = state, audience

    def __getitem__(self, place: str) -> Leaf:
        leaf = self._state[place]
        if not self._shows(place, leaf):
            raise KeyError(place)
        return leaf

    def __iter__(self) -> Iterator[str]:
        return (place for place, leaf in self._state.items() if self._shows(place, leaf))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _shows(self, place: str, leaf: Leaf) -> bool:
        if leaf.SECRET:
            return False
        wanted = knowing(self._state, leaf.concerns(place.partition("/")[2]))
        return wanted == TABLE or (self._audience != TABLE and narrowed(self._audience, wanted) == self._audience)


SHEET = View("sheet", 1, lines, of_character=True)
