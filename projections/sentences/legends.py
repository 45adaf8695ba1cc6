"""Legends & Bonk, told."""

from events.legends import (
    ActivityDone,
    ArmourPointsRecalculated,
    CharacterDied,
    CharacterDowned,
    CharacterErased,
    CharacterRecovered,
    CharacterRestored,
    CharacterRevived,
    CheckCalled,
    CheckRolled,
    CheckWithdrawn,
    ClassGainUnlocked,
    CombatantLeft,
    CombatEnded,
    CombatStarted,
    DamageTaken,
    DeathSaveFailedByDamage,
    DeathSaveRolled,
    ExperienceAwarded,
    GearGained,
    GearRarityRaised,
    GearTakenOff,
    GearWorn,
    HitPointsHealed,
    ImportanceSet,
    InitiativeRolled,
    ItemsPurchased,
    LevelGained,
    LongRestTaken,
    LuckDiceGranted,
    LuckDieSpent,
    ManaMaximumSet,
    ManaRecharged,
    MealEaten,
    MerchantAnnoyed,
    NegotiationArgued,
    NegotiationAssessed,
    NegotiationClosed,
    NegotiationDeclined,
    NegotiationOpened,
    PriceAdjusted,
    RoundStarted,
    SatietySpent,
    SheetDrawnUp,
    ShortRestTaken,
    StandingOrdersSet,
    StatChecked,
    StatIncreased,
    StatPointRolled,
    SummonDestroyed,
    TurnEnded,
    TurnStarted,
    WaterGained,
    WaterSpent,
    WheelPrizeGranted,
    WheelSpun,
)
from projections.messages import Param
from projections.sentences.saying import Sayings, Telling, choose, say, some_coins


def _halves(telling: Telling, name: str) -> Param:
    """A number of half-points, as points: `8½`."""
    whole, half = divmod(int(telling.field(name)), 2)
    return f"{whole or ''}½" if half else whole


def _called(telling: Telling, name: str) -> Param:
    return str(telling.field(name).name)


def _size(telling: Telling, name: str) -> Param:
    return abs(int(telling.field(name)))


def _change(told: PriceAdjusted) -> str:
    return "rise" if told.percent > 0 else "discount" if told.percent < 0 else "none"


SAYINGS: Sayings = {
    SheetDrawnUp: say("{character} starts at level {level} with {hp} HP."),
    ImportanceSet: choose(
        lambda told: told.important,
        {
            True: say("{character} matters: it falls and saves like a player character."),
            False: say("{character} no longer falls like a player character."),
        },
    ),
    GearGained: say("{character} receives {gear}.", gear=_called),
    GearWorn: choose(
        lambda told: told.percent is None,
        {
            True: say("{character} takes {item} in hand."),
            False: say("{character} puts on {item} ({percent} %)."),
        },
    ),
    GearTakenOff: say("{character} takes off {item}."),
    GearRarityRaised: say("{item} of {character} becomes {after}."),
    ArmourPointsRecalculated: say("{character} has {armour} of {armour_max} armour points."),
    CheckCalled: say("{character} is to make a check: {basis}, {dc}."),
    CheckWithdrawn: say("The check of {character} is withdrawn."),
    CheckRolled: choose(
        lambda told: told.outcome,
        {
            "critical": say("{character} rolls {basis}: {total} against {dc}, a critical success!"),
            "success": say("{character} rolls {basis}: {total} against {dc}, success."),
            "failure": say("{character} rolls {basis}: {total} against {dc}, failure."),
        },
    ),
    StatChecked: choose(
        lambda told: told.passed,
        {
            True: say("{character} has enough {stat}: {value} for {required}."),
            False: say("{character} lacks {stat}: {value} for {required}."),
        },
    ),
    LuckDiceGranted: say(
        "{character} receives {count} luck die, and has {stock}.",
        plural="{character} receives {count} luck dice, and has {stock}.",
        count="count",
    ),
    LuckDieSpent: say("{character} spends a luck die: {stock} left."),
    StandingOrdersSet: say("{character} leaves orders: {coin} for coins, {resistance_luck} luck dice to resist."),
    DamageTaken: choose(
        lambda told: (bool(told.to_armour), bool(told.to_hp)),
        {
            (False, True): say("{character} takes {amount} damage: {hp_before} → {hp} HP."),
            (True, False): say("{character} takes {amount} damage, all on the armour: {armour} AP left."),
            (True, True): say("{character} takes {amount} damage: {to_armour} on the armour, {hp_before} → {hp} HP."),
            (False, False): say("{character} takes {amount} damage, without effect."),
        },
    ),
    HitPointsHealed: say("{character} is healed: {hp_before} → {hp} HP."),
    CharacterDowned: say("{character} falls."),
    CharacterDied: choose(
        lambda told: told.cause,
        {
            "second_fall": say("{character} falls a second time, and dies."),
            "three_failures": say("{character} fails a third time, and dies."),
            "instant": say("{character} dies at once. {text}"),
            "last_hit_point": say("{character} dies."),
        },
    ),
    SummonDestroyed: say("{character} vanishes."),
    CombatStarted: say("A fight begins."),
    InitiativeRolled: say("{character} rolls for its place in the fight: {total}."),
    RoundStarted: say("Round {round}."),
    ManaRecharged: say("{character} recovers {amount} of mana: {mana}."),
    ActivityDone: choose(
        lambda told: "words" if told.text else told.cost,
        {
            "words": say("{character} acts: {text}"),
            "action": say("{character} uses its action."),
            "sub_action": say("{character} uses its sub-action."),
            "free": say("{character} acts, and it costs nothing."),
        },
    ),
    TurnEnded: choose(
        lambda told: told.reason,
        {
            "": say("{character} ends its turn."),
            "surprise": say("{character} is surprised and loses its turn."),
            "game_master": say("{character} is passed over."),
        },
    ),
    CombatantLeft: say("{character} is out of the fight."),
    CombatEnded: say("The fight ends; rounds: {rounds}."),
    TurnStarted: say("It is {character}'s turn."),
    DeathSaveRolled: choose(
        lambda told: told.outcome,
        {
            "success": say("{character} holds on: {total} for {needed} ({successes} successes, {failures} failures)."),
            "failure": say(
                "{character} slips away: {total} for {needed} ({successes} successes, {failures} failures)."
            ),
        },
    ),
    DeathSaveFailedByDamage: say("The wound counts as a failure for {character}: {failures}."),
    CharacterRecovered: choose(
        lambda told: told.cause,
        {
            "three_successes": say("{character} gets up by itself, with {hp} HP."),
            "raised": say("{character} is raised by a team-mate, with {hp} HP."),
            "healed": say("{character} gets up healed, with {hp} HP."),
        },
    ),
    CharacterErased: say("{character} leaves the story for good."),
    CharacterRevived: say("{character} comes back from the dead, with {hp} HP."),
    WaterGained: say("The team takes {litres} l of water: {left} l."),
    WaterSpent: say("The team drinks {litres} l of water: {left} l left."),
    SatietySpent: say("{character} spends {half_points} satiety: {after} left.", half_points=_halves, after=_halves),
    LongRestTaken: say("Long rest: {characters}."),
    ShortRestTaken: say("Short rest number {count}: {characters}."),
    CharacterRestored: say("{character} recovers: {hp_before} → {hp} HP, {armour} AP, {mana} MP."),
    MealEaten: say("{character} eats: +{half_points} satiety, {after} in all.", half_points=_halves, after=_halves),
    ItemsPurchased: say("{character} buys {quantity} × {item} for {total}.", total=some_coins),
    NegotiationOpened: choose(
        lambda told: told.tier,
        {
            "imposed": say("{character} imposes a negotiation on {merchant}."),
            "possible": say("{character} tries to negotiate with {merchant}."),
            "none": say("{character} negotiates with {merchant}, because the game master allows it."),
        },
    ),
    MerchantAnnoyed: say("{character} annoys {merchant}."),
    NegotiationDeclined: say("{merchant} refuses to negotiate with {character}."),
    NegotiationArgued: say("{character} argues with {merchant}: “{text}”."),
    NegotiationAssessed: say("{merchant} can be convinced by {character} at {dc}."),
    PriceAdjusted: choose(
        _change,
        {
            "discount": say("{merchant} takes {percent} % off for {character}.", percent=_size),
            "rise": say("{merchant} asks {percent} % more of {character}.", percent=_size),
            "none": say("{merchant} keeps the prices for {character}."),
        },
    ),
    NegotiationClosed: say("The negotiation of {character} with {merchant} is over."),
    ExperienceAwarded: say("{character} gains {amount} XP ({reason})."),
    LevelGained: say("{character} reaches level {level}: {hp_max_before} → {hp_max} HP at most."),
    ClassGainUnlocked: say("{character} gains as {class_id}: {gain}."),
    StatPointRolled: say("The coin of {character} falls on {stat}."),
    StatIncreased: say("{stat} of {character}: {before} → {after}."),
    ManaMaximumSet: say("Mana of {character}: at most {mana_max}."),
    WheelSpun: say("{character} spins the wheel: {face}, {prize}."),
    WheelPrizeGranted: say("{character} receives a prize of the wheel: {prize} ({content})."),
}
