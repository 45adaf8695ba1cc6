"""Throwing what was read: a total, and every die with what became of it."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from domain.kernel.notation.grammar import MOST_DICE, Both, Dice, Group, Minus, Node, Number

Throw = Callable[[int, int], tuple[int, ...]]
"""`throw(count, sides)` answers `count` faces."""

CHAIN = 100
"""How often one die may explode or be rerolled."""
LARGEST_TOTAL = 2**53


class Die(Struct, frozen=True, omit_defaults=True):
    """One face that fell. `value` is what it counts for; `fate` is why it does not, or how it came."""

    face: int
    value: int
    kept: bool = True
    fate: Literal["", "dropped", "rerolled", "exploded"] = ""


class Pool(Struct, frozen=True, omit_defaults=True):
    """One group of dice. `capped` when it would have gone on exploding or rerolling."""

    text: str
    sides: int
    dice: tuple[Die, ...]
    total: int
    capped: bool = False


class Outcome(Struct, frozen=True):
    total: int
    pools: tuple[Pool, ...]
    text: str


def evaluate(tree: Node, throw: Throw) -> Outcome:
    """Throw the dice of the tree from left to right."""
    hand = _Hand(throw)
    total, text = hand.worth(tree)
    return Outcome(max(-LARGEST_TOTAL, min(LARGEST_TOTAL, total)), tuple(hand.pools), text)


def describe(outcome: Outcome) -> str:
    """`4d6kh3+2`: `(5 4 4 [1]) + 2 = 15`; dice in brackets do not count."""
    return f"{outcome.text} = {outcome.total}"


class _Hand:
    def __init__(self, throw: Throw) -> None:
        self._throw, self._left = throw, MOST_DICE
        self.pools: list[Pool] = []

    def worth(self, node: Node) -> tuple[int, str]:
        match node:
            case Number():
                return node.value, str(node.value)
            case Dice():
                pool = self._pool(node)
                self.pools.append(pool)
                return pool.total, _shown(pool)
            case Minus():
                value, text = self.worth(node.inner)
                return -value, f"-{text}"
            case Group():
                value, text = self.worth(node.inner)
                return value, f"({text})"
            case Both():
                left, one = self.worth(node.left)
                right, other = self.worth(node.right)
                value = left + right if node.operator == "+" else left - right if node.operator == "-" else left * right
                return value, f"{one} {node.operator} {other}"

    def _pool(self, dice: Dice) -> Pool:
        self._left -= dice.count
        capped = False
        fallen: list[Die] = []
        for face in self._throw(dice.count, dice.sides):
            chain, stopped = self._chain(dice, face)
            fallen += chain
            capped = capped or stopped
        kept = _kept(dice, fallen)
        told = tuple(
            die if at in kept or not die.kept else Die(die.face, die.value, kept=False, fate="dropped")
            for at, die in enumerate(fallen)
        )
        return Pool(dice.text, dice.sides, told, sum(die.value for die in told if die.kept), capped)

    def _chain(self, dice: Dice, face: int) -> tuple[list[Die], bool]:
        """One die with its rerolls and explosions, and whether it was stopped."""
        found: list[Die] = []
        fate: Literal["", "exploded"] = ""
        rerolls = 0
        for _ in range(CHAIN):
            if dice.reroll and dice.reroll.holds(face) and not (dice.once and rerolls):
                rerolls += 1
                found.append(Die(face, 0, kept=False, fate="rerolled"))
            else:
                found.append(Die(face, _bounded(dice, face), fate=fate))
                if not (dice.explode and dice.explode.holds(face)):
                    return found, False
                fate, rerolls = "exploded", 0
            if self._left <= 0:
                break
            self._left -= 1
            (face,) = self._throw(1, dice.sides)
        else:
            found.append(Die(face, _bounded(dice, face), fate=fate))
            return found, True
        if found[-1].fate == "rerolled":
            found[-1] = Die(face, _bounded(dice, face))
        return found, True


def _bounded(dice: Dice, face: int) -> int:
    value = face if dice.lowest is None else max(face, dice.lowest)
    return value if dice.highest is None else min(value, dice.highest)


def _kept(dice: Dice, fallen: list[Die]) -> set[int]:
    """The places of the dice that count; of equal ones the first."""
    places = [at for at, die in enumerate(fallen) if die.kept]
    if dice.keep is None:
        return set(places)
    number = dice.keep.number
    ranked = sorted(places, key=lambda at: (-fallen[at].value, at))
    if dice.keep.what == "kh":
        return set(ranked[:number])
    if dice.keep.what == "dh":
        return set(ranked[number:])
    ranked = sorted(places, key=lambda at: (fallen[at].value, at))
    return set(ranked[:number]) if dice.keep.what == "kl" else set(ranked[number:])


def _shown(pool: Pool) -> str:
    told = " ".join(
        f"[{die.face}]"
        if not die.kept
        else (str(die.face) if die.value == die.face else f"{die.face}→{die.value}") + ("!" if die.fate else "")
        for die in pool.dice
    )
    return f"{pool.text} ({told})"
