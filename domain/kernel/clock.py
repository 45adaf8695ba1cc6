"""The campaign's clock: whole seconds of game time since the campaign began. It goes back only by a rewind."""

from domain.kernel.fold import Leaf, State, begin, on, reducers, the
from events.table import CampaignOpened, ClockAdvanced

ROUND, MINUTE, HOUR, DAY = 6, 60, 3_600, 86_400
"""In seconds."""


class Clock(Leaf, frozen=True, tag="clock"):
    seconds: int = 0


def now(state: State) -> int:
    """Game time, in seconds."""
    return the(state, Clock).seconds


EVOLVE = reducers(
    begin(CampaignOpened, Clock, "", lambda _: Clock()),
    on(ClockAdvanced, Clock, "", lambda _, told: Clock(told.now)),
)
