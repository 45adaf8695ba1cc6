"""The log in memory: for rule tests, and as the other side of the contract tests."""

import asyncio
import secrets
from collections.abc import Mapping

from events.envelope import Recorded
from services.log import Appended, Batch, Head, Snapshot


class MemoryLog:
    """Nothing survives the process. Within it, every promise of the log holds."""

    def __init__(self) -> None:
        self._heads: dict[str, Head] = {}
        self._events: dict[str, list[Recorded]] = {}
        self._commands: dict[tuple[str, str], tuple[bytes, Appended]] = {}
        self._snapshots: dict[tuple[str, str, int], Snapshot] = {}
        self._seeds: dict[tuple[str, str], bytes] = {}
        self._secrets: dict[str, bytes] = {}

    async def create(self, batch: Batch) -> Appended:
        await asyncio.sleep(0)
        self._heads.setdefault(batch.campaign, Head(batch.campaign))
        return self._append(batch)

    async def append(self, batch: Batch) -> Appended:
        await asyncio.sleep(0)
        return self._append(batch)

    def _append(self, batch: Batch) -> Appended:
        known = self._known(batch.campaign, batch.command, batch.fingerprint)
        if known is not None:
            return known
        head = self._heads.get(batch.campaign)
        if head is None:
            return Appended("unknown_campaign")
        if (head.seq, head.hash) != (batch.expected_seq, batch.expected_hash):
            return Appended("conflict")
        first, last = batch.events[0], batch.events[-1]
        self._events.setdefault(batch.campaign, []).extend(batch.events)
        self._heads[batch.campaign] = Head(batch.campaign, head.epoch, last.seq, last.hash)
        done = Appended("written", first.seq, last.seq)
        self._commands[batch.campaign, batch.command] = (batch.fingerprint, done)
        return done

    def _known(self, campaign: str, command: str, fingerprint: bytes) -> Appended | None:
        stored = self._commands.get((campaign, command))
        if stored is None:
            return None
        old, done = stored
        return Appended("replayed", done.first, done.last) if old == fingerprint else Appended("key_reused")

    async def answer(self, campaign: str, command: str, fingerprint: bytes) -> Appended | None:
        return self._known(campaign, command, fingerprint)

    async def head(self, campaign: str) -> Head | None:
        return self._heads.get(campaign)

    async def heads(self, above: Mapping[str, int]) -> list[Head]:
        return [head for name, seq in above.items() if (head := self._heads.get(name)) and head.seq > seq]

    async def read(self, campaign: str, after: int, limit: int = 1_000) -> list[Recorded]:
        return self._events.get(campaign, [])[after : after + limit]

    async def save_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshots[snapshot.campaign, snapshot.reducer, snapshot.seq] = snapshot

    async def load_snapshot(self, campaign: str, reducer: str, at: int | None = None) -> Snapshot | None:
        fitting = [
            snapshot
            for (name, code, seq), snapshot in self._snapshots.items()
            if (name, code) == (campaign, reducer) and (at is None or seq <= at)
        ]
        return max(fitting, key=lambda snapshot: snapshot.seq, default=None)

    async def delete_snapshots(self, campaign: str) -> int:
        gone = [place for place in self._snapshots if place[0] == campaign]
        for place in gone:
            del self._snapshots[place]
        return len(gone)

    async def keep_seed(self, campaign: str, commitment: str, seed: bytes) -> None:
        self._seeds.setdefault((campaign, commitment), seed)

    async def seed(self, campaign: str, commitment: str) -> bytes | None:
        return self._seeds.get((campaign, commitment))

    async def secret(self, campaign: str) -> bytes:
        return self._secrets.setdefault(campaign, secrets.token_bytes(32))
