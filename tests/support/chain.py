"""What a member's client can check of the record it was given."""

import json
from hashlib import sha256
from typing import Any

from events.chain import GENESIS, link

ENVELOPE = ("at", "digest", "hash", "salt", "seq", "struck")


def at_us(text: str) -> int:
    """The stored microseconds of a time on the wire, without a float."""
    from datetime import datetime

    whole, micros = text.rstrip("Z").split(".")
    return int(datetime.fromisoformat(f"{whole}+00:00").timestamp()) * 1_000_000 + int(micros)


def verified_head(campaign: str, record: list[dict[str, Any]]) -> str:
    """Recompute every digest of the open events and every link of all; the head's hash."""
    head = GENESIS
    for number, event in enumerate(record, 1):
        assert event["seq"] == number
        digest = bytes.fromhex(event["digest"])
        if "salt" in event:
            body = {name: value for name, value in event.items() if name not in ENVELOPE}
            text = json.dumps(body, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            computed = sha256(
                b"greffier/event/1" + bytes.fromhex(event["salt"]) + len(text).to_bytes(8) + text
            ).digest()
            assert computed == digest, f"event {number} is not what was committed"
        else:
            assert set(event) == {"seq", "at", "digest"}
        head = link(campaign, number, at_us(event["at"]), head, digest)
        assert event.get("hash", head.hex()) == head.hex()
    return head.hex()
