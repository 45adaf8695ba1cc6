"""LB-17.1: the rules data of one campaign: classes, races, weapons, spells, creatures … (LB-C1 to LB-C17).

An entry has a key, which never changes, and a name, which may. What a fact of play needs of an entry stands in that
fact: a later change rewrites nothing.
"""

from typing import Literal

from msgspec import Struct

from events.envelope import GM, Audience, Fact
from events.legends.words import Attack, ClassType, Inflict, Rarity

Category = Literal["buff_nerf", "aid", "dps", "tank", "summoner", "healer"]
"""LB-4.1.10, LB-A13."""


class Harm(Struct, frozen=True, gc=False, tag_field="do", tag="harm"):
    """Damage: `1d6+3`, or `18`. It meets the armour first, unless `piercing`."""

    amount: str
    piercing: bool = False
    life_steal: bool = False


class Mend(Struct, frozen=True, gc=False, tag_field="do", tag="mend"):
    """Hit points given back: an amount, or a percentage of the maximum."""

    amount: str = ""
    percent: int = 0


class Dispel(Struct, frozen=True, gc=False, tag_field="do", tag="dispel"):
    """An effect ends. What is water ends `burned`."""

    effect: str


class Shove(Struct, frozen=True, gc=False, tag_field="do", tag="shove"):
    """The target is moved straight away by so many cells."""

    cells: str


class Call(Struct, frozen=True, gc=False, tag_field="do", tag="call"):
    """So many of a summon appear (LB-10.1)."""

    summon: str
    count: int = 1


class Smoke(Struct, frozen=True, gc=False, tag_field="do", tag="smoke"):
    """A zone of smoke (LB-6.2.12)."""

    radius: int


class Water(Struct, frozen=True, gc=False, tag_field="do", tag="water"):
    """LB-6.1.1, LB-A32: any water ends a burn."""


Verb = Harm | Inflict | Mend | Dispel | Shove | Call | Smoke | Water
"""What the content of a spell, a skill, a technique or an object may do."""


class ClassEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="class"):
    """LB-C3. `inferred` where no book says so (LB-A12)."""

    name: str
    type: ClassType
    category: Category | None = None
    specific_stat: str | None = None
    mana_stat: str | None = None
    resource: str | None = None
    resource_max: int | None = None
    regen: int | None = None
    speciality: str = ""
    can_summon: bool = False
    base_hp: int | None = None
    inferred: bool = False


class RaceEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="race"):
    """LB-C1."""

    name: str
    subraces: tuple[str, ...] = ()
    base_hp: int | None = None


class WeaponEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="weapon"):
    """LB-C9. `price` in MC where it is for sale."""

    name: str
    attack: Attack
    heavy: bool = False
    hands: int = 1
    spiked: bool = False
    price: int | None = None


class ArmourEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="armour"):
    """LB-C9, LB-16.2.1: what the piece gives of the maximum of hit points, by rarity, in percent."""

    name: str
    percent: dict[Rarity, int]
    weight: str = ""
    spiked: bool = False
    price: int | None = None


class ItemEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="item"):
    """Quivers, ammunition, talismans, objects for animals, and things to use up (`consumable`, with what they do)."""

    name: str
    form: Literal["item", "quiver", "ammunition", "talisman", "animal_item", "consumable"] = "item"
    verbs: tuple[Verb, ...] = ()
    range: int = 1
    hands: int = 1
    attack: Attack | None = None
    percent: int | None = None
    price: int | None = None


class Reaction(Struct, frozen=True, gc=False):
    """LB-5.3.4, LB-A23: when it is due, and the die that decides. `sides` 0: it always takes place."""

    trigger: Literal["attacked", "hit", "any"]
    outcome: Literal["counter_attack", "perfect_counter", "content"]
    sides: int = 0
    at_least: int = 0


class CapabilityEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="capability"):
    """LB-C11, LB-4.1.18: a spell costs mana, a skill resource, a technique one of its uses, a passive nothing.

    `takes` is what it costs of a turn where its verbs do not say so. `aggressive` ones need a roll to hit (LB-A66).
    `sustained` for so many `turns`: LB-4.4.1 to LB-4.4.3.
    """

    name: str
    form: Literal["spell", "skill", "technique", "passive"]
    verbs: tuple[Verb, ...] = ()
    cost: int = 0
    takes: Literal["action", "sub_action", "free"] | None = None
    aggressive: bool | None = None
    range: int | None = None
    zone: int | None = None
    element: str | None = None
    classes: tuple[str, ...] = ()
    family: str = ""
    subfamily: str = ""
    uses: int = 0
    recharge: int = 0
    sustained: Literal["TTS", "TDA", "TDSA"] | None = None
    turns: int = 0
    reaction: Reaction | None = None
    in_shape: bool = False
    text: str = ""


class SummonEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="summon"):
    """LB-10.1.6: hit points, armour, mana, damage, then what it does. `sacrifice` in hit points (LB-10.1.8)."""

    name: str
    hp: int | None = None
    armour: int | None = None
    mana: int | None = None
    attacks: tuple[Attack, ...] = ()
    spells: tuple[str, ...] = ()
    speed: int | None = None
    precision: int | None = None
    ddt: int | None = None
    element: str | None = None
    sacrifice: int = 0
    range: int = 5
    controlled: bool = True


class ShapeEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="shape"):
    """LB-10.2: an animal of a category; the game master adjusts hit points and damage, in percent."""

    name: str
    category: str
    cost: int | None = None
    hp_percent: int = 0
    damage_percent: int = 0
    keeps_armour: bool = False


class CreatureEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="creature"):
    """LB-C15: somebody to meet. Only game masters read it."""

    name: str
    hp: int
    armour: int = 0
    mana: int = 0
    ddt: int | None = None
    speed: int | None = None
    precision: int | None = None
    attacks: tuple[Attack, ...] = ()
    spells: tuple[str, ...] = ()
    element: str | None = None
    text: str = ""


class EffectEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="effect"):
    """LB-C17 and effects of the table's own, made of what the book's own effects are made of (`lb_effects.csv`)."""

    name: str
    turns: int | None = None
    harmful: bool = True
    percent_per_turn: int = 0
    damage_per_turn: int = 0
    blocks: tuple[Literal["movement", "action", "sub_action"], ...] = ()
    speed_halved: bool = False
    speed: int = 0
    movement: int = 0
    precision: int = 0
    stats: dict[str, int] = {}
    damage_dealt_percent: int = 0
    damage_taken_percent: int = 0


class ElementsEntry(Struct, frozen=True, gc=False, tag_field="kind", tag="elements"):
    """LB-7, LB-C4: two loops, each element beating the next; offspring stand in no loop."""

    pentagon: tuple[str, ...]
    triangle: tuple[str, ...]
    offspring: tuple[str, ...] = ("poison",)
    name: str = "elements"


Entry = (
    ClassEntry
    | RaceEntry
    | WeaponEntry
    | ArmourEntry
    | ItemEntry
    | CapabilityEntry
    | SummonEntry
    | ShapeEntry
    | EffectEntry
    | ElementsEntry
)
"""What everybody at the table may read."""


class EntryDefined(Fact, frozen=True, tag="legends.entry_defined"):
    """The campaign's compendium says this of `key` from here on. `pack` is the file it came from."""

    key: str
    entry: Entry
    rule: str
    pack: str = ""


class EntryRemoved(Fact, frozen=True, tag="legends.entry_removed"):
    kind: str
    key: str


class CreatureDefined(Fact, frozen=True, tag="legends.creature_defined"):
    key: str
    entry: CreatureEntry
    rule: str
    pack: str = ""

    @property
    def audience(self) -> Audience:
        return GM


class CreatureRemoved(Fact, frozen=True, tag="legends.creature_removed"):
    key: str

    @property
    def audience(self) -> Audience:
        return GM
