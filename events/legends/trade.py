"""LB-13.3 and LB-14: purchases and negotiation. Prices are in mulcrets."""

from typing import Literal

from events.envelope import CharacterRef, Fact
from events.legends.words import Modifier, Step


class ItemsPurchased(Fact, frozen=True, tag="legends.items_purchased"):
    """`quantity` × `unit_price` = `total`; `percent` is the change of the listed `price` that was in force."""

    character: CharacterRef
    merchant: str
    item: str
    quantity: int
    price: int
    percent: int
    unit_price: int
    total: int
    steps: tuple[Step, ...]
    rule: str
    negotiation: str | None = None


class NegotiationOpened(Fact, frozen=True, tag="legends.negotiation_opened"):
    """`charisma` is the effective value: the statistic and `modifiers`."""

    negotiation: str
    character: CharacterRef
    merchant: str
    quality: str
    tier: Literal["imposed", "possible", "none"]
    charisma: int
    modifiers: tuple[Modifier, ...]
    rule: str


class MerchantAnnoyed(Fact, frozen=True, tag="legends.merchant_annoyed"):
    """No discount can come of it; prices may rise."""

    negotiation: str
    character: CharacterRef
    merchant: str
    quality: str
    charisma: int
    modifiers: tuple[Modifier, ...]
    rule: str


class NegotiationDeclined(Fact, frozen=True, tag="legends.negotiation_declined"):
    negotiation: str
    character: CharacterRef
    merchant: str
    reason: str
    rule: str


class NegotiationArgued(Fact, frozen=True, tag="legends.negotiation_argued"):
    negotiation: str
    character: CharacterRef
    merchant: str
    text: str
    rule: str


class NegotiationAssessed(Fact, frozen=True, tag="legends.negotiation_assessed"):
    """What the roll will need and bring: `critical` and `success` are discounts, `failure` a rise, in percent."""

    negotiation: str
    character: CharacterRef
    merchant: str
    dc: int
    critical: int
    success: int
    failure: int
    text: str
    steps: tuple[Step, ...]
    rule: str


class PriceAdjusted(Fact, frozen=True, tag="legends.price_adjusted"):
    """This merchant's prices for this character: −15 is a discount of 15 %, 10 a rise, 0 no change."""

    negotiation: str
    character: CharacterRef
    merchant: str
    percent: int
    cause: str
    rule: str


class NegotiationClosed(Fact, frozen=True, tag="legends.negotiation_closed"):
    """The merchant's prices are the listed ones again."""

    negotiation: str
    character: CharacterRef
    merchant: str
