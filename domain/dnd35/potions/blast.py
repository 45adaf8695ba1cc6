"""Explosions (HM-16.6, 16.7): inside a body, and the sphere around it or around a flask."""

from collections.abc import Iterable, Iterator
from typing import Annotated

from msgspec import Meta, Struct

from domain.dnd35.body import body, saving_throw, throw, total
from domain.dnd35.evolve import WORLD
from domain.dnd35.refusals import ALREADY_CAUGHT, UNKNOWN_BLAST
from domain.dnd35.state import Blast, Mixture, creature
from domain.kernel.body import Body, Harm
from domain.kernel.cast import character, hidden
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, gm
from domain.kernel.fold import State, find, in_order, the
from domain.kernel.refusal import require
from domain.kernel.tables import read
from events.dnd35 import SaveRolled
from events.envelope import Fact
from events.potions import ExplosionDetonated, ObjectDamaged

Centimetres = Annotated[int, Meta(ge=0, le=1_000_000)]
Creatures = Annotated[dict[CharacterId, Centimetres], Meta(max_length=100)]
Things = Annotated[dict[Name, Centimetres], Meta(max_length=100)]


class InCompany(Command, frozen=True, kw_only=True):
    """A command that may end in an explosion: who and what is how far from it, in centimetres.

    Whoever holds the flask, or drinks, is at its centre. Things that somebody wears or carries are not named.
    """

    nearby: Creatures = {}
    things: Things = {}


class CatchInBlast(Command, frozen=True, tag="dnd35.catch_in_blast"):
    """The game master names who else stood in an explosion that has happened."""

    blast: Annotated[str, Meta(max_length=64)]
    nearby: Creatures = {}
    things: Things = {}


class Band(Struct, frozen=True):
    """HM-A32: a band reaches to its outer edge. `name` is the field that says what it deals."""

    name: str
    over_cm: int
    to_cm: int
    types: tuple[str, ...]


BANDS = read(
    "domain.dnd35",
    "explosion_damage",
    lambda line: Band(line["band"], int(line["over_cm"]), int(line["to_cm"]), tuple(line["types"].split(";"))),
)
assert [band.name for band in BANDS] == ["at_0_m", "to_3_m", "to_6_m"]
assert [band.over_cm for band in BANDS] == [-1, *(band.to_cm for band in BANDS[:-1])]


def band_at(distance_cm: int) -> Band | None:
    """HM-16.7: exactly 0 m, up to 3 m, up to 6 m, and nothing beyond."""
    return next((band for band in BANDS if band.over_cm < distance_cm <= band.to_cm), None)


def split(amount: int, types: tuple[str, ...]) -> dict[str, int]:
    """HM-A33: evenly among the types, the remainder one point each in the order listed."""
    each, over = divmod(amount, len(types))
    return {kind: each + (place < over) for place, kind in enumerate(types) if each + (place < over)}


def require_bodies(state: State, nearby: dict[str, int]) -> None:
    """Everybody named has a sheet of this system, before any die falls."""
    for name in nearby:
        creature(state, name)


def inside(state: State, who: str, pair: str, context: Context, around: InCompany) -> list[Fact]:
    """HM-16.6: Sd6 to the drinker, no save; one killed outright bursts, with the same dice, and is not hit again."""
    mixture = the(state, Mixture, pair)
    if not mixture.s:
        return []
    one = body(state, who)
    rolls = throw(context, mixture.s, 6, purpose="explosion", secret=hidden(state, who))
    amount = total(rolls)
    facts = one.hurt(Harm(split(amount, BANDS[0].types), cause="dnd35.explosion", rule="HM-16.6"), rolls)
    if not one.killed_outright_by(amount):
        return facts
    others = {name: far for name, far in around.nearby.items() if name != who}
    return facts + detonate(state, who, mixture, context, nearby=others, things=around.things, amount=amount)


def detonate(
    state: State,
    centre: str,
    mixture: Mixture,
    context: Context,
    *,
    nearby: dict[str, int],
    things: dict[str, int],
    amount: int | None = None,
    flask: str = "",
) -> list[Fact]:
    """HM-16.7: one Sd6 (unless it has fallen), one Sd4, and a Reflex save for each creature in the sphere."""
    s, secret = mixture.s, hidden(state, centre)
    rolls = throw(context, s, 6, purpose="explosion", secret=secret) if amount is None else ()
    sixes = total(rolls) if amount is None else amount
    fours = throw(context, s, 4, purpose="explosion at 3 m", secret=secret)
    blast = context.new_id("blast")
    told = ExplosionDetonated(blast, centre, s, mixture.dc, sixes, total(fours), s, flask=flask, rolls=(*rolls, *fours))
    return in_order(WORLD, state, [lambda _: [told], lambda now: caught(now, blast, nearby, things, context)])


def caught(state: State, blast: str, nearby: dict[str, int], things: dict[str, int], context: Context) -> list[Fact]:
    """HM-16.7: by distance, then by id; the dead and whoever is beyond 6 m are left alone."""
    sphere = sorted((far, name) for name, far in nearby.items() if band_at(far))
    return in_order(
        WORLD,
        state,
        [
            *(lambda now, name=name, far=far: _struck(now, blast, name, far, context) for far, name in sphere),
            lambda now: _shattered(now, blast, things),
        ],
    )


def catch_in_blast(state: State, command: CatchInBlast, context: Context) -> Iterable[Fact]:
    """The game master may have been asked for the bystanders too late."""
    blast = find(state, Blast, command.blast)
    if blast is None:
        UNKNOWN_BLAST.because()
    require_bodies(state, command.nearby)
    for name in command.nearby:
        require(name not in blast.caught, ALREADY_CAUGHT, character=character(state, name).name)
    return caught(state, command.blast, command.nearby, command.things, context)


def _struck(state: State, blast: str, who: str, distance_cm: int, context: Context) -> Iterator[Fact]:
    one, band, told = body(state, who), band_at(distance_cm), the(state, Blast, blast)
    if band is None or not one.alive:
        return
    save = saving_throw(
        who,
        one,
        "reflex",
        against="explosion",
        s=told.s,
        dc=told.dc,
        rule="HM-16.7",
        context=context,
        secret=hidden(state, who),
        blast=blast,
    )
    yield save
    amount = after_save(getattr(told, band.name), one, save)
    if amount:
        yield from one.hurt(Harm(split(amount, band.types), cause="dnd35.explosion", rule="HM-16.7"))


def after_save(amount: int, one: Body, save: SaveRolled) -> int:
    """HM-16.7: half with a save; evasion makes that nothing, and improved evasion halves a failure too."""
    if save.success:
        return amount // 2 if one.evasion == "none" else 0
    return amount // 2 if one.evasion == "improved" else amount


def _shattered(state: State, blast: str, things: dict[str, int]) -> Iterator[Fact]:
    """HM-A33: a thing nobody carries has no save and takes it all."""
    told = the(state, Blast, blast)
    for distance_cm, thing in sorted((far, thing) for thing, far in things.items()):
        band = band_at(distance_cm)
        amount = getattr(told, band.name) if band else 0
        if band and amount:
            yield ObjectDamaged(
                blast, told.centre, thing, distance_cm, amount, dict(sorted(split(amount, band.types).items()))
            )


DECIDE: Deciders = {CatchInBlast: gm(catch_in_blast)}
