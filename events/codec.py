"""Facts to canonical bytes and back.

The canonical body is JSON with sorted keys, no floats and integers within ±2^53: the RFC 8785 subset that a browser
can write again byte for byte. The stored bytes are the hashed bytes; nothing is serialised again to be hashed.
"""

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from events.envelope import Audience, Fact, Happened, Roll
from events.upcasting import UPCASTERS

F = TypeVar("F", bound=Fact)

LARGEST = 2**53

_encoder = msgspec.json.Encoder(order="sorted")


class Unreadable(Exception):
    """A stored event that this build cannot read. The rest of the campaign stays readable.

    `reason` is `unknown_type`, `newer_version` or `broken`.
    """

    def __init__(self, reason: str, kind: str, version: int, detail: str = "") -> None:
        super().__init__(f"event of type {kind!r}, version {version}: {reason}{': ' if detail else ''}{detail}")
        self.reason, self.kind, self.version, self.detail = reason, kind, version, detail


class NotCanonical(ValueError):
    """A fact that the canonical form has no way to write: a float, an integer beyond 2^53, a lone surrogate."""


class _Body(Struct, Generic[F], frozen=True, gc=False):
    actor: str
    audience: Audience
    command: str
    data: F
    session: int
    rolls: tuple[Roll, ...] = ()


def kind_of(fact: Fact | type[Fact]) -> str:
    """The tag of a fact, such as `legends.damage_taken`."""
    return str(fact.__struct_config__.tag)


class Codec:
    """Reads and writes the facts of the given classes, and of no other."""

    def __init__(self, facts: Iterable[type[Fact]]) -> None:
        self.types: dict[str, type[Fact]] = {}
        for fact in facts:
            kind = kind_of(fact)
            if self.types.setdefault(kind, fact) is not fact:
                raise ValueError(f"two facts are tagged {kind!r}")
        self._decoders: dict[str, Callable[[bytes], _Body[Any]]] = {}

    def encode(self, happened: Happened) -> bytes:
        """The canonical body. Raises `NotCanonical`."""
        fact = happened.fact
        data = msgspec.to_builtins(fact)
        del data["type"]
        rolls = data.pop("rolls", [])
        body = {
            "actor": happened.actor,
            "audience": happened.audience,
            "command": happened.command,
            "data": data,
            "rolls": rolls,
            "session": happened.session,
            "type": kind_of(fact),
            "version": type(fact).VERSION,
        }
        _require_canonical(body)
        try:
            return _encoder.encode(body)
        except UnicodeEncodeError as error:
            raise NotCanonical("text that is not Unicode") from error

    def decode(self, kind: str, version: int, body: bytes) -> Happened:
        """The fact that a stored body holds, upcast to what this build knows. Raises `Unreadable`."""
        fact_type = self.types.get(kind)
        if fact_type is None:
            raise Unreadable("unknown_type", kind, version)
        if version > fact_type.VERSION:
            raise Unreadable("newer_version", kind, version)
        try:
            if version < fact_type.VERSION:
                body = _upcast(kind, version, fact_type.VERSION, body)
            read = self._decoder(kind, fact_type)(body)
        except (msgspec.DecodeError, KeyError) as error:
            raise Unreadable("broken", kind, version, str(error)) from error
        fact = msgspec.structs.replace(read.data, rolls=read.rolls) if read.rolls else read.data
        return Happened(read.actor, read.audience, read.command, read.session, fact)

    def _decoder(self, kind: str, fact_type: type[Fact]) -> Callable[[bytes], _Body[Any]]:
        decoder = self._decoders.get(kind)
        if decoder is None:
            decoder = self._decoders[kind] = msgspec.json.Decoder(_Body[fact_type]).decode  # type: ignore[valid-type]
        return decoder


def _upcast(kind: str, version: int, wanted: int, body: bytes) -> bytes:
    """An older body told as the newest version tells it; the stored bytes never change."""
    content = msgspec.json.decode(body)
    for step in range(version, wanted):
        content["data"] = UPCASTERS[kind, step](content["data"])
    return msgspec.json.encode(content)


def _require_canonical(value: object) -> None:
    if isinstance(value, dict):
        for inner in value.values():
            _require_canonical(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _require_canonical(inner)
    elif isinstance(value, float):
        raise NotCanonical("a float")
    elif isinstance(value, int) and not -LARGEST <= value <= LARGEST:
        raise NotCanonical("an integer beyond 2^53")
