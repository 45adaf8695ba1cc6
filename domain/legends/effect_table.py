"""LB-6: the 26 effects as data, and those that a campaign adds (LB-C17). What an effect is made of, not how it acts."""

from typing import Literal, get_args

from msgspec import Struct

from domain.kernel.fold import State, find
from domain.kernel.refusal import require
from domain.kernel.tables import read
from domain.legends.leaves.afflictions import Afflicted, Affliction
from domain.legends.leaves.compendium import listed
from domain.legends.refusals import UNKNOWN_EFFECT
from events.legends import Channel
from events.legends.compendium import EffectEntry

Lasting = Literal[
    "turns",
    "max_turns",
    "combat",
    "instant",
    "this_turn",
    "attack_property",
    "weapon_property",
    "unspecified",
]
"""LB-6.0.3."""
Blocked = Literal["movement", "action", "sub_action"]
Chance = tuple[int, int]
"""LB-0.5: so many of so many."""


class Effect(Struct, frozen=True, kw_only=True):
    """One effect, made of verbs. What is left out it does not do.

    `percent` of the maximum of hit points and `flat` damage are per turn; `percent_per_action` is LB-6.1.7. `speed`,
    `movement` and `precision` are added; `halves` Speed, `two_thirds` of the movement. `rolls` are added to checks on
    these statistics. `dealt` and `taken` change damage of attacks, in percent; so does X where `x` says so.
    """

    key: str
    lasts: Lasting
    turns: int | None = None
    harmful: bool = True
    resistible: bool = True
    zone: bool = False
    percent: int = 0
    flat: int = 0
    damage_kind: str = ""
    percent_per_action: int = 0
    channel: Channel = "damage"
    blocks: tuple[Blocked, ...] = ()
    halves: bool = False
    two_thirds: bool = False
    speed: int = 0
    movement: int = 0
    precision: int = 0
    rolls: dict[str, int] = {}
    dealt: int = 0
    taken: int = 0
    x: Literal["", "taken", "dodge"] = ""
    reflects: int = 0
    stages: tuple[Chance, ...] = ()
    prone: Chance | None = None
    stun: int = 0
    shake: int = 0
    backlash: tuple[int, int] | None = None
    ends_on: str = ""
    water: bool = False
    marker: bool = False

    @property
    def wounds(self) -> bool:
        """LB-8.1.5: whether it deals damage."""
        return bool(self.percent or self.flat or self.percent_per_action)

    @property
    def property_only(self) -> bool:
        """LB-6.0.3: something an attack or a weapon has, that no creature bears."""
        return self.lasts in ("attack_property", "weapon_property")


def _effect(row: dict[str, str]) -> Effect:
    made: dict[str, object] = {
        "key": row["key"],
        "lasts": row["duration_kind"],
        "turns": int(row["duration_turns"]) if row["duration_turns"] else None,
        "harmful": row["polarity"] == "harmful",
        "zone": row["polarity"] == "zone",
        "resistible": row["resistible"] == "true",
        "channel": "hit_points" if row["damage_channel"] == "hp" else "damage",
        "blocks": tuple(one for one in row["blocks"].split(";") if one),
        "ends_on": row["ends_early_on"],
    }
    rolls: dict[str, int] = {}
    for said in [row["tick"], *row["modifiers"].split(";"), row["chance"]]:
        name, _, rest = said.partition(":")
        match name, rest.split(":"):
            case "", _:
                continue
            case "percent_max_hp", [share]:
                made["percent"] = int(share)
            case "percent_max_hp_per_action", [share]:
                made["percent_per_action"] = int(share)
            case "flat", [amount, kind]:
                made["flat"], made["damage_kind"] = int(amount), kind
            case "speed", ["halved"]:
                made["halves"] = True
            case "movement", ["two_thirds"]:
                made["two_thirds"] = True
            case (("speed" | "movement" | "precision" | "dealt" | "reflects"), [amount]):
                made[name] = int(amount)
            case "water", _:
                made["water"] = True
            case "taken", ["+x"]:
                made["x"] = "taken"
            case "dodge", ["x"]:
                made["x"] = "dodge"
            case (("intelligence" | "wisdom"), [amount]):
                rolls[name] = int(amount)
            case "stages", _:
                made["stages"] = tuple(_chance(one) for one in rest.split(";"))
            case "prone_per_cell", [chance]:
                made["prone"] = _chance(chance)
            case (("stun" | "shake"), [amount]):
                made[name] = int(amount)
            case "backlash", [chance, share]:
                made["backlash"] = (int(chance), int(share))
            case _:
                raise ValueError(f"{row['key']} says {said!r}, which is no verb")
    return Effect(**made, rolls=rolls)  # type: ignore[arg-type]


def _chance(said: str) -> Chance:
    of, _, sides = said.partition("/")
    return int(of), int(sides)


EFFECTS = {one.key: one for one in read("domain.legends", "lb_effects", _effect)}
MARKERS = {
    name: Effect(key=name, lasts="combat", resistible=False, marker=True) for name in ("destabilised", "electrified")
}
"""LB-A91: auras inflict these, and the book does not say what they do."""

assert len(EFFECTS) == 26, "LB-6 knows 26 effects"
assert {one.lasts for one in EFFECTS.values()} <= set(get_args(Lasting)), "lb_effects.csv names an unknown duration"
assert all(one.turns for one in EFFECTS.values() if one.lasts in ("turns", "max_turns")), "a duration is missing"


def find_effect(state: State, name: str) -> Effect | None:
    """The book's effect, or the campaign's, or a marker without mechanics."""
    if name in EFFECTS:
        return EFFECTS[name]
    entry = listed(state, EffectEntry, name)
    return MARKERS.get(name) if entry is None else _of_campaign(name, entry)


def effect(state: State, name: str) -> Effect:
    """Refuses `UNKNOWN_EFFECT`."""
    found = find_effect(state, name)
    if found is None:
        choices = [one.key for one in EFFECTS.values() if not one.property_only]
        UNKNOWN_EFFECT.because("LB-6.0.1", effect=name, choices=choices)
    require(not found.property_only, UNKNOWN_EFFECT, "LB-6.0.3", effect=name, choices=[])
    return found


def at_work(state: State, who: str) -> list[tuple[Affliction, Effect]]:
    """The effects that a creature bears, in the order in which they came."""
    leaf = find(state, Afflicted, who)
    known = ((one, find_effect(state, one.effect)) for one in (leaf.effects if leaf else ()))
    return [(one, made) for one, made in known if made is not None]


def _of_campaign(name: str, entry: EffectEntry) -> Effect:
    return Effect(
        key=name,
        lasts="unspecified" if entry.turns is None else "turns",
        turns=entry.turns,
        harmful=entry.harmful,
        resistible=entry.harmful,
        percent=entry.percent_per_turn,
        channel="hit_points" if entry.percent_per_turn else "damage",
        flat=entry.damage_per_turn,
        blocks=entry.blocks,
        halves=entry.speed_halved,
        speed=entry.speed,
        movement=entry.movement,
        precision=entry.precision,
        rolls=entry.stats,
        dealt=entry.damage_dealt_percent,
        taken=entry.damage_taken_percent,
    )


def blocking(state: State, who: str, what: Blocked) -> str | None:
    """The effect that forbids this to a creature, or None."""
    for one, made in at_work(state, who):
        if what in made.blocks or (one.blocked and what != "movement"):
            return one.effect
    return None
