"""What a campaign remembers of its fighters, its team, its open checks and its negotiations."""

from collections.abc import Callable, Iterable
from typing import Literal, TypeVar

from msgspec import field
from msgspec.structs import astuple

from domain.kernel.cast import Character, character
from domain.kernel.charter import setting
from domain.kernel.command import Command, Context, Decider
from domain.kernel.fold import Leaf, State, find
from domain.kernel.refusal import WRONG_SYSTEM, require
from domain.kernel.system import Condition
from domain.legends.refusals import CAMPAIGN_DATA_MISSING, CHARACTER_DEAD, CHARACTER_DOWN, NO_LUCK_DIE
from events.envelope import Fact
from events.legends import Attack, CharacterClass, CoinSide, Comparison, Gear, Stats

Life = Literal["standing", "down", "dead", "gone"]
SUMMON_GONE = "legends.summon_destroyed"
PARTY, FOES = "party", "foes"
"""The sides of a fight in which nothing else was said."""


class Fighter(Leaf, frozen=True, tag="legends.fighter"):
    """Whoever is played by these rules.

    `satiety` counts half-points (LB-0.10). `armour_lost` are the points lost since the last rest. `fallen`: since the
    last long rest. `wounded`: in the turn that runs, which began at `turn_at` on the campaign's clock; `saves_due`
    in it. `prizes` of the wheel wait for a choice. `own_speed` and `own_precision` stand in place of those that follow
    from the statistics (LB-C15); `ddt` is what it takes to hit it (LB-A28). `reactions` are ready (LB-5.3.4).
    """

    OF_CHARACTER = True

    stats: Stats
    classes: tuple[CharacterClass, ...]
    level: int
    hp: int
    hp_max: int
    mana: int
    mana_max: int
    armour_max: int
    gear: tuple[Gear, ...]
    techniques: dict[str, int]
    technique_max: dict[str, int]
    technique_recharge: dict[str, int]
    resources: dict[str, int]
    resource_max: dict[str, int]
    luck_dice: int
    satiety: int
    important: bool
    race: str | None
    subrace: str | None
    armour_lost: int = 0
    xp: int = 0
    life: Life = "standing"
    fallen: bool = False
    successes: int = 0
    failures: int = 0
    wounded: bool = False
    saves_due: int = 0
    turn_at: int = 0
    coin: CoinSide = "pile"
    resistance_luck: int = 0
    spins_owed: int = 0
    stat_points_owed: int = 0
    prizes: tuple[str, ...] = ()
    curses: tuple[str, ...] = ()
    gains: dict[str, int] = field(default_factory=dict)
    ddt: int | None = None
    own_speed: int | None = None
    own_precision: int | None = None
    element: str | None = None
    attacks: tuple[Attack, ...] = ()
    capabilities: tuple[str, ...] = ()
    entry: str | None = None
    reactions: tuple[str, ...] = ()

    @property
    def armour(self) -> int:
        """LB-16.2.4: what was lost stays lost, whatever the maximum becomes."""
        return max(0, self.armour_max - self.armour_lost)

    @property
    def down(self) -> bool:
        return self.life == "down"

    @property
    def dead(self) -> bool:
        return self.life in ("dead", "gone")


class Team(Leaf, frozen=True, tag="legends.team"):
    """`short_rests` since the last long rest; `water` in litres."""

    short_rests: int = 0
    water: int = 0


class Fight(Leaf, frozen=True, tag="legends.fight"):
    """The fight that is on. Who takes part stands with each of them: a hidden one is not named beside the others."""

    round: int = 0


class Combatant(Leaf, frozen=True, tag="legends.combatant"):
    """A place in the turn order, and the turn. `turns_until` is the last round in which it had its turn.

    `surprised` as long as the turn that it skips is to come; `pending` as long as its Consequence phase waits for
    dice. Of this turn: `moves` made, extra `strikes` left, whether it `struck`, and whether it `toiled`: used an action
    for which Lacerated is still to be suffered, and `bled` for it. `surprised_in` is the round it skipped. `edge`
    on its next attack.
    """

    OF_CHARACTER = True

    initiative: int
    speed: int
    entry: int
    surprised: bool
    from_round: int
    turns_until: int = 0
    acting: bool = False
    actions: int = 0
    sub_actions: int = 0
    side: str = ""
    pending: bool = False
    moves: int = 0
    strikes: int = 0
    struck: bool = False
    toiled: bool = False
    bled: bool = False
    surprised_in: int = 0
    edge: Literal["", "advantage", "disadvantage"] = ""


class PendingCheck(Leaf, frozen=True, tag="legends.check"):
    """A check that the game master called for and that is not rolled yet."""

    character: str
    kind: Literal["die", "stat"]
    basis: str
    dc: int
    comparison: Comparison
    advantage: bool
    disadvantage: bool
    gift: str

    def concerns(self, name: str) -> tuple[str, ...]:
        return (self.character,)


class Negotiation(Leaf, frozen=True, tag="legends.negotiation"):
    """One character's dealings with one merchant. `percent` changes the merchant's listed prices.

    `open` may be argued and rolled, `annoyed` and `settled` not any more. `dc` is None until it is assessed.
    """

    character: str
    merchant: str
    quality: str
    charisma: int
    tier: str
    status: Literal["open", "annoyed", "settled"]
    percent: int = 0
    dc: int | None = None
    critical: int = 0
    success: int = 0
    failure: int = 0

    def concerns(self, name: str) -> tuple[str, ...]:
        return (self.character,)


def fighter(state: State, name: str) -> Fighter:
    """The fighter. Refuses whoever does not follow these rules, and who is dead."""
    one = character(state, name)
    found = find(state, Fighter, name)
    if found is None:
        WRONG_SYSTEM.because(character=one.name, system="legends")
    require(not found.dead, CHARACTER_DEAD, "LB-8.2.1", character=one.name)
    return found


def on_their_feet(state: State, name: str, context: Context) -> Fighter:
    """The fighter, able to act (LB-8.0.1)."""
    found = fighter(state, name)
    context.require(not found.down, CHARACTER_DOWN, "LB-8.0.1", character=name_of(state, name))
    return found


def side_of(state: State, name: str) -> str:
    """Whose friend a creature is: what was said when the fight began; else the party, or the foes for a non-player
    character."""
    fighting = find(state, Combatant, name)
    if fighting is not None and fighting.side:
        return fighting.side
    return FOES if kind_of(state, name) == "npc" else PARTY


def condition(state: State, name: str) -> Condition:
    """LB-8.0.1, LB-8.2.1."""
    found = find(state, Fighter, name)
    if found is None:
        return "able"
    return "dead" if found.dead else "down" if found.down else "able"


def name_of(state: State, name: str) -> str:
    return character(state, name).name


def kind_of(state: State, name: str) -> str:
    return character(state, name).kind


def in_play(one: Character) -> bool:
    return one.system == "legends" and not one.retired


def team(state: State) -> Team:
    return find(state, Team) or Team()


def ruling(state: State, name: str, default: str, options: str) -> str:
    """The campaign's choice where section 18 leaves one (LB-C16). Refuses a choice that is not listed."""
    chosen = setting(state, f"rulings.{name}", default)
    require(
        isinstance(chosen, str) and len(chosen) == 1 and chosen in options,
        CAMPAIGN_DATA_MISSING,
        "LB-C16",
        key=f"rulings.{name}",
    )
    return str(chosen)


def number(state: State, name: str, rule: str, default: int | None = None, *, least: int = 0, most: int = 10**9) -> int:
    """A number of the campaign's data. Refuses `CAMPAIGN_DATA_MISSING` where there is none that makes sense."""
    value = setting(state, name, default if default is not None else "")
    sensible = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    if not sensible:
        CAMPAIGN_DATA_MISSING.because(rule, key=name)
    return int(value)


def word(state: State, name: str) -> str:
    """A text of the campaign's data; empty where there is none."""
    value = setting(state, name, "")
    return value if isinstance(value, str) else ""


def require_luck(one: Fighter, announced: bool, shown: str) -> None:
    """LB-2.1.1: whoever announces a luck die has one."""
    require(not announced or one.luck_dice > 0, NO_LUCK_DIE, "LB-2.1.1", character=shown)


def values(stats: Stats) -> dict[str, int]:
    """The six by name."""
    return dict(zip(stats.__struct_fields__, astuple(stats), strict=True))


C = TypeVar("C", bound=Command)


def for_gm(*actors: str) -> Callable[[Callable[[State, C, Context], Iterable[Fact]]], Decider]:
    """Only a game master may; the characters in the fields `actors` are in play and follow these rules."""
    return lambda decide: Decider("gm", decide, actors)
