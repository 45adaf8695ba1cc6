"""Game time: the game master lets it pass, and what falls due on the way happens, in order, once."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.campaign.systems import SYSTEMS
from domain.kernel.charter import charter
from domain.kernel.clock import DAY, HOUR, MINUTE, ROUND, now
from domain.kernel.command import Command, Context, Deciders, gm
from domain.kernel.fold import State
from domain.kernel.refusal import Refusal, require
from events.envelope import Fact
from events.table import ClockAdvanced

NO_TIME = Refusal("TimeDoesNotGoBack", "Time only goes forward: name at least one second.")
TOO_LONG = Refusal("TIME_TOO_LONG", "At most {most} years pass at once.")
MOST_YEARS = 100

Amount = Annotated[int, Meta(ge=-(10**9), le=10**9)]


class AdvanceClock(Command, frozen=True, tag="campaign.advance_clock"):
    """The amounts add up. A round is 6 seconds."""

    seconds: Amount = 0
    rounds: Amount = 0
    minutes: Amount = 0
    hours: Amount = 0
    days: Amount = 0


def advance_clock(state: State, command: AdvanceClock, context: Context) -> Iterable[Fact]:
    seconds = (
        command.seconds + ROUND * command.rounds + MINUTE * command.minutes + HOUR * command.hours + DAY * command.days
    )
    amounts = (command.seconds, command.rounds, command.minutes, command.hours, command.days)
    require(seconds > 0 and min(amounts) >= 0, NO_TIME)
    require(seconds <= MOST_YEARS * 366 * DAY, TOO_LONG, most=MOST_YEARS)
    until = now(state) + seconds
    facts: list[Fact] = [ClockAdvanced(seconds, until)]
    for name in charter(state).systems:
        if name in SYSTEMS:
            facts += SYSTEMS[name].passes(state, until, context)
    return facts


DECIDE: Deciders = {AdvanceClock: gm(advance_clock)}
