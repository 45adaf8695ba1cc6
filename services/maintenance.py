"""What a host does with the database when no server needs it: rebuilding views."""

from collections.abc import Callable

from projections.contents import VIEWS
from services.app import running
from services.settings import Settings


class NothingThere(Exception):
    """There is no such record; says where it was looked for."""


async def rebuild(settings: Settings, campaign: str, view: str | None, step: Callable[[], None]) -> dict[str, int]:
    """Make views anew from the events. Answers, by view, up to which event.

    Only a server makes a record: where there is none, none is made. Raises `NothingThere`, `RebuildFailed`, and what
    `running` raises.
    """
    where = settings.database_url.rpartition("@")[2] or str(settings.data.absolute())
    if not settings.database_url and not (settings.data / "postgres" / "cluster").is_dir():
        raise NothingThere(f"There is no record in {where}: name the server's folder with --data or GREFFIER_DATA.")
    done = {}
    async with running(settings) as parts:
        if await parts.log.head(campaign) is None:
            raise NothingThere(
                f"The record in {where} knows no campaign {campaign}: give its whole id, or the name of one at which "
                "this account has a seat."
            )
        for name in [view] if view else list(VIEWS):
            done[name] = await parts.projector.rebuild(campaign, name)
            step()
    return done
