"""`make bench`: one table, each line a ratio measured within this run.

Everything runs on this machine, for a few seconds a line, on a Postgres of its own in a temporary folder.
"""

import asyncio
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import appending, delivering, folding, serving
from benchmarks.line import Line
from services.embedded.postgres import EmbeddedPostgres


async def main() -> None:
    console = Console(width=120)
    lines: list[Line] = []
    with tempfile.TemporaryDirectory(prefix="greffier-bench-") as folder:
        async with EmbeddedPostgres(Path(folder) / "postgres", settings={"max_connections": "200"}) as postgres:
            with console.status("appending …"):
                lines += await appending.measure(postgres.url)
            alone = next(line.figure for line in lines if line.name == "our log, 32 callers")
            with console.status("serving …"):
                lines += await serving.measure(postgres.url, Path(folder), alone)
        with console.status("folding …"):
            lines += folding.measure()
        with console.status("delivering …"):
            lines += await delivering.measure()
    table = Table("what", "a second", "against", "a second", "ratio", "wanted")
    for line in lines:
        table.add_row(
            line.name, f"{line.figure:,.0f}", line.against, f"{line.other:,.0f}", f"{line.ratio:.2f}", line.wanted
        )
    console.print(table)


asyncio.run(main())
