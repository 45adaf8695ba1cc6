"""When a parked view is tried again: at once after a restart, then after ever longer pauses."""

import time
from collections.abc import Callable

from services.views.store import Cursor


class Retries:
    """`first` and `longest` pause, in seconds. Forgotten with the process: a new build tries at once."""

    def __init__(self, first: float = 2.0, longest: float = 300.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._first, self._longest, self._clock = first, longest, clock
        self._pauses: dict[tuple[str, str], tuple[float, float]] = {}

    def due(self, campaign: str, cursor: Cursor | None) -> bool:
        """Whether to read on with it now."""
        if cursor is None or cursor.status == "live":
            return True
        waiting = self._pauses.get((campaign, cursor.projection))
        return waiting is None or self._clock() >= waiting[0]

    def failed(self, campaign: str, projection: str) -> None:
        _, pause = self._pauses.get((campaign, projection), (0.0, 0.0))
        pause = min(pause * 2 or self._first, self._longest)
        self._pauses[campaign, projection] = self._clock() + pause, pause

    def passed(self, campaign: str, projection: str) -> None:
        self._pauses.pop((campaign, projection), None)
