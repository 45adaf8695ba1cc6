"""The game master sets any number of a character, with a reason."""

from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.campaign.systems import SYSTEMS
from domain.kernel.belongings import Bag, Purse
from domain.kernel.cast import Character, character
from domain.kernel.command import CharacterId, Command, Context, Deciders, Reason, gm
from domain.kernel.fold import Leaf, State, find, key, reducers, step
from domain.kernel.refusal import Refusal, require
from events.envelope import Fact
from events.table import NumberCorrected

NO_SUCH_NUMBER = Refusal("NO_SUCH_NUMBER", "{character} has no number called {field}; there are: {choices}.")
NUMBER_OUT_OF_BOUNDS = Refusal("NUMBER_OUT_OF_BOUNDS", "{field} cannot be {value}: {why}.")


class Correct(Command, frozen=True, tag="campaign.correct"):
    """`field` is the name of a number on the sheet, in the purse (`coins`) or in the bag (`items.<item>`).

    Nested numbers are written with a dot, such as `stats.strength`.
    """

    character: CharacterId
    field: Annotated[str, Meta(min_length=1, max_length=140, pattern=r"^[^\x00-\x1f\x7f.]+(\.[^\x00-\x1f\x7f]*\S)?$")]
    value: Annotated[int, Meta(ge=-(10**9), le=10**9)]
    reason: Reason


def correct(state: State, command: Correct, _: Context) -> Iterable[Fact]:
    one = character(state, command.character)
    derived = SYSTEMS[one.system].derived.get(command.field)
    require(derived is None, SYSTEMS[one.system].wording.derived, derived, field=command.field)
    path = command.field.split(".", 1)
    for kind in _kinds(one):
        leaf = find(state, kind, command.character)
        before = number_at(leaf, path)
        if leaf is None or before is None:
            continue
        if before == command.value:
            return []
        after = with_number(leaf, path, command.value)
        why = _belongings_sound(after) or SYSTEMS[one.system].sound(after)
        require(not why, NUMBER_OUT_OF_BOUNDS, field=command.field, value=command.value, why=why)
        place = key(kind, command.character)
        corrected = NumberCorrected(command.character, place, command.field, before, command.value, command.reason)
        return [corrected, *SYSTEMS[one.system].corrected(state, {**state, place: after}, command.character)]
    NO_SUCH_NUMBER.because(character=one.name, field=command.field, choices=_numbers(state, command.character))


def number_at(value: Any, path: list[str]) -> int | None:
    """The integer at a dotted path of structs and dictionaries. What a bag does not hold is 0 of it."""
    for at, part in enumerate(path):
        if isinstance(value, Struct) and part in value.__struct_fields__:
            value = getattr(value, part)
        elif isinstance(value, dict) and at == len(path) - 1:
            value = value.get(part, 0)
        else:
            return None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def with_number(value: Any, path: list[str], number: int) -> Any:
    """The same with another integer at that path; a bag forgets what it holds none of."""
    if not path:
        return number
    first, rest = path[0], path[1:]
    if isinstance(value, dict):
        changed = {**value, first: with_number(value.get(first), rest, number)}
        return {k: v for k, v in changed.items() if v or k != first}
    return replace(value, **{first: with_number(getattr(value, first), rest, number)})


def _kinds(one: Character) -> tuple[type[Leaf], ...]:
    return (*SYSTEMS[one.system].numbers, Purse, Bag)


def _belongings_sound(leaf: Leaf) -> str | None:
    if isinstance(leaf, Purse) and leaf.coins < 0:
        return "below 0"
    if isinstance(leaf, Bag) and any(quantity < 0 for quantity in leaf.items.values()):
        return "below 0"
    return None


def _numbers(state: State, name: str) -> list[str]:
    leaves = [leaf for kind in _kinds(character(state, name)) if (leaf := find(state, kind, name))]
    return sorted(field for leaf in leaves for field in leaf.__struct_fields__ if number_at(leaf, [field]) is not None)


def _set(leaf: Leaf, told: NumberCorrected) -> Leaf:
    corrected: Leaf = with_number(leaf, told.field.split(".", 1), told.after)
    return corrected


EVOLVE = reducers(step(NumberCorrected, lambda told: told.leaf, _set))
DECIDE: Deciders = {Correct: gm(correct)}
