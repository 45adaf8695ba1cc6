"""LB-5.5: attacks, and what answers them."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Modifier


class AttackRolled(Fact, frozen=True, tag="legends.attack_rolled"):
    """`kept` is the face that counts; `total` = `kept` + `modifiers`, against the `ddt` of the target.

    `weapon` is what one strikes with, `extra` a strike beyond the first of the action. `elements` tells which of the
    two elements has the advantage, where one has.
    """

    character: CharacterRef
    target: CharacterRef
    weapon: str
    precision: int
    kept: int
    modifiers: tuple[Modifier, ...]
    total: int
    ddt: int
    outcome: Literal["critical", "hit", "miss"]
    advantages: tuple[str, ...]
    disadvantages: tuple[str, ...]
    rule: str
    extra: bool = False
    cause: str = "legends.attack"


class ReactionsReadied(Fact, frozen=True, tag="legends.reactions_readied"):
    """What this creature does by itself when the occasion comes, in this order, until it says else."""

    character: CharacterRef
    reactions: tuple[str, ...]
    rule: str


class ReactionTriggered(Fact, frozen=True, tag="legends.reaction_triggered"):
    """LB-5.3.4: a reaction was due. `face` of `sides`, where a die decides; `outcome` is what comes of a success."""

    character: CharacterRef
    reaction: str
    success: bool
    outcome: str
    rule: str
    face: int | None = None
    sides: int = 0
    needed: int = 0
