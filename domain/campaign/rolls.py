"""A free roll in dice notation."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.cast import hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, owner
from domain.kernel.fold import State
from domain.kernel.notation import NotationError, describe, evaluate, parse
from domain.kernel.refusal import Refusal
from events.envelope import Fact, Roll
from events.table import DiceRolled, RolledDie, RolledPool

BAD_NOTATION = Refusal("BAD_NOTATION", "“{expression}” cannot be read at character {position}: {why}.")


class RollDice(Command, frozen=True, tag="campaign.roll"):
    """`4d6kh3+2`, `2d20kl1`, `1d20+6 dégâts`: what follows the dice is a comment.

    A secret roll is seen by the game master and whoever rolled.
    """

    expression: Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x08\x0a-\x1f\x7f]*$")]
    character: CharacterId | None = None
    secret: bool = False


def roll_dice(state: State, command: RollDice, context: Context) -> Iterable[Fact]:
    try:
        parsed = parse(command.expression)
    except NotationError as error:
        BAD_NOTATION.because(expression=command.expression, position=error.position, why=error.why)
    rolls: list[Roll] = []
    secret = command.secret or hidden(state, command.character)

    def throw(count: int, sides: int) -> tuple[int, ...]:
        rolls.append(context.dice.throw(count, sides, "roll", secret=secret))
        return rolls[-1].faces

    outcome = evaluate(parsed.tree, throw)
    return [
        DiceRolled(
            parsed.expression,
            outcome.total,
            describe(outcome),
            tuple(
                RolledPool(
                    pool.text,
                    pool.sides,
                    tuple(RolledDie(die.face, die.value, die.kept, die.fate) for die in pool.dice),
                    pool.total,
                    pool.capped,
                )
                for pool in outcome.pools
            ),
            comment=parsed.comment,
            character=command.character,
            by=context.actor,
            secret=command.secret,
            rolls=tuple(rolls),
        )
    ]


DECIDE: Deciders = {RollDice: owner("character")(roll_dice)}
