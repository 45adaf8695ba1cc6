"""Facts of the 3.5 house rules about potions: flasks, mixtures, drinks, blasts.

Rounds are whole rounds of 6 seconds since the campaign began. Masses are in grams, prices in copper pieces.
"""

from typing import Literal

from msgspec import Struct

from events.dnd35 import Action
from events.envelope import GM, Audience, CharacterRef, Fact

Tradition = Literal["arcane", "divine", "neither"]
Form = Literal["potion", "oil"]
Medium = Literal["flask", "stomach"]
Mark = Literal["destroyed", "lethal", "mild", "inert", "normal", "enhanced", "long"]


class Ratio(Struct, frozen=True, gc=False):
    """An exact quotient in lowest terms."""

    n: int
    d: int = 1


class Effect(Struct, frozen=True, gc=False):
    """What a potion rolls when it acts: `dice` d`sides` + `bonus` of what `counts` names, such as `healing`."""

    counts: str
    dice: int
    sides: int
    bonus: int = 0


class Dose(Struct, frozen=True, gc=False, omit_defaults=True):
    """One layer of liquid. `nls` is the caster level that counts in a mix: the brewer's divided by the dilution.

    `duration` is in rounds, 0 for instantaneous, None where the spell has no number of rounds. `pair` names the
    mixture it once took part in; what came of that stands elsewhere, and is the game master's.
    """

    id: str
    spell: str
    tradition: Tradition
    form: Form
    ns: int
    base_nls: int
    nls: int
    duration: int | None
    mass: Ratio
    price: Ratio
    magnitudes: dict[str, int] = {}
    effect: Effect | None = None
    opposed_by: tuple[str, ...] = ()
    dilution: int = 1
    division: int = 1
    mixed: bool = False
    pair: str = ""
    ruined: bool = False


class FlaskMade(Fact, frozen=True, tag="dnd35.flask_made"):
    """An empty flask. It weighs as much as it holds."""

    flask: str
    holder: CharacterRef
    capacity: int


class FlaskHandedOver(Fact, frozen=True, tag="dnd35.flask_handed_over"):
    flask: str
    giver: CharacterRef
    taker: CharacterRef


class FlaskLeft(Fact, frozen=True, tag="dnd35.flask_left"):
    """It goes to or comes from somebody hidden; who receives it learns of it by `FlaskReceived`."""

    flask: str
    holder: CharacterRef


class FlaskReceived(Fact, frozen=True, tag="dnd35.flask_received"):
    """Carries what a client needs to know of a flask it may never have seen."""

    flask: str
    holder: CharacterRef
    capacity: int
    layers: tuple[Dose, ...]


class PotionMade(Fact, frozen=True, tag="dnd35.potion_made"):
    """The game master gives a dose; it lies on top of what the flask held."""

    flask: str
    holder: CharacterRef
    dose: Dose


class PotionPoured(Fact, frozen=True, tag="dnd35.potion_poured"):
    """The top layer of one flask became the top layer of another."""

    actor: CharacterRef
    from_flask: str
    into_flask: str
    dose: Dose
    round: int
    action: Action
    cause: str = ""


class FlaskShaken(Fact, frozen=True, tag="dnd35.flask_shaken"):
    """`progress` is how many rounds count so far, of the ten that make an emulsion."""

    flask: str
    holder: CharacterRef
    round: int
    progress: int
    actor: CharacterRef | None = None
    action: Action = "none"


class FlaskJolted(Fact, frozen=True, tag="dnd35.flask_jolted"):
    """A violent motion nobody meant; the round counts like a round of shaking."""

    flask: str
    holder: CharacterRef
    round: int
    cause: str


class ShakingReset(Fact, frozen=True, tag="dnd35.shaking_reset"):
    """The minute starts again. `gap` is how many whole rounds nobody shook."""

    flask: str
    holder: CharacterRef
    lost: int
    cause: str
    gap: int = 0


class FlaskEmulsified(Fact, frozen=True, tag="dnd35.flask_emulsified"):
    """Complete at round `at`, live before round `until`. `renewed` are the pairs that had met before."""

    flask: str
    holder: CharacterRef
    at: int
    until: int
    renewed: tuple[str, ...] = ()


class FlaskSettled(Fact, frozen=True, tag="dnd35.flask_settled"):
    flask: str
    holder: CharacterRef
    at: int


class FlaskDestroyed(Fact, frozen=True, tag="dnd35.flask_destroyed"):
    flask: str
    holder: CharacterRef
    doses: tuple[Dose, ...]
    cause: str


class MixtureJudged(Fact, frozen=True, tag="dnd35.mixture_judged"):
    """What two potions make of each other, for the game master alone, wherever they meet.

    Every pair leaves exactly one of these, compatible or not, known or new, so that the sealed stub of it says no
    more than the public `PotionsMixed` beside it. (In `server` dice mode the place of the next public die tells how
    many dice fell in between: one for an unknown pair, which its labels tell too, and a second one behind a 00.)
    `doses` and `marks` go from the lower layer, or the one drunk earlier, to the other; `first` and `second` are the
    identities in the roles of the table's row, which never change.
    """

    pair: str
    medium: Medium
    doses: tuple[str, str]
    key: str
    compatible: bool
    marks: tuple[Mark, Mark]
    nls: tuple[int, int]
    f: Ratio
    s: int
    dc: int
    k: int = 0
    reasons: tuple[str, ...] = ()
    row: str = ""
    known: bool = False
    first: str = ""
    second: str = ""
    prolonged: str = ""
    rule: str = "HM-16.1"

    @property
    def audience(self) -> Audience:
        return GM


class PotionsMixed(Fact, frozen=True, tag="dnd35.potions_mixed"):
    """Two doses met, in somebody's flask or stomach. What came of it is not said here."""

    pair: str
    doses: tuple[str, str]
    medium: Medium
    character: CharacterRef
    flask: str = ""


class MixOutcomeDiscovered(Fact, frozen=True, tag="dnd35.mix_outcome_discovered"):
    """Everybody learns what two potions make of each other. `row` is empty for compatible ones.

    `open` is false when the one it happened to is hidden: then the table has learnt nothing.
    """

    pair: str
    character: CharacterRef
    key: str
    compatible: bool
    row: str
    doses: tuple[str, str]
    marks: tuple[Mark, Mark]
    f: Ratio
    s: int
    dc: int
    cause: str
    k: int = 0
    first: str = ""
    second: str = ""
    prolonged: str = ""
    open: bool = True
    rule: str = "HM-17.5"


class PotionDrunk(Fact, frozen=True, tag="dnd35.potion_drunk"):
    character: CharacterRef
    flask: str
    dose: Dose
    round: int
    action: Action


class MixtureDrunk(Fact, frozen=True, tag="dnd35.mixture_drunk"):
    """Two doses of one emulsion in one go."""

    character: CharacterRef
    flask: str
    lower: Dose
    upper: Dose
    round: int
    action: Action


class PotionTookEffect(Fact, frozen=True, tag="dnd35.potion_took_effect"):
    """An instantaneous potion acts. `rolled` is what its dice and bonus make."""

    character: CharacterRef
    dose: Dose
    rolled: int | None = None


class PotionEffectStarted(Fact, frozen=True, tag="dnd35.potion_effect_started"):
    """It runs from round `started` on, and no more at round `until`."""

    character: CharacterRef
    dose: Dose
    started: int
    total: int | None
    until: int | None
    rolled: int | None = None


class PotionEffectEnhanced(Fact, frozen=True, tag="dnd35.potion_effect_enhanced"):
    """Twice as long, and what it rolled counts half as much again, rounded down."""

    character: CharacterRef
    dose: str
    spell: str
    total_before: int | None
    total_after: int | None
    until: int | None
    rolled_before: int | None = None
    rolled_after: int | None = None
    rule: str = "HM-A26"


class PotionEffectProlonged(Fact, frozen=True, tag="dnd35.potion_effect_prolonged"):
    """`days` days from round `since`, whatever it lasted before."""

    character: CharacterRef
    dose: str
    spell: str
    days: int
    s: int
    since: int
    until: int
    rule: str = "HM-16.16"


class PotionEffectEnded(Fact, frozen=True, tag="dnd35.potion_effect_ended"):
    character: CharacterRef
    dose: str
    spell: str
    at: int
    cause: str
    rule: str = ""


class PoisonTaken(Fact, frozen=True, tag="dnd35.poison_taken"):
    """A mixture turned out to be a poison. Nothing follows for one who is immune, nor from a weak one of S 0."""

    character: CharacterRef
    pair: str
    poison: str
    s: int
    dc: int
    immune: bool
    rule: str


class PoisonSecondSaveScheduled(Fact, frozen=True, tag="dnd35.poison_second_save_scheduled"):
    character: CharacterRef
    pair: str
    due: int
    s: int
    dc: int
    rule: str = "HM-16.8"


class PoisonNeutralised(Fact, frozen=True, tag="dnd35.poison_neutralised"):
    """The second saves against it fall away."""

    character: CharacterRef
    cause: str
    rule: str = "HM-A35"


class ExplosionDetonated(Fact, frozen=True, tag="dnd35.explosion_detonated"):
    """A blast around `centre`: what each band takes before its save. `flask` is empty when it broke out of a body."""

    blast: str
    centre: CharacterRef
    s: int
    dc: int
    at_0_m: int
    to_3_m: int
    to_6_m: int
    flask: str = ""
    rule: str = "HM-16.7"


class ObjectDamaged(Fact, frozen=True, tag="dnd35.object_damaged"):
    """A thing nobody wore or carried."""

    blast: str
    centre: CharacterRef
    thing: str
    distance_cm: int
    amount: int
    by_type: dict[str, int]
    rule: str = "HM-A33"


class AnalysisBegun(Fact, frozen=True, tag="dnd35.analysis_begun"):
    character: CharacterRef
    flask: str
    pair: str
    skill: str
    at: int
    ready_at: int


class MixtureAnalysed(Fact, frozen=True, tag="dnd35.mixture_analysed"):
    """An hour's study of a mixture, for the one who plays the analyst. `row` and `marks` are empty on a failure."""

    character: CharacterRef
    reader: str
    pair: str
    skill: str
    face: int
    modifier: int
    total: int
    dc: int
    success: bool
    compatible: bool | None = None
    row: str = ""
    doses: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    rule: str = "HM-17.3"

    @property
    def audience(self) -> Audience:
        return ("gm", self.reader) if self.reader else GM
