"""What the 3.5 house rules remember: bodies, rounds, running potions, ailments, flasks, and the secrets of mixtures.

What came of a mixture is in `SECRET` leaves of its own: whoever sees a flask sees its layers and nothing behind them.
"""

from msgspec import Struct, field

from domain.kernel.fold import Leaf, State, find
from domain.kernel.refusal import WRONG_SYSTEM
from events.dnd35 import Evasion, SkillNumbers
from events.potions import Dose, Mark


class Creature(Leaf, frozen=True, tag="dnd35.creature"):
    """The numbers of a sheet. `ability_damage` is lost for a time; `recovers_at` is the round of its next point."""

    OF_CHARACTER = True

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
    ability_damage: dict[str, int] = field(default_factory=dict)
    recovers_at: dict[str, int] = field(default_factory=dict)
    dead: bool = False


class Study(Struct, frozen=True, gc=False):
    """A mixture being analysed, since round `since`."""

    flask: str
    pair: str
    skill: str
    since: int


class Turn(Leaf, frozen=True, tag="dnd35.turn"):
    """What a character has done in round `round`, and the quiet business that any action breaks off."""

    OF_CHARACTER = True

    round: int = 0
    actions: tuple[str, ...] = ()
    resting_since: int | None = None
    study: Study | None = None


class Running(Struct, frozen=True, gc=False):
    """A potion at work. `total` and `until` are None where the spell has no number of rounds.

    `worth` is what its dice count for, if it has any.
    """

    dose: Dose
    started: int
    total: int | None
    until: int | None
    worth: int | None = None


class Drinker(Leaf, frozen=True, tag="dnd35.drinker"):
    """The potions at work in a character, in the order they were drunk."""

    OF_CHARACTER = True

    running: tuple[Running, ...] = ()


class PendingSave(Struct, frozen=True, gc=False):
    """A second save against a poison, due in round `due`."""

    pair: str
    due: int
    s: int
    dc: int


class Ailments(Leaf, frozen=True, tag="dnd35.ailments"):
    """`weariness` is `exhausted`, `fatigued` or nothing; `slept` whether 8 hours of rest were taken since it came."""

    OF_CHARACTER = True

    saves: tuple[PendingSave, ...] = ()
    nauseated_until: int | None = None
    weariness: str = ""
    slept: bool = False


class Flask(Leaf, frozen=True, tag="dnd35.flask"):
    """`layers` from the bottom up. `emulsion` are the pairs that are one liquid until an hour after `emulsified_at`."""

    holder: str
    capacity: int
    layers: tuple[Dose, ...] = ()
    progress: int = 0
    last_shaken: int | None = None
    emulsified_at: int | None = None
    emulsion: tuple[str, ...] = ()
    destroyed: bool = False

    def concerns(self, name: str) -> tuple[str, ...]:
        return (self.holder,)


class Mixture(Leaf, frozen=True, tag="dnd35.mixture"):
    """What two doses made of each other. `doses` and `marks` go from the lower, or earlier, to the other."""

    SECRET = True

    doses: tuple[str, str]
    nls: tuple[int, int]
    key: str
    compatible: bool
    row: str
    marks: tuple[Mark, Mark]
    f_n: int
    f_d: int
    k: int
    s: int
    dc: int
    first: str
    second: str
    prolonged: str
    discovered: bool = False
    poisoned: tuple[str, ...] = ()


class Constant(Leaf, frozen=True, tag="dnd35.constant"):
    """The row that two identities always give, and their roles in it. Written once, never changed."""

    SECRET = True

    row: str
    first: str
    second: str
    prolonged: str


class Discovery(Leaf, frozen=True, tag="dnd35.discovery"):
    """What the table has learnt of a pair of identities."""

    compatible: bool
    row: str
    first: str
    second: str
    prolonged: str


class Blast(Leaf, frozen=True, tag="dnd35.blast"):
    """An explosion, for those of whom it turns out later that they stood in it."""

    SECRET = True

    centre: str
    s: int
    dc: int
    at_0_m: int
    to_3_m: int
    to_6_m: int
    caught: tuple[str, ...] = ()


def creature(state: State, name: str) -> Creature:
    """The numbers of a character of this system. Refuses those of another."""
    found = find(state, Creature, name)
    if found is None:
        WRONG_SYSTEM.because(character=name, system="dnd35")
    return found
