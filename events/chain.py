"""The two-level salted hash chain.

`digest = SHA-256("greffier/event/1" ‖ salt ‖ fingerprint ‖ length ‖ body)` commits to one event;
`hash = SHA-256("greffier/link/1" ‖ campaign ‖ seq ‖ time ‖ previous ‖ digest)` commits to all events so far.
Whoever may not see an event holds its `(seq, time, digest)` and still checks every link: selective disclosure.
Integers are big-endian, 8 bytes; the campaign is its id in UTF-8 behind its length.
"""

from collections.abc import Iterable
from hashlib import sha256

from msgspec import Struct

SALT_BYTES = 16
GENESIS = bytes(32)
"""The hash before the first event."""


class Stub(Struct, frozen=True, gc=False):
    """What everybody at the table holds of an event, seen or sealed."""

    seq: int
    at_us: int
    digest: bytes


class Broken(Exception):
    """The chain does not hold. `seq` is the first event at which it shows; `what` says how."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"event {seq}: {what}")
        self.seq, self.what = seq, what


def digest(salt: bytes, fingerprint: bytes, body: bytes) -> bytes:
    """The commitment to one event. The salt keeps anybody from trying all twenty faces of a hidden die."""
    return sha256(b"greffier/event/1" + salt + fingerprint + len(body).to_bytes(8) + body).digest()


def link(campaign: str, seq: int, at_us: int, previous: bytes, event_digest: bytes) -> bytes:
    """The hash of the chain up to and including event `seq`."""
    name = campaign.encode()
    return sha256(
        b"greffier/link/1"
        + len(name).to_bytes(8)
        + name
        + seq.to_bytes(8)
        + at_us.to_bytes(8)
        + previous
        + event_digest
    ).digest()


def follow(campaign: str, stubs: Iterable[Stub], seq: int = 0, head: bytes = GENESIS) -> tuple[int, bytes]:
    """The head reached from `(seq, head)` along `stubs`. Raises `Broken` when a number is missing or repeated."""
    for stub in stubs:
        if stub.seq != seq + 1:
            raise Broken(stub.seq, f"expected event {seq + 1}")
        seq = stub.seq
        head = link(campaign, seq, stub.at_us, head, stub.digest)
    return seq, head
