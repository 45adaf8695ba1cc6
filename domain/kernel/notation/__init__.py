"""Dice notation: `4d6kh3+2`, `2d20kl1`, `1d20+6 dégâts`.

* `NdS`, `dS`, `DS`, `N d%` (a hundred sides); `+ - * ( )` and whole numbers. Spaces may stand around operators.
* Right behind the dice, in this order: `r1` `r<3` reroll until it does not fall, `ro1` reroll once; `!` `!>4` explode;
  `min2` `max5` raise or lower each die; then one of `kh3` `kl1` `k3` keep, `dh1` `dl1` drop (one die without a number).
* What follows after a space, or behind `#`, is a comment; unless it begins like notation: that is an error, with its
  position, and never a guess.
"""

from domain.kernel.notation.evaluate import Die, Outcome, Pool, describe, evaluate
from domain.kernel.notation.grammar import NotationError, Parsed, parse

__all__ = ["Die", "NotationError", "Outcome", "Parsed", "Pool", "describe", "evaluate", "parse"]
