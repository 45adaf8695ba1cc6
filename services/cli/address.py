"""Which server a command goes to."""

from urllib.parse import urlsplit

from services.cli.telling import Failure
from services.listening import address
from services.settings import Settings, one


def server(url: str | None) -> str:
    """The one named, else the one that this environment's settings would start. Raises `Failure`, `SettingsError`."""
    if url is not None:
        return checked(url)
    return address(one("host"), one("port") or Settings().port)


def checked(url: str) -> str:
    """The address as it is kept: without a slash at its end. Raises `Failure`."""
    if "://" not in url:
        raise Failure(f"The address {url} needs http:// in front: http://{url.strip('/')}")
    try:
        parts = urlsplit(url)
        fits = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise Failure(f"{url} is no address of a server, such as http://127.0.0.1:8000.")
    return url.rstrip("/")
