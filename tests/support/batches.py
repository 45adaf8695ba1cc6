"""Batches for a log, chained as the pipeline chains them."""

import secrets
from dataclasses import dataclass, field

from events import chain
from events.envelope import Recorded
from services.log import Batch


@dataclass
class Writer:
    """Somebody who writes to one campaign, and remembers where it believes the head to be."""

    campaign: str = field(default_factory=lambda: f"c_{secrets.token_hex(8)}")
    seq: int = 0
    hash: bytes = chain.GENESIS

    def batch(self, command: str, size: int = 1, *, fingerprint: bytes = bytes(32), body: bytes = b'{"a":1}') -> Batch:
        """`size` events after the head that this writer believes in."""
        events, seq, head = [], self.seq, self.hash
        for index in range(size):
            seq += 1
            salt = secrets.token_bytes(16)
            digest = chain.digest(salt, fingerprint, body)
            head = chain.link(self.campaign, seq, 1_000 + seq, head, digest)
            audience = "table" if index % 2 == 0 else ("gm", "m_1")
            events.append(
                Recorded(
                    self.campaign,
                    seq,
                    1_000 + seq,
                    "campaign.said",
                    1,
                    0,
                    command,
                    index,
                    "m_1",
                    audience,
                    fingerprint,
                    salt,
                    body,
                    digest,
                    head,
                )
            )
        return Batch(self.campaign, self.seq, self.hash, command, fingerprint, tuple(events))

    def went_on(self, batch: Batch) -> None:
        """The head is now the end of this batch."""
        self.seq, self.hash = batch.events[-1].seq, batch.events[-1].hash
