"""Keeps the views up with the log: exactly once, in any number of processes, whatever dies on the way.

Work is found by hints and by a sweep over the heads of the log. A step writes rows and cursor together and only where
the cursor stands where the step began, so projectors may race and be killed at any point. An event that cannot be
read, or that a view stumbles over, parks that view of that campaign: nothing is skipped, everything else goes on, and
it goes on too once a retry passes.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence

import msgspec
import structlog
from prometheus_client import Counter

from domain.kernel.fold import Reducers
from events.codec import Codec
from projections.view import View
from services import fingerprint
from services.log import Log, LogUnavailable
from services.states import thaw
from services.views.kept import Kept
from services.views.retries import Retries
from services.views.stepping import Due, Standing, follows, step
from services.views.store import ViewStore, Write, serving

PAGE = 200
"""Events read at a time."""
PAGES_IN_A_ROW = 10
"""After so many pages a campaign lets the others have their turn."""
BETWEEN_PAGES = 0.02
"""Seconds between two pages of one sweep."""

_log = structlog.get_logger()
_parked = Counter("greffier_projections_parked", "How often a view was stopped by an event.", ["view"])


class RebuildFailed(Exception):
    """The view stays as it was: event and reason are in the message."""


class Projector:
    """`moved` is told of every step done here, `(campaign, projection, seq)`; it must not block."""

    def __init__(
        self,
        log: Log,
        store: ViewStore,
        codec: Codec,
        evolve: Reducers,
        views: Iterable[View],
        now_us: Callable[[], int],
        *,
        moved: Callable[[str, str, int], None] | None = None,
        workers: int = 4,
        sweep_seconds: float = 1.0,
        most_states: int = 128,
        retries: Retries | None = None,
    ) -> None:
        self._log, self._store, self._codec, self._evolve, self._now_us = log, store, codec, evolve, now_us
        self._named = {view.name: view for view in views}
        self._views = {view.projection: view for view in self._named.values()}
        self._moved = moved
        self._kept = Kept(most_states)
        self._retries = retries or Retries()
        self._count, self._sweep_seconds, self._swept_to = workers, sweep_seconds, ""
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._waiting: set[str] = set()
        self._running: set[str] = set()
        self._again: set[str] = set()
        self._watchers: dict[str, set[asyncio.Event]] = {}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to work in the background."""
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._count)]
        self._tasks.append(asyncio.create_task(self._sweep()))

    async def close(self) -> None:
        """Stop at once: what was not written is done again later."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()

    def nudge(self, campaign: str) -> None:
        """There may be new events. Never blocks."""
        if campaign in self._running:
            self._again.add(campaign)
        elif campaign not in self._waiting:
            self._waiting.add(campaign)
            self._queue.put_nowait(campaign)

    async def catch_up(self, campaign: str) -> bool:
        """Read on, some pages far. Answers whether there is more to do. Raises `LogUnavailable`."""
        for _ in range(PAGES_IN_A_ROW):
            cursors = await self._store.cursors(campaign)
            due = [
                Due(view, name, cursors[name].seq if name in cursors else 0)
                for name, view in self._views.items()
                if self._retries.due(campaign, cursors.get(name))
            ]
            if not await self._read_on(campaign, due):
                return False
        return True

    async def wait_for(self, campaign: str, view: str, min_seq: int, timeout: float = 5.0) -> bool:
        """Whether what is read of a view reflects event `min_seq`, within `timeout` seconds. A parked one never does.

        Raises `LogUnavailable`.
        """
        wanted = self._named[view]
        deadline = asyncio.get_running_loop().time() + timeout
        watch = asyncio.Event()
        watchers = self._watchers.setdefault(campaign, set())
        watchers.add(watch)
        try:
            while True:
                watch.clear()
                cursors = await self._store.cursors(campaign)
                cursor = cursors.get(serving(cursors, wanted.name, wanted.version))
                if cursor is not None and (cursor.seq >= min_seq or cursor.status == "parked"):
                    return cursor.seq >= min_seq
                left = deadline - asyncio.get_running_loop().time()
                if left <= 0:
                    return min_seq <= 0
                self.nudge(campaign)
                try:
                    await asyncio.wait_for(watch.wait(), min(left, 0.25))
                except TimeoutError:
                    continue  # another process may have done the step
        finally:
            watchers.discard(watch)
            if not watchers and self._watchers.get(campaign) is watchers:
                del self._watchers[campaign]

    async def projection(self, campaign: str, view: str) -> str:
        """The name under which the view's rows are to be read."""
        wanted = self._named[view]
        return serving(await self._store.cursors(campaign), wanted.name, wanted.version)

    async def rebuild(self, campaign: str, view: str) -> int:
        """Fill the view anew beside the old rows and put it in their place. Answers the seq it stands at.

        Raises `RebuildFailed`, `LogUnavailable`.
        """
        wanted = self._named[view]
        staged = f"{wanted.projection}~"
        await self._store.reset(campaign, staged)
        standing = Standing()
        while True:
            due = [Due(wanted, staged, standing.seq)]
            after, writes = await self._page(campaign, standing, due)
            if writes:
                done = await self._store.write(campaign, writes, self._now_us())
                if writes[0].error or staged not in done:
                    await self._store.reset(campaign, staged)
                    raise RebuildFailed(writes[0].error or "another rebuild is under way")
            elif await self._store.swap(campaign, staged, wanted.projection, self._now_us()):
                self._retries.passed(campaign, wanted.projection)
                self._tell(campaign, wanted.projection, standing.seq)
                return standing.seq
            elif after.seq == 0:
                return 0
            elif (head := await self._log.head(campaign)) is None or head.seq <= after.seq:
                await self._store.reset(campaign, wanted.projection)  # it had read what the log no longer holds
            standing = after

    def resume(self, campaign: str, view: str) -> None:
        """Try a parked view again now."""
        self._retries.passed(campaign, self._named[view].projection)
        self.nudge(campaign)

    async def _read_on(self, campaign: str, due: Sequence[Due]) -> bool:
        """One page for the views that are furthest; for those behind them when there is nothing new.

        Answers whether there may be more to read.
        """
        if not due:
            return False
        furthest = max(one.seq for one in due)
        behind = min(one.seq for one in due)
        for seq in dict.fromkeys((furthest, behind)):
            together = [one for one in due if (one.seq == furthest) == (seq == furthest)]
            standing = await self._standing(campaign, seq, together)
            if standing is None:
                continue
            after, writes = await self._page(campaign, standing, together)
            if writes:
                whole = await self._write(campaign, writes)
                self._kept.put(campaign, standing, after)
                return not whole or behind < furthest or after.seq - standing.seq == PAGE
        return False

    async def _write(self, campaign: str, writes: list[Write]) -> bool:
        """Whether every step was done, none of them parked."""
        done = await self._store.write(campaign, writes, self._now_us())
        for write in writes:
            if write.projection not in done:
                continue
            if write.error:
                _parked.labels(write.projection).inc()
                self._retries.failed(campaign, write.projection)
                _log.error("projection_parked", campaign=campaign, projection=write.projection, error=write.error)
            else:
                self._retries.passed(campaign, write.projection)
            self._tell(campaign, write.projection, write.reached)
        return all(write.projection in done and not write.error for write in writes)

    async def _page(self, campaign: str, standing: Standing, due: Sequence[Due]) -> tuple[Standing, list[Write]]:
        events = await self._log.read(campaign, standing.seq, PAGE)
        if events and standing.seq and not follows(standing, campaign, events[0]):
            self._kept.forget(campaign)  # the log was restored: what was folded is not what is stored
            again = await self._from_the_log(campaign, standing.seq, Standing(), due)
            if again is None:
                return standing, []
            standing = again
        return step(self._codec, self._evolve, standing, events, due) if events else (standing, [])

    async def _standing(self, campaign: str, seq: int, due: Sequence[Due]) -> Standing | None:
        """The state after event `seq`; None, and `due` parked, when it cannot be folded."""
        nearest = self._kept.nearest(campaign, seq) or await self._snapshot(campaign, seq)
        return await self._from_the_log(campaign, seq, nearest, due)

    async def _from_the_log(
        self, campaign: str, seq: int, standing: Standing, due: Sequence[Due] = ()
    ) -> Standing | None:
        while standing.seq < seq:
            events = await self._log.read(campaign, standing.seq, min(PAGE, seq - standing.seq))
            if not events:
                return None
            stand_still = [Due(one.view, one.projection, one.seq) for one in due]
            standing, writes = step(self._codec, self._evolve, standing, events, stand_still)
            if any(write.error for write in writes):
                await self._write(campaign, [write for write in writes if write.error])
                return None
        return standing

    async def _snapshot(self, campaign: str, seq: int) -> Standing:
        found = await self._log.load_snapshot(campaign, fingerprint.reducers(), seq) if seq > PAGE else None
        if found is None:
            return Standing()
        try:
            return Standing(found.seq, found.hash, thaw(found.state)[1])
        except (msgspec.MsgspecError, KeyError):
            return Standing()

    def _tell(self, campaign: str, projection: str, seq: int) -> None:
        for watch in self._watchers.get(campaign, ()):
            watch.set()
        if self._moved is not None:
            self._moved(campaign, projection, seq)

    async def _work(self) -> None:
        while True:
            campaign = await self._queue.get()
            self._waiting.discard(campaign)
            self._running.add(campaign)
            more = False
            try:
                more = await self.catch_up(campaign)
            except LogUnavailable as error:
                _log.warning("projector_waits", campaign=campaign, error=str(error))
                await asyncio.sleep(error.retry_after)
            except Exception:  # noqa: BLE001 - the sweep comes back to it; the worker lives on
                _log.exception("projector_failed", campaign=campaign)
            finally:
                self._running.discard(campaign)
            if campaign in self._again or more:
                self._again.discard(campaign)
                self.nudge(campaign)

    async def _sweep(self) -> None:
        while True:
            try:
                found, self._swept_to = await self._store.behind(list(self._views), self._swept_to)
                for campaign in found:
                    self.nudge(campaign)
            except LogUnavailable as error:
                _log.warning("sweep_waits", error=str(error))
            except Exception:  # noqa: BLE001 - the next round tries again
                _log.exception("sweep_failed")
            await asyncio.sleep(BETWEEN_PAGES if self._swept_to else self._sweep_seconds)
