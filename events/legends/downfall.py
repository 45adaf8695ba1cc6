"""LB-8: wounds, falls, saves, death."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Channel, Modifier, Step


class DamageTaken(Fact, frozen=True, tag="legends.damage_taken"):
    """`base` became `amount` by `steps`; what neither armour nor hit points took is lost as `excess`.

    `pierced`: it passed the armour by (LB-6.2.5). `kind` is `cold`, `poison` … where it matters.
    """

    character: CharacterRef
    base: int
    amount: int
    to_armour: int
    to_hp: int
    excess: int
    armour_before: int
    armour: int
    hp_before: int
    hp: int
    cause: str
    channel: Channel
    steps: tuple[Step, ...]
    rule: str
    pierced: bool = False
    kind: str = ""


class HitPointsHealed(Fact, frozen=True, tag="legends.hit_points_healed"):
    """`amount` was given, `gained` found room."""

    character: CharacterRef
    amount: int
    gained: int
    hp_before: int
    hp: int
    cause: str
    steps: tuple[Step, ...]
    rule: str


class CharacterDowned(Fact, frozen=True, tag="legends.character_downed"):
    """`at` is the campaign's clock, in seconds."""

    character: CharacterRef
    at: int
    cause: str
    rule: str


class CharacterDied(Fact, frozen=True, tag="legends.character_died"):
    """`cause` is `second_fall`, `three_failures`, `instant`, or `last_hit_point` for who does not fall."""

    character: CharacterRef
    cause: Literal["second_fall", "three_failures", "instant", "last_hit_point"]
    rule: str
    text: str = ""


class SummonDestroyed(Fact, frozen=True, tag="legends.summon_destroyed"):
    character: CharacterRef
    cause: str
    rule: str


class TurnStarted(Fact, frozen=True, tag="legends.turn_started"):
    """A new window for what counts once a turn. `at` is the campaign's clock, in seconds; `saves` are due in it.

    In a fight it is this creature's turn, with so many `actions` and `sub_actions`; `pending`: its Consequence phase
    waits for the dice of whoever plays it.
    """

    character: CharacterRef
    at: int
    cause: str
    rule: str
    saves: int = 1
    actions: int = 0
    sub_actions: int = 0
    pending: bool = False


class DeathSaveRolled(Fact, frozen=True, tag="legends.death_save_rolled"):
    """`successes` and `failures` are those after it."""

    character: CharacterRef
    kept: int
    modifiers: tuple[Modifier, ...]
    total: int
    needed: int
    outcome: Literal["success", "failure"]
    successes: int
    failures: int
    rule: str


class DeathSaveFailedByDamage(Fact, frozen=True, tag="legends.death_save_failed_by_damage"):
    character: CharacterRef
    cause: str
    failures: int
    rule: str


class CharacterRecovered(Fact, frozen=True, tag="legends.character_recovered"):
    """On its feet with `hp`. The fall stays counted until a long rest."""

    character: CharacterRef
    hp: int
    cause: Literal["three_successes", "raised", "healed"]
    steps: tuple[Step, ...]
    rule: str
    rescuer: CharacterRef | None = None


class CharacterErased(Fact, frozen=True, tag="legends.character_erased"):
    character: CharacterRef
    rule: str


class CharacterRevived(Fact, frozen=True, tag="legends.character_revived"):
    character: CharacterRef
    hp: int
    reason: str
    steps: tuple[Step, ...]
    rule: str
