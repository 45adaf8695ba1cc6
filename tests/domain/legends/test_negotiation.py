import pytest

from domain.campaign.belongings import Grant
from domain.campaign.cast import HideCharacter, SetOwner
from domain.kernel.command import Override
from domain.legends.dying import Kill
from domain.legends.negotiation import (
    AdjustPrice,
    Argue,
    AssessNegotiation,
    CloseNegotiation,
    DeclineNegotiation,
    OpenNegotiation,
    RollNegotiation,
    tier_of,
)
from domain.legends.trade import Buy
from events.legends import (
    CheckRolled,
    ItemsPurchased,
    LuckDieSpent,
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
from events.table import RefusalOverridden
from tests.domain.legends.stage import hero, purse, stats, table
from tests.support.story import Story

ILLUSION = {"illusion_aura": 2}


def market(charisma: int, settings: dict[str, object] | None = None, **sheet: object) -> Story:
    story = table(hero(stats=stats(charisma=charisma), **sheet), hero("bonk", owner="bo"), settings=settings)
    return story.when(Grant(character="ayla", reason="pay", coins=5_000))


def open_with(story: Story, by: str = "ana", **more: object) -> str:
    story.when(OpenNegotiation(**{"character": "ayla", "merchant": "Bela", **more}), by=by)
    return str(story.told(NegotiationOpened)[0].negotiation)


def assess(name: str, **more: object) -> AssessNegotiation:
    return AssessNegotiation(**{"negotiation": name, "dc": 13, "critical": 30, "success": 15, **more})


def roll(name: str, **more: object) -> RollNegotiation:
    return RollNegotiation(**{"character": "ayla", "negotiation": name, **more})


def price(story: Story, item: str = "ration_pack_4", merchant: str = "Bela") -> int:
    return int(story.when(Buy(character="ayla", item=item, merchant=merchant), by="ana").only(ItemsPurchased).total)


@pytest.mark.rule("LB-14.1.1", "LB-14.1.2", "LB-14.1.3", "LB-14.1.4", "LB-X53")
@pytest.mark.parametrize(
    ("charisma", "tier"),
    [
        (30, "imposed"),
        (14, "imposed"),
        (13, "possible"),
        (12, "possible"),
        (11, "none"),
        (10, "none"),
        (9, "unfavourable"),
        (-5, "unfavourable"),
    ],
)
def test_charisma_decides_what_is_possible(charisma, tier):
    assert tier_of(charisma).name == tier


@pytest.mark.rule("LB-S23", "LB-14.0.1", "LB-14.1.1", "LB-14.2.3", "LB-X52")
def test_s23_an_imposed_negotiation_and_its_discount():
    story = market(12)
    name = open_with(story, by="gm", modifiers=ILLUSION)
    opened = story.only(NegotiationOpened)
    assert (opened.tier, opened.charisma) == ("imposed", 14)
    assert opened.modifiers == (Modifier("illusion_aura", 2, "LB-14.0.1"),)
    story.when(DeclineNegotiation(negotiation=name)).then_refused("NEGOTIATION_IMPOSED", "LB-14.1.1", charisma=14)
    story.when(assess(name)).when(roll(name), 11, by="ana")
    told = story.only(CheckRolled)
    assert (told.value, told.total, told.outcome, told.cause) == (14, 13, "success", "legends.negotiation")
    assert story.only(PriceAdjusted).percent == -15
    assert price(story) == 922
    bought = story.only(ItemsPurchased)
    assert (bought.price, bought.percent, bought.unit_price, bought.negotiation) == (1_085, -15, 922, name)
    assert bought.steps[0] == Step("unit_price", "floor(1085 × 85 / 100)", 922, "LB-14.2.3")


@pytest.mark.rule("LB-S23", "LB-14.1.2")
def test_s23_a_possible_negotiation_may_be_declined():
    story = market(12)
    name = open_with(story)
    assert story.only(NegotiationOpened).tier == "possible"
    story.when(DeclineNegotiation(negotiation=name), by="ana").then_refused("NOT_GM")
    story.when(DeclineNegotiation(negotiation=name, reason="closing time")).then(
        NegotiationDeclined(name, "ayla", "Bela", "closing time", "LB-14.1.2")
    )
    story.when(roll(name), by="ana").then_refused("NEGOTIATION_NOT_OPEN", "LB-14.2.1")
    assert price(story) == 1_085


@pytest.mark.rule("LB-S23", "LB-14.1.3")
def test_s23_with_11_there_is_none():
    ask = OpenNegotiation(character="ayla", merchant="Bela")
    story = market(11).when(ask, by="ana").then_refused("NEGOTIATION_NOT_AVAILABLE", "LB-14.1.3", charisma=11)
    story.when(OpenNegotiation(character="ayla", merchant="Bela", override=Override("an old friend")))
    assert story.told(RefusalOverridden)
    assert story.only(NegotiationOpened).tier == "none"


@pytest.mark.rule("LB-14.1.4")
def test_below_10_the_merchant_is_only_annoyed():
    story = market(9).when(OpenNegotiation(character="ayla", merchant="Bela"), by="ana")
    name = story.only(MerchantAnnoyed).negotiation
    for command in (Argue(character="ayla", negotiation=name, text="please"), roll(name)):
        story.when(command, by="ana").then_refused("NEGOTIATION_NOT_OPEN")
    story.when(assess(name)).then_refused("NEGOTIATION_NOT_OPEN")
    up = AdjustPrice(negotiation=name, percent=10, reason="insulted")
    story.when(up, by="ana").then_refused("NOT_GM")
    story.when(AdjustPrice(negotiation=name, percent=-1, reason="x")).then_refused(
        "NEGOTIATION_NOT_AVAILABLE", "LB-14.1.4"
    )
    story.when(up).then(PriceAdjusted(name, "ayla", "Bela", 10, "insulted", "LB-14.1.4"))
    assert price(story, "ration_pack_1") == 330
    assert price(story, "ration_pack_1", merchant="Corin") == 300
    story.when(roll(name), by="ana").then_refused("NEGOTIATION_NOT_OPEN")


@pytest.mark.rule("LB-14.2.1")
def test_arguments_are_recorded_and_weighed():
    story = market(13)
    name = open_with(story)
    plea = Argue(character="ayla", negotiation=name, text="We saved your mill.")
    story.when(plea, by="ana").then(NegotiationArgued(name, "ayla", "Bela", "We saved your mill.", "LB-14.2.1"))
    story.when(Argue(character="bonk", negotiation=name, text="And I?"), by="bo").then_refused("NEGOTIATION_NOT_OPEN")
    story.when(assess(name, dc=15))
    story.when(assess(name, dc=13, text="creative"), by="ana").then_refused("NOT_GM")
    story.when(assess(name, dc=13, text="creative")).then(
        NegotiationAssessed(name, "ayla", "Bela", 13, 30, 15, 0, "creative", (), "LB-14.2.2")
    )
    assert story.when(roll(name), 12, by="ana").only(CheckRolled).dc == 13


@pytest.mark.rule("LB-14.2.3", "LB-A85", "LB-0.7")
@pytest.mark.parametrize(("face", "percent", "total"), [(20, -30, 759), (12, -15, 922), (11, 5, 1_139)])
def test_a_critical_a_success_and_a_failure(face, percent, total):
    story = market(12)
    name = open_with(story)
    story.when(assess(name, failure=5)).when(roll(name), face, by="ana")
    assert story.only(PriceAdjusted).percent == percent
    assert price(story) == total
    story.when(roll(name), by="ana").then_refused("NEGOTIATION_NOT_OPEN")


@pytest.mark.rule("LB-14.2.3")
def test_a_failure_changes_nothing_unless_the_game_master_says_so():
    story = market(12)
    name = open_with(story)
    story.when(assess(name)).when(roll(name), 2, by="ana")
    assert story.only(PriceAdjusted) == PriceAdjusted(name, "ayla", "Bela", 0, "failure", "LB-14.2.3")
    assert price(story) == 1_085


OWN = {
    "negotiation.dc": 14,
    "negotiation.merchant_offsets.novice": -2,
    "negotiation.merchant_offsets.standard": 0,
    "negotiation.merchant_offsets.expert": 3,
    "negotiation.discounts.critical": 25,
    "negotiation.discounts.success": 10,
    "negotiation.discounts.success.novice": 12,
}


@pytest.mark.rule("LB-14.2.2", "LB-C13")
@pytest.mark.parametrize(("quality", "dc", "success"), [("novice", 12, 12), ("standard", 14, 10), ("expert", 17, 10)])
def test_the_quality_of_the_merchant_weighs(quality, dc, success):
    story = market(12, OWN)
    name = open_with(story, by="gm", quality=quality)
    story.when(roll(name), 19, by="ana")
    assert (story.only(NegotiationAssessed).dc, story.only(CheckRolled).dc) == (dc, dc)
    assert story.only(PriceAdjusted).percent == -success


@pytest.mark.rule("LB-14.2.2", "LB-14.2.3", "LB-0.11")
def test_what_nobody_has_set_is_missing_before_any_die():
    story = market(12)
    name = open_with(story)
    story.when(roll(name), by="ana").then_refused("DIFFICULTY_REQUIRED", "LB-14.2.3")
    story.when(assess(name, success=None)).then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-14.2.3", key="negotiation.discounts.success"
    )
    story.when(assess(name, critical=101)).then_refused("INVALID_AMOUNT", "LB-14.2.3", most=100)
    half = {key: value for key, value in OWN.items() if "expert" not in key}
    story = market(12, half)
    story.when(roll(open_with(story, by="gm", quality="expert")), by="ana").then_refused(
        "CAMPAIGN_DATA_MISSING", "LB-14.2.2", key="negotiation.merchant_offsets.expert"
    )


@pytest.mark.rule("LB-2.1.4", "LB-2.1.1")
def test_a_luck_die_helps_to_negotiate():
    story = market(12, luck_dice=1)
    name = open_with(story)
    story.when(assess(name)).when(roll(name, use_luck_die=True), 9, 3, by="ana")
    assert [type(fact) for fact in story.facts] == [LuckDieSpent, CheckRolled, PriceAdjusted]
    assert story.only(CheckRolled).total == 13
    again = open_with(story, merchant="Corin")
    story.when(roll(again, use_luck_die=True), by="ana").then_refused("NO_LUCK_DIE")


@pytest.mark.rule("LB-0.8", "LB-14.0.1", "LB-14.2.2")
def test_who_opens_what():
    story = market(12)
    ask = OpenNegotiation(character="ayla", merchant="Bela", modifiers=ILLUSION)
    story.when(ask, by="ana").then_refused("NOT_GM")
    story.when(OpenNegotiation(character="ayla", merchant="Bela", quality="novice"), by="ana").then_refused("NOT_GM")
    story.when(OpenNegotiation(character="ayla", merchant="Bela", quality="grumpy")).then_refused("UNKNOWN_QUALITY")
    name = open_with(story)
    story.when(OpenNegotiation(character="ayla", merchant="Bela"), by="ana").then_refused("NEGOTIATION_ALREADY_OPEN")
    story.when(CloseNegotiation(negotiation=name), by="ana").then_refused("NOT_GM")
    story.when(CloseNegotiation(negotiation=name)).then(NegotiationClosed(name, "ayla", "Bela"))
    assert open_with(story) != name
    story.when(CloseNegotiation(negotiation="n_0")).then_refused("NEGOTIATION_NOT_OPEN")


@pytest.mark.rule("LB-14.2.3", "LB-4.1.38")
def test_the_price_agreed_must_still_be_paid():
    story = market(14)
    name = open_with(story)
    story.when(AdjustPrice(negotiation=name, percent=-100, reason="a gift")).when(
        Buy(character="ayla", item="bread", quantity=2, merchant="Bela"), by="ana"
    )
    assert purse(story) == 5_000
    story.when(AdjustPrice(negotiation=name, percent=400, reason="a war"))
    story.when(Buy(character="ayla", item="ration_pack_4", merchant="Bela"), by="ana").then_refused(
        "INSUFFICIENT_FUNDS", needed=5_425, owned=5_000
    )
    story.when(AdjustPrice(negotiation=name, percent=-101, reason="x")).then_refused("INVALID_AMOUNT")


@pytest.mark.rule("LB-14.2.1", "LB-0.8")
def test_a_negotiation_of_somebody_hidden_and_dead_is_as_good_as_none():
    story = table(hero(stats=stats(charisma=14)), hero("bonk", owner="bo", stats=stats(charisma=14)))
    name = open_with(story, by="bo", character="bonk")
    story.when(HideCharacter(character="bonk")).when(Kill(character="bonk", text="lava"))
    story.when(Argue(character="ayla", negotiation=name, text="x"), by="ana").then_refused("NEGOTIATION_NOT_OPEN")
    assert story.refused.params == {}


@pytest.mark.rule("LB-14.1.4")
def test_what_is_overridden_for_somebody_hidden_is_told_to_nobody_else():
    story = table(hero(stats=stats(charisma=9)))
    story.when(OpenNegotiation(character="ayla", merchant="Bela"), by="ana")
    (annoyed,) = story.told(MerchantAnnoyed)
    story.when(SetOwner(character="ayla", owner="bo")).when(HideCharacter(character="ayla"))
    story.when(AdjustPrice(negotiation=annoyed.negotiation, percent=-5, reason="x", override=Override("a favour")))
    assert [type(fact) for fact in story.facts] == [RefusalOverridden, PriceAdjusted]
    assert story.audiences == [("bo", "gm")] * 2
