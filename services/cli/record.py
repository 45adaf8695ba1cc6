"""The record as a file: exported, verified."""

import sys
from pathlib import Path

from services.cli.seating import At, Lang, Under, seated
from services.cli.telling import Failure, complain, console, errors, progress, say
from services.client.verify import Report
from services.client.verify import verify as check


async def export(name: str, file: Path, /, *, under: Under = None, url: At = None, lang: Lang = None) -> None:
    """Write a campaign into a file that verifies by itself.

    What the seat may not see is sealed in it: the game master's export is the whole record.

    Parameters
    ----------
    name
        The campaign: its name, its id, or the beginning of the id.
    file
        Where to write it.
    """
    async with seated(name, under, url, lang) as client:
        with errors.status("exporting …"):
            size = await client.export(file)
    say(f"{file}: {size:,} bytes")


def verify(file: Path, /) -> None:
    """Check an export: chain, contents, dice. Exits with 1 when something is wrong.

    Parameters
    ----------
    file
        The export.
    """
    if not file.is_file():
        raise Failure(f"{file} is no file.")
    with progress() as bar:
        task = bar.add_task("events", total=None)
        report = check(file, lambda done: bar.update(task, completed=done) if done % 500 == 0 else None)
    if report.faults and not report.campaign:
        raise Failure(f"{file}: {report.faults[0].what}.")
    for fault in report.faults:
        complain(f"line {fault.line}, event {fault.seq or '-'}: {fault.what}")
    _tell(report)
    sys.exit(0 if report.ok else 1)


def _tell(report: Report) -> None:
    say(
        f"{report.events} events, {report.sealed} sealed; {report.server_dice} server dice recomputed, "
        f"{report.unproved_dice} not provable yet, {report.declared_dice} declared"
    )
    for title, told in (("overridden", report.overrides), ("corrected", report.corrections)):
        for one in told:
            say(f"{title}  {one}")
    say(f"head   {report.head}")
    if report.state_hash:
        say(f"state  {report.state_hash}")
    console.print("[green]all is well[/green]" if report.ok else "[red]broken[/red]")
