"""The one address that changes a campaign."""

from typing import Any, Union

import msgspec
from litestar import Response, post

from domain.campaign.book import COMMANDS
from domain.kernel.command import Command
from projections.visibility import Viewer, viewer
from projections.wire import event_for
from services.http.parts import Parts, Req, parts
from services.pipeline import Order, Outcome, Trouble
from services.problems import read_body
from services.seat import Seat

AnyCommand = Union[tuple(COMMANDS)]  # type: ignore[valid-type]  # noqa: UP007 - made of what the book holds
_decoder: msgspec.json.Decoder[Command] = msgspec.json.Decoder(AnyCommand)


def read_command(raw: bytes) -> Command:
    """The typed command. Raises what is malformed, with its JSON path."""
    command: Command = read_body(raw, AnyCommand, _decoder)
    return command


@post("/campaigns/{campaign:str}/commands", status_code=201)
async def give_command(request: Req, campaign: str) -> Response[bytes]:
    """Carry out a command. 201: stored, in this order, as this member may see it. 200: stored before, or no change."""
    have = parts(request)
    if strange := set(request.query_params) - {"lang"}:
        # A client that asks for a preview must not be given the deed.
        raise Trouble(400, "MALFORMED", detail=f"this address takes no “{sorted(strange)[0][:40]}”", path="$")
    seat = await have.door.seat(request, campaign)
    command = read_command(await request.body())
    order = Order(seat, command, id=key_of(request), if_match=seq_of(request))
    outcome = await have.pipeline.submit(order)
    headers = {"Idempotency-Replayed": "true"} if outcome.replayed else {}
    status = 201 if outcome.last and not outcome.replayed else 200
    return Response(
        msgspec.json.encode(await answer(have, seat, outcome)),
        status_code=status,
        media_type="application/json",
        headers=headers,
    )


async def answer(have: Parts, seat: Seat, outcome: Outcome) -> dict[str, Any]:
    """What the member who gave the command is told: its events, sealed where they may not see them."""
    held = outcome.held or await have.states.current(seat.campaign)
    who = viewer(held.state, seat.member) if held else None
    if who is None:
        who = Viewer(seat.member, "spectator")
    if who.role == "gm" and seat.scopes and "gm" not in seat.scopes:
        who = Viewer(who.member, "player")
    return {
        "first": outcome.first or None,
        "last": outcome.last or None,
        "events": [event_for(who, event) for event in outcome.events],
    }


def key_of(request: Req) -> str | None:
    """The idempotency key: 1 to 64 visible ASCII characters."""
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not (1 <= len(key) <= 64 and key.isascii() and key.isprintable() and " " not in key):
        raise Trouble(400, "MALFORMED", detail="Idempotency-Key takes 1 to 64 visible ASCII characters", path="$")
    return key


def seq_of(request: Req) -> int | None:
    """`If-Match: "41"`."""
    tag = request.headers.get("if-match")
    if tag is None:
        return None
    number = tag.strip().strip('"')
    if not (number.isascii() and number.isdigit() and len(number) <= 15):
        raise Trouble(400, "MALFORMED", detail="If-Match takes the number of an event in quotes", path="$")
    return int(number)


HANDLERS = [give_command]
