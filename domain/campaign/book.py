"""Everything the table knows: its commands, its facts, its reducers."""

from domain.campaign import belongings, cast, corrections, game_clock, opening, rolls, seats, sessions, talk
from domain.campaign.systems import SYSTEMS
from domain.kernel import belongings as purses
from domain.kernel import cast as characters
from domain.kernel import charter, clock, members, sitting
from domain.kernel.command import Command, Decider, anyone
from domain.kernel.fold import Reducers, together
from events import table
from events.envelope import Fact

COMMANDS: dict[type[Command], Decider] = {
    **opening.DECIDE,
    **seats.DECIDE,
    **sessions.DECIDE,
    **cast.DECIDE,
    **belongings.DECIDE,
    **talk.DECIDE,
    **corrections.DECIDE,
    **game_clock.DECIDE,
    **rolls.DECIDE,
    **{command: decider for system in SYSTEMS.values() for command, decider in system.deciders.items()},
}
"""What a member may send."""

DECIDE: dict[type[Command], Decider] = {
    **COMMANDS,
    opening.OpenCampaign: anyone(opening.open_campaign),
    seats.Join: anyone(seats.join),
}
"""Also what only the edge itself gives."""

FACTS: tuple[type[Fact], ...] = (
    *(fact for fact in vars(table).values() if isinstance(fact, type) and issubclass(fact, Fact) and fact is not Fact),
    *(fact for system in SYSTEMS.values() for fact in system.facts),
)
"""Every fact there is."""

EVOLVE: Reducers = together(
    charter.EVOLVE,
    members.EVOLVE,
    characters.EVOLVE,
    purses.EVOLVE,
    clock.EVOLVE,
    sitting.EVOLVE,
    belongings.EVOLVE,
    corrections.EVOLVE,
    *(system.evolve for system in SYSTEMS.values()),
)
