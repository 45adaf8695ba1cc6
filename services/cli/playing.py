"""At the table: commands given, dice thrown, the journal read."""

import json
import random
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from rich.markup import escape

from services.cli.journal import follow_journal, print_journal
from services.cli.seating import At, Lang, Under, seated
from services.cli.tables import Server
from services.cli.telling import Failure, aside, console, fields, language, say


async def send(
    name: str,
    type_: Annotated[str, Parameter(name="TYPE")],
    /,
    *words: Annotated[str, Parameter(name="FIELD=VALUE")],
    answer: Annotated[bool, Parameter("--json", negative="")] = False,
    under: Under = None,
    url: At = None,
    lang: Lang = None,
) -> None:
    """Give one command, and print what came of it as lines of the journal.

    The types and their fields are those of the server's /api/schema/openapi.json:

    greffier send "La Brume" campaign.narrate text="La nuit tombe"

    Parameters
    ----------
    name
        The campaign: its name, its id, or the beginning of the id.
    type_
        What kind of command, such as campaign.narrate.
    words
        What it needs to know. A value is JSON, or else a text: dice='[6,3]' character=ayla text='"12"'.
    answer
        Print the server's answer instead, with the events and the ids in them.
    """
    given = fields(words)
    async with seated(name, under, url, lang) as client:
        done = await client.command(type_, **given)
        if answer:
            say(json.dumps(done, ensure_ascii=False))
        elif done["last"]:
            if not any("type" in event for event in done["events"]):
                aside("Done; this seat may not read what came of it.")
            await print_journal(console, client, after=done["first"] - 1, until=done["last"])
        else:
            say("Nothing changed.")


async def journal(
    name: str,
    /,
    *,
    follow: bool = False,
    detail: bool = False,
    under: Under = None,
    url: At = None,
    lang: Lang = None,
) -> None:
    """What happened, a line an event; with --follow also what happens.

    Parameters
    ----------
    name
        The campaign: its name, its id, or the beginning of the id.
    follow
        Go on with what happens from now on.
    detail
        Every figure behind each line.
    """
    async with seated(name, under, url, lang) as client:
        last = await print_journal(console, client, detail=detail)
        if follow:
            await follow_journal(console, client, last)


def roll(expression: Annotated[str, Parameter(allow_leading_hyphen=True)], /) -> None:
    """Throw dice here and now, in no campaign: 4d6kh3+2, 2d20kl1, 1d20+6 …

    Parameters
    ----------
    expression
        What to throw, and after it what for.
    """
    from domain.kernel.notation import NotationError, describe, evaluate, parse

    if not expression.strip():
        raise Failure("There is nothing to throw: greffier roll 4d6kh3+2")
    try:
        parsed = parse(expression)
    except NotationError as error:
        raise Failure(f"{expression}\n{' ' * (error.position - 1)}^ {error.why.replace('_', ' ')}") from error
    chance = random.SystemRandom()
    outcome = evaluate(parsed.tree, lambda count, sides: tuple(chance.randint(1, sides) for _ in range(count)))
    comment = f"  {parsed.comment}" if parsed.comment else ""
    console.print(f"{escape(describe(outcome))}[dim]{escape(comment)}[/dim]", soft_wrap=True)


async def demo(
    *,
    pace: float = 0.0,
    file: Path | None = None,
    watch_url: str | None = None,
    url: Server = None,
    lang: Lang = None,
) -> None:
    """Play a scripted session on a running server, and watch it on another client.

    Parameters
    ----------
    pace
        Seconds between two commands.
    file
        Where to leave the export.
    watch_url
        Where the spectator follows, when it is another node.
    """
    from services.cli.address import checked, server
    from services.cli.demo import play

    await play(console, server(url), language(lang), pace, file, checked(watch_url) if watch_url else None)
