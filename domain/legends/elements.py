"""LB-7: elements, as the campaign lays them out: two loops, and offspring that stand in none."""

from itertools import pairwise
from typing import Literal

from domain.kernel.fold import State
from domain.kernel.refusal import require
from domain.legends.leaves.compendium import listed
from domain.legends.refusals import CAMPAIGN_DATA_MISSING, ELEMENT_LOOP_INVALID
from domain.legends.state import number, word
from events.legends.compendium import ElementsEntry

LOOPS = "elements"
"""The key of the one entry that lays the elements out."""
PENTAGON, TRIANGLE = 5, 3
Relation = Literal["advantage", "disadvantage"]
Effect = Literal["roll", "percent", "none"]


def advantage_effect(state: State) -> Effect:
    """LB-7.5, LB-C4: what an advantage does: an edge on the roll (default), a percentage of the damage, nothing."""
    chosen = word(state, "elements.advantage_effect") or "roll"
    if chosen not in ("roll", "percent", "none"):
        CAMPAIGN_DATA_MISSING.because("LB-C4", key="elements.advantage_effect")
    return chosen  # type: ignore[return-value]


def percent_of(state: State, relation: Relation) -> int:
    """LB-5.5.2, step c: the campaign's figure, such as 25 or −25."""
    return number(state, f"elements.{relation}_percent", "LB-C4", least=-100, most=1_000)


def relation(state: State, mine: str | None, theirs: str | None) -> Relation | None:
    """LB-7.1 to LB-7.5: how an element stands to another; None where it is neutral.

    Refuses `CAMPAIGN_DATA_MISSING` where two elements meet that the campaign has not laid out.
    """
    if not mine or not theirs or advantage_effect(state) == "none":
        return None
    laid_out = listed(state, ElementsEntry, LOOPS)
    offspring = laid_out.offspring if laid_out else ElementsEntry((), ()).offspring
    if mine in offspring or theirs in offspring:
        return None
    if laid_out is None:
        CAMPAIGN_DATA_MISSING.because("LB-7.5", key="elements.loops")
    for loop in (laid_out.pentagon, laid_out.triangle):
        around = list(pairwise((*loop, *loop[:1])))
        if (mine, theirs) in around:
            return "advantage"
        if (theirs, mine) in around:
            return "disadvantage"
    return None


def require_loops(state: State, mine: str | None, theirs: str | None) -> None:
    """Ask before any die falls: the loops, and the percentages where the campaign chose them."""
    between = relation(state, mine, theirs)
    if between and advantage_effect(state) == "percent":
        percent_of(state, between)


def require_sound(entry: ElementsEntry) -> None:
    """LB-7.1, LB-7.3: five and three distinct members, none in both loops, no offspring in either."""
    members = (*entry.pentagon, *entry.triangle)
    sound = len(entry.pentagon) == PENTAGON and len(entry.triangle) == TRIANGLE
    distinct = len(set(members)) == len(members) and not set(members) & set(entry.offspring)
    require(sound and distinct, ELEMENT_LOOP_INVALID, "LB-7.1")
