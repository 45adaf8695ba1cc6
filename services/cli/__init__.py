"""The command line: `greffier`."""

import sys

from cyclopts import App, Parameter

from services import VERSION
from services.cli.hosting import rebuild, serve
from services.cli.playing import demo, journal, roll, send
from services.cli.record import export, verify
from services.cli.tables import campaigns, invite, join, new, token
from services.cli.telling import complain, told

app = App(
    name="greffier",
    help="A campaign server for tabletop role-playing, and a client for it.",
    version=VERSION,
    default_parameter=Parameter(negative=()),
    help_format="plaintext",
)
for command in (serve, rebuild, new, join, campaigns, invite, token, send, journal, roll, export, verify, demo):
    app.command(command)


def main() -> None:
    """Run the command line; what goes wrong is said in a sentence, and only mistakes of ours leave a traceback."""
    try:
        app(exit_on_error=False, print_error=False)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        found = told(error)
        if found is None:
            raise
        complain(found[0])
        sys.exit(found[1])
