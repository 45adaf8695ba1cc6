"""State as a set of frozen leaves, and the fold of facts into it.

A campaign's state maps keys such as `legends.fighter/bonk` to frozen leaves. A reducer takes one leaf and one fact
and answers the leaf after it. Reducers trust history: no dice, no clock, no table, no refusal.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from operator import attrgetter
from typing import Any, ClassVar, TypeVar

import msgspec
from msgspec import Struct

from events.envelope import Fact


class Leaf(Struct, frozen=True, gc=False, tag_field="leaf"):
    """One thing of the state: a member, a purse, a fighter. Its tag is the first part of its key.

    `SECRET` leaves are for the game master only. `OF_CHARACTER` says that the leaf's name is a character's id: it is
    seen by whoever may see that character.
    """

    SECRET: ClassVar[bool] = False
    OF_CHARACTER: ClassVar[bool] = False

    def concerns(self, name: str) -> tuple[str, ...]:
        """The characters of whom this leaf tells something."""
        return (name,) if self.OF_CHARACTER else ()


State = Mapping[str, Leaf]
L = TypeVar("L", bound=Leaf)
F = TypeVar("F", bound=Fact)
KeyOf = Callable[[Any], str]
Step = tuple[KeyOf, Callable[[Any, Any], Leaf | None]]
Reducers = dict[type[Fact], tuple[Step, ...]]


def key(kind: type[Leaf], name: str = "") -> str:
    """The key of a leaf: `member/m_1`, or `clock` for the only one of its kind."""
    tag = str(kind.__struct_config__.tag)
    return f"{tag}/{name}" if name else tag


def find(state: State, kind: type[L], name: str = "") -> L | None:
    """The leaf, or None when there is none."""
    leaf = state.get(key(kind, name))
    return leaf if isinstance(leaf, kind) else None


def the(state: State, kind: type[L], name: str = "") -> L:
    """The leaf, which the caller knows to be there. Raises `KeyError`."""
    leaf = find(state, kind, name)
    if leaf is None:
        raise KeyError(key(kind, name))
    return leaf


def every(state: State, kind: type[L]) -> dict[str, L]:
    """All leaves of one kind by name, in the order they came."""
    prefix = key(kind) + "/"
    return {k[len(prefix) :]: leaf for k, leaf in state.items() if isinstance(leaf, kind) and k.startswith(prefix)}


def on(fact: type[F], leaf: type[L], at: str, change: Callable[[L, F], L]) -> tuple[type[Fact], Step]:
    """`fact` changes the leaf whose name stands in its field `at` (`""`: the only leaf of that kind)."""
    return fact, (_keyed(leaf, at), change)


def begin(fact: type[F], leaf: type[L], at: str, make: Callable[[F], L]) -> tuple[type[Fact], Step]:
    """`fact` brings the leaf into being."""
    return fact, (_keyed(leaf, at), lambda _, told: make(told))


def end(fact: type[F], leaf: type[L], at: str) -> tuple[type[Fact], Step]:
    """`fact` takes the leaf away."""
    return fact, (_keyed(leaf, at), lambda _, __: None)


def step(fact: type[F], key_of: Callable[[F], str], change: Callable[[Any, F], Leaf | None]) -> tuple[type[Fact], Step]:
    """The general form: `change` gets the leaf at `key_of(fact)`, or None where there is none yet."""
    return fact, (key_of, change)


def reducers(*steps: tuple[type[Fact], Step]) -> Reducers:
    """A table by type; several steps of one fact run in the order written."""
    table: Reducers = {}
    for fact, one in steps:
        table[fact] = (*table.get(fact, ()), one)
    return table


def together(*tables: Reducers) -> Reducers:
    """One table out of several. Two tables may each have steps for the same fact."""
    return reducers(*((fact, one) for table in tables for fact, steps in table.items() for one in steps))


def steps_of(evolve: Reducers, fact: Fact) -> tuple[Step, ...]:
    """What this fact changes: the steps of its type, and those of `Fact` itself where dice fell for it."""
    steps = evolve.get(type(fact), ())
    return (*steps, *evolve.get(Fact, ())) if fact.rolls else steps


def fold(evolve: Reducers, state: State, facts: Iterable[Fact]) -> State:
    """The state after `facts`. The state given is left as it was.

    A fact without reducers changes nothing (talk). Raises `Unfoldable` for a fact that does not fit the state.
    """
    leaves = dict(state)
    for fact in facts:
        for key_of, change in steps_of(evolve, fact):
            place = key_of(fact)
            try:
                leaf = change(leaves.get(place), fact)
            except (AttributeError, TypeError, KeyError) as error:
                raise Unfoldable(fact, place) from error
            if leaf is None:
                leaves.pop(place, None)
            else:
                leaves[place] = leaf
    return leaves


class Unfoldable(Exception):
    """A fact about something that is not there, or not as the fact expects it."""

    def __init__(self, fact: Fact, place: str) -> None:
        super().__init__(f"{type(fact).__name__} does not fit {place!r}")
        self.fact, self.place = fact, place


def in_order(evolve: Reducers, state: State, parts: Sequence[Callable[[State], Iterable[Fact]]]) -> list[Fact]:
    """The facts of several rules in a row, each seeing what the earlier ones did."""
    told: list[Fact] = []
    for part in parts:
        new = list(part(state))
        state = fold(evolve, state, new)
        told += new
    return told


_canonical = msgspec.json.Encoder(order="sorted")


def state_hash(state: State) -> bytes:
    """SHA-256 of the whole state in canonical JSON: equal on every server that folds the same events."""
    return sha256(b"greffier/state/1" + _canonical.encode(dict(state))).digest()


def _keyed(leaf: type[Leaf], at: str) -> KeyOf:
    if not at:
        alone = key(leaf)
        return lambda _: alone
    prefix, name_of = key(leaf) + "/", attrgetter(at)
    return lambda fact: f"{prefix}{name_of(fact)}"
