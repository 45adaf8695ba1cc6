"""One stored body for every event type, which must be readable for ever.

`python -m tests.support.golden` writes the samples of types that have none yet. A sample is never written again: when
its type changes, what is stored stays as it was, and the reading has to follow.
"""

from pathlib import Path
from typing import Any

from msgspec import inspect

from domain.campaign.book import FACTS
from events.codec import Codec, kind_of
from events.envelope import Fact, Happened, Roll

FOLDER = Path(__file__).resolve().parents[1] / "golden"


def sample(fact: type[Fact]) -> Fact:
    """A fact with something in every field."""
    info = inspect.type_info(fact)
    assert isinstance(info, inspect.StructType)
    fields = {field.name: value(field.type, field.name) for field in info.fields if field.name != "rolls"}
    roll = Roll("check", 20, (9, 14), (14,), "server", 7)
    return fact(**fields, rolls=(roll,))


def value(kind: inspect.Type, name: str) -> Any:
    match kind:
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return 7
        case inspect.StrType():
            return f"{name} é"
        case inspect.NoneType():
            return None
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.UnionType():
            return value(next(one for one in kind.types if not isinstance(one, inspect.NoneType)), name)
        case inspect.VarTupleType() | inspect.ListType():
            return (value(kind.item_type, name),)
        case inspect.TupleType():
            return tuple(value(one, name) for one in kind.item_types)
        case inspect.DictType():
            return {f"{name} key": value(kind.value_type, name)}
        case inspect.StructType():
            return kind.cls(**{field.name: value(field.type, field.name) for field in kind.fields})
        case inspect.Metadata():
            return value(kind.type, name)
    raise TypeError(f"no sample for {kind}")


def path(kind: str) -> Path:
    return FOLDER / f"{kind}.json"


def main() -> None:
    codec = Codec(FACTS)
    for fact in FACTS:
        file = path(kind_of(fact))
        if not file.exists():
            file.write_bytes(codec.encode(Happened("m_1", ("gm", "m_1"), "command-1", 3, sample(fact))) + b"\n")
            print(file.name)


if __name__ == "__main__":
    main()
