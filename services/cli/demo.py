"""A scripted session, played through the public API and watched by another client.

It is what a newcomer sees first: a table is opened, people sit down, and every kind of action happens once, with the
faces that the rule books' own examples name; then the server throws the dice.
"""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape

from services.cli.journal import show
from services.cli.story import Step, steps
from services.client import Client, Problem
from services.client.live import Follower
from services.client.verify import verify


class Players:
    """Everybody at the demo's table, by name."""

    def __init__(self, url: str, lang: str, watch_url: str | None) -> None:
        self.gm = Client(url, lang=lang)
        self._watch_url = watch_url or url
        self.seats: dict[str, Client] = {"gm": self.gm}
        self._known: dict[str, str] = {}

    async def sit(self, name: str, role: str = "player") -> None:
        url = self._watch_url if role == "spectator" else self.gm.url
        client = Client(url, lang=self.gm.lang)
        await client.join(await self.gm.invite(role), name.capitalize())
        self.seats[name] = client

    def remember(self, data: dict[str, Any]) -> None:
        """Ids that events bring: `check`, `negotiation`, `trade` …"""
        self._known |= {name: value for name, value in data.items() if isinstance(value, str)}

    def filled(self, fields: dict[str, Any]) -> dict[str, Any]:
        return {
            name: self._known.get(value[1:], value) if isinstance(value, str) and value.startswith("$") else value
            for name, value in fields.items()
        }

    def member(self, name: str) -> str:
        return self.seats[name].member

    async def leave(self) -> None:
        for client in self.seats.values():
            await client.__aexit__()


async def play(
    console: Console, url: str, lang: str, pace: float, file: Path | None, watch_url: str | None = None
) -> None:
    """Play it all; the spectator follows at `watch_url`, which may be another node.

    Raises `Problem` where the server refuses what the script expects to pass.
    """
    table = Players(url, lang, watch_url)
    try:
        await table.gm.open("La Brume", systems=["legends", "dnd35"], locale=lang, dice_mode="table")
        for name in ("ayla", "bonk"):
            await table.sit(name)
        await table.sit("zoe", "spectator")
        watcher = Watcher(console, table.seats["zoe"])
        watching = asyncio.create_task(watcher.watch())
        await watcher.reached(1)
        given = refused = 0
        for step in steps(table.member):
            refused += await _carry_out(console, table, watcher, step)
            given += 1
            if pace:
                await asyncio.sleep(pace)
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        await _prove(console, table, file, given, refused)
    finally:
        await table.leave()


async def _carry_out(console: Console, table: Players, watcher: "Watcher", step: Step) -> bool:
    """Whether it was refused, as the script expects or not at all. Raises `Problem` for a surprise."""
    if step.heading:
        console.print(f"\n[bold]{escape(step.heading)}[/bold]")
    try:
        answer = await table.seats[step.by].command(step.kind, **table.filled(step.fields))
        for event in answer["events"]:
            table.remember(event.get("data", {}))
            if event.get("audience") == "table":
                await watcher.reached(event["seq"])
    except Problem as problem:
        if problem.code != step.refused:
            raise
        console.print(f"       [yellow]✗ {escape(str(problem))}[/yellow] [dim]{problem.code}[/dim]", soft_wrap=True)
        return True
    if step.refused:
        raise Problem({"code": "NOT_REFUSED", "detail": f"{step.kind} passed, and the script expects {step.refused}"})
    return False


class Watcher:
    """A spectator who prints the journal as it arrives; every link of the chain is checked on the way."""

    def __init__(self, console: Console, client: Client) -> None:
        self._console, self._client = console, client
        self._shown = 0
        self._moved = asyncio.Event()

    async def watch(self) -> None:
        async for frame in Follower(self._client, views=("journal",)):
            if frame["op"] == "view" and frame["line"] > self._shown:
                self._shown = frame["line"]
                show(self._console, self._shown, frame["doc"])
                self._moved.set()

    async def reached(self, line: int) -> None:
        """Until this line is printed, or for so long that something is wrong."""
        try:
            async with asyncio.timeout(30):
                while self._shown < line:
                    self._moved.clear()
                    await self._moved.wait()
        except TimeoutError as error:
            detail = f"the spectator was never told event {line}"
            raise Problem({"code": "NOT_FOLLOWED", "detail": detail}) from error


async def _prove(console: Console, table: Players, file: Path | None, given: int, refused: int) -> None:
    """The record verifies by itself, the game master's copy and a player's."""
    with tempfile.TemporaryDirectory() as folder:
        whole = file or Path(folder) / "gm.ndjson"
        sealed = Path(folder) / "ayla.ndjson"
        await table.gm.export(whole)
        await table.seats["ayla"].export(sealed)
        mine, theirs = verify(whole), verify(sealed)
    console.print(
        f"\n[bold]{given}[/bold] commands, {refused} of them refused; {mine.events} events, "
        f"{mine.server_dice} server dice recomputed, {mine.declared_dice} declared, {theirs.sealed} sealed for players"
    )
    for fault in (*mine.faults, *theirs.faults):
        console.print(f"[red]event {fault.seq}: {escape(fault.what)}[/red]")
    if not (mine.ok and theirs.ok and mine.head == theirs.head):
        raise Problem({"code": "NOT_VERIFIED", "detail": "the record does not verify"})
    console.print(f"[green]The record verifies[/green], for the game master and for the players: {mine.head[:16]}…")
    if file:
        console.print(f"{file}")
