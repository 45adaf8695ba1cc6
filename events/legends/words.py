"""What the facts of Legends & Bonk are told in: steps, modifiers, statistics, gear."""

from typing import Literal

from msgspec import Struct

ClassType = Literal["ability", "mana", "resource"]
Channel = Literal["damage", "hit_points"]
Comparison = Literal["gt", "ge"]
Outcome = Literal["critical", "success", "failure"]
CoinSide = Literal["pile", "face"]
Rarity = Literal["common", "super_common", "rare", "super_rare", "epic", "super_epic"]


class Step(Struct, frozen=True, gc=False):
    """One step of a calculation: `floor(18 × 75 / 100)` gave `result`, because of `rule`."""

    name: str
    reckoning: str
    result: int
    rule: str


class Modifier(Struct, frozen=True, gc=False):
    """What is added to a roll or a value, and why."""

    name: str
    amount: int
    rule: str


class Stats(Struct, frozen=True, gc=False):
    """LB-4.1.21: the six statistics."""

    strength: int = 10
    dexterity: int = 10
    constitution: int = 10
    intelligence: int = 10
    wisdom: int = 10
    charisma: int = 10


class CharacterClass(Struct, frozen=True, gc=False):
    """LB-4.1.4. `resource` is what a class of type resource spends, such as `vow`."""

    id: str
    type: ClassType
    mana_stat: str | None = None
    specific_stat: str | None = None
    resource: str | None = None


class Gear(Struct, frozen=True, gc=False):
    """Something to wear or wield. `percent` is what a piece of armour gives of the maximum of hit points."""

    name: str
    rarity: Rarity = "common"
    percent: int | None = None
    worn: bool = False
    auras: tuple[str, ...] = ()


class Technique(Struct, frozen=True, gc=False):
    """`recharge` is how many uses a short rest gives back."""

    name: str
    uses: int
    most: int
    recharge: int
