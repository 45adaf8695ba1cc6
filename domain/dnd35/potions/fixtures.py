"""The potions a table starts with, and the game master's way of bringing any potion into being (HM-0.7, 13.2)."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.dnd35.potions.flask import VIAL, FlaskId, disturbed, require_room, whole_flask
from domain.dnd35.potions.measures import ratio
from domain.dnd35.refusals import (
    DURATION_NOT_DIVISIBLE,
    EFFECT_NOT_WHOLE,
    NOT_WHOLE_ROUNDS,
    POTION_NOT_DESCRIBED,
    UNKNOWN_POTION,
)
from domain.dnd35.state import creature
from domain.kernel.command import CharacterId, Command, Context, Deciders, Key, Positive, gm
from domain.kernel.fold import State
from domain.kernel.refusal import require
from domain.kernel.tables import read
from events.envelope import Fact
from events.potions import Dose, Effect, FlaskMade, Form, PotionMade, Tradition

SpellLevel = Annotated[int, Meta(ge=0, le=9)]
CasterLevel = Annotated[int, Meta(ge=0, le=40)]
Duration = Annotated[int, Meta(ge=0, le=100_000_000)]
Price = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Milligrams = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Factor = Annotated[int, Meta(ge=1, le=100_000_000)]
Magnitudes = Annotated[dict[Key, Positive], Meta(max_length=20)]


class RolledEffect(Struct, frozen=True, forbid_unknown_fields=True):
    """`dice` d`sides` + `bonus` of what `counts` names; `healing` gives hit points back."""

    counts: Key
    dice: Annotated[int, Meta(ge=0, le=100)]
    sides: Annotated[int, Meta(ge=1, le=100)]
    bonus: Annotated[int, Meta(ge=-1_000, le=1_000)] = 0


class MakePotion(Command, frozen=True, tag="dnd35.make_potion"):
    """A dose out of nowhere, into `flask` (whoever holds it) or a new vial of 25 g in the hands of `holder`.

    `potion` names one of the potions the rules start with; whatever else is given stands in place of its own numbers,
    or describes a potion of the table's. `duration_rounds` 0 is instantaneous; `endless` is for spells without a
    number of rounds. `division` and `dilution` give a dose of a potion that was divided or diluted by so much.
    """

    holder: CharacterId
    potion: Key | None = None
    flask: FlaskId | None = None
    spell: Key | None = None
    tradition: Tradition | None = None
    form: Form | None = None
    ns: SpellLevel | None = None
    nls: CasterLevel | None = None
    duration_rounds: Duration | None = None
    endless: bool = False
    price_cp: Price | None = None
    magnitudes: Magnitudes | None = None
    effect: RolledEffect | None = None
    opposed_by: Annotated[tuple[Key, ...], Meta(max_length=20)] | None = None
    mass_mg: Milligrams | None = None
    division: Factor = 1
    dilution: Factor = 1


def _fixture(line: dict[str, str]) -> Dose:
    magnitudes = {name: int(number) for name, number in (one.split(":") for one in sorted(line["magnitudes"].split()))}
    effect = line["effect"].split()
    level = int(line["nls"])
    return Dose(
        "",
        line["key"],
        line["tradition"],  # type: ignore[arg-type]
        line["form"],  # type: ignore[arg-type]
        int(line["ns"]),
        level,
        level,
        int(line["duration_rounds"]),
        ratio(Fraction(VIAL)),
        ratio(Fraction(int(line["price_cp"]))),
        magnitudes=magnitudes,
        effect=Effect(effect[0], *(int(number) for number in effect[1:])) if effect else None,
        opposed_by=tuple(line["opposed_by"].split()),
    )


FIXTURES = {dose.spell: dose for dose in read("domain.dnd35", "fixture_potions", _fixture)}

assert all(
    2 * dose.price.n == (2 * dose.ns or 1) * dose.base_nls * 50 * 100 and dose.price.d == 1
    for dose in FIXTURES.values()
), "a potion costs its spell level times its caster level times 50 gold pieces, level 0 counting one half"


def make_potion(state: State, command: MakePotion, context: Context) -> Iterable[Fact]:
    """HM-13.3: a potion put into a flask lies on top of what is there."""
    creature(state, command.holder)
    dose = split_off(described(command), division=command.division, dilution=command.dilution)
    dose = replace(dose, id=context.new_id("dose"))
    if command.flask is None:
        name = context.new_id("flask")
        capacity = max(VIAL, -(-dose.mass.n // dose.mass.d))
        return [FlaskMade(name, command.holder, capacity), PotionMade(name, command.holder, dose)]
    flask = whole_flask(state, command.flask, context)
    require_room(flask, dose)
    return [
        *disturbed(command.flask, flask, cause="dnd35.poured"),
        PotionMade(command.flask, flask.holder, dose),
    ]


def described(command: MakePotion) -> Dose:
    """The whole potion that the command speaks of."""
    if command.potion is not None:
        known = FIXTURES.get(command.potion)
        if known is None:
            UNKNOWN_POTION.because(potion=command.potion, potions=sorted(FIXTURES))
    else:
        known = _blank(command)
    level = known.base_nls if command.nls is None else command.nls
    given = {
        "spell": command.spell,
        "tradition": command.tradition,
        "form": command.form,
        "ns": command.ns,
        "magnitudes": None if command.magnitudes is None else dict(sorted(command.magnitudes.items())),
        "opposed_by": command.opposed_by,
        "duration": command.duration_rounds,
        "effect": command.effect and Effect(*(getattr(command.effect, name) for name in Effect.__struct_fields__)),
        "mass": command.mass_mg and ratio(Fraction(command.mass_mg, 1_000)),
        "price": None if command.price_cp is None else ratio(Fraction(command.price_cp)),
    }
    changed = replace(
        known, base_nls=level, nls=level, **{name: told for name, told in given.items() if told is not None}
    )
    return replace(changed, duration=None) if command.endless else changed


def split_off(whole: Dose, *, division: int, dilution: int) -> Dose:
    """HM-0.8, 14.10, 14.15: division shares mass, price and rounds; dilution shares effect, price and caster level."""
    if division > 1:
        require(whole.duration is not None and whole.duration >= 2, DURATION_NOT_DIVISIBLE, "HM-14.8")
        rounds = whole.duration or 0
        require(rounds % division == 0, NOT_WHOLE_ROUNDS, "HM-14.9", rounds=rounds, count=division)
        whole = replace(whole, duration=rounds // division, division=division)
    if dilution > 1:
        magnitudes = whole.magnitudes
        divisible = magnitudes and not any(number % dilution for number in magnitudes.values())
        require(divisible, EFFECT_NOT_WHOLE, "HM-14.14", count=dilution)
        magnitudes = {name: number // dilution for name, number in magnitudes.items()}
        whole = replace(whole, magnitudes=magnitudes, nls=whole.base_nls // dilution, dilution=dilution)
    share = Fraction(1, division)
    return replace(
        whole,
        mass=ratio(Fraction(whole.mass.n, whole.mass.d) * share),
        price=ratio(Fraction(whole.price.n, whole.price.d) * share / dilution),
    )


def _blank(command: MakePotion) -> Dose:
    """A potion of the table's own must say what counts in a mixture."""
    lasts = command.endless or command.duration_rounds is not None
    for missing, told in (
        ("spell", command.spell is not None),
        ("tradition", command.tradition is not None),
        ("spell level", command.ns is not None),
        ("caster level", command.nls is not None),
        ("duration", lasts),
    ):
        require(told, POTION_NOT_DESCRIBED, missing=missing)
    price = Fraction((2 * (command.ns or 0) or 1) * (command.nls or 0) * 2_500)
    return Dose("", "", "neither", "potion", 0, 0, 0, 0, ratio(Fraction(VIAL)), ratio(price))


DECIDE: Deciders = {MakePotion: gm(make_potion)}
