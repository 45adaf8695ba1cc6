"""Compatibility (HM-15): which two potions react with each other."""

from itertools import product
from typing import get_args

from msgspec import Struct

from events.potions import Dose, Tradition

TRADITIONS: dict[str, Tradition] = {name: name for name in get_args(Tradition)}
WIDE = 4
"""The difference of caster levels from which two potions react."""


class Identity(Struct, frozen=True, order=True):
    """HM-0.9: what makes two potions the same in every mixture."""

    spell: str
    tradition: Tradition
    nls: int

    def __str__(self) -> str:
        return f"{self.spell}:{self.tradition}:{self.nls}"


def identity(dose: Dose) -> Identity:
    """HM-15.5: with the caster level that dilution left, never reduced by the time that has run."""
    return Identity(dose.spell, dose.tradition, dose.nls)


def key(one: Identity, other: Identity) -> str:
    """HM-A28: the pair, whichever came first."""
    return "+".join(sorted((str(one), str(other))))


def both(pair: str) -> tuple[Identity, Identity]:
    """The two identities that a key names."""
    one, other = (each.rsplit(":", 2) for each in pair.split("+"))
    return Identity(one[0], TRADITIONS[one[1]], int(one[2])), Identity(other[0], TRADITIONS[other[1]], int(other[2]))


def reasons_against(one: Identity, other: Identity) -> tuple[str, ...]:
    """HM-15.2: caster levels four apart or more, two different spells, or arcane with divine."""
    return tuple(
        name
        for name, holds in (
            ("nls_gap_ge_4", abs(one.nls - other.nls) >= WIDE),
            ("different_spells", one.spell != other.spell),
            ("arcane_vs_divine", {one.tradition, other.tradition} == {"arcane", "divine"}),
        )
        if holds
    )


def reasons_for(one: Identity, other: Identity) -> tuple[str, ...]:
    """HM-15.3: the same spell within three caster levels, of one tradition or with one that has none."""
    if one.spell != other.spell or abs(one.nls - other.nls) >= WIDE:
        return ()
    traditions = (one.tradition, other.tradition)
    return tuple(
        name
        for name, holds in (
            ("same_arcane_or_same_divine_spell", traditions in (("arcane", "arcane"), ("divine", "divine"))),
            ("same_spell_both_neither", traditions == ("neither", "neither")),
            ("same_spell_one_neither", traditions.count("neither") == 1),
        )
        if holds
    )


def check_partition() -> None:
    """HM-15.4: the two lists never overlap and leave nothing out, whichever potion is named first."""
    kinds = get_args(Tradition)
    for same, one, other, gap in product((True, False), kinds, kinds, range(7)):
        a, b = Identity("x", one, gap), Identity("x" if same else "y", other, 0)
        against, favour = reasons_against(a, b), reasons_for(a, b)
        assert bool(against) != bool(favour), (a, b, against, favour)
        assert bool(against) == bool(reasons_against(b, a)), (a, b)


check_partition()
