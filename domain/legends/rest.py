"""LB-12 and LB-13.0.1: long rests, short rests, and what they cost.

Hidden characters among themselves are not the team: its water and its count of rests would tell of them.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta

from domain.kernel.cast import Character, character
from domain.kernel.command import CharacterId, Command, Context, Deciders, Figure, Reason, owner
from domain.kernel.fold import State, every, find
from domain.kernel.refusal import require
from domain.legends.effects import rested
from domain.legends.refusals import (
    CHARACTER_DOWN,
    DOWN_CANNOT,
    IN_COMBAT,
    INSUFFICIENT_SATIETY,
    INSUFFICIENT_WATER,
    INVALID_AMOUNT,
    NO_SHORT_REST_LEFT,
    NOBODY_RESTS,
)
from domain.legends.state import Combatant, Fighter, fighter, for_gm, in_play, kind_of, name_of, ruling, team
from events.envelope import Fact
from events.legends import (
    CharacterRestored,
    LongRestTaken,
    SatietySpent,
    ShortRestTaken,
    Step,
    WaterGained,
    WaterSpent,
)

MEALS, LITRES, SHORT_RESTS = 30, 1, 2
"""A long rest takes 15 of satiety (in half-points) and a litre; two short rests fit between two long ones."""
MOST_LITRES = 1_000_000

Participants = Annotated[tuple[CharacterId, ...], Meta(min_length=1, max_length=100)]


class TakeLongRest(Command, frozen=True, tag="legends.take_long_rest"):
    """A camp and a night. The animals of whoever rests come along."""

    characters: Participants


class TakeShortRest(Command, frozen=True, tag="legends.take_short_rest"):
    """A nap. The animals of whoever rests come along."""

    characters: Participants


class ChangeWater(Command, frozen=True, tag="legends.change_water"):
    """The game master gives the team water (a well, rain) or takes some (a leak); `litres` may be negative."""

    litres: Figure
    reason: Reason


def take_long_rest(state: State, command: TakeLongRest, context: Context) -> Iterable[Fact]:
    """LB-12.1: everything is full again, for 15 of satiety each and a litre of water; or nobody rests (LB-A110)."""
    resting = participants(state, command.characters, context)
    paying = [who for who in resting if kind_of(state, who) not in ("animal", "summon")]
    litres = LITRES * (len(paying) if ruling(state, "LB-A80", "a", "ab") == "b" else 1)
    secret = all(character(state, who).hidden for who in resting)
    for who in paying:
        satiety = fighter(state, who).satiety
        context.require(
            satiety >= MEALS,
            INSUFFICIENT_SATIETY,
            "LB-13.0.1",
            character=name_of(state, who),
            needed=in_points(MEALS),
            owned=in_points(satiety),
        )
    water = team(state).water
    context.require(secret or water >= litres, INSUFFICIENT_WATER, "LB-13.0.1", needed=litres, owned=water)
    drunk = 0 if secret else min(water, litres)
    return [
        *(LongRestTaken(group, "apart" if secret else "camp", "LB-12.1") for group in apart(state, resting)),
        *(fact for who in paying for fact in _eaten(state, who)),
        *([WaterSpent(drunk, water - drunk, cause="legends.long_rest", rule="LB-13.0.1")] if drunk else ()),
        *(fact for who in resting for fact in restored_whole(state, who)),
    ]


def take_short_rest(state: State, command: TakeShortRest, context: Context) -> Iterable[Fact]:
    """LB-12.2: half of each pool, and each technique by its noted number; twice between two long rests."""
    resting = participants(state, command.characters, context)
    secret = all(character(state, who).hidden for who in resting)
    taken = team(state).short_rests
    context.require(secret or taken < SHORT_RESTS, NO_SHORT_REST_LEFT, "LB-12.2", most=SHORT_RESTS)
    missing = ruling(state, "LB-A81", "a", "ab") == "b"
    return [
        *(ShortRestTaken(group, taken if secret else taken + 1, "LB-12.2") for group in apart(state, resting)),
        *(fact for who in resting for fact in restored_by_half(state, who, missing)),
    ]


def participants(state: State, named: tuple[str, ...], context: Context) -> list[str]:
    """LB-12.3, LB-A110: all of them alive and on their feet, and their animals; summons are not concerned.

    LB-A61: nobody rests while another player character is down, unless it is somewhere else: the game master says so.
    """
    for who in named:
        require(not fighter(state, who).down, DOWN_CANNOT, "LB-12.1", character=name_of(state, who))
        context.require(find(state, Combatant, who) is None, IN_COMBAT, "LB-12.1", character=name_of(state, who))
    cast = every(state, Character)
    for who, one in every(state, Fighter).items():
        friend = cast[who].kind == "player" and in_play(cast[who]) and not cast[who].hidden
        context.require(not (one.down and friend), CHARACTER_DOWN, "LB-A61", character=name_of(state, who))
    players = {cast[who].owner for who in named} - {None}
    followers = [
        who
        for who, one in every(state, Fighter).items()
        if cast[who].kind == "animal" and cast[who].owner in players and in_play(cast[who]) and one.life == "standing"
    ]
    resting = [who for who in dict.fromkeys((*named, *followers)) if cast[who].kind != "summon"]
    require(resting, NOBODY_RESTS, "LB-12.3")
    return resting


def apart(state: State, resting: Sequence[str]) -> list[tuple[str, ...]]:
    """Those who are seen, and those who are hidden: a fact is kept from whoever may not know one of its characters."""
    hidden = [who for who in resting if character(state, who).hidden]
    seen = [who for who in resting if who not in hidden]
    return [tuple(group) for group in (seen, hidden) if group]


def restored_whole(state: State, who: str) -> list[Fact]:
    """LB-12.1, LB-16.2.6: everything back, and the fall of the day forgotten."""
    one = fighter(state, who)
    restored = CharacterRestored(
        who,
        "long",
        one.hp,
        one.hp_max,
        one.armour,
        one.armour_max,
        0,
        one.mana,
        one.mana_max,
        one.resource_max,
        one.technique_max,
        one.fallen,
        (),
        "LB-12.1",
    )
    return [restored, *rested(state, who)]


def restored_by_half(state: State, who: str, missing: bool) -> list[Fact]:
    """LB-12.2, LB-A81: half of the maximum, or of what is missing where the campaign chose so; never beyond it."""
    one = fighter(state, who)
    steps: list[Step] = []

    def half(name: str, now: int, most: int) -> int:
        share = (most - now) // 2 if missing else most // 2
        of = f"({most} − {now})" if missing else str(most)
        after = min(most, now + share)
        if after != now:
            text = f"min({most}, {now} + floor({of} / 2))"
            steps.append(Step(name, text, after, "LB-A81" if missing else "LB-12.2"))
        return after

    hp, armour, mana = (
        half("hp", one.hp, one.hp_max),
        half("armour", one.armour, one.armour_max),
        half("mana", one.mana, one.mana_max),
    )
    resources = {name: half(name, one.resources.get(name, 0), most) for name, most in one.resource_max.items()}
    techniques = {
        name: min(most, one.techniques.get(name, 0) + one.technique_recharge.get(name, 0))
        for name, most in one.technique_max.items()
    }
    lost = one.armour_lost if armour == one.armour else one.armour_max - armour
    restored = CharacterRestored(
        who,
        "short",
        one.hp,
        hp,
        one.armour,
        armour,
        lost,
        one.mana,
        mana,
        resources,
        techniques,
        False,
        tuple(steps),
        "LB-12.2",
    )
    return [restored]


def in_points(half_points: int) -> str:
    """LB-0.10: satiety as it is said: `16.5`."""
    return f"{half_points // 2}.5" if half_points % 2 else str(half_points // 2)


def _eaten(state: State, who: str) -> list[Fact]:
    before = fighter(state, who).satiety
    spent = min(before, MEALS)
    if not spent:
        return []
    return [SatietySpent(who, spent, before, before - spent, cause="legends.long_rest", rule="LB-13.0.1")]


def change_water(state: State, command: ChangeWater, _: Context) -> Iterable[Fact]:
    water = team(state).water
    after = water + command.litres
    possible = command.litres and 0 <= after <= MOST_LITRES
    require(possible, INVALID_AMOUNT, "LB-13.0.1", amount=command.litres, least=-water, most=MOST_LITRES - water)
    if command.litres > 0:
        return [WaterGained(command.litres, after, command.reason)]
    return [WaterSpent(-command.litres, after, command.reason, "LB-13.0.1")]


DECIDE: Deciders = {
    TakeLongRest: owner("characters")(take_long_rest),
    TakeShortRest: owner("characters")(take_short_rest),
    ChangeWater: for_gm()(change_water),
}
