"""The tokens of the campaigns one sits in, kept in a file that only the user reads."""

import json
import os
from pathlib import Path

from msgspec import MsgspecError, Struct, convert, to_builtins

from services.cli.telling import Failure


class Seat(Struct):
    """A seat at a campaign on a server. `name` is the campaign's; `called` and `role` are what the member was last."""

    url: str
    campaign: str
    member: str
    token: str
    name: str = ""
    called: str = ""
    role: str = ""

    def __str__(self) -> str:
        return f"{self.called or self.member} ({self.role or 'role unknown'})"


def place() -> Path:
    """`$XDG_CONFIG_HOME/greffier/seats.json`, by default under `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "greffier" / "seats.json"


def seats() -> list[Seat]:
    """Those that are known, the newest last. Raises `Failure`."""
    try:
        return convert(json.loads(place().read_text("utf-8")), list[Seat])
    except FileNotFoundError:
        return []
    except (ValueError, MsgspecError) as error:
        raise Failure(f"{place()} cannot be read: {error}. Move it away to start anew.") from error


def keep(*new: Seat) -> None:
    """Remember seats; the same member of the same campaign once, with what is known last.

    Without any it is written as it is, to find out whether it can be. Raises `Failure`, `OSError`.
    """
    before = seats()
    if new and all(one in before for one in new):
        return
    known = {(one.campaign, one.member): one for one in (*before, *new)}
    file = place()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(to_builtins(list(known.values())), out, ensure_ascii=False, indent=1)
    partial.replace(file)


def fitting(name: str) -> list[Seat]:
    """The seats at what may be meant: a campaign's id, else its name, else the beginning of its id."""
    known = seats()
    return (
        [one for one in known if one.campaign == name]
        or [one for one in known if one.name.casefold() == name.casefold()]
        or [one for one in known if name and one.campaign.startswith(name)]
    )


def at(name: str, url: str | None = None) -> list[Seat]:
    """Every seat at one campaign. `url` only tells two campaigns of one name apart: a server may have moved.

    Raises `Failure`.
    """
    found = fitting(name)
    if len({one.campaign for one in found}) > 1:
        found = [one for one in found if one.url == url] or found
    listed = {one.campaign: f"{one.campaign} ({one.name}, {one.url})" for one in found}
    if not listed:
        raise Failure(
            f"No seat is known at {name!r}: `greffier campaigns` lists yours, and an invite gives you one with"
            " `greffier join CODE --name NAME`."
        )
    if len(listed) > 1:
        raise Failure("\n  ".join([f"{len(listed)} campaigns fit {name!r}; name one by its id:", *listed.values()]))
    return found
