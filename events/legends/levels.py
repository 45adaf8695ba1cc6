"""LB-15: experience, levels, the wheel of fortune."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Step


class ExperienceAwarded(Fact, frozen=True, tag="legends.experience_awarded"):
    """`amount` = `base` × `multiplier`; `xp` is what stands towards the next level before any is gained."""

    character: CharacterRef
    base: int
    multiplier: int
    amount: int
    xp_before: int
    xp: int
    reason: str
    steps: tuple[Step, ...]
    rule: str


class LevelGained(Fact, frozen=True, tag="legends.level_gained"):
    """`gain` is owed from here on: a spin of the wheel or a point of statistic. `xp_cost` is 0 for a level given."""

    character: CharacterRef
    level: int
    xp_cost: int
    xp: int
    hp_max_before: int
    hp_max: int
    hp_before: int
    hp: int
    mana_max_before: int
    mana_max: int
    mana_before: int
    mana: int
    gain: Literal["wheel_of_fortune", "stat_point"]
    steps: tuple[Step, ...]
    rule: str


class ClassGainUnlocked(Fact, frozen=True, tag="legends.class_gain_unlocked"):
    """A `resource` gained raises that maximum to `resource_max`."""

    character: CharacterRef
    class_id: str
    gain: Literal["action", "spell", "skill", "resource"]
    level: int
    rule: str
    resource: str | None = None
    resource_max: int = 0


class StatPointRolled(Fact, frozen=True, tag="legends.stat_point_rolled"):
    """The coin gives the point to the first statistic named, or to the second. `left` are the points still owed."""

    character: CharacterRef
    first: str
    second: str
    face: int
    stat: str
    left: int
    rule: str


class StatIncreased(Fact, frozen=True, tag="legends.stat_increased"):
    """`steps` are the secondary statistics that change with it."""

    character: CharacterRef
    stat: str
    before: int
    after: int
    cause: str
    steps: tuple[Step, ...]
    rule: str


class ManaMaximumSet(Fact, frozen=True, tag="legends.mana_maximum_set"):
    character: CharacterRef
    mana_max_before: int
    mana_max: int
    mana_before: int
    mana: int
    cause: str
    steps: tuple[Step, ...]
    rule: str


class WheelSpun(Fact, frozen=True, tag="legends.wheel_spun"):
    """`owed`: the prize waits for a choice or for the game master's content. `left` are the spins still owed."""

    character: CharacterRef
    face: int
    prize: str
    owed: bool
    left: int
    rule: str


class WheelPrizeGranted(Fact, frozen=True, tag="legends.wheel_prize_granted"):
    """A prize that was owed is given. `content` is the game master's text, or what was chosen."""

    character: CharacterRef
    prize: str
    content: str
    rule: str
