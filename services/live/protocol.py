"""The words on the socket."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

Watched = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")]
Views = Annotated[tuple[Watched, ...], Meta(max_length=50)]


class Op(Struct, frozen=True, forbid_unknown_fields=True, tag_field="op"):
    """What a client says."""


class Hello(Op, frozen=True, tag="hello"):
    """`resume` is the token of the last event seen; `views` such as `sheet:aelys`, `journal`."""

    resume: Annotated[str, Meta(max_length=200)] | None = None
    views: Views = ()


class Give(Op, frozen=True, tag="command"):
    """A command, with the idempotency key it carries."""

    id: Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[\x21-\x7e]+$")]
    command: msgspec.Raw


class Watch(Op, frozen=True, tag="watch"):
    """Instead of the views watched so far."""

    views: Views


class Presence(Op, frozen=True, tag="presence"):
    """Typing, pointing, looking: never stored, latest wins."""

    state: Annotated[dict[str, Any], Meta(max_length=20)]


class Ping(Op, frozen=True, tag="ping"):
    pass


Said = Hello | Give | Watch | Presence | Ping
read: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)
MOST_PRESENCE = 2_048
"""Bytes of a presence state."""


class Token(Struct, frozen=True):
    """A place in a campaign's log: `<epoch>:<seq>:<hash>`."""

    epoch: int
    seq: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.epoch}:{self.seq}:{self.hash.hex()}"


def token(text: str) -> Token | None:
    """The place that a client remembers, or None when it is no token."""
    epoch, _, rest = text.partition(":")
    seq, _, head = rest.partition(":")
    if not (epoch.isascii() and epoch.isdigit() and seq.isascii() and seq.isdigit() and len(seq) < 16 > len(epoch)):
        return None
    try:
        return Token(int(epoch), int(seq), bytes.fromhex(head))
    except ValueError:
        return None


def frame(op: str, **fields: object) -> bytes:
    """What the server says."""
    return msgspec.json.encode({"op": op, **fields})
