"""LB-14: negotiating with a merchant, from the first word to the price."""

import itertools
from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from domain.kernel.charter import charter
from domain.kernel.command import CharacterId, Command, Context, Deciders, Name, Reason, Small, Text, owner
from domain.kernel.fold import State, find
from domain.kernel.refusal import NOT_GM, require
from domain.kernel.tables import read
from domain.legends.checks import check
from domain.legends.refusals import (
    DIFFICULTY_REQUIRED,
    INVALID_AMOUNT,
    NEGOTIATION_ALREADY_OPEN,
    NEGOTIATION_IMPOSED,
    NEGOTIATION_NOT_AVAILABLE,
    NEGOTIATION_NOT_OPEN,
    UNKNOWN_QUALITY,
)
from domain.legends.state import Negotiation, fighter, for_gm, name_of, number, on_their_feet, require_luck
from domain.legends.trade import dealings
from events.envelope import Fact
from events.legends import (
    CheckRolled,
    MerchantAnnoyed,
    Modifier,
    NegotiationArgued,
    NegotiationAssessed,
    NegotiationClosed,
    NegotiationDeclined,
    NegotiationOpened,
    PriceAdjusted,
    Step,
)

MOST_RISE = 1_000
NegotiationId = Annotated[str, Meta(min_length=1, max_length=64)]
Percent = Annotated[int, Meta(ge=0, le=MOST_RISE)]


class Tier(Struct, frozen=True):
    """LB-14.1: from `least` Charisma on; `refusable` where the game master may decline."""

    name: str
    least: int | None
    most: int | None
    opens: bool
    refusable: bool


TIERS = read(
    "domain.legends",
    "lb_negotiation_tiers",
    lambda row: Tier(
        row["tier"],
        int(row["charisma_min"]) if row["charisma_min"] else None,
        int(row["charisma_max"]) if row["charisma_max"] else None,
        row["may_open"] == "true",
        row["may_be_refused"] == "true",
    ),
)
STANDARD = "standard"
QUALITIES = read("domain.legends", "lb_merchant_quality", lambda row: row["key"])

assert TIERS[0].most is None, "the highest tier must have no end"
assert TIERS[-1].least is None, "the lowest tier must have no end"
assert all(
    above.least is not None and above.least == (below.most or 0) + 1 for above, below in itertools.pairwise(TIERS)
), "the tiers leave a Charisma out or hold one twice"


class OpenNegotiation(Command, frozen=True, tag="legends.open_negotiation"):
    """Only the game master names `quality` (`novice`, `standard`, `expert`) and `modifiers` of Charisma (auras)."""

    character: CharacterId
    merchant: Name
    quality: Annotated[str, Meta(max_length=40)] = STANDARD
    modifiers: Annotated[dict[Name, Small], Meta(max_length=10)] = {}


class DeclineNegotiation(Command, frozen=True, tag="legends.decline_negotiation"):
    negotiation: NegotiationId
    reason: Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")] = ""


class Argue(Command, frozen=True, tag="legends.argue"):
    """What the character says to win the merchant over."""

    character: CharacterId
    negotiation: NegotiationId
    text: Text


class AssessNegotiation(Command, frozen=True, tag="legends.assess_negotiation"):
    """The game master weighs the arguments: difficulty, discounts and rise in percent; else the campaign's own.

    `quality` is the merchant's, if it is not the one with which the negotiation was opened.
    """

    negotiation: NegotiationId
    quality: Annotated[str, Meta(max_length=40)] | None = None
    dc: Small | None = None
    critical: Percent | None = None
    success: Percent | None = None
    failure: Percent | None = None
    text: Annotated[str, Meta(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")] = ""


class RollNegotiation(Command, frozen=True, tag="legends.roll_negotiation"):
    character: CharacterId
    negotiation: NegotiationId
    use_luck_die: bool = False


class AdjustPrice(Command, frozen=True, tag="legends.adjust_price"):
    """The game master sets the merchant's prices: −15 is a discount of 15 %, 10 a rise."""

    negotiation: NegotiationId
    percent: Small
    reason: Reason


class CloseNegotiation(Command, frozen=True, tag="legends.close_negotiation"):
    """Back to the listed prices."""

    negotiation: NegotiationId


def tier_of(charisma: int) -> Tier:
    """LB-14.1: bounds are inclusive."""
    return next(tier for tier in TIERS if tier.least is None or charisma >= tier.least)


def open_negotiation(state: State, command: OpenNegotiation, context: Context) -> Iterable[Fact]:
    """LB-14.0.1, LB-14.1: what the effective Charisma makes possible."""
    who, merchant, quality = command.character, command.merchant, command.quality
    require(context.is_gm or (not command.modifiers and quality == STANDARD), NOT_GM, "LB-0.8")
    one, shown = on_their_feet(state, who, context), name_of(state, who)
    _require_quality(quality)
    free = dealings(state, who, merchant) is None
    require(free, NEGOTIATION_ALREADY_OPEN, "LB-14.0.1", character=shown, merchant=merchant)
    modifiers = tuple(Modifier(name, amount, "LB-14.0.1") for name, amount in command.modifiers.items())
    charisma = one.stats.charisma + sum(each.amount for each in modifiers)
    tier = tier_of(charisma)
    name = context.new_id("n")
    if tier.name == "unfavourable":
        return [MerchantAnnoyed(name, who, merchant, quality, charisma, modifiers, "LB-14.1.4")]
    context.require(tier.opens, NEGOTIATION_NOT_AVAILABLE, "LB-14.1.3", charisma=charisma)
    rule = {"imposed": "LB-14.1.1", "possible": "LB-14.1.2"}.get(tier.name, "LB-14.1.3")
    return [NegotiationOpened(name, who, merchant, quality, tier.name, charisma, modifiers, rule)]  # type: ignore[arg-type]


def decline(state: State, command: DeclineNegotiation, context: Context) -> Iterable[Fact]:
    """LB-14.1.1, LB-14.1.2: the merchant may refuse, but not from 14 on."""
    one = _open(state, command.negotiation)
    context.require(one.tier != "imposed", NEGOTIATION_IMPOSED, "LB-14.1.1", charisma=one.charisma)
    return [NegotiationDeclined(command.negotiation, one.character, one.merchant, command.reason, "LB-14.1.2")]


def argue(state: State, command: Argue, context: Context) -> Iterable[Fact]:
    """LB-14.2.1."""
    on_their_feet(state, command.character, context)
    one = _own(state, command.character, command.negotiation)
    return [NegotiationArgued(command.negotiation, one.character, one.merchant, command.text, "LB-14.2.1")]


def assess(state: State, command: AssessNegotiation, _: Context) -> Iterable[Fact]:
    """LB-14.2.1, LB-14.2.2: the game master's difficulty and percentages, or the campaign's by merchant quality."""
    return [_assessed(state, command.negotiation, _open(state, command.negotiation), command)]


def roll_negotiation(state: State, command: RollNegotiation, context: Context) -> Iterable[Fact]:
    """LB-14.2.3: a check on Charisma decides what becomes of the prices."""
    who = command.character
    one = on_their_feet(state, who, context)
    deal = _own(state, who, command.negotiation)
    require_luck(one, command.use_luck_die, name_of(state, who))
    facts: list[Fact] = []
    dc, percents = deal.dc, {"critical": -deal.critical, "success": -deal.success, "failure": deal.failure}
    if dc is None:
        terms = _assessed(state, command.negotiation, deal, AssessNegotiation(negotiation=command.negotiation))
        facts.append(terms)
        dc, percents = terms.dc, {"critical": -terms.critical, "success": -terms.success, "failure": terms.failure}
    facts += check(
        state,
        who,
        one,
        context.dice,
        basis="charisma",
        dc=dc,
        luck=command.use_luck_die,
        value=deal.charisma,
        cause="legends.negotiation",
    )
    result = facts[-1]
    assert isinstance(result, CheckRolled)
    percent = percents[result.outcome]
    return [*facts, PriceAdjusted(command.negotiation, who, deal.merchant, percent, result.outcome, "LB-14.2.3")]


def adjust_price(state: State, command: AdjustPrice, context: Context) -> Iterable[Fact]:
    """LB-14.1.4, LB-0.8: prices are the game master's; below 10 of Charisma they only rise."""
    one = _deal(state, command.negotiation)
    possible = -100 <= command.percent <= MOST_RISE
    require(possible, INVALID_AMOUNT, "LB-14.2.3", amount=command.percent, least=-100, most=MOST_RISE)
    annoyed = one.tier == "unfavourable" and command.percent < 0
    context.require(not annoyed, NEGOTIATION_NOT_AVAILABLE, "LB-14.1.4", charisma=one.charisma)
    rule = "LB-14.1.4" if one.tier == "unfavourable" else "LB-14.2.3"
    return [PriceAdjusted(command.negotiation, one.character, one.merchant, command.percent, command.reason, rule)]


def close(state: State, command: CloseNegotiation, _: Context) -> Iterable[Fact]:
    one = _deal(state, command.negotiation)
    return [NegotiationClosed(command.negotiation, one.character, one.merchant)]


def _assessed(state: State, name: str, deal: Negotiation, said: AssessNegotiation) -> NegotiationAssessed:
    """LB-14.2.2, LB-C13: what is not said comes from the campaign's settings."""
    settings, quality = charter(state).settings, said.quality or deal.quality
    _require_quality(quality)
    steps: tuple[Step, ...] = ()
    dc = said.dc
    if dc is None:
        require("negotiation.dc" in settings, DIFFICULTY_REQUIRED, "LB-14.2.3")
        base = number(state, "negotiation.dc", "LB-14.2.2", least=-1_000, most=1_000)
        offset = _offset(state, settings, quality)
        dc = base + offset
        steps = (Step("dc", f"{base} + {offset}", dc, "LB-14.2.2"),)
    return NegotiationAssessed(
        name,
        deal.character,
        deal.merchant,
        dc,
        _percent(state, "critical", said.critical, quality, most=100),
        _percent(state, "success", said.success, quality, most=100),
        _percent(state, "failure", said.failure, quality, default=0, most=MOST_RISE),
        said.text,
        steps,
        "LB-14.2.2",
    )


def _offset(state: State, settings: Mapping[str, object], quality: str) -> int:
    """No offset at all where the campaign names none for any quality."""
    keys = [f"negotiation.merchant_offsets.{each}" for each in QUALITIES]
    if not any(key in settings for key in keys):
        return 0
    key = f"negotiation.merchant_offsets.{quality}"
    return number(state, key, "LB-14.2.2", least=-1_000, most=1_000)


def _percent(state: State, of: str, said: int | None, quality: str, *, most: int, default: int | None = None) -> int:
    if said is not None:
        require(said <= most, INVALID_AMOUNT, "LB-14.2.3", amount=said, least=0, most=most)
        return said
    by_quality = f"negotiation.discounts.{of}.{quality}"
    if by_quality in charter(state).settings:
        return number(state, by_quality, "LB-14.2.3", most=most)
    return number(state, f"negotiation.discounts.{of}", "LB-14.2.3", default, most=most)


def _deal(state: State, name: str) -> Negotiation:
    found = find(state, Negotiation, name)
    if found is None:
        NEGOTIATION_NOT_OPEN.because("LB-14.2.1")
    return found


def _open(state: State, name: str) -> Negotiation:
    found = _deal(state, name)
    fighter(state, found.character)
    require(found.status == "open", NEGOTIATION_NOT_OPEN, "LB-14.2.1")
    return found


def _own(state: State, who: str, name: str) -> Negotiation:
    require(_deal(state, name).character == who, NEGOTIATION_NOT_OPEN, "LB-14.2.1")
    return _open(state, name)


def _require_quality(quality: str) -> None:
    require(quality in QUALITIES, UNKNOWN_QUALITY, "LB-14.2.2", quality=quality, choices=list(QUALITIES))


DECIDE: Deciders = {
    OpenNegotiation: owner("character")(open_negotiation),
    DeclineNegotiation: for_gm()(decline),
    Argue: owner("character")(argue),
    AssessNegotiation: for_gm()(assess),
    RollNegotiation: owner("character")(roll_negotiation),
    AdjustPrice: for_gm()(adjust_price),
    CloseNegotiation: for_gm()(close),
}
