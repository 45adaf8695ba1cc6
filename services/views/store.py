"""Where the rows of views are kept. One interface, in memory or in Postgres, under the same contract tests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from events.envelope import Audience
from projections.view import Row, encode, patched
from projections.visibility import Viewer

MOST = 1_000
"""Rows in one answer."""


class Stored(Struct, frozen=True, gc=False):
    """A row as it is kept: `doc` is JSON, `seq` the event that last changed it."""

    key: str
    line: int
    seq: int
    audience: Audience
    doc: bytes


class Change(Struct, frozen=True, gc=False):
    """What becomes of a row: written, patched, or gone when there is no `doc`."""

    key: str
    line: int
    seq: int
    audience: Audience
    doc: bytes | None
    patch: bool = False


class Cursor(Struct, frozen=True, gc=False):
    """How far a projection has read. A parked one waits at `seq` for the cure of `error`."""

    projection: str
    seq: int = 0
    status: Literal["live", "parked"] = "live"
    error: str = ""
    updated_us: int = 0


class Write(Struct, frozen=True):
    """One projection's step from `expected` to `reached`. With an `error` it parks there."""

    projection: str
    expected: int
    reached: int
    changes: Sequence[Change] = ()
    error: str = ""


class ViewStore(Protocol):
    """Rows and cursors change together or not at all. Every call may raise `LogUnavailable`."""

    async def write(self, campaign: str, writes: Sequence[Write], now_us: int) -> set[str]:
        """Do those steps whose cursor stands where it is expected, and answer which. The others left no trace."""
        ...

    async def cursors(self, campaign: str) -> dict[str, Cursor]:
        """By projection. One that has read nothing has none."""
        ...

    async def read(
        self,
        campaign: str,
        projection: str,
        key: str,
        who: Viewer,
        *,
        after: int | None = None,
        before: int | None = None,
        limit: int = MOST,
        newest_first: bool = False,
    ) -> list[Stored]:
        """The rows of a key that `who` may see, by line, strictly between `after` and `before`."""
        ...

    async def changed(
        self, campaign: str, projection: str, who: Viewer, after_seq: int, key: str | None = None, limit: int = MOST
    ) -> list[Stored]:
        """The rows that `who` may see and that an event beyond `after_seq` changed, by seq, key and line."""
        ...

    async def behind(self, projections: Sequence[str], after: str = "", limit: int = 200) -> tuple[list[str], str]:
        """Of the next `limit` campaigns beyond the name `after`, those with an event that a projection has not read.

        Also answers where to go on; `""` means from the beginning.
        """
        ...

    async def reset(self, campaign: str, projection: str) -> None:
        """Forget rows and cursor."""
        ...

    async def swap(self, campaign: str, staged: str, projection: str, now_us: int) -> bool:
        """Put the staged rows and cursor in the projection's place, unless they have read less."""
        ...


def changes(seq: int, rows: Iterable[Row]) -> list[Change]:
    """The rows of one step, encoded."""
    return [
        Change(row.key, row.line, seq, row.audience, None if row.doc is None else encode(row.doc), row.patch)
        for row in rows
    ]


def coalesced(several: Iterable[Change]) -> list[Change]:
    """The same outcome with each row changed once."""
    last: dict[tuple[str, int], Change] = {}
    for change in several:
        place = change.key, change.line
        earlier = last.get(place)
        last[place] = _over(earlier, change) if change.patch and earlier else change
    return list(last.values())


def _over(earlier: Change, patch: Change) -> Change:
    if earlier.doc is None or patch.doc is None:
        return earlier
    return replace(patch, doc=patched(earlier.doc, patch.doc), patch=earlier.patch)


def serving(cursors: Mapping[str, Cursor], name: str, version: int) -> str:
    """The projection of a view to read from: the newest version that has read as much as the older ones."""
    chosen, most = f"{name}@{version}", -1
    for older in range(1, version + 1):
        cursor = cursors.get(f"{name}@{older}")
        if cursor is not None and cursor.seq >= most:
            chosen, most = cursor.projection, cursor.seq
    return chosen
