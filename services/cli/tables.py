"""Campaigns: opened, joined, listed; invites and tokens."""

import asyncio
from typing import Annotated, Literal

from cyclopts import Parameter

from events.table import DiceMode, Role
from services.cli import keyring
from services.cli.address import checked, server
from services.cli.keyring import Seat
from services.cli.seating import At, Glance, Lang, Under, glance, seated, seen
from services.cli.telling import Failure, aside, language, say
from services.client import Client, Problem, Unreachable
from services.ids import campaign_of

System = Literal["legends", "dnd35"]
Server = Annotated[
    str | None,
    Parameter("--url", help="The server; without it the one of GREFFIER_HOST and GREFFIER_PORT (127.0.0.1, 8000)."),
]


async def new(
    name: str,
    /,
    *,
    system: tuple[System, ...] = ("legends", "dnd35"),
    dice: DiceMode = "server",
    url: Server = None,
    lang: Lang = None,
) -> None:
    """Open a campaign and print an invite for the players.

    Parameters
    ----------
    name
        What it is called.
    system
        Which rules it plays; may be given several times.
    dice
        Who throws: the server, whoever rolls at the table, or the game master.
    """
    keyring.keep()  # a file that cannot be read or written is noticed before there is a token to lose
    async with Client(server(url), lang=language(lang)) as client:
        await client.open(name, systems=list(system), dice_mode=dice, locale=language(lang))
        await _sit(client)
        say(f"{name}  {client.campaign}")
        await _invite(client, "player", 20)


async def join(code: str, /, *, name: str, again: bool = False, url: Server = None, lang: Lang = None) -> None:
    """Take a seat with an invite's code.

    Parameters
    ----------
    code
        The invite's code.
    name
        What the others call you.
    again
        Take a further seat at a campaign where you have one.
    """
    there = [one for one in keyring.seats() if one.campaign == campaign_of(code)]
    if there and not again:
        held = ", ".join(str(one) for one in there)
        raise Failure(f"You sit at {there[0].name} already, as {held}. Take a further seat with --again.")
    keyring.keep()
    async with Client(server(url), lang=language(lang)) as client:
        await client.join(code, name)
        seat = await _sit(client)
        say(f"{seat} sits at {seat.name}  {client.campaign}")


async def campaigns(*, url: Server = None, lang: Lang = None) -> None:
    """The campaigns one sits in, a line a seat: id, events, role, member, name, server.

    Parameters
    ----------
    url
        Only those on this server.
    """
    known = [one for one in keyring.seats() if url is None or one.url == checked(url)]
    asked = await asyncio.gather(*(glance(one, language(lang)) for one in known), return_exceptions=True)
    for seat, found in zip(known, asked, strict=True):
        if isinstance(found, Glance):
            seat = found.seat
        elif not isinstance(found, Problem | Unreachable):
            raise found
        events = str(found.seq) if isinstance(found, Glance) else "-"
        say(f"{seat.campaign}  {events:>6}  {seat.role or '-':<9}  {seat.called or '-'}  {seat.name}  {seat.url}")
        if isinstance(found, BaseException):
            aside(f"  {found}")
    keyring.keep(*(one.seat for one in asked if isinstance(one, Glance)))
    if not known:
        aside("You sit at no campaign: open one with `greffier new NAME`, or take a seat with `greffier join CODE`.")


async def invite(
    name: str, /, *, role: Role = "player", uses: int = 1, under: Under = None, url: At = None, lang: Lang = None
) -> None:
    """Print an invite for somebody else.

    Parameters
    ----------
    name
        The campaign: its name, its id, or the beginning of the id.
    role
        What they will be.
    uses
        How many may join with it.
    """
    async with seated(name, under, url, lang) as client:
        await _invite(client, role, uses)


async def token(name: str, /, *, under: Under = None, url: At = None, lang: Lang = None) -> None:
    """Print the token of a seat, for a program: it sends it as `Authorization: Bearer …`.

    Parameters
    ----------
    name
        The campaign: its name, its id, or the beginning of the id.
    """
    async with seated(name, under, url, lang) as client:
        say(client.token)


async def _sit(client: Client) -> Seat:
    """Keep the seat that was just taken: first its token, which is shown once, then what it is called."""
    seat = Seat(client.url, client.campaign, client.member, client.token)
    keyring.keep(seat)
    seat = seen(seat, await client.get("")).seat
    keyring.keep(seat)
    return seat


async def _invite(client: Client, role: Role, uses: int) -> None:
    code = await client.invite(role, uses=uses)
    who = {"gm": "Game masters join", "player": "Players join", "spectator": "Spectators join"}[role]
    say(f"{who} with:  greffier join {code} --name NAME --url {client.url}")
