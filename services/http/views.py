"""Read models over HTTP: sheets, journal, ledger, sessions."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import Parameter, QueryParameter

from projections.contents import VIEWS
from projections.detail import Item, detail
from projections.journal import JOURNAL, Line, tell, tell_dice
from projections.view import ALL
from projections.visibility import may_know
from projections.wire import rfc3339
from services.http.parts import Parts, Req, asking, parts
from services.http.reading import Seq
from services.pipeline import Trouble
from services.problems import locale_of
from services.states import CODEC
from services.views.store import Stored

Details = dict[int, list[Item]]
"""What the lines of the journal say in detail, by event."""

LONGEST_WAIT = 8.0
"""Seconds that `min_seq` waits for a view before the answer is 503."""


@get("/campaigns/{campaign:str}/views")
async def list_views(request: Req, campaign: str) -> list[str]:
    """The read models there are."""
    await asking(request, campaign)
    return list(VIEWS)


@get("/campaigns/{campaign:str}/views/{view:str}/{key:str}")
async def read_view(
    request: Req,
    campaign: str,
    view: str,
    key: str,
    min_seq: Seq = 0,
    after: Annotated[int | None, Parameter(ge=0, le=2**53)] = None,
    before: Annotated[int | None, Parameter(ge=0, le=2**53)] = None,
    limit: Annotated[int, Parameter(ge=1, le=1_000)] = 200,
    newest: bool = False,
    details: Annotated[bool, QueryParameter(name="detail")] = False,
) -> Response[bytes]:
    """The rows of a view that one may see, between `after` and `before`; with `newest`, the last ones first.

    `min_seq` waits until the view reflects that event: read your own writes. `detail` tells the journal's lines with
    every figure.
    """
    asked = await asking(request, campaign)
    if view not in VIEWS:
        raise Trouble(404, "UNKNOWN_VIEW", view=view[:40], views=list(VIEWS))
    if "\0" in key or len(key) > 200:
        raise Trouble(404, "NOT_FOUND")
    have = parts(request)
    if VIEWS[view].of_character and not may_know(asked.viewer, asked.held.state, key):
        raise Trouble(404, "NO_CHARACTER_THERE", view=view)
    if not VIEWS[view].of_character and key != ALL:
        raise Trouble(404, "ONE_KEY_ONLY", view=view, only=ALL)
    if min_seq > asked.held.seq:
        raise Trouble(409, "TABLE_NOT_THERE_YET", seq=min_seq, head=asked.held.seq)
    if not await have.projector.wait_for(campaign, view, min_seq, LONGEST_WAIT):
        raise Trouble(503, "NOT_YET", retry_after=1, seq=min_seq)
    projection = await have.projector.projection(campaign, view)
    rows = await have.views.read(
        campaign, projection, key, asked.viewer, after=after, before=before, limit=limit, newest_first=newest
    )
    locale = locale_of(request)
    names = await have.registry.names(campaign) if view == JOURNAL.name else {}
    items = await _details(have, campaign, rows, locale, names) if details and view == JOURNAL.name else {}
    return Response(
        msgspec.json.encode(
            {
                "view": view,
                "key": key,
                "seq": (await have.views.cursors(campaign))[projection].seq if min_seq or rows else asked.held.seq,
                "rows": [document(view, row, locale, names, items.get(row.line)) for row in rows],
            }
        ),
        media_type="application/json",
    )


def document(
    view: str, row: Stored, locale: str, names: Mapping[str, str], items: list[Item] | None = None
) -> dict[str, Any]:
    """A row as a client gets it; the journal's lines in the reader's language, with `items` as their detail."""
    content: Any = msgspec.Raw(row.doc)
    if view == JOURNAL.name:
        line = _line.decode(row.doc)
        content = {
            "text": tell(locale, line, names),
            "dice": tell_dice(locale, line),
            "type": line.kind,
            "session": line.session,
            "at": rfc3339(line.at_us),
            "actor": line.actor,
            "characters": line.characters,
        }
        if items is not None:
            content["detail"] = items
    return {"key": row.key, "line": row.line, "seq": row.seq, "doc": content}


async def _details(have: Parts, campaign: str, rows: list[Stored], locale: str, names: Mapping[str, str]) -> Details:
    """Every figure of the events that these lines tell. Whoever sees the line sees the event."""
    if not rows:
        return {}
    lines = [row.line for row in rows]
    events = await have.log.read(campaign, min(lines) - 1, max(lines) - min(lines) + 1)
    told: Details = {}
    for event in events:
        if event.seq in lines and event.body:
            told[event.seq] = detail(locale, CODEC.decode(event.type, event.version, event.body).fact, names)
    return told


_line = msgspec.json.Decoder(Line)

HANDLERS = [list_views, read_view]
