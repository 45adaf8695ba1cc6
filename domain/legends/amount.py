"""What a weapon or a spell does, written as dice: `1d6+3`, or `18` where it is fixed."""

from functools import lru_cache

from msgspec import Struct

from domain.kernel.dice import Dice
from domain.kernel.notation import NotationError, Parsed, evaluate, parse
from domain.kernel.refusal import require
from domain.legends.refusals import AMOUNT_UNREADABLE
from events.envelope import Roll


class Thrown(Struct, frozen=True):
    """The total, never below 0 (LB-0.9), the dice, and the calculation: `1d6 (5) + 3`."""

    total: int
    rolls: tuple[Roll, ...]
    text: str


@lru_cache(maxsize=1_024)
def read_amount(text: str) -> Parsed:
    """Raises `NotationError` for what is no dice notation; a comment is none either."""
    parsed = parse(text)
    if parsed.comment:
        raise NotationError(len(parsed.expression) + 1, "unexpected")
    return parsed


def require_amount(text: str, of: str, rule: str) -> None:
    """Ask before any die falls. Refuses what cannot be read."""
    try:
        read_amount(text)
    except NotationError as error:
        require(False, AMOUNT_UNREADABLE, rule, item=of, amount=text, position=error.position)


def throw_amount(text: str, dice: Dice, *, purpose: str, secret: bool) -> Thrown:
    """Throw it: no luck die here (LB-2.1.1)."""
    rolls: list[Roll] = []

    def throw(count: int, sides: int) -> tuple[int, ...]:
        rolls.append(dice.throw(count, sides, purpose, secret=secret))
        return rolls[-1].faces

    outcome = evaluate(read_amount(text).tree, throw)
    return Thrown(max(0, outcome.total), tuple(rolls), outcome.text)
