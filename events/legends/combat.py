"""What happens in a fight: who comes in which order, whose turn it is, what is left of it (LB-5)."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Modifier

Cost = Literal["action", "sub_action", "free"]
"""LB-5.1.3: what an activity costs of a turn."""


class CombatStarted(Fact, frozen=True, tag="legends.combat_started"):
    """Who takes part is told one by one, as a hidden creature must not be named beside the others."""

    rule: str


class InitiativeRolled(Fact, frozen=True, tag="legends.initiative_rolled"):
    """A place in the turn order: by `total`, then `speed`, then players before others, then `entry`.

    `surprised` creatures skip their first turn. A latecomer has its first turn in round `from_round`.
    """

    character: CharacterRef
    kept: int
    modifiers: tuple[Modifier, ...]
    total: int
    speed: int
    entry: int
    surprised: bool
    from_round: int
    rule: str
    side: str = ""


class EdgeGranted(Fact, frozen=True, tag="legends.edge_granted"):
    """LB-2.2: the next attack of this creature is rolled twice, the better face or the worse kept."""

    character: CharacterRef
    edge: Literal["advantage", "disadvantage"]
    reason: str
    rule: str


class RoundStarted(Fact, frozen=True, tag="legends.round_started"):
    round: int
    rule: str


class ManaRecharged(Fact, frozen=True, tag="legends.mana_recharged"):
    """`mana` is what one has then."""

    character: CharacterRef
    amount: int
    mana: int
    rule: str


class ConsequenceResolved(Fact, frozen=True, tag="legends.consequence_resolved"):
    """LB-5.1.1: the Consequence phase that waited for dice is over."""

    character: CharacterRef
    rule: str


class StrikeGranted(Fact, frozen=True, tag="legends.strike_granted"):
    """LB-5.5.3: one more strike in this turn, of the same action. `left` are those to make."""

    character: CharacterRef
    cause: str
    left: int
    rule: str


class ActivityDone(Fact, frozen=True, tag="legends.activity_done"):
    """Something took of a turn what it costs: a situational action in words, or the `cause` of another rule."""

    character: CharacterRef
    cost: Cost
    cause: str
    actions_left: int
    sub_actions_left: int
    rule: str
    text: str = ""


class TurnEnded(Fact, frozen=True, tag="legends.turn_ended"):
    """`reason` is empty for a turn that was taken; `surprise` or `game_master` for one that was skipped."""

    character: CharacterRef
    round: int
    reason: Literal["", "surprise", "game_master"]
    rule: str


class CombatantLeft(Fact, frozen=True, tag="legends.combatant_left"):
    character: CharacterRef
    cause: str
    rule: str


class TurnOrderSet(Fact, frozen=True, tag="legends.turn_order_set"):
    """The game master moved a creature to `initiative`, before those of the same."""

    character: CharacterRef
    initiative: int
    entry: int
    rule: str


class CombatEnded(Fact, frozen=True, tag="legends.combat_ended"):
    rounds: int
    rule: str
