"""What the terminal shows: lines on standard output, everything about them on standard error."""

import inspect
import json
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cyclopts import CycloptsError, MissingArgumentError
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from services.client import Problem, Unreachable
from services.client.live import Tampered
from services.settings import SettingsError

Language = Literal["fr", "en"]
WRONG, FAILED = 1, 2
"""How a command ends: what was asked cannot be, or what it needs said no."""

console = Console(highlight=False, emoji=False)
errors = Console(stderr=True, highlight=False, emoji=False)


_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


class Failure(Exception):
    """What was asked for cannot be done; the text is a sentence that says what to do."""


def say(line: str) -> None:
    """A line of output, never broken and never cut: it may go through a pipe."""
    console.print(escape(plain(line)), soft_wrap=True)


def plain(text: str) -> str:
    """Without what would steer the terminal or turn its writing round: others wrote some of it."""
    return _STEERING.sub("", text)


def aside(line: str) -> None:
    """A line about the output."""
    errors.print(escape(plain(line)), style="dim", soft_wrap=True)


def complain(line: str) -> None:
    errors.print(escape(plain(line)), style="red", soft_wrap=True)


def language(asked: Language | None, environment: Mapping[str, str] | None = None) -> Language:
    """The one asked for, else the terminal's where it is ours, else French."""
    if asked:
        return asked
    environment = os.environ if environment is None else environment
    set_first = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := environment.get(name))), "")
    return "en" if set_first.lower().startswith("en") else "fr"


def progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,}"),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )


def told(error: Exception) -> tuple[str, int] | None:
    """The sentence for whatever may go wrong outside of this program, and how to end; None for a mistake of ours."""
    match error:
        case Failure():
            return str(error), WRONG
        case MissingArgumentError(target=target, command_chain=chain) if target and chain:
            return f"Something is missing: {usage(chain, target)}  (more: greffier {' '.join(chain)} --help)", WRONG
        case CycloptsError():
            return str(error), WRONG
        case Problem():
            params = error.document.get("params") or {}
            place = str(error.document.get("path") or params.get("path") or "$").removeprefix("$.").removeprefix("$")
            return f"{error} ({place})" if place else str(error), FAILED
        case Unreachable():
            return f"No server answers at {str(error).rstrip('.')}. Start one with `greffier serve`.", FAILED
        case SettingsError() | Tampered():
            return str(error), FAILED
        case OSError():
            what = error.strerror or str(error) or type(error).__name__
            return f"{error.filename}: {what}." if error.filename else f"{what}.", FAILED
    return _of_the_server(error)


def _of_the_server(error: Exception) -> tuple[str, int] | None:
    """What running or mending a server ends with. A client needs none of it, so it is imported only here."""
    from services.embedded import ServerFailed
    from services.listening import CannotListen
    from services.log import LogUnavailable
    from services.log.migrate import MigrationError
    from services.maintenance import NothingThere
    from services.views.projector import RebuildFailed

    if isinstance(error, NothingThere):
        return str(error), WRONG
    if isinstance(error, ServerFailed | CannotListen | LogUnavailable):
        return str(error), FAILED
    if isinstance(error, MigrationError):
        return f"The database cannot be used: {error}.", FAILED
    if isinstance(error, RebuildFailed):
        return f"The view stays as it was: {error}.", FAILED
    return None


def usage(chain: Sequence[str], target: Any) -> str:
    """How a command is called, with what it cannot do without."""
    needed = [
        f"--{name} {name.upper()}" if one.kind is one.KEYWORD_ONLY else name.upper().rstrip("_")
        for name, one in inspect.signature(target).parameters.items()
        if one.default is one.empty and one.kind is not one.VAR_POSITIONAL
    ]
    return " ".join(["greffier", *chain, *needed])


def fields(words: Sequence[str]) -> dict[str, Any]:
    """`field=value …`: a value is JSON where it can be read as such, else the text it is. Raises `Failure`."""
    found: dict[str, Any] = {}
    for word in words:
        if not word.isprintable() and any("\ud800" <= one <= "\udfff" for one in word):
            raise Failure(f"{word!a} is no text in UTF-8.")
        name, sign, value = word.partition("=")
        if not sign or not name or name == "type":
            raise Failure(f"{word!r} is no field=value, such as text=\"La nuit tombe\" or dice='[6,3]'.")
        try:
            found[name] = json.loads(value)
        except (ValueError, RecursionError):
            found[name] = value
    return found
