"""The command line: `greffier`."""

from pathlib import Path

from cyclopts import App

app = App(name="greffier", help="A campaign server for tabletop role-playing.")


@app.command
def serve(*, host: str | None = None, port: int | None = None, data: Path | None = None) -> None:
    """Run the server."""
    from services.app import serve as run
    from services.settings import from_environment

    run(from_environment(host=host, port=port, data=data))


def main() -> None:
    app()
