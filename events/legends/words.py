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


class Inflict(Struct, frozen=True, gc=False, tag_field="do", tag="inflict"):
    """An effect that takes hold of a target. `turns` and `x` where the effect leaves them to its source (LB-A30).

    `chance` in percent; 100 throws no die (LB-6.3.4).
    """

    effect: str
    turns: int | None = None
    x: int | None = None
    chance: int = 100


Property = Literal["piercing", "life_steal", "loyalty"]
"""LB-6.0.3: what an attack or a weapon has by itself: LB-6.2.5, LB-6.2.6, LB-6.2.8."""


class Attack(Struct, frozen=True, gc=False):
    """A way to strike. `damage` is written `1d6+3`, or `18` where it is fixed; `ammunition` names what it shoots."""

    name: str
    damage: str = ""
    range: int = 1
    element: str | None = None
    inflicts: tuple[Inflict, ...] = ()
    properties: tuple[Property, ...] = ()
    ammunition: str = ""


GearKind = Literal["item", "armour", "weapon", "quiver", "ammunition", "talisman", "animal_item"]


class Gear(Struct, frozen=True, gc=False):
    """Something to wear or wield. `percent` is what a piece of armour gives of the maximum of hit points.

    `entry` is its key in the campaign's compendium, which then says how it strikes; `attack` says so of a piece that
    is not listed there. `heavy` and `hands`: LB-1.2.1, LB-C9. `spiked`: LB-A41.
    """

    name: str
    rarity: Rarity = "common"
    percent: int | None = None
    worn: bool = False
    auras: tuple[str, ...] = ()
    kind: GearKind = "item"
    entry: str | None = None
    attack: Attack | None = None
    heavy: bool = False
    hands: int = 1
    spiked: bool = False


class Technique(Struct, frozen=True, gc=False):
    """`recharge` is how many uses a short rest gives back."""

    name: str
    uses: int
    most: int
    recharge: int
