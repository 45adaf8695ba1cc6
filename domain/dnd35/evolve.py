"""What each fact of the 3.5 house rules changes. No dice, no clock, no table."""

from msgspec.structs import replace

from domain.dnd35.state import (
    Ailments,
    Blast,
    Constant,
    Creature,
    Discovery,
    Drinker,
    Flask,
    Mixture,
    PendingSave,
    Running,
    Study,
    Turn,
)
from domain.kernel import clock
from domain.kernel.fold import Step, begin, key, on, reducers, step, together
from events.dnd35 import (
    AbilityDamaged,
    AbilityRecovered,
    CharacterDied,
    ConditionApplied,
    ConditionChanged,
    ConditionEnded,
    FiveFootStepTaken,
    HitPointsLost,
    HitPointsRestored,
    MoveTaken,
    RestBegun,
    RestCompleted,
    SaveRolled,
    SheetFilled,
)
from events.envelope import Fact
from events.potions import (
    AnalysisBegun,
    Dose,
    ExplosionDetonated,
    FlaskDestroyed,
    FlaskEmulsified,
    FlaskHandedOver,
    FlaskLeft,
    FlaskMade,
    FlaskReceived,
    FlaskSettled,
    FlaskShaken,
    MixOutcomeDiscovered,
    MixtureAnalysed,
    MixtureDrunk,
    MixtureJudged,
    PoisonNeutralised,
    PoisonSecondSaveScheduled,
    PoisonTaken,
    PotionDrunk,
    PotionEffectEnded,
    PotionEffectEnhanced,
    PotionEffectProlonged,
    PotionEffectStarted,
    PotionMade,
    PotionPoured,
    PotionsMixed,
    ShakingReset,
)

# -- bodies ---------------------------------------------------------------------------------------------------------


def _filled(told: SheetFilled) -> Creature:
    return Creature(
        told.hp,
        told.hp_max,
        told.abilities,
        told.fortitude,
        told.reflex,
        told.will,
        told.evasion,
        told.poison_resistance,
        told.poison_immune,
        told.stomachs,
        told.skills,
    )


def _weakened(leaf: Creature, told: AbilityDamaged) -> Creature:
    lost = leaf.ability_damage.get(told.ability, 0)
    since = leaf.recovers_at.get(told.ability, 0) if lost else told.recovers_at
    return replace(
        leaf,
        ability_damage={**leaf.ability_damage, told.ability: lost + told.before - told.after},
        recovers_at={**leaf.recovers_at, told.ability: since},
    )


def _recovered(leaf: Creature, told: AbilityRecovered) -> Creature:
    lost = leaf.ability_damage.get(told.ability, 0) - told.amount
    damage = {**leaf.ability_damage, told.ability: lost}
    due = {**leaf.recovers_at, told.ability: told.next_at}
    if not lost:
        del damage[told.ability], due[told.ability]
    return replace(leaf, ability_damage=damage, recovers_at=due)


def _applied(leaf: Ailments, told: ConditionApplied) -> Ailments:
    if told.condition == "nauseated":
        return replace(leaf, nauseated_until=told.until)
    return replace(leaf, weariness=told.condition, slept=False)


def _ended(leaf: Ailments, told: ConditionEnded) -> Ailments:
    if told.condition == "nauseated":
        return replace(leaf, nauseated_until=None)
    return replace(leaf, weariness="")


def _scheduled(leaf: Ailments, told: PoisonSecondSaveScheduled) -> Ailments:
    return replace(leaf, saves=(*leaf.saves, PendingSave(told.pair, told.due, told.s, told.dc)))


def _saved(leaf: Ailments | None, told: SaveRolled) -> Ailments | None:
    if leaf is None or not told.second:
        return leaf
    return replace(leaf, saves=tuple(one for one in leaf.saves if one.pair != told.pair))


BODIES = reducers(
    begin(SheetFilled, Creature, "character", _filled),
    begin(SheetFilled, Turn, "character", lambda _: Turn()),
    begin(SheetFilled, Drinker, "character", lambda _: Drinker()),
    begin(SheetFilled, Ailments, "character", lambda _: Ailments()),
    on(HitPointsLost, Creature, "character", lambda leaf, told: replace(leaf, hp=told.after)),
    on(HitPointsRestored, Creature, "character", lambda leaf, told: replace(leaf, hp=told.after)),
    on(CharacterDied, Creature, "character", lambda leaf, _: replace(leaf, dead=True)),
    on(CharacterDied, Ailments, "character", lambda leaf, _: replace(leaf, saves=())),
    on(CharacterDied, Turn, "character", lambda leaf, _: replace(leaf, resting_since=None, study=None)),
    on(AbilityDamaged, Creature, "character", _weakened),
    on(AbilityRecovered, Creature, "character", _recovered),
    on(PoisonSecondSaveScheduled, Ailments, "character", _scheduled),
    step(SaveRolled, lambda told: key(Ailments, told.character), _saved),
    on(PoisonNeutralised, Ailments, "character", lambda leaf, _: replace(leaf, saves=())),
    on(ConditionApplied, Ailments, "character", _applied),
    on(ConditionChanged, Ailments, "character", lambda leaf, told: replace(leaf, weariness=told.after)),
    on(ConditionEnded, Ailments, "character", _ended),
    on(RestCompleted, Ailments, "character", lambda leaf, _: replace(leaf, slept=True)),
)

# -- rounds ---------------------------------------------------------------------------------------------------------

Deed = FiveFootStepTaken | MoveTaken | PotionPoured | PotionDrunk | MixtureDrunk | FlaskShaken


def _acted(leaf: Turn | None, told: Deed) -> Turn | None:
    """Whatever one does ends rest and study."""
    if leaf is None:
        return None
    done = leaf.actions if leaf.round == told.round else ()
    return Turn(told.round, (*done, told.action))


def _by(fact: type[Deed], field: str) -> tuple[type[Fact], Step]:
    return step(fact, lambda told: key(Turn, getattr(told, field) or "nobody"), _acted)


ROUNDS = reducers(
    _by(FiveFootStepTaken, "character"),
    _by(MoveTaken, "character"),
    _by(PotionPoured, "actor"),
    _by(PotionDrunk, "character"),
    _by(MixtureDrunk, "character"),
    _by(FlaskShaken, "actor"),
    on(RestBegun, Turn, "character", lambda leaf, told: replace(leaf, resting_since=told.at, study=None)),
    on(RestCompleted, Turn, "character", lambda leaf, _: replace(leaf, resting_since=None)),
    on(
        AnalysisBegun,
        Turn,
        "character",
        lambda leaf, told: replace(leaf, resting_since=None, study=Study(told.flask, told.pair, told.skill, told.at)),
    ),
    on(MixtureAnalysed, Turn, "character", lambda leaf, _: replace(leaf, study=None)),
)

# -- flasks ---------------------------------------------------------------------------------------------------------


def _topped(leaf: Flask, dose: Dose) -> Flask:
    return replace(leaf, layers=(*leaf.layers, dose))


def _without(leaf: Flask, *gone: Dose) -> Flask:
    """The layers that are left; an emulsion nobody can find any more is over."""
    names = {dose.id for dose in gone}
    layers = tuple(dose for dose in leaf.layers if dose.id not in names)
    left = {dose.pair for dose in layers}
    emulsion = tuple(pair for pair in leaf.emulsion if pair in left)
    over = not layers or (leaf.emulsion and not emulsion)
    return replace(leaf, layers=layers, emulsion=emulsion, emulsified_at=None if over else leaf.emulsified_at)


def _met(doses: tuple[Dose, ...], told: PotionsMixed) -> tuple[Dose, ...]:
    return tuple(replace(dose, mixed=True, pair=told.pair) if dose.id in told.doses else dose for dose in doses)


def _met_in_flask(leaf: Flask | None, told: PotionsMixed) -> Flask | None:
    if leaf is None or told.medium != "flask":
        return leaf
    return replace(leaf, layers=_met(leaf.layers, told), emulsion=(*leaf.emulsion, told.pair))


FLASKS = reducers(
    begin(FlaskMade, Flask, "flask", lambda told: Flask(told.holder, told.capacity)),
    on(FlaskHandedOver, Flask, "flask", lambda leaf, told: replace(leaf, holder=told.taker)),
    on(FlaskLeft, Flask, "flask", lambda leaf, _: replace(leaf, holder="")),
    on(FlaskReceived, Flask, "flask", lambda leaf, told: replace(leaf, holder=told.holder)),
    on(PotionMade, Flask, "flask", lambda leaf, told: _topped(leaf, told.dose)),
    on(PotionPoured, Flask, "from_flask", lambda leaf, told: _without(leaf, told.dose)),
    on(PotionPoured, Flask, "into_flask", lambda leaf, told: _topped(leaf, told.dose)),
    on(
        FlaskShaken,
        Flask,
        "flask",
        lambda leaf, told: replace(leaf, progress=told.progress, last_shaken=told.round),
    ),
    on(ShakingReset, Flask, "flask", lambda leaf, _: replace(leaf, progress=0)),
    on(
        FlaskEmulsified,
        Flask,
        "flask",
        lambda leaf, told: replace(leaf, progress=0, emulsified_at=told.at, emulsion=told.renewed),
    ),
    step(PotionsMixed, lambda told: key(Flask, told.flask or "none"), _met_in_flask),
    on(FlaskSettled, Flask, "flask", lambda leaf, _: replace(leaf, emulsified_at=None, emulsion=())),
    on(PotionDrunk, Flask, "flask", lambda leaf, told: _without(leaf, told.dose)),
    on(MixtureDrunk, Flask, "flask", lambda leaf, told: _without(leaf, told.lower, told.upper)),
    on(
        FlaskDestroyed,
        Flask,
        "flask",
        lambda leaf, _: Flask(leaf.holder, leaf.capacity, last_shaken=leaf.last_shaken, destroyed=True),
    ),
)

# -- potions at work ------------------------------------------------------------------------------------------------


def _changed(leaf: Drinker, dose: str, **numbers: int | None) -> Drinker:
    return Drinker(tuple(replace(one, **numbers) if one.dose.id == dose else one for one in leaf.running))


def _started(leaf: Drinker, told: PotionEffectStarted) -> Drinker:
    return Drinker((*leaf.running, Running(told.dose, told.started, told.total, told.until, told.rolled)))


def _met_in_stomach(leaf: Drinker | None, told: PotionsMixed) -> Drinker | None:
    if leaf is None or told.medium != "stomach":
        return leaf
    return Drinker(tuple(replace(one, dose=_met((one.dose,), told)[0]) for one in leaf.running))


DRINKERS = reducers(
    on(PotionEffectStarted, Drinker, "character", _started),
    on(
        PotionEffectEnhanced,
        Drinker,
        "character",
        lambda leaf, told: _changed(leaf, told.dose, total=told.total_after, until=told.until, worth=told.rolled_after),
    ),
    on(
        PotionEffectProlonged,
        Drinker,
        "character",
        lambda leaf, told: _changed(leaf, told.dose, total=told.until - told.since, until=told.until),
    ),
    on(
        PotionEffectEnded,
        Drinker,
        "character",
        lambda leaf, told: Drinker(tuple(one for one in leaf.running if one.dose.id != told.dose)),
    ),
    step(PotionsMixed, lambda told: key(Drinker, told.character), _met_in_stomach),
)

# -- secrets and discoveries ----------------------------------------------------------------------------------------


def _judged(told: MixtureJudged) -> Mixture:
    return Mixture(
        told.doses,
        told.nls,
        told.key,
        told.compatible,
        told.row,
        told.marks,
        told.f.n,
        told.f.d,
        told.k,
        told.s,
        told.dc,
        told.first,
        told.second,
        told.prolonged,
    )


def _constant(leaf: Constant | None, told: MixtureJudged) -> Constant | None:
    """Written once."""
    return leaf or (Constant(told.row, told.first, told.second, told.prolonged) if told.row else None)


def _discovery(leaf: Discovery | None, told: MixOutcomeDiscovered) -> Discovery | None:
    if leaf is not None or not told.open:
        return leaf
    return Discovery(told.compatible, told.row, told.first, told.second, told.prolonged)


def _poisoned(leaf: Mixture, told: PoisonTaken) -> Mixture:
    return replace(leaf, poisoned=(*leaf.poisoned, told.character))


def _caught(leaf: Blast | None, told: SaveRolled) -> Blast | None:
    return replace(leaf, caught=(*leaf.caught, told.character)) if leaf else None


SECRETS = reducers(
    begin(MixtureJudged, Mixture, "pair", _judged),
    step(MixtureJudged, lambda told: key(Constant, told.key), _constant),
    on(
        MixOutcomeDiscovered,
        Mixture,
        "pair",
        lambda leaf, told: replace(leaf, discovered=leaf.discovered or told.open),
    ),
    step(MixOutcomeDiscovered, lambda told: key(Discovery, told.key), _discovery),
    on(PoisonTaken, Mixture, "pair", _poisoned),
    begin(
        ExplosionDetonated,
        Blast,
        "blast",
        lambda told: Blast(told.centre, told.s, told.dc, told.at_0_m, told.to_3_m, told.to_6_m),
    ),
    step(SaveRolled, lambda told: key(Blast, told.blast or "none"), _caught),
)

EVOLVE = together(BODIES, ROUNDS, FLASKS, DRINKERS, SECRETS)
WORLD = together(clock.EVOLVE, EVOLVE)
"""The same, with the clock that some commands move."""
