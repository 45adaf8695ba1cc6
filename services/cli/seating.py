"""Under which seat a command works: one home may have several at one campaign."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from cyclopts import Parameter
from msgspec import Struct
from msgspec.structs import replace

from services.cli import keyring
from services.cli.address import checked
from services.cli.keyring import Seat
from services.cli.telling import Failure, Language, aside, language
from services.client import Client, Problem, Unreachable

Under = Annotated[
    str | None,
    Parameter("--as", help="The seat to work under, by the member's name, role or id. Without it the game master's."),
]
At = Annotated[str | None, Parameter("--url", help="Where the server is now, when it has moved.")]
Lang = Annotated[
    Language | None,
    Parameter("--lang", help="The language of the answers; without it the terminal's (LC_ALL, LC_MESSAGES, LANG)."),
]


class Glance(Struct):
    """A seat as its server knows it now; `seq` is the campaign's last event."""

    seat: Seat
    seq: int


@asynccontextmanager
async def seated(name: str, under: str | None, url: str | None, lang: Language | None) -> AsyncIterator[Client]:
    """A client in the seat that was meant; says which one it is. Raises `Failure`, `Problem`, `Unreachable`."""
    moved = checked(url) if url else None
    known = [replace(one, url=moved or one.url) for one in keyring.at(name, moved)]
    found = await _still_held(known, language(lang))
    keyring.keep(*found)
    seat = choose(found, under)
    aside(f"{seat.name}, as {seat}")
    async with Client(seat.url, seat.campaign, seat.token, lang=language(lang)) as client:
        client.member = seat.member
        yield client


async def _still_held(known: list[Seat], lang: str) -> list[Seat]:
    """These seats at one campaign, as its server knows them now; never none.

    One seat's address may be out of date: the others say where the campaign is. Raises `Problem`, `Unreachable`.
    """
    asked = await asyncio.gather(*(glance(one, lang) for one in known), return_exceptions=True)
    found = [one.seat for one in asked if isinstance(one, Glance)]
    for seat, answer in zip(known, asked, strict=True):
        if isinstance(answer, Unreachable) and found:
            found.append((await glance(replace(seat, url=found[0].url), lang)).seat)
        elif isinstance(answer, BaseException) and not (isinstance(answer, Problem) and found):
            raise answer
    return found


async def glance(seat: Seat, lang: str) -> Glance:
    """What the server says of a seat. Raises `Problem` when there is no such seat any more, `Unreachable`."""
    async with Client(seat.url, seat.campaign, seat.token, lang=lang) as client:
        return seen(seat, await client.get(""))


def seen(seat: Seat, shown: dict[str, Any]) -> Glance:
    called = next((one["name"] for one in shown["members"] if one["member"] == shown["member"]), None)
    known = replace(seat, name=shown["name"], called=called or "", role=shown["role"])
    return Glance(known, shown["seq"])


def choose(seats: list[Seat], under: str | None) -> Seat:
    """The seat that was named, else the game master's, else the only one. Raises `Failure`."""
    if under is not None:
        wanted = under.casefold()
        fitting = [one for one in seats if wanted in (one.called.casefold(), one.role, one.member)]
    else:
        fitting = [one for one in seats if one.role == "gm"] or seats
    if len(fitting) == 1:
        return fitting[0]
    listed = ", ".join(f"{one} {one.member}" for one in fitting or seats)
    if not fitting:
        raise Failure(f"None of your seats at {seats[0].name} is {under}: {listed}.")
    raise Failure(f"You have several seats at {seats[0].name}: {listed}. Name one with --as, by its name or its id.")
