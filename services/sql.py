"""Statements from the `.sql` files that stand beside the code that sends them."""

import re
from importlib.resources import files

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


def statements(package: str, file: str) -> dict[str, str]:
    """The statements of a file, by the name in the comment above each."""
    parts = _NAME.split(files(package).joinpath(file).read_text("utf-8"))
    return {name: statement.strip() for name, statement in zip(parts[1::2], parts[2::2], strict=True)}
