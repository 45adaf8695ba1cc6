"""What a client can check of an event without trusting the server: its digest, and its link in the chain."""

import json
from datetime import datetime
from typing import Any

from events import chain

ENVELOPE = frozenset({"at", "digest", "hash", "salt", "seq", "struck"})
"""What stands around the body of an open event."""


def body_of(event: dict[str, Any]) -> bytes:
    """The very bytes that were hashed: the body's fields in canonical JSON."""
    content = {name: value for name, value in event.items() if name not in ENVELOPE}
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def at_us(text: str) -> int:
    """A time on the wire in microseconds since 1970, without passing through a float. Raises `ValueError`."""
    whole, dot, micros = text.removesuffix("Z").partition(".")
    if not dot or len(micros) != 6 or not text.endswith("Z"):
        raise ValueError(f"{text!r} is not a time of ours")
    return int(datetime.fromisoformat(f"{whole}+00:00").timestamp()) * 1_000_000 + int(micros)


SEALED = frozenset({"seq", "at", "digest"})
ERASED = SEALED | {"hash", "erased"}


class Checker:
    """Follows a campaign's chain event by event. `head` is what its hash must be after the last one."""

    def __init__(self, campaign: str, seq: int = 0, head: bytes = chain.GENESIS) -> None:
        self.campaign, self.seq, self.head = campaign, seq, head

    def take(self, event: dict[str, Any]) -> str | None:
        """What is wrong with the next event, or None. The chain goes on from what the event claims."""
        seq, digest = int(event["seq"]), bytes.fromhex(event["digest"])
        wrong = None
        if seq != self.seq + 1:
            wrong = f"expected event {self.seq + 1}"
        elif "salt" not in event:
            if event.keys() - {"op"} not in (SEALED, ERASED):
                wrong = "it shows a content without the salt that would prove it"
        else:
            salt = bytes.fromhex(event["salt"])
            computed = chain.digest(salt[: chain.SALT_BYTES], salt[chain.SALT_BYTES :], body_of(event))
            if computed != digest:
                wrong = "its content is not what was committed"
        self.seq = seq
        self.head = chain.link(self.campaign, seq, at_us(event["at"]), self.head, digest)
        if wrong is None and "hash" in event and event["hash"] != self.head.hex():
            wrong = "it does not follow from the event before it"
        if "hash" in event and wrong is not None:
            self.head = bytes.fromhex(event["hash"])
        return wrong
