"""What a host may set, by environment variables named `GREFFIER_…`."""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, convert

from services.log.postgres import Strategy


class Settings(Struct, frozen=True):
    """Without `database_url` the program keeps its own Postgres in `data`; without `redis_url` it is alone.

    `database_pool` counts connections of this node. `live_connections` bounds the sockets of this node, and
    `live_buffer` the bytes that may wait for one of them.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    data: Path = Path("data")
    database_url: str = ""
    migrate_database_url: str = ""
    redis_url: str = ""
    database_pool: int = 10
    append: Strategy = "grouped"
    states: int = 256
    live_connections: int = 5_000
    live_buffer: int = 1_048_576
    log_json: bool = False
    log_level: str = "info"


PREFIX = "GREFFIER_"


def from_environment(environment: Mapping[str, str] | None = None, **given: object) -> Settings:
    """The settings; `given` ones that are not None come before the environment.

    Raises `SettingsError` naming the variable.
    """
    environment = os.environ if environment is None else environment
    found = {
        name: value
        for name in Settings.__struct_fields__
        if (value := environment.get(PREFIX + name.upper())) not in (None, "")
    }
    chosen = found | {name: value for name, value in given.items() if value is not None}
    try:
        return convert(chosen, Settings, strict=False, dec_hook=lambda _, value: Path(value))
    except Exception as error:
        raise SettingsError(f"{PREFIX}… settings: {error}") from error


class SettingsError(Exception):
    """A setting that cannot be read."""
