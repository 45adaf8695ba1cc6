"""The journal in a terminal: printed, then followed."""

from typing import Any

from rich.console import Console
from rich.markup import escape

from services.client import Client
from services.client.live import Follower


def show(console: Console, line: int, doc: dict[str, Any]) -> None:
    """One line of the journal, with its dice, and its detail where it came along."""
    dice = f"  [dim]{escape(' · '.join(doc['dice']))}[/dim]" if doc["dice"] else ""
    console.print(f"[dim]{line:>5}[/dim]  {escape(doc['text'])}{dice}", soft_wrap=True)
    for item in doc.get("detail", ()):
        indent = "  " * item.get("depth", 0)
        console.print(f"       {indent}[dim]{escape(item['label'])}[/dim] {escape(item['text'])}", soft_wrap=True)


async def print_journal(
    console: Console, client: Client, *, detail: bool = False, after: int = 0, until: int | None = None
) -> int:
    """The lines after one event and up to another, else all so far, that this member may read.

    Answers the last event they reflect.
    """
    seq = int((await client.get("head"))["seq"]) if until is None else until
    while True:
        page = await client.get(
            "views/journal/all", after=after, limit=500, min_seq=seq, detail="true" if detail else None
        )
        for row in page["rows"]:
            if until is None or row["line"] <= until:
                show(console, row["line"], row["doc"])
        if len(page["rows"]) < 500 or page["rows"][-1]["line"] >= seq:
            return seq
        after = page["rows"][-1]["line"]


async def follow_journal(console: Console, client: Client, shown: int) -> None:
    """Every new line, for as long as one looks."""
    async for frame in Follower(client, views=("journal",)):
        if frame["op"] == "view" and frame["view"] == "journal" and frame["line"] > shown:
            show(console, frame["line"], frame["doc"])
            shown = frame["line"]
