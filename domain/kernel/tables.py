"""A rule book's tables, read from CSV beside the code that uses them."""

import csv
from collections.abc import Callable
from importlib.resources import files
from typing import TypeVar

R = TypeVar("R")


def read(package: str, table: str, row: Callable[[dict[str, str]], R]) -> tuple[R, ...]:
    """The rows of `tables/<table>.csv` of a package, each made by `row` from its columns.

    Raises `ValueError` naming file and line when a row cannot be read.
    """
    text = files(package).joinpath("tables", f"{table}.csv").read_text("utf-8")
    made = []
    for number, columns in enumerate(csv.DictReader(text.splitlines()), 2):
        try:
            made.append(row(columns))
        except (KeyError, ValueError, TypeError) as error:
            raise ValueError(f"{package}/tables/{table}.csv, line {number}: {error}") from error
    return tuple(made)
