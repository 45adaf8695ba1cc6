"""Reading dice notation into a tree. Every doubt is an error with its position."""

import re
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

LONGEST = 200
MOST_DICE = 1_000
MOST_SIDES = 10_000
LARGEST = 1_000_000
DEEPEST = 16


class NotationError(Exception):
    """`position` counts characters from 1; `why` is a word: `empty`, `too_long`, `unexpected`, `unclosed`,
    `ambiguous`, `too_deep`, `too_large`, `too_many_dice`, `no_sides`, `always`, `keeps_more_than_thrown`, `order`."""

    def __init__(self, position: int, why: str) -> None:
        super().__init__(f"{why} at character {position}")
        self.position, self.why = position, why


class Test(Struct, frozen=True):
    """Which faces a reroll or an explosion looks for."""

    relation: Literal["=", "<", ">"]
    number: int

    def holds(self, face: int) -> bool:
        """`<3` and `>4` include the number itself, as tables say "3 or less"."""
        if self.relation == "=":
            return face == self.number
        return face <= self.number if self.relation == "<" else face >= self.number


class Keep(Struct, frozen=True):
    what: Literal["kh", "kl", "dh", "dl"]
    number: int


class Number(Struct, frozen=True, tag="number"):
    value: int


class Dice(Struct, frozen=True, tag="dice"):
    """`text` is the notation of this group of dice."""

    text: str
    count: int
    sides: int
    reroll: Test | None = None
    once: bool = False
    explode: Test | None = None
    lowest: int | None = None
    highest: int | None = None
    keep: Keep | None = None


class Minus(Struct, frozen=True, tag="minus"):
    inner: "Node"


class Both(Struct, frozen=True, tag="both"):
    operator: Literal["+", "-", "*"]
    left: "Node"
    right: "Node"


class Group(Struct, frozen=True, tag="group"):
    inner: "Node"


Node = Number | Dice | Minus | Both | Group


class Parsed(Struct, frozen=True):
    """`expression` is the part that was read as dice."""

    tree: Node
    expression: str
    comment: str


_SAME = str.maketrans({"−": "-", "–": "-", "×": "*", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\t": " "})
_LOOKS_LIKE_DICE = re.compile(
    r"[-+*/()!%=<>]|[0-9]|[dD] *[0-9%]|(?:kh|kl|k|dh|dl|ro|r|min|max)[<>=]? *[0-9]*(?:[ +*/-]|$)"
)
_MODIFIER = re.compile(r"(ro|r|min|max|kh|kl|k|dh|dl|!)([<>=]?)([0-9]*)")
_ORDER = {"r": 1, "ro": 1, "!": 2, "min": 3, "max": 4, "kh": 5, "kl": 5, "k": 5, "dh": 5, "dl": 5}


def parse(text: str) -> Parsed:
    """The tree and the comment. Raises `NotationError`, and nothing else, for any text."""
    if len(text) > LONGEST:
        raise NotationError(LONGEST + 1, "too_long")
    return _Reader(text.translate(_SAME)).whole(text)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at, self.depth, self.thrown = text, 0, 0, 0

    def whole(self, original: str) -> Parsed:
        self._spaces()
        if self.at == len(self.text):
            raise NotationError(1, "empty")
        start = self.at
        tree = self._sum()
        end = self.at
        spaced = self._spaces()
        rest = self.text[self.at :]
        if rest.startswith("#"):
            return Parsed(tree, original[start:end], original[self.at + 1 :].strip())
        # After a space, whatever begins like more dice is an error: a typing slip must not change a roll in silence.
        if rest and not spaced:
            raise NotationError(self.at + 1, "unexpected")
        if _LOOKS_LIKE_DICE.match(rest):
            raise NotationError(self.at + 1, "ambiguous")
        return Parsed(tree, original[start:end], original[self.at :].strip())

    def _spaces(self) -> bool:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        return self.at > start

    def _operator(self, those: str) -> str | None:
        """The next operator, past spaces; otherwise stays where it is."""
        start = self.at
        self._spaces()
        if self.at < len(self.text) and self.text[self.at] in those:
            found = self.text[self.at]
            self.at += 1
            self._spaces()
            return found
        self.at = start
        return None

    def _sum(self) -> Node:
        left = self._product()
        while operator := self._operator("+-"):
            left = Both("+" if operator == "+" else "-", left, self._product())
        return left

    def _product(self) -> Node:
        left = self._factor()
        while self._operator("*"):
            left = Both("*", left, self._factor())
        return left

    def _factor(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotationError(self.at + 1, "too_deep")
        try:
            return self._inner()
        finally:
            self.depth -= 1

    def _inner(self) -> Node:
        if self.at >= len(self.text):
            raise NotationError(self.at + 1, "unexpected")
        letter = self.text[self.at]
        if letter == "-":
            self.at += 1
            self._spaces()
            return Minus(self._factor())
        if letter == "(":
            opened = self.at
            self.at += 1
            self._spaces()
            inner = self._sum()
            self._spaces()
            if self.at >= len(self.text) or self.text[self.at] != ")":
                raise NotationError(opened + 1 if self.at >= len(self.text) else self.at + 1, "unclosed")
            self.at += 1
            return Group(inner)
        start = self.at
        count = self._number()
        if self.at < len(self.text) and self.text[self.at] in "dD":
            return self._dice(start, 1 if count is None else count)
        if count is None:
            raise NotationError(self.at + 1, "unexpected")
        return Number(count)

    def _number(self) -> int | None:
        found = re.compile(r"[0-9]+").match(self.text, self.at)
        if found is None:
            return None
        if len(found[0]) > 7 or int(found[0]) > LARGEST:
            raise NotationError(self.at + 1, "too_large")
        self.at = found.end()
        return int(found[0])

    def _dice(self, start: int, count: int) -> Dice:
        self.at += 1
        if self.at < len(self.text) and self.text[self.at] == "%":
            self.at += 1
            sides: int | None = 100
        else:
            sides = self._number()
        if not sides:
            raise NotationError(self.at + 1, "no_sides")
        if sides > MOST_SIDES:
            raise NotationError(start + 1, "too_large")
        self.thrown += count
        if self.thrown > MOST_DICE or not count:
            raise NotationError(start + 1, "too_many_dice" if count else "unexpected")
        dice = Dice("", count, sides)
        last = 0
        while found := _MODIFIER.match(self.text, self.at):
            name, relation, digits = found.groups()
            if _ORDER[name] <= last:
                raise NotationError(self.at + 1, "order")
            last = _ORDER[name]
            dice = self._modified(dice, name, relation, int(digits) if digits else None)
            self.at = found.end()
        if self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "%!<>=_"):
            raise NotationError(self.at + 1, "unexpected")
        return replace(dice, text=self.text[start : self.at])

    def _modified(self, dice: Dice, name: str, relation: str, number: int | None) -> Dice:
        here = self.at + 1
        if number is not None and number > MOST_SIDES:
            raise NotationError(here, "too_large")
        if name in ("r", "ro", "!"):
            test = self._test(dice, name, relation, number)
            if name != "ro" and test.holds(1) and test.holds(dice.sides) and _always(test, dice.sides):
                raise NotationError(here, "always")
            return replace(dice, explode=test) if name == "!" else replace(dice, reroll=test, once=name == "ro")
        if relation:
            raise NotationError(here + len(name), "unexpected")
        if name in ("min", "max"):
            if number is None:
                raise NotationError(here + len(name), "unexpected")
            return replace(dice, lowest=number) if name == "min" else replace(dice, highest=number)
        kept = 1 if number is None else number
        if kept > dice.count or not kept:
            raise NotationError(here, "keeps_more_than_thrown")
        what: Literal["kh", "kl", "dh", "dl"] = "kh" if name == "k" else name  # type: ignore[assignment]
        return replace(dice, keep=Keep(what, kept))

    def _test(self, dice: Dice, name: str, relation: str, number: int | None) -> Test:
        if number is None:
            if name != "!" or relation:
                raise NotationError(self.at + 1 + len(name), "unexpected")
            return Test("=", dice.sides)
        found: Literal["=", "<", ">"] = "<" if relation == "<" else ">" if relation == ">" else "="
        if name == "!" and not relation:
            raise NotationError(self.at + 2, "unexpected")
        return Test(found, number)


def _always(test: Test, sides: int) -> bool:
    """Whether every face passes the test: such dice would never come to rest."""
    return sides == 1 or (test.relation == "<" and test.number >= sides) or (test.relation == ">" and test.number <= 1)
