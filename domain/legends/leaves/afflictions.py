"""LB-6: the effects that a creature bears."""

from msgspec import Struct, field
from msgspec.structs import replace

from domain.kernel.fold import Leaf, key, reducers, step
from events.legends.combat import CombatantLeft
from events.legends.downfall import CharacterDied, CharacterErased, SummonDestroyed
from events.legends.effects import EffectApplied, EffectEnded, EffectTicked, FellProne, StoodUp


class Affliction(Struct, frozen=True, gc=False):
    """One effect at work. `remaining` turns; None until the fight ends. `stage`: how often it acted."""

    effect: str
    cause: str
    remaining: int | None
    stage: int = 0
    x: int = 0
    order: str = ""
    by: str | None = None
    side: str = ""
    blocked: bool = False
    marker: bool = False


class Afflicted(Leaf, frozen=True, tag="legends.afflicted"):
    """`taken`: how often each effect took hold in this fight (LB-6.3.1). `prone`: on the ground, and not down."""

    OF_CHARACTER = True

    effects: tuple[Affliction, ...] = ()
    taken: dict[str, int] = field(default_factory=dict)
    prone: bool = False

    def of(self, effect: str) -> Affliction | None:
        """This effect, where it is at work."""
        return next((one for one in self.effects if one.effect == effect), None)


def applied(leaf: Afflicted | None, told: EffectApplied) -> Afflicted:
    before = leaf or Afflicted()
    new = Affliction(
        told.effect, told.cause, told.remaining, 0, told.x, told.order, told.by, told.side, marker=told.marker
    )
    running = before.of(told.effect) is not None
    effects = tuple(new if one.effect == told.effect else one for one in before.effects)
    taken = {**before.taken, told.effect: told.times} if told.times else before.taken
    kept = effects if running or told.instant else (*effects, new)
    return replace(before, effects=kept, taken=taken)


def ticked(leaf: Afflicted, told: EffectTicked) -> Afflicted:
    def after(one: Affliction) -> Affliction:
        if one.effect != told.effect:
            return one
        return replace(one, stage=told.stage, remaining=told.remaining, blocked=told.blocked)

    return replace(leaf, effects=tuple(after(one) for one in leaf.effects))


def ended(leaf: Afflicted, told: EffectEnded) -> Afflicted | None:
    return _kept(replace(leaf, effects=tuple(one for one in leaf.effects if one.effect != told.effect)))


def _kept(leaf: Afflicted) -> Afflicted | None:
    """Whoever bears nothing is not remembered."""
    return leaf if leaf.effects or leaf.taken or leaf.prone else None


def _place(told: EffectApplied | EffectTicked | EffectEnded | FellProne | StoodUp | CombatantLeft) -> str:
    return key(Afflicted, told.character)


def _gone(_: Leaf | None, __: object) -> None:
    """The dead bear nothing."""


EVOLVE = reducers(
    step(EffectApplied, _place, applied),
    step(EffectTicked, _place, ticked),
    step(EffectEnded, _place, ended),
    step(FellProne, _place, lambda leaf, _: replace(leaf or Afflicted(), prone=True)),
    step(StoodUp, _place, lambda leaf, _: _kept(replace(leaf, prone=False))),
    step(CombatantLeft, _place, lambda leaf, _: _kept(replace(leaf, taken={})) if leaf else None),
    step(CharacterDied, lambda told: key(Afflicted, told.character), _gone),
    step(CharacterErased, lambda told: key(Afflicted, told.character), _gone),
    step(SummonDestroyed, lambda told: key(Afflicted, told.character), _gone),
)
