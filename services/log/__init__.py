"""The log: the only truth. One interface, kept in memory or in Postgres, under the same contract tests."""

from collections.abc import Mapping
from typing import Literal, Protocol

from msgspec import Struct

from events.chain import GENESIS
from events.envelope import Recorded

Strategy = Literal["grouped", "single"]
"""How commands of different campaigns reach the store; callers see no difference."""
Status = Literal["written", "replayed", "key_reused", "conflict", "closed", "unknown_campaign"]


class Head(Struct, frozen=True, gc=False):
    """Where a campaign stands. `epoch` is raised by the operator after restoring a backup."""

    campaign: str
    epoch: int = 1
    seq: int = 0
    hash: bytes = GENESIS


class Batch(Struct, frozen=True, gc=False):
    """The events of one command, chained on from the expected head. Never empty."""

    campaign: str
    expected_seq: int
    expected_hash: bytes
    command: str
    fingerprint: bytes
    events: tuple[Recorded, ...]


class Appended(Struct, frozen=True, gc=False):
    """What became of a batch. `first`..`last` are the numbers of the stored events when `written` or `replayed`."""

    status: Status
    first: int = 0
    last: int = 0


class Snapshot(Struct, frozen=True, gc=False):
    """A cached state. `reducer` is the fingerprint of the code that folded it: other code never reads it."""

    campaign: str
    reducer: str
    seq: int
    hash: bytes
    state: bytes


class LogUnavailable(Exception):
    """The store cannot be reached or did not answer in time. The outcome is unknown: call again with the same
    command id. `retry_after` is in seconds."""

    def __init__(self, detail: str, retry_after: int = 1) -> None:
        super().__init__(detail)
        self.retry_after = retry_after


class Log(Protocol):
    """Acknowledged means stored once. Every call is safe to repeat; every call may raise `LogUnavailable`."""

    async def create(self, batch: Batch) -> Appended:
        """Append to a campaign that does not exist yet (`expected_seq` 0)."""
        ...

    async def append(self, batch: Batch) -> Appended:
        """Store a batch if the head is the expected one.

        Looks the command up first: the same fingerprint answers `replayed` with the old numbers, another one
        `key_reused`. Never raises in normal operation.
        """
        ...

    async def answer(self, campaign: str, command: str, fingerprint: bytes) -> Appended | None:
        """What `append` would say of a command that is already stored, or None."""
        ...

    async def head(self, campaign: str) -> Head | None: ...

    async def heads(self, above: Mapping[str, int]) -> list[Head]:
        """Of the campaigns named, the heads that are beyond the seq given."""
        ...

    async def read(self, campaign: str, after: int, limit: int = 1_000) -> list[Recorded]:
        """Events in order, from `after` + 1 on."""
        ...

    async def save_snapshot(self, snapshot: Snapshot) -> None: ...

    async def load_snapshot(self, campaign: str, reducer: str, at: int | None = None) -> Snapshot | None:
        """The newest one folded by this reducer, not beyond `at`."""
        ...

    async def delete_snapshots(self, campaign: str) -> int: ...

    async def keep_seed(self, campaign: str, commitment: str, seed: bytes) -> None:
        """Keep the secret of a session's dice before its commitment is published."""
        ...

    async def seed(self, campaign: str, commitment: str) -> bytes | None: ...

    async def secret(self, campaign: str) -> bytes:
        """32 random bytes of the campaign, made at the first call: they blind the fingerprints of commands."""
        ...
