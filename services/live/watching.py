"""Views that clients watch on the socket: sent when they change, with the event they reflect."""

import asyncio
from collections.abc import Mapping

import structlog

from projections.contents import VIEWS
from services.auth import Registry
from services.http.views import document
from services.live.channel import Channel
from services.live.connection import Connection
from services.live.protocol import frame
from services.log import LogUnavailable
from services.views.projector import Projector
from services.views.store import Stored, ViewStore

FIRST_ROWS = 100
"""What a new watcher is sent at once of a view with many rows: the newest ones."""
PATIENCE = 5.0
"""Seconds to wait for a view before trying at the next change."""

_log = structlog.get_logger()


class Watching:
    """One task a campaign at most; changes that come while it works are caught in its next round."""

    def __init__(self, projector: Projector, store: ViewStore, registry: Registry) -> None:
        self._projector, self._store, self._registry = projector, store, registry
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def moved(self, channel: Channel) -> None:
        """New events went out, or somebody watches something else."""
        if not any(connection.views for connection in channel.connections):
            return
        self._again.add(channel.campaign)
        if channel.campaign not in self._tasks:
            self._tasks[channel.campaign] = asyncio.create_task(self._work(channel))

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _work(self, channel: Channel) -> None:
        try:
            while channel.campaign in self._again:
                self._again.discard(channel.campaign)
                await self._round(channel)
        except LogUnavailable as error:
            _log.warning("views_not_sent_yet", campaign=channel.campaign, error=str(error))
        except Exception:  # noqa: BLE001 - one campaign's trouble ends its round, not the node
            _log.exception("watching_failed", campaign=channel.campaign)
        finally:
            self._tasks.pop(channel.campaign, None)

    async def _round(self, channel: Channel) -> None:
        seq = channel.seq
        names = await self._registry.names(channel.campaign)
        for connection in tuple(channel.connections):
            for place in tuple(connection.views):
                if connection.live and place[0] in VIEWS and connection.views.get(place, seq) < seq:
                    try:
                        await self._send(channel, connection, place, seq, names)
                    except LogUnavailable:
                        raise
                    except Exception:  # noqa: BLE001 - a watch that fails is dropped, the others go on
                        _log.exception("watch_dropped", campaign=channel.campaign, view=place[0])
                        connection.views.pop(place, None)

    async def _send(
        self,
        channel: Channel,
        connection: Connection,
        place: tuple[str, str | None],
        seq: int,
        names: Mapping[str, str],
    ) -> None:
        view, key = place
        who = channel.viewer(connection)
        if who is None or not await self._projector.wait_for(channel.campaign, view, seq, PATIENCE):
            return
        projection = await self._projector.projection(channel.campaign, view)
        since = connection.views.get(place, seq)
        rows: list[Stored]
        if since < 0 and key is not None:
            rows = await self._store.read(channel.campaign, projection, key, who, limit=FIRST_ROWS, newest_first=True)
            rows.reverse()
        else:
            rows = await self._store.changed(channel.campaign, projection, who, max(since, 0), key)
            rows = rows[-FIRST_ROWS:] if since < 0 else rows
        if place in connection.views:
            connection.views[place] = seq
        for row in rows:
            told = document(view, row, connection.locale, names)
            connection.offer(frame("view", view=view, key=row.key, line=row.line, seq=row.seq, doc=told["doc"]))
