"""LB-1 and LB-2: checks, luck dice, standing orders."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import CoinSide, Comparison, Modifier, Outcome


class CheckCalled(Fact, frozen=True, tag="legends.check_called"):
    """The game master asks for a check; whoever plays the character rolls it."""

    character: CharacterRef
    check: str
    kind: Literal["die", "stat"]
    basis: str
    dc: int
    comparison: Comparison
    advantage: bool
    disadvantage: bool
    gift: str
    reason: str
    rule: str


class CheckWithdrawn(Fact, frozen=True, tag="legends.check_withdrawn"):
    character: CharacterRef
    check: str


class CheckRolled(Fact, frozen=True, tag="legends.check_rolled"):
    """`kept` is the face that counts, `value` the statistic behind the roll; `total` = `kept` + `modifiers`."""

    character: CharacterRef
    basis: str
    value: int
    dc: int
    kept: int
    modifiers: tuple[Modifier, ...]
    total: int
    margin: int
    outcome: Outcome
    advantages: tuple[str, ...]
    disadvantages: tuple[str, ...]
    rule: str
    check: str | None = None
    cause: str = "legends.check"


class StatChecked(Fact, frozen=True, tag="legends.stat_checked"):
    """No die: the statistic is more (`gt`) or at least (`ge`) what is required, or it is not."""

    character: CharacterRef
    stat: str
    value: int
    required: int
    comparison: Comparison
    passed: bool
    rule: str
    check: str | None = None


class LuckDiceGranted(Fact, frozen=True, tag="legends.luck_dice_granted"):
    """`stock` is what the character has after it."""

    character: CharacterRef
    count: int
    stock: int
    cause: str
    rule: str


class LuckDieSpent(Fact, frozen=True, tag="legends.luck_die_spent"):
    """Announced, therefore spent. The roll follows."""

    character: CharacterRef
    stock: int
    by: Literal["command", "standing_order"]
    rule: str


class StandingOrdersSet(Fact, frozen=True, tag="legends.standing_orders_set"):
    character: CharacterRef
    coin: CoinSide
    resistance_luck: int
    rule: str
