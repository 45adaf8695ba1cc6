"""What a host may set, by environment variables named `GREFFIER_…`."""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, ValidationError, convert

from services.log import Strategy


class Settings(Struct, frozen=True):
    """Without `database_url` the program keeps its own Postgres in `data`; without `redis_url` it is alone.

    `database_pool` counts connections of this node. `live_connections` bounds the sockets of this node, and
    `live_buffer` the bytes that may wait for one of them. What a description says ends the sentence "it takes …".
    """

    host: Annotated[str, Meta(description="the name or the address of a machine")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65_535, description="a port from 1 to 65535, or 0 for any that is free")] = 8000
    data: Annotated[Path, Meta(description="a folder")] = Path("data")
    database_url: Annotated[
        str, Meta(pattern=r"^postgres(ql)?://", description="an address such as postgresql://user:password@host/name")
    ] = ""
    migrate_database_url: Annotated[
        str, Meta(pattern=r"^postgres(ql)?://", description="an address such as postgresql://owner:password@host/name")
    ] = ""
    redis_url: Annotated[
        str, Meta(pattern=r"^(rediss?|unix)://", description="an address such as redis://host:6379/0")
    ] = ""
    database_pool: Annotated[int, Meta(ge=1, le=10_000, description="a whole number from 1 to 10000")] = 10
    append: Annotated[Strategy, Meta(description="grouped or single")] = "grouped"
    states: Annotated[int, Meta(ge=1, description="a whole number from 1 on")] = 256
    live_connections: Annotated[int, Meta(ge=1, description="a whole number from 1 on")] = 5_000
    live_buffer: Annotated[int, Meta(ge=65_536, description="a number of bytes from 65536 on")] = 1_048_576
    log_json: Annotated[bool, Meta(description="true or false")] = False
    log_level: Annotated[
        Literal["debug", "info", "warning", "error", "critical"],
        Meta(description="debug, info, warning, error or critical"),
    ] = "info"


PREFIX = "GREFFIER_"
ELSEWHERE = frozenset({"POSTGRES_USER", "POSTGRES_BIN", "REDIS_BIN", "DB_PASSWORD"})
"""Variables that others read: the servers that come along, and `docker-compose.yml`."""
FOR_TESTS = "TEST_"

_KINDS = get_type_hints(Settings, include_extras=True)


class SettingsError(Exception):
    """A setting that cannot be used, in a sentence that names it and says what it takes."""


def from_environment(environment: Mapping[str, str] | None = None, **given: object) -> Settings:
    """The settings; `given` ones that are not None come before the environment. Raises `SettingsError`."""
    environment = os.environ if environment is None else environment
    chosen = {name: one(name, environment, given.get(name)) for name in _KINDS}
    return Settings(**chosen)


def one(name: str, environment: Mapping[str, str] | None = None, given: object = None) -> Any:
    """One setting by itself, for whoever needs no others. Raises `SettingsError`."""
    environment = os.environ if environment is None else environment
    variable = PREFIX + name.upper()
    value = environment.get(variable, "") if given is None else given
    if value == "":
        return getattr(_DEFAULT, name)
    kind = _KINDS[name]
    if get_origin(get_args(kind)[0]) is Literal:
        value = str(value).lower()
    try:
        return convert(value, kind, strict=False, dec_hook=lambda _, text: Path(text))
    except ValidationError as error:
        where = f"{variable}=" if given is None else f"--{name.replace('_', '-')} "
        takes = kind.__metadata__[0].description
        raise SettingsError(f"{where}{_without_password(value)} is not possible: it takes {takes}.") from error


def strangers(environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """A sentence for each variable that is no setting: misspelt, it leaves a default in force and nobody notices.

    Not refused, for others may set some of this form: a Kubernetes service named `greffier` does.
    """
    known = {name.upper() for name in _KINDS} | ELSEWHERE
    for variable in sorted(os.environ if environment is None else environment):
        name = variable.removeprefix(PREFIX)
        if name == variable or name in known or name.startswith(FOR_TESTS):
            continue
        near = get_close_matches(name, sorted(known), 1)
        hint = f"did you mean {PREFIX}{near[0]}?" if near else "the README lists those there are."
        yield f"There is no setting {variable}: {hint}"


def _without_password(value: object) -> str:
    return re.sub(r"[^/@]*@", "…@", str(value))


_DEFAULT = Settings()
