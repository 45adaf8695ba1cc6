"""LB-6: the commands by which the game master puts an effect on somebody or ends one, and water."""

from collections.abc import Iterable
from typing import Annotated

from msgspec import Meta

from domain.kernel.command import CharacterId, Command, Context, Deciders, Figure, Key, Name, owner
from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.legends.board import require_within
from domain.legends.effects import Wish, ended, inflict, require_possible
from domain.legends.grid import BASIC_MOVE
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.refusals import EFFECT_NOT_PRESENT, EFFECT_TARGET_DOWN, NOT_RESISTIBLE, ORDER_SELF_HARM
from domain.legends.state import fighter, for_gm, name_of, on_their_feet, side_of
from domain.legends.turns import Deed, spend
from events.envelope import Fact

Order = Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")]


class ApplyEffect(Command, frozen=True, tag="legends.apply_effect"):
    """The game master puts an effect on a creature. `by` is who inflicts it, where somebody does.

    `turns` and `x` where the effect leaves them to its source, `order` for Lovestruck; `order_harms_bearer` says that
    it aims at harming whoever would follow it, which no order may. `resist` asks for the ladder of LB-6.3, which
    harmful effects get in a fight anyway.
    """

    character: CharacterId
    effect: Key
    cause: Name
    turns: Figure | None = None
    x: Annotated[int, Meta(ge=0, le=1_000)] | None = None
    order: Order = ""
    order_harms_bearer: bool = False
    by: CharacterId | None = None
    resist: bool = False


class EndEffect(Command, frozen=True, tag="legends.end_effect"):
    """The game master ends an effect."""

    character: CharacterId
    effect: Key


class PourWater(Deed, frozen=True, tag="legends.pour_water"):
    """Water on oneself or a neighbour who burns: a sub-action."""

    character: CharacterId
    target: CharacterId


def apply_effect(state: State, command: ApplyEffect, context: Context) -> Iterable[Fact]:
    """LB-6.0.1."""
    who, shown = command.character, name_of(state, command.character)
    one = fighter(state, who)
    side = side_of(state, command.by) if command.by else ""
    wish = Wish(
        effect=command.effect,
        cause=command.cause,
        turns=command.turns,
        x=command.x,
        order=command.order,
        by=command.by,
        side=side,
    )
    made = require_possible(state, wish)
    require(not one.down, EFFECT_TARGET_DOWN, "LB-A113", character=shown)
    require(not command.resist or made.resistible, NOT_RESISTIBLE, "LB-6.3.3", effect=made.key)
    context.require(not command.order_harms_bearer, ORDER_SELF_HARM, "LB-6.2.13", character=shown)
    return inflict(state, who, wish, context.dice)


def end_effect(state: State, command: EndEffect, _: Context) -> Iterable[Fact]:
    fighter(state, command.character)
    _require_present(state, command.character, command.effect)
    return ended(state, command.character, command.effect, "dispelled", "LB-6.0.1")


def pour_water(state: State, command: PourWater, context: Context) -> Iterable[Fact]:
    """LB-6.1.1, LB-A32: any water ends a burn at once; what it has burned stays lost."""
    who, target = command.character, command.target
    on_their_feet(state, who, context)
    fighter(state, target)
    spent = spend(state, who, "sub_action", context, cause="legends.pour_water", rule="LB-5.3.2")
    _require_present(state, target, "burned")
    require_within(state, context, who, target, BASIC_MOVE, "LB-5.4.0")
    return [*spent, *ended(state, target, "burned", "water", "LB-6.1.1")]


def _require_present(state: State, who: str, effect: str) -> None:
    leaf = find(state, Afflicted, who)
    require(leaf and leaf.of(effect), EFFECT_NOT_PRESENT, "LB-6.1.1", character=name_of(state, who), effect=effect)


DECIDE: Deciders = {
    ApplyEffect: for_gm("character")(apply_effect),
    EndEffect: for_gm("character")(end_effect),
    PourWater: owner("character")(pour_water),
}
