"""Reading the record: events, state, head, sessions, export."""

import unicodedata
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any

import msgspec
from litestar import Response, get
from litestar.params import Parameter, QueryParameter
from litestar.response import Stream

from domain.campaign.references import characters_named
from domain.kernel.fold import state_hash
from domain.kernel.sitting import Sitting
from events.codec import Unreadable
from events.envelope import Recorded
from projections.visibility import may_see, visible
from projections.wire import event_for, rfc3339
from services.http.asking import Asking
from services.http.parts import Parts, Req, asking, parts
from services.log import Log
from services.pipeline import Trouble
from services.states import CODEC

PAGE = 1_000
SCANNED = 20_000
"""Events looked at for one filtered page; the answer says where to go on."""

Seq = Annotated[int, Parameter(ge=0, le=2**53)]


@get("/campaigns/{campaign:str}/events")
async def events(
    request: Req,
    campaign: str,
    after: Seq = 0,
    before: Seq | None = None,
    limit: Annotated[int, Parameter(ge=1, le=PAGE)] = 100,
    kind: Annotated[str | None, QueryParameter(name="type", max_length=80)] = None,
    character: Annotated[str | None, Parameter(max_length=64)] = None,
    session: Annotated[int | None, Parameter(ge=0, le=2**31)] = None,
    text: Annotated[str | None, Parameter(max_length=200)] = None,
) -> Response[bytes]:
    """Events in order from `after` + 1 on, sealed where one may not see them; `next` is the `after` of the next page.

    With a filter only events that one may see are looked at, so that a filter tells nothing of the others.
    """
    asked = await asking(request, campaign)
    wanted = _Filter(kind, character, session, text)
    last = min(before - 1, asked.held.seq) if before is not None else asked.held.seq
    found: list[msgspec.Raw] = []
    seq, scanned = after, 0
    while seq < last and len(found) < limit and scanned < SCANNED:
        page = await parts(request).log.read(campaign, seq, min(PAGE, last - seq, limit if wanted.all else PAGE))
        if not page:
            break
        for event in page:
            if len(found) >= limit:
                break
            seq, scanned = event.seq, scanned + 1
            if wanted.all or (may_see(asked.viewer, event.audience) and wanted.takes(event)):
                found.append(event_for(asked.viewer, event))
    if "application/x-ndjson" in request.headers.get("accept", ""):
        return Response(b"".join(bytes(raw) + b"\n" for raw in found), media_type="application/x-ndjson")
    return _json({"events": found, "next": seq if seq < last else None, "head": asked.held.seq})


@get("/campaigns/{campaign:str}/state")
async def state(
    request: Req, campaign: str, at: Annotated[str | None, Parameter(max_length=40)] = None
) -> Response[bytes]:
    """The state that one may see, at a seq or an instant (default: now), with its hash."""
    asked = await asking(request, campaign)
    held = asked.held
    if at is not None:
        seq = await _seq_at(parts(request).log, campaign, at, held.seq)
        held = held if seq == held.seq else await parts(request).states.at(campaign, seq)
    seen = visible(asked.viewer, held.state)
    return _json(
        {
            "seq": held.seq,
            "at": rfc3339(held.at_us),
            "hash": held.hash.hex(),
            "state_hash": state_hash(seen).hex(),
            "state": dict(seen),
        }
    )


@get("/campaigns/{campaign:str}/head")
async def head(request: Req, campaign: str) -> Response[bytes]:
    """Where the campaign stands. `state_hash` is that of the state one may see."""
    asked = await asking(request, campaign)
    held = asked.held
    return _json(
        {
            "epoch": held.epoch,
            "seq": held.seq,
            "hash": held.hash.hex(),
            "resume": f"{held.epoch}:{held.seq}:{held.hash.hex()}",
            "state_hash": state_hash(visible(asked.viewer, held.state)).hex(),
        }
    )


@get("/campaigns/{campaign:str}/sessions/{number:int}")
async def session(request: Req, campaign: str, number: int) -> Response[bytes]:
    """A session: its commitment before, its seed after."""
    asked = await asking(request, campaign)
    found = asked.held.state.get(f"session/{number}")
    if not isinstance(found, Sitting):
        raise Trouble(404, "NOT_FOUND")
    return _json(
        {
            "session": number,
            "title": found.title,
            "commitment": found.commitment,
            "secret_commitment": found.secret_commitment or None,
            "entropy": found.entropy,
            "first_die": found.first_die,
            "open": not found.seed,
            "seed": found.seed or None,
        }
    )


@get("/campaigns/{campaign:str}/export")
async def export(request: Req, campaign: str) -> Stream:
    """One NDJSON file that verifies by itself: a line about the campaign, then every event, sealed where need be."""
    asked = await asking(request, campaign)
    return Stream(_export(parts(request), asked), media_type="application/x-ndjson")


async def _export(have: Parts, asked: Asking) -> AsyncIterator[bytes]:
    held = asked.held
    yield (
        msgspec.json.encode(
            {
                "format": "greffier/export/1",
                "campaign": held.campaign,
                "epoch": held.epoch,
                "seq": held.seq,
                "hash": held.hash.hex(),
                "member": asked.viewer.member,
                "role": asked.viewer.role,
            }
        )
        + b"\n"
    )
    seq = 0
    while seq < held.seq:
        page = await have.log.read(held.campaign, seq, min(PAGE, held.seq - seq))
        if not page:
            break
        yield b"".join(bytes(event_for(asked.viewer, event)) + b"\n" for event in page)
        seq = page[-1].seq


async def _seq_at(log: Log, campaign: str, at: str, last: int) -> int:
    """The number of the last event at a seq or an RFC 3339 instant. Raises `Trouble` 400, 404."""
    if at.isascii() and at.isdigit():
        seq = int(at[:15])
        if seq > last:
            raise Trouble(404, "TABLE_NOT_THERE_YET", seq=seq, head=last)
        if not seq:
            raise Trouble(404, "NOT_FOUND")
        return seq
    try:
        instant = datetime.fromisoformat(at)
    except ValueError as error:
        raise Trouble(400, "MALFORMED", detail="at takes a number or an RFC 3339 time", path="$.at") from error
    if instant.tzinfo is None:
        raise Trouble(400, "MALFORMED", detail="at takes a time with its offset, such as …Z", path="$.at")
    micros = int(instant.timestamp() * 1_000_000)
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        page = await log.read(campaign, middle - 1, 1)
        if page and page[0].at_us <= micros:
            low = middle
        else:
            high = middle - 1
    if not low:
        raise Trouble(404, "NOT_FOUND")
    return low


class _Filter:
    """What a reader looks for among the events they may see."""

    def __init__(self, kind: str | None, character: str | None, session: int | None, text: str | None) -> None:
        self._kind, self._character, self._session = kind, character, session
        self._text = _folded(text) if text else None

    @property
    def all(self) -> bool:
        return self._kind is None and self._character is None and self._session is None and self._text is None

    def takes(self, event: Recorded) -> bool:
        if self._kind is not None and not (event.type == self._kind or event.type.startswith(f"{self._kind}.")):
            return False
        if self._session is not None and event.session != self._session:
            return False
        if self._character is not None:
            try:
                fact = CODEC.decode(event.type, event.version, event.body).fact
            except Unreadable:
                return False
            if self._character not in characters_named(fact):
                return False
        return self._text is None or self._text in _folded(_words(event.body))


def _words(body: bytes) -> str:
    """Every text in the data of an event."""
    found: list[str] = []
    waiting: list[Any] = [msgspec.json.decode(body).get("data")] if body else []
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list):
            waiting += value
    return "\n".join(found)


def _folded(text: str) -> str:
    """Without accents and case: `epee` finds `Épée`."""
    flat = unicodedata.normalize("NFKD", text.replace("œ", "oe").replace("Œ", "oe"))
    return "".join(letter for letter in flat if not unicodedata.combining(letter)).casefold()


def _json(content: object) -> Response[bytes]:
    return Response(msgspec.json.encode(content), media_type="application/json")


HANDLERS = [events, state, head, session, export]
