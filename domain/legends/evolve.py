"""What each fact of these rules changes. Reducers trust history: no dice, no clock, no table."""

from typing import Any

from msgspec.structs import replace

from domain.kernel.fold import Leaf, begin, end, key, on, reducers, step, together
from domain.legends.leaves import afflictions, board, companions, compendium, strikes
from domain.legends.state import Combatant, Fight, Fighter, Negotiation, PendingCheck, Team
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
    LevelGained,
    LongRestTaken,
    LuckDiceGranted,
    LuckDieSpent,
    ManaMaximumSet,
    ManaRecharged,
    MealEaten,
    MerchantAnnoyed,
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
from events.legends.board import CreatureMoved
from events.legends.combat import ConsequenceResolved, EdgeGranted, StrikeGranted, TurnOrderSet
from events.legends.effects import EffectTicked, StoodUp
from events.legends.sheet import GearLost
from events.legends.strikes import AttackRolled, ReactionsReadied

ALL_MOVES = 2
"""LB-11.1.2: no creature has more movements in a turn."""


def drawn_up(told: SheetDrawnUp) -> Fighter:
    return Fighter(
        stats=told.stats,
        classes=told.classes,
        level=told.level,
        hp=told.hp,
        hp_max=told.hp_max,
        mana=told.mana,
        mana_max=told.mana_max,
        armour_max=told.armour_max,
        gear=told.gear,
        techniques={one.name: one.uses for one in told.techniques},
        technique_max={one.name: one.most for one in told.techniques},
        technique_recharge={one.name: one.recharge for one in told.techniques},
        resources=told.resources,
        resource_max=told.resources,
        luck_dice=told.luck_dice,
        satiety=told.satiety,
        important=told.important,
        race=told.race,
        subrace=told.subrace,
        ddt=told.ddt,
        own_speed=told.speed,
        own_precision=told.precision,
        element=told.element,
        attacks=told.attacks,
        capabilities=told.capabilities,
        entry=told.entry,
    )


def back_up(leaf: Fighter, hp: int) -> Fighter:
    return replace(leaf, life="standing", hp=hp, successes=0, failures=0, wounded=False, saves_due=0)


def damaged(leaf: Fighter, told: DamageTaken) -> Fighter:
    return replace(leaf, hp=told.hp, armour_lost=leaf.armour_lost + told.to_armour)


def downed(leaf: Fighter, told: CharacterDowned) -> Fighter:
    return replace(leaf, life="down", fallen=True, successes=0, failures=0, wounded=False, saves_due=0, turn_at=told.at)


def restored(leaf: Fighter, told: CharacterRestored) -> Fighter:
    return replace(
        leaf,
        hp=told.hp,
        mana=told.mana,
        armour_lost=told.armour_lost,
        resources=told.resources,
        techniques=told.techniques,
        fallen=leaf.fallen and not told.fall_cleared,
    )


def risen(leaf: Fighter, told: LevelGained) -> Fighter:
    return replace(
        leaf,
        level=told.level,
        xp=told.xp,
        hp=told.hp,
        hp_max=told.hp_max,
        mana=told.mana,
        mana_max=told.mana_max,
        spins_owed=leaf.spins_owed + (told.gain == "wheel_of_fortune"),
        stat_points_owed=leaf.stat_points_owed + (told.gain == "stat_point"),
    )


def gained(leaf: Fighter, told: ClassGainUnlocked) -> Fighter:
    maxima = {told.resource: told.resource_max} if told.resource else {}
    return replace(
        leaf,
        gains={**leaf.gains, told.gain: leaf.gains.get(told.gain, 0) + 1},
        resource_max={**leaf.resource_max, **maxima},
    )


def spun(leaf: Fighter, told: WheelSpun) -> Fighter:
    return replace(leaf, spins_owed=told.left, prizes=(*leaf.prizes, told.prize) if told.owed else leaf.prizes)


def prize_given(leaf: Fighter, told: WheelPrizeGranted) -> Fighter:
    at = leaf.prizes.index(told.prize)
    return replace(
        leaf,
        prizes=leaf.prizes[:at] + leaf.prizes[at + 1 :],
        curses=(*leaf.curses, told.content) if told.prize == "curse" else leaf.curses,
    )


def with_gear(leaf: Fighter, item: str, **changes: Any) -> Fighter:
    return replace(leaf, gear=tuple(replace(one, **changes) if one.name == item else one for one in leaf.gear))


def turn_begun(leaf: Combatant | None, told: TurnStarted) -> Combatant | None:
    """A minute outside of the fight, or a window that the game master opens, is nobody's turn in it."""
    if leaf is None or told.cause != "legends.combat":
        return leaf
    return replace(
        leaf,
        acting=True,
        actions=told.actions,
        sub_actions=told.sub_actions,
        pending=told.pending,
        moves=0,
        strikes=0,
        struck=False,
        toiled=False,
        bled=False,
    )


def luck_spent(leaf: Fighter, told: LuckDieSpent) -> Fighter:
    ordered = told.by == "standing_order"
    return replace(leaf, luck_dice=told.stock, resistance_luck=leaf.resistance_luck - ordered)


def turn_over(leaf: Fighter | None, _: TurnEnded) -> Fighter | None:
    """A save that was not made in its turn is not made later."""
    return leaf and replace(leaf, saves_due=0)


def bled(leaf: Combatant | None, told: EffectTicked) -> Combatant | None:
    return replace(leaf, bled=True) if leaf and told.effect == "lacerated" else leaf


def struck(leaf: Combatant | None, told: AttackRolled) -> Combatant | None:
    """An edge is good for one attack. A counter-attack is no strike of one's own turn."""
    if leaf is None:
        return None
    if not leaf.acting or told.cause != "legends.attack":
        return replace(leaf, edge="")
    return replace(leaf, edge="", struck=True, strikes=leaf.strikes - told.extra)


def moved(leaf: Combatant | None, told: CreatureMoved) -> Combatant | None:
    """Only a movement of its own turn is counted."""
    return replace(leaf, moves=told.index) if leaf and told.index else leaf


def stood_up(leaf: Combatant | None, told: StoodUp) -> Combatant | None:
    """LB-A35: it takes all the movements of the turn."""
    return replace(leaf, moves=ALL_MOVES) if leaf and told.cause == "movement" else leaf


def of_team(**by_field: Any) -> Any:
    """A change of the team, which is there from the first thing it does."""
    return lambda leaf, told: replace(leaf or Team(), **{name: of(told) for name, of in by_field.items()})


def rested_shortly(leaf: Team | None, told: ShortRestTaken) -> Team | None:
    """A rest that is not the team's counts nothing, and brings no team into being."""
    return leaf if (leaf or Team()).short_rests == told.count else replace(leaf or Team(), short_rests=told.count)


def _team(_: object) -> str:
    return key(Team)


def _check(told: CheckRolled | StatChecked) -> str:
    return key(PendingCheck, told.check or "none")


def _done(_: Leaf | None, __: object) -> None:
    """It is no longer open."""


FIGHTERS = reducers(
    begin(SheetDrawnUp, Fighter, "character", drawn_up),
    on(ImportanceSet, Fighter, "character", lambda leaf, told: replace(leaf, important=told.important)),
    # Checks and luck.
    begin(
        CheckCalled,
        PendingCheck,
        "check",
        lambda told: PendingCheck(
            told.character,
            told.kind,
            told.basis,
            told.dc,
            told.comparison,
            told.advantage,
            told.disadvantage,
            told.gift,
        ),
    ),
    end(CheckWithdrawn, PendingCheck, "check"),
    step(CheckRolled, _check, _done),
    step(StatChecked, _check, _done),
    on(LuckDiceGranted, Fighter, "character", lambda leaf, told: replace(leaf, luck_dice=told.stock)),
    on(LuckDieSpent, Fighter, "character", luck_spent),
    on(
        StandingOrdersSet,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, coin=told.coin, resistance_luck=told.resistance_luck),
    ),
    # Wounds, falls, death.
    on(DamageTaken, Fighter, "character", damaged),
    on(HitPointsHealed, Fighter, "character", lambda leaf, told: replace(leaf, hp=told.hp)),
    on(CharacterDowned, Fighter, "character", downed),
    on(CharacterDied, Fighter, "character", lambda leaf, _: replace(leaf, life="dead", hp=0)),
    on(SummonDestroyed, Fighter, "character", lambda leaf, _: replace(leaf, life="gone", hp=0)),
    on(
        TurnStarted,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, wounded=False, saves_due=told.saves, turn_at=told.at),
    ),
    on(
        DeathSaveRolled,
        Fighter,
        "character",
        lambda leaf, told: replace(
            leaf, saves_due=max(0, leaf.saves_due - 1), successes=told.successes, failures=told.failures
        ),
    ),
    on(
        DeathSaveFailedByDamage,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, wounded=True, failures=told.failures),
    ),
    on(CharacterRecovered, Fighter, "character", lambda leaf, told: back_up(leaf, told.hp)),
    on(CharacterRevived, Fighter, "character", lambda leaf, told: back_up(leaf, told.hp)),
    on(CharacterErased, Fighter, "character", lambda leaf, _: replace(leaf, life="gone")),
    # The fight.
    begin(CombatStarted, Fight, "", lambda _: Fight()),
    on(RoundStarted, Fight, "", lambda leaf, told: replace(leaf, round=told.round)),
    end(CombatEnded, Fight, ""),
    begin(
        InitiativeRolled,
        Combatant,
        "character",
        lambda told: Combatant(told.total, told.speed, told.entry, told.surprised, told.from_round, side=told.side),
    ),
    step(TurnStarted, lambda told: key(Combatant, told.character), turn_begun),
    on(
        TurnEnded,
        Combatant,
        "character",
        lambda leaf, told: replace(
            leaf,
            turns_until=told.round,
            acting=False,
            surprised=False,
            surprised_in=told.round if told.reason == "surprise" else leaf.surprised_in,
            pending=False,
            strikes=0,
            toiled=False,
        ),
    ),
    step(TurnEnded, lambda told: key(Fighter, told.character), turn_over),
    step(EffectTicked, lambda told: key(Combatant, told.character), bled),
    on(ConsequenceResolved, Combatant, "character", lambda leaf, _: replace(leaf, pending=False)),
    on(StrikeGranted, Combatant, "character", lambda leaf, told: replace(leaf, strikes=told.left)),
    on(EdgeGranted, Combatant, "character", lambda leaf, told: replace(leaf, edge=told.edge)),
    on(
        TurnOrderSet,
        Combatant,
        "character",
        lambda leaf, told: replace(leaf, initiative=told.initiative, entry=told.entry),
    ),
    step(AttackRolled, lambda told: key(Combatant, told.character), struck),
    step(CreatureMoved, lambda told: key(Combatant, told.character), moved),
    step(StoodUp, lambda told: key(Combatant, told.character), stood_up),
    on(ReactionsReadied, Fighter, "character", lambda leaf, told: replace(leaf, reactions=told.reactions)),
    on(
        ActivityDone,
        Combatant,
        "character",
        lambda leaf, told: replace(
            leaf,
            actions=told.actions_left,
            sub_actions=told.sub_actions_left,
            toiled=leaf.toiled or told.cost == "action",
        ),
    ),
    on(ManaRecharged, Fighter, "character", lambda leaf, told: replace(leaf, mana=told.mana)),
    end(CombatantLeft, Combatant, "character"),
    # Gear and armour.
    on(
        GearLost,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, gear=tuple(one for one in leaf.gear if one.name != told.item)),
    ),
    on(GearGained, Fighter, "character", lambda leaf, told: replace(leaf, gear=(*leaf.gear, told.gear))),
    on(
        GearWorn,
        Fighter,
        "character",
        lambda leaf, told: with_gear(leaf, told.item, worn=True, percent=told.percent),
    ),
    on(GearTakenOff, Fighter, "character", lambda leaf, told: with_gear(leaf, told.item, worn=False)),
    on(
        GearRarityRaised,
        Fighter,
        "character",
        lambda leaf, told: with_gear(leaf, told.item, rarity=told.after, percent=told.percent),
    ),
    on(
        ArmourPointsRecalculated,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, armour_max=told.armour_max),
    ),
    # Rests, meals, water.
    step(WaterGained, _team, of_team(water=lambda told: told.left)),
    step(WaterSpent, _team, of_team(water=lambda told: told.left)),
    step(
        LongRestTaken,
        _team,
        lambda leaf, told: replace(leaf or Team(), short_rests=0) if told.source == "camp" else leaf,
    ),
    step(ShortRestTaken, _team, rested_shortly),
    on(SatietySpent, Fighter, "character", lambda leaf, told: replace(leaf, satiety=told.after)),
    on(CharacterRestored, Fighter, "character", restored),
    on(MealEaten, Fighter, "character", lambda leaf, told: replace(leaf, satiety=told.after)),
    # Negotiation.
    begin(
        NegotiationOpened,
        Negotiation,
        "negotiation",
        lambda told: Negotiation(told.character, told.merchant, told.quality, told.charisma, told.tier, "open"),
    ),
    begin(
        MerchantAnnoyed,
        Negotiation,
        "negotiation",
        lambda told: Negotiation(told.character, told.merchant, told.quality, told.charisma, "unfavourable", "annoyed"),
    ),
    end(NegotiationDeclined, Negotiation, "negotiation"),
    on(
        NegotiationAssessed,
        Negotiation,
        "negotiation",
        lambda leaf, told: replace(
            leaf, dc=told.dc, critical=told.critical, success=told.success, failure=told.failure
        ),
    ),
    on(
        PriceAdjusted,
        Negotiation,
        "negotiation",
        lambda leaf, told: replace(leaf, percent=told.percent, status="settled"),
    ),
    end(NegotiationClosed, Negotiation, "negotiation"),
    # Levels and the wheel.
    on(ExperienceAwarded, Fighter, "character", lambda leaf, told: replace(leaf, xp=told.xp)),
    on(LevelGained, Fighter, "character", risen),
    on(ClassGainUnlocked, Fighter, "character", gained),
    on(StatPointRolled, Fighter, "character", lambda leaf, told: replace(leaf, stat_points_owed=told.left)),
    on(
        StatIncreased,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, stats=replace(leaf.stats, **{told.stat: told.after})),
    ),
    on(
        ManaMaximumSet,
        Fighter,
        "character",
        lambda leaf, told: replace(leaf, mana=told.mana, mana_max=told.mana_max),
    ),
    on(WheelSpun, Fighter, "character", spun),
    on(WheelPrizeGranted, Fighter, "character", prize_given),
)

EVOLVE = together(FIGHTERS, afflictions.EVOLVE, board.EVOLVE, companions.EVOLVE, compendium.EVOLVE, strikes.EVOLVE)
