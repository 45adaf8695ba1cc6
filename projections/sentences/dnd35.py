"""The 3.5 house rules, told: bodies, flasks, and what potions do."""

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
from events.potions import (
    AnalysisBegun,
    ExplosionDetonated,
    FlaskDestroyed,
    FlaskEmulsified,
    FlaskHandedOver,
    FlaskJolted,
    FlaskLeft,
    FlaskMade,
    FlaskReceived,
    FlaskSettled,
    FlaskShaken,
    MixOutcomeDiscovered,
    MixtureAnalysed,
    MixtureDrunk,
    MixtureJudged,
    ObjectDamaged,
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
    PotionTookEffect,
    ShakingReset,
)
from projections.messages import Param
from projections.sentences.saying import Sayings, Telling, choose, say


def _spell(telling: Telling, name: str) -> Param:
    """What a dose is a potion of."""
    return str(telling.field(name).spell)


SAYINGS: Sayings = {
    SheetFilled: say("{character} starts with {hp} of {hp_max} HP."),
    HitPointsLost: say("{character} loses {amount} HP: {before} → {after}."),
    HitPointsRestored: say("{character} regains {amount} HP: {before} → {after}."),
    CharacterDied: say("{character} dies ({cause})."),
    SaveRolled: choose(
        lambda told: told.success,
        {
            True: say("{character} saves ({save}): {total} for {dc}."),
            False: say("{character} fails to save ({save}): {total} for {dc}."),
        },
    ),
    AbilityDamaged: say("{character} loses {amount} points ({ability}): {before} → {after}."),
    AbilityRecovered: say("{character} regains {amount} point ({ability}): {before} → {after}."),
    ConditionApplied: say("{character} is now {condition}."),
    ConditionChanged: say("{character} goes from {before} to {after}."),
    ConditionEnded: say("{character} is no longer {condition}."),
    RestBegun: say("{character} lies down to rest."),
    RestCompleted: say("{character} has rested."),
    FiveFootStepTaken: say("{character} takes a five-foot step."),
    MoveTaken: say("{character} moves."),
    FlaskMade: say("{holder} receives a flask of {capacity} g."),
    FlaskHandedOver: say("{giver} hands a flask to {taker}."),
    FlaskLeft: say("{holder} lets go of a flask."),
    FlaskReceived: say("{holder} receives a flask."),
    PotionMade: say("{holder} receives a potion: {dose}.", dose=_spell),
    PotionPoured: say("{actor} pours a potion into another flask: {dose}.", dose=_spell),
    FlaskShaken: say("{holder}'s flask is shaken: {progress} of 10."),
    FlaskJolted: say("{holder}'s flask is jolted ({cause})."),
    ShakingReset: say("The shaking of {holder}'s flask starts again."),
    FlaskEmulsified: say("The liquids in {holder}'s flask are one emulsion."),
    FlaskSettled: say("The liquids in {holder}'s flask have settled."),
    FlaskDestroyed: say("{holder}'s flask is destroyed."),
    MixtureJudged: choose(
        lambda told: told.compatible,
        {
            True: say("In secret: the two potions get along."),
            False: say("In secret: the two potions react, {row} (S = {s})."),
        },
    ),
    PotionsMixed: say("Two potions of {character} have mixed."),
    MixOutcomeDiscovered: choose(
        lambda told: told.compatible,
        {
            True: say("The mixture of {character} shows itself: the potions get along."),
            False: say("The mixture of {character} shows itself: {row}."),
        },
    ),
    PotionDrunk: say("{character} drinks a potion: {dose}.", dose=_spell),
    MixtureDrunk: say("{character} drinks a mixture: {lower} and {upper}.", lower=_spell, upper=_spell),
    PotionTookEffect: say("The potion works at once on {character}: {dose}.", dose=_spell),
    PotionEffectStarted: say("A potion begins to work on {character}: {dose}.", dose=_spell),
    PotionEffectEnhanced: say("A potion works better on {character}: {spell}."),
    PotionEffectProlonged: say("A potion will work on {character} for {days} days: {spell}."),
    PotionEffectEnded: say("A potion no longer works on {character}: {spell} ({cause})."),
    PoisonTaken: choose(
        lambda told: told.immune,
        {
            True: say("The poison does nothing to {character}."),
            False: say("{character} is poisoned ({poison})."),
        },
    ),
    PoisonSecondSaveScheduled: say("The poison is not done with {character}."),
    PoisonNeutralised: say("The poison in {character} is neutralised."),
    ExplosionDetonated: say("An explosion around {centre}!"),
    ObjectDamaged: say("{thing} takes {amount} damage."),
    AnalysisBegun: say("{character} begins to study a mixture ({skill})."),
    MixtureAnalysed: choose(
        lambda told: told.success,
        {
            True: say("{character} understands the mixture: {total} for {dc}."),
            False: say("{character} learns nothing of the mixture: {total} for {dc}."),
        },
    ),
}
