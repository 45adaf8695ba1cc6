"""What a view is: rows that one step of a campaign's story adds, changes or takes away.

A view keeps nothing between two steps. So a view updated step by step is a view rebuilt.
"""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.book import EVOLVE
from domain.kernel.cast import Character
from domain.kernel.fold import State, find, steps_of
from events.envelope import GM, TABLE, Audience, Fact, Happened


class Event(Struct, frozen=True, gc=False):
    """One event of the story. `at_us` is the server's time in microseconds since 1970."""

    seq: int
    at_us: int
    happened: Happened


class Erased(Fact, frozen=True, tag="projection.erased"):
    """Stands for a fact whose text was erased at somebody's wish: it told something, and changed nothing."""

    kind: str


class Row(Struct, frozen=True, gc=False):
    """What stands at `(key, line)` of a view after a step, and who may see it.

    Without a `doc` the row goes. A `patch` writes its fields over those of the row that is there; fields left unset
    stay as they are, and where there is no row nothing happens.
    """

    key: str
    line: int
    doc: Struct | None
    audience: Audience
    patch: bool = False


class View(Struct, frozen=True):
    """A read model. Raise `version` when `lines` answers otherwise than before: it is then filled anew.

    Its keys are the ids of characters (`of_character`), or there is one key, `ALL`.
    """

    name: str
    version: int
    lines: Callable[[State, Event, State], Iterable[Row]]
    of_character: bool = False

    @property
    def projection(self) -> str:
        """The name under which rows and cursor are kept."""
        return f"{self.name}@{self.version}"


ALL = "all"
"""The key of a view that has only one."""


def touched(before: State, event: Event, after: State) -> list[str]:
    """The places of the state that this step changed."""
    told = event.happened.fact
    places = dict.fromkeys(key_of(told) for key_of, _ in steps_of(EVOLVE, told))
    return [place for place in places if before.get(place) != after.get(place)]


def knowing(state: State, characters: Iterable[str]) -> Audience:
    """Those who know of all these characters."""
    found = [one for name in characters if (one := find(state, Character, name)) is not None and one.hidden]
    if not found:
        return TABLE
    owners = {one.owner for one in found}
    owner = owners.pop() if len(owners) == 1 else None
    return tuple(sorted({"gm", owner})) if owner else GM


def narrowed(one: Audience, other: Audience) -> Audience:
    """Those who belong to both; nobody but the game masters when there is no telling."""
    if one == TABLE:
        return other
    if other == TABLE:
        return one
    return tuple(sorted(set(one) & set(other))) or GM


_encoder = msgspec.json.Encoder(order="deterministic")


def encode(doc: Struct) -> bytes:
    """The bytes of a row's document: the same for the same document."""
    return _encoder.encode(doc)


def patched(doc: bytes, patch: bytes) -> bytes:
    """The document with the fields of the patch written over its own."""
    fields: dict[str, Any] = msgspec.json.decode(doc)
    return _encoder.encode(fields | msgspec.json.decode(patch))
