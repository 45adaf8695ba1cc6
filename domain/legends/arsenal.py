"""LB-C9, LB-C11: what the compendium says of a piece of gear, and of a capability."""

from domain.kernel.fold import State
from domain.legends.leaves.compendium import listed
from domain.legends.refusals import CAMPAIGN_DATA_MISSING
from events.legends import Attack, Gear
from events.legends.compendium import CapabilityEntry, ItemEntry, WeaponEntry


def attack_of(state: State, gear: Gear) -> Attack | None:
    """How this piece strikes: as its entry says now, or as the piece itself says; None for what does not strike.

    A piece that bears another name than its entry strikes under its own.
    """
    entry = listed(state, WeaponEntry, gear.entry) or listed(state, ItemEntry, gear.entry)
    return gear.attack if entry is None else entry.attack or gear.attack


def capability(state: State, key: str) -> CapabilityEntry:
    """Refuses `CAMPAIGN_DATA_MISSING` for what the campaign does not list."""
    found = listed(state, CapabilityEntry, key)
    if found is None:
        CAMPAIGN_DATA_MISSING.because("LB-C11", key=f"capabilities.{key}")
    return found
