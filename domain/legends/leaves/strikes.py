"""LB-5.3.4: the last strike against a creature, as long as it may still be answered."""

from domain.kernel.fold import Leaf, end, key, reducers, step
from events.legends.combat import CombatantLeft
from events.legends.downfall import TurnStarted
from events.legends.strikes import AttackRolled, ReactionTriggered


class Answerable(Leaf, frozen=True, tag="legends.answerable"):
    """Who struck at the creature of this name, and whether the strike hit. Its own next turn ends the occasion."""

    attacker: str
    hit: bool

    def concerns(self, name: str) -> tuple[str, ...]:
        return (name, self.attacker)


def attacked(leaf: Answerable | None, told: AttackRolled) -> Answerable | None:
    """A counter-attack is not answered."""
    if told.cause == "legends.counter_attack":
        return leaf
    return Answerable(told.character, told.outcome != "miss")


EVOLVE = reducers(
    step(AttackRolled, lambda told: key(Answerable, told.target), attacked),
    end(ReactionTriggered, Answerable, "character"),
    end(TurnStarted, Answerable, "character"),
    end(CombatantLeft, Answerable, "character"),
)
