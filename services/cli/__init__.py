"""The command line: `greffier`."""

import asyncio
import random
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from services.cli import keyring
from services.client import Client, Problem, Unreachable

Language = Literal["fr", "en"]
URL = "http://127.0.0.1:8000"

app = App(name="greffier", help="A campaign server for tabletop role-playing, and a client for it.")
console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def main() -> None:
    """Run the command line; what goes wrong is said in one line."""
    try:
        app()
    except Problem as problem:
        _fail(str(problem))
    except Unreachable as error:
        _fail(f"No server answers at {error}. Start one with `greffier serve`.")
    except KeyboardInterrupt:
        sys.exit(130)


@app.command
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
    host: Where to listen (127.0.0.1).
    port: The port to listen on (8000).
    data: The folder of the embedded Postgres (./data).
    database_url: Another Postgres instead of the embedded one.
    redis_url: A Redis that carries hints between several nodes.
    """
    from services.app import serve as run
    from services.embedded import ServerFailed
    from services.log import LogUnavailable
    from services.log.migrate import MigrationError
    from services.settings import SettingsError, from_environment

    try:
        run(from_environment(host=host, port=port, data=data, database_url=database_url, redis_url=redis_url))
    except (ServerFailed, LogUnavailable, MigrationError, SettingsError) as error:
        _fail(str(error))


@app.command
def new(name: str, *, system: tuple[str, ...] = ("legends", "dnd35"), url: str = URL, dice: str = "server") -> None:
    """Open a campaign and print an invite for the players.

    Parameters
    ----------
    name: What it is called.
    system: Which rules it plays; may be given several times.
    dice: Who throws: server, table or gm.
    """

    async def run() -> None:
        async with Client(url) as client:
            await client.open(name, systems=list(system), dice_mode=dice)
            keyring.keep(keyring.Seat(url, client.campaign, client.member, client.token, name))
            code = await client.invite("player", uses=20)
        console.print(f"[bold]{escape(name)}[/bold]  {client.campaign}")
        console.print(f"Players join with:  greffier join {code} --name NAME --url {url}", soft_wrap=True)

    _run(run())


@app.command
def join(code: str, *, name: str, url: str = URL) -> None:
    """Take a seat with an invite's code."""

    async def run() -> None:
        async with Client(url) as client:
            await client.join(code, name)
            title = (await client.get(""))["name"]
            keyring.keep(keyring.Seat(url, client.campaign, client.member, client.token, title))
            console.print(f"{escape(name)} sits at [bold]{escape(title)}[/bold]  {client.campaign}")

    _run(run())


@app.command
def campaigns() -> None:
    """The campaigns one sits in."""

    async def run() -> None:
        table = Table("campaign", "name", "role", "events", "server", box=None)
        for seat in keyring.seats():
            async with Client(seat.url, seat.campaign, seat.token) as client:
                try:
                    shown = await client.get("")
                    table.add_row(seat.campaign, escape(shown["name"]), shown["role"], str(shown["seq"]), seat.url)
                except (Problem, Unreachable) as error:
                    table.add_row(seat.campaign, escape(seat.name), "-", "-", f"{seat.url} ({error})"[:60])
        console.print(table)

    _run(run())


@app.command
def journal(
    campaign: str,
    *,
    follow: bool = False,
    lang: Language = "fr",
    detail: bool = False,
    url: str | None = None,
) -> None:
    """What happened, a line an event; with --follow also what happens.

    Parameters
    ----------
    campaign: Its id, the beginning of it, or its name.
    detail: Every figure behind each line.
    """
    from services.cli.journal import follow_journal, print_journal

    seat = keyring.find(campaign, url)

    async def run() -> None:
        async with Client(seat.url, seat.campaign, seat.token, lang=lang) as client:
            last = await print_journal(console, client, detail=detail)
            if follow:
                await follow_journal(console, client, last)

    _run(run())


@app.command
def roll(expression: Annotated[str, Parameter(allow_leading_hyphen=True)]) -> None:
    """Throw dice here and now, in no campaign: 4d6kh3+2, 2d20kl1, 1d20+6 …"""
    from domain.kernel.notation import NotationError, describe, evaluate, parse

    try:
        parsed = parse(expression)
    except NotationError as error:
        _fail(f"{expression}\n{' ' * (error.position - 1)}^ {error.why.replace('_', ' ')}")
    chance = random.SystemRandom()
    outcome = evaluate(parsed.tree, lambda count, sides: tuple(chance.randint(1, sides) for _ in range(count)))
    comment = f"  {parsed.comment}" if parsed.comment else ""
    console.print(f"{escape(describe(outcome))}[dim]{escape(comment)}[/dim]")


@app.command
def export(campaign: str, file: Path, *, url: str | None = None) -> None:
    """Write a campaign into a file that verifies by itself."""
    seat = keyring.find(campaign, url)

    async def run() -> None:
        async with Client(seat.url, seat.campaign, seat.token) as client:
            with console.status("exporting …"):
                size = await client.export(file)
        console.print(f"{file}: {size:,} bytes")

    _run(run())


@app.command
def verify(file: Path) -> None:
    """Check an export: chain, contents, dice. Exits with 1 when something is wrong."""
    from services.client.verify import verify as check

    if not file.is_file():
        _fail(f"{file} is no file.")
    with _progress() as progress:
        task = progress.add_task("events", total=None)
        report = check(file, lambda done: progress.update(task, completed=done) if done % 500 == 0 else None)
    for fault in report.faults:
        errors.print(f"line {fault.line}, event {fault.seq or '-'}: {escape(fault.what)}")
    console.print(
        f"{report.events} events, {report.sealed} sealed; {report.server_dice} server dice recomputed, "
        f"{report.unproved_dice} not provable yet, {report.declared_dice} declared"
    )
    for title, told in (("overridden", report.overrides), ("corrected", report.corrections)):
        for one in told:
            console.print(f"{title}  {escape(one)}")
    console.print(f"head   {report.head}")
    if report.state_hash:
        console.print(f"state  {report.state_hash}")
    console.print("[green]all is well[/green]" if report.ok else "[red]broken[/red]")
    sys.exit(0 if report.ok else 1)


@app.command
def rebuild(campaign: str, *, view: str | None = None, data: Path | None = None) -> None:
    """Make the views of a campaign anew from its events, beside those in use.

    Runs on the server's database; the embedded one must not be in use by a running server.

    Parameters
    ----------
    campaign: Its whole id.
    view: Only this view.
    """
    from services.embedded import ServerFailed
    from services.maintenance import rebuild as run
    from services.settings import from_environment

    try:
        with _progress() as progress:
            task = progress.add_task("views", total=None)
            done = asyncio.run(run(from_environment(data=data), campaign, view, lambda: progress.advance(task)))
    except ServerFailed as error:
        _fail(str(error))
    for name, seq in done.items():
        console.print(f"{name}: rebuilt up to event {seq}")


@app.command
def demo(
    *,
    url: str = URL,
    lang: Language = "fr",
    pace: float = 0.0,
    file: Path | None = None,
    watch_url: str | None = None,
) -> None:
    """Play a scripted session on a running server, and watch it on another client.

    Parameters
    ----------
    lang: The journal's language.
    pace: Seconds between two commands.
    file: Where to leave the export.
    watch_url: Where the spectator follows, when it is another node.
    """
    from services.cli.demo import play

    _run(play(console, url, lang, pace, file, watch_url))


def _run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(work)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,}"),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
    )


def _fail(text: str) -> Any:
    errors.print(escape(text), style="red", soft_wrap=True)
    sys.exit(2)
