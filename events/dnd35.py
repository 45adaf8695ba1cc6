"""Facts of the 3.5 house rules about bodies: sheets, wounds, saves, ailments, rest, moves.

Rounds are whole rounds of 6 seconds since the campaign began.
"""

from typing import Literal

from msgspec import Struct

from events.envelope import CharacterRef, Fact

Evasion = Literal["none", "evasion", "improved"]
Action = Literal["none", "standard", "move", "full_round", "five_foot_step"]


class SkillNumbers(Struct, frozen=True, gc=False):
    """`bonus` is the whole modifier of the check, ranks and ability included."""

    ranks: int
    bonus: int


class SheetFilled(Fact, frozen=True, tag="dnd35.sheet_filled"):
    character: CharacterRef
    hp: int
    hp_max: int
    abilities: dict[str, int]
    fortitude: int
    reflex: int
    will: int
    evasion: Evasion
    poison_resistance: int
    poison_immune: bool
    stomachs: int
    skills: dict[str, SkillNumbers]


class HitPointsLost(Fact, frozen=True, tag="dnd35.hit_points_lost"):
    character: CharacterRef
    amount: int
    before: int
    after: int
    by_type: dict[str, int]
    cause: str
    rule: str


class HitPointsRestored(Fact, frozen=True, tag="dnd35.hit_points_restored"):
    """`amount` is what was offered; `after` stops at the most one can have."""

    character: CharacterRef
    amount: int
    before: int
    after: int
    cause: str
    rule: str = ""


class CharacterDied(Fact, frozen=True, tag="dnd35.character_died"):
    character: CharacterRef
    cause: str
    rule: str


class SaveRolled(Fact, frozen=True, tag="dnd35.save_rolled"):
    """A saving throw. `total` is face + modifier + resistance; a natural 1 fails and a natural 20 succeeds."""

    character: CharacterRef
    save: str
    against: str
    face: int
    modifier: int
    resistance: int
    total: int
    dc: int
    s: int
    success: bool
    rule: str
    pair: str = ""
    blast: str = ""
    second: bool = False


class AbilityDamaged(Fact, frozen=True, tag="dnd35.ability_damaged"):
    """A loss that comes back, a point a day from `recovers_at` on."""

    character: CharacterRef
    ability: str
    amount: int
    before: int
    after: int
    recovers_at: int
    cause: str
    rule: str


class AbilityRecovered(Fact, frozen=True, tag="dnd35.ability_recovered"):
    character: CharacterRef
    ability: str
    amount: int
    before: int
    after: int
    at: int
    next_at: int
    rule: str = "HM-16.8"


class ConditionApplied(Fact, frozen=True, tag="dnd35.condition_applied"):
    """`until` is the round at which it ends by itself, 0 for none; `days` what was rolled or granted."""

    character: CharacterRef
    condition: str
    since: int
    cause: str
    rule: str
    until: int = 0
    days: int = 0
    s: int = 0


class ConditionChanged(Fact, frozen=True, tag="dnd35.condition_changed"):
    character: CharacterRef
    before: str
    after: str
    at: int
    cause: str
    rule: str = "HM-A36"


class ConditionEnded(Fact, frozen=True, tag="dnd35.condition_ended"):
    character: CharacterRef
    condition: str
    at: int
    cause: str
    rule: str = "HM-A36"


class RestBegun(Fact, frozen=True, tag="dnd35.rest_begun"):
    character: CharacterRef
    at: int


class RestCompleted(Fact, frozen=True, tag="dnd35.rest_completed"):
    """Eight hours without a break."""

    character: CharacterRef
    at: int


class FiveFootStepTaken(Fact, frozen=True, tag="dnd35.five_foot_step_taken"):
    character: CharacterRef
    round: int
    action: Action = "five_foot_step"


class MoveTaken(Fact, frozen=True, tag="dnd35.move_taken"):
    character: CharacterRef
    round: int
    action: Action = "move"
