"""The tokens of the campaigns one sits in, kept in a file that only the user reads."""

import json
import os
from pathlib import Path

from msgspec import Struct, convert, to_builtins


class Seat(Struct):
    """A seat at a campaign on a server."""

    url: str
    campaign: str
    member: str
    token: str
    name: str = ""


def place() -> Path:
    """`$XDG_CONFIG_HOME/greffier/seats.json`, by default under `~/.config`."""
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "greffier" / "seats.json"


def seats() -> list[Seat]:
    """Those that are known, the newest last."""
    try:
        return convert(json.loads(place().read_text("utf-8")), list[Seat])
    except FileNotFoundError:
        return []
    except ValueError as error:
        raise SystemExit(f"{place()} cannot be read: {error}. Move it away to start anew.") from error


def keep(seat: Seat) -> None:
    """Remember a seat; the same member of the same campaign once."""
    known = [one for one in seats() if (one.url, one.campaign, one.member) != (seat.url, seat.campaign, seat.member)]
    file = place()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        json.dump(to_builtins([*known, seat]), out, ensure_ascii=False, indent=1)
    partial.replace(file)


def find(campaign: str, url: str | None = None) -> Seat:
    """The newest seat at a campaign, by its id or the beginning of it, or by its name."""
    fitting = [
        one
        for one in seats()
        if (one.campaign.startswith(campaign) or one.name == campaign) and (url is None or one.url == url)
    ]
    if not fitting:
        raise SystemExit(f"No seat is known at {campaign!r}: join it with `greffier join CODE`.")
    return fitting[-1]
