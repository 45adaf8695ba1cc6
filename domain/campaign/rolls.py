"""A free roll in dice notation."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State
from domain.kernel.refusal import Refusal
from events.envelope import Fact
from events.table import DiceRolled

BAD_NOTATION = Refusal("BAD_NOTATION", "“{expression}” cannot be read at character {position}: {why}.")


class RollDice(Command, frozen=True, tag="campaign.roll"):
    """`4d6kh3+2`, `2d20kl1`, `1d20+6 dégâts`: what follows the dice is a comment.

    A secret roll is seen by the game master and whoever rolled.
    """

    expression: Annotated[str, Meta(min_length=1, max_length=200)]
    character: CharacterId | None = None
    secret: bool = False


def roll_dice(_: State, command: RollDice, context: Context) -> Iterable[Fact]:
    roll = context.dice.throw(1, 20, "roll")
    return [DiceRolled(command.expression, sum(roll.faces), "", rolls=(roll,))]


DECIDE: Deciders = {RollDice: owner("character")(roll_dice)}
