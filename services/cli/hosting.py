"""Running a server, and mending its database."""

import asyncio
from pathlib import Path
from typing import Literal

from services.cli import keyring
from services.cli.telling import complain, progress, say

View = Literal["sheet", "journal", "ledger", "sessions"]


def serve(
    *,
    host: str | None = None,
    port: int | None = None,
    data: Path | None = None,
    database_url: str | None = None,
    redis_url: str | None = None,
) -> None:
    """Run the server. Options come before the environment's GREFFIER_… settings.

    Parameters
    ----------
    host
        Where to listen (127.0.0.1).
    port
        The port to listen on (8000); 0 takes any that is free.
    data
        The folder of the embedded Postgres (./data).
    database_url
        Another Postgres instead of the embedded one.
    redis_url
        A Redis that carries hints between several nodes.
    """
    from services.settings import from_environment, strangers

    for warning in strangers():
        complain(warning)
    settings = from_environment(host=host, port=port, data=data, database_url=database_url, redis_url=redis_url)
    from services.app import serve as run

    run(settings)


def rebuild(name: str, /, *, view: View | None = None, data: Path | None = None) -> None:
    """Make the views of a campaign anew from its events, beside those in use.

    Runs on the server's database; the embedded one must not be in use by a running server.

    Parameters
    ----------
    name
        The campaign: its whole id, or its name where you have a seat there.
    view
        Only this view.
    data
        The folder of the embedded Postgres (./data).
    """
    from services.maintenance import rebuild as run
    from services.settings import from_environment

    settings = from_environment(data=data)
    with progress() as bar:
        task = bar.add_task("views", total=None)
        done = asyncio.run(run(settings, _campaign(name), view, lambda: bar.advance(task)))
    for one, seq in done.items():
        say(f"{one}: rebuilt up to event {seq}")


def _campaign(name: str) -> str:
    """The id of the campaign, which a host may also know without having a seat there. Raises `Failure`."""
    return keyring.at(name)[0].campaign if keyring.fitting(name) else name
