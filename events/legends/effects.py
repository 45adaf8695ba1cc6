"""LB-6: effects that take hold of a creature, act, and end."""

from typing import Literal

from events.envelope import CharacterRef, Fact

EndOfEffect = Literal[
    "expired",
    "burned_out",
    "water",
    "shaken_off",
    "recovered",
    "combat_ended",
    "rest",
    "hurt_by_inflictor_side",
    "dispelled",
    "died",
]


class EffectApplied(Fact, frozen=True, tag="legends.effect_applied"):
    """`remaining` turns of its bearer, None until the fight ends. `step` is the one of the ladder it overcame.

    `times` is how often it took hold in this fight (LB-6.3.1). `by` inflicted it, of the side `side`; nobody is named
    where that one is hidden. A `marker` has no mechanics until the campaign defines it (LB-A91). An `instant` one is
    over as soon as it is told.
    """

    character: CharacterRef
    effect: str
    cause: str
    remaining: int | None
    step: int
    times: int
    rule: str
    x: int = 0
    order: str = ""
    refreshed: bool = False
    reflected: bool = False
    marker: bool = False
    instant: bool = False
    by: CharacterRef | None = None
    side: str = ""


class EffectFailed(Fact, frozen=True, tag="legends.effect_failed"):
    """It took no hold: shaken off (LB-6.3), without its chance (LB-6.3.4), or with nothing to act on."""

    character: CharacterRef
    effect: str
    cause: str
    reason: Literal["shaken_off", "chance", "no_target"]
    step: int
    rule: str
    called: str = ""


class EffectTicked(Fact, frozen=True, tag="legends.effect_ticked"):
    """It acted in a Consequence phase, for the `stage`th time. `blocked`: it allows neither action nor sub-action."""

    character: CharacterRef
    effect: str
    stage: int
    remaining: int | None
    rule: str
    blocked: bool = False


class EffectEnded(Fact, frozen=True, tag="legends.effect_ended"):
    character: CharacterRef
    effect: str
    reason: EndOfEffect
    rule: str


class FellProne(Fact, frozen=True, tag="legends.fell_prone"):
    """On the ground, and not down: LB-A35."""

    character: CharacterRef
    cause: str
    rule: str


class StoodUp(Fact, frozen=True, tag="legends.stood_up"):
    character: CharacterRef
    cause: Literal["movement", "raised"]
    rule: str
    helper: CharacterRef | None = None


class ChanceRolled(Fact, frozen=True, tag="legends.chance_rolled"):
    """LB-0.5: a face up to `needed` of `sides` is a success."""

    character: CharacterRef
    purpose: str
    face: int
    sides: int
    needed: int
    success: bool
    rule: str
