"""What a host does with the database when no server needs it: rebuilding views."""

from collections.abc import Callable

from projections.contents import VIEWS
from services.app import running
from services.settings import Settings


async def rebuild(settings: Settings, campaign: str, view: str | None, step: Callable[[], None]) -> dict[str, int]:
    """Make views anew from the events. Answers, by view, up to which event. Raises `ServerFailed`, `RebuildFailed`."""
    done = {}
    async with running(settings) as parts:
        for name in [view] if view else list(VIEWS):
            done[name] = await parts.projector.rebuild(campaign, name)
            step()
    return done
