"""The grouped writer: one held connection, one set-based statement for everything that is queued, no timer.

A lone command goes at once. While a statement waits for the disk, the next commands gather: the busier the server,
the larger the groups. On a sharded Postgres use single appends instead (`GREFFIER_APPEND=single`).
"""

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import asyncpg
import structlog
from asyncpg.prepared_stmt import PreparedStatement

from services.database import LOST
from services.log import Appended, Batch, LogUnavailable

QUEUED = 4_096
"""Commands that may wait; beyond that the answer is 503."""
GROUP = 512
GROUP_BYTES = 8 * 1_048_576
PAUSES = (0.0, 0.05, 0.2, 0.5, 1.0)
"""Seconds before each try on a new connection. A command's outcome stays the same: it carries its own id."""

_STATEMENT = "SELECT n, status, first_seq, last_seq FROM greffier.append_batch($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)"  # noqa: E501

_log = structlog.get_logger()

Waiting = tuple[Batch, "asyncio.Future[Appended]"]


class GroupedWriter:
    """`connect` opens the connection that the writer holds; `alone` stores a batch that must wait for its head."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[asyncpg.Connection]],
        alone: Callable[[Batch], Awaitable[Appended]],
    ) -> None:
        self._connect, self._alone = connect, alone
        self._aside: set[asyncio.Task[None]] = set()
        self._queue: deque[Waiting] = deque()
        self._some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._connection: asyncpg.Connection | None = None
        self._statement: PreparedStatement[asyncpg.Record] | None = None
        self._closing = False

    async def append(self, batch: Batch) -> Appended:
        """Queue a batch and wait for its answer. A caller that is cancelled leaves the batch to its fate."""
        if self._closing or len(self._queue) >= QUEUED:
            raise LogUnavailable("too many commands are waiting to be stored")
        answer: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
        self._queue.append((batch, answer))
        self._some.set()
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return await answer

    async def close(self) -> None:
        """Store what is queued, then let go of the connection."""
        self._closing = True
        self._some.set()
        if self._task is not None:
            await asyncio.wait([self._task, *self._aside], timeout=10)
            self._task.cancel()
        await self._let_go()

    async def _run(self) -> None:
        while True:
            if not self._queue:
                if self._closing:
                    return
                self._some.clear()
                await self._some.wait()
                continue
            group = self._next_group()
            try:
                answers = await self._store([batch for batch, _ in group])
            except LogUnavailable as error:
                for _, waiting in group:
                    if not waiting.done():
                        waiting.set_exception(LogUnavailable(str(error)))
            except Exception:  # noqa: BLE001 - one batch that Postgres cannot take spoils nobody else's
                _log.exception("group_refused", commands=len(group))
                for one in group:
                    self._set_aside(one)
            else:
                for one, answer in zip(group, answers, strict=True):
                    if answer is None:
                        self._set_aside(one)
                    elif not one[1].done():
                        one[1].set_result(answer)

    def _set_aside(self, one: Waiting) -> None:
        """Store this one by itself, while the others go on."""
        task = asyncio.create_task(self._store_alone(one))
        self._aside.add(task)
        task.add_done_callback(self._aside.discard)

    async def _store_alone(self, one: Waiting) -> None:
        batch, waiting = one
        try:
            answer = await self._alone(batch)
        except Exception as error:  # noqa: BLE001 - its caller is told
            if not waiting.done():
                waiting.set_exception(
                    error if isinstance(error, LogUnavailable) else LogUnavailable(f"the store refused: {error}")
                )
        else:
            if not waiting.done():
                waiting.set_result(answer)

    def _next_group(self) -> list[Waiting]:
        """Everything queued, at most one command of a campaign, within bounds; the rest keeps its order."""
        group: list[Waiting] = []
        later: list[Waiting] = []
        campaigns: set[str] = set()
        size = 0
        while self._queue and len(group) < GROUP and size < GROUP_BYTES:
            one = self._queue.popleft()
            if one[0].campaign in campaigns:
                later.append(one)
                continue
            campaigns.add(one[0].campaign)
            group.append(one)
            size += sum(len(event.body) for event in one[0].events)
        self._queue.extendleft(reversed(later))
        return group

    async def _store(self, batches: list[Batch]) -> list[Appended | None]:
        """An answer for each; None where somebody else holds the head."""
        arguments = columns(batches)
        error: BaseException | None = None
        for pause in PAUSES:
            await asyncio.sleep(pause)
            try:
                statement = self._statement or await self._prepared()
                rows = await statement.fetch(*arguments, timeout=30)
            except LOST as lost:
                error = lost
                await self._let_go()
                continue
            answers: list[Appended | None] = [None] * len(batches)
            for n, status, first, last in rows:
                if status != "busy":
                    answers[n - 1] = Appended(status, first or 0, last or 0)
            return answers
        raise LogUnavailable(f"Postgres did not answer: {error!r}")

    async def _prepared(self) -> "PreparedStatement[asyncpg.Record]":
        self._connection = await self._connect()
        self._statement = await self._connection.prepare(_STATEMENT)
        return self._statement

    async def _let_go(self) -> None:
        connection, self._connection, self._statement = self._connection, None, None
        if connection is not None and not connection.is_closed():
            with contextlib.suppress(*LOST):
                await connection.close(timeout=2)


def columns(batches: list[Batch]) -> tuple[list[Any], ...]:
    """The arguments of `greffier.append_batch`: seven arrays by command, thirteen by event."""
    events = [(of, event) for of, batch in enumerate(batches, 1) for event in batch.events]
    return (
        [batch.campaign for batch in batches],
        [batch.expected_seq for batch in batches],
        [batch.expected_hash for batch in batches],
        [batch.command for batch in batches],
        [batch.fingerprint for batch in batches],
        [len(batch.events) for batch in batches],
        [batch.events[-1].hash for batch in batches],
        [of for of, _ in events],
        [event.seq for _, event in events],
        [event.at_us for _, event in events],
        [event.type for _, event in events],
        [event.version for _, event in events],
        [event.session for _, event in events],
        [event.index for _, event in events],
        [event.actor for _, event in events],
        [event.audience if isinstance(event.audience, str) else " ".join(event.audience) for _, event in events],
        [event.salt for _, event in events],
        [event.body for _, event in events],
        [event.digest for _, event in events],
        [event.hash for _, event in events],
    )
