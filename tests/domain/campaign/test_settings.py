"""What a campaign may settle for itself."""

from pathlib import Path

import pytest

from domain.campaign.opening import ChangeSettings, OpenCampaign, known
from domain.campaign.systems import SYSTEMS
from events.table import CampaignOpened
from tests.support.story import given, opened

TOLD = (Path(__file__).resolve().parents[3] / "docs/settings.md").read_text("utf-8")


@pytest.mark.rule("LB-C14", "LB-C16", "LB-C18", "LB-0.11")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("prices.bread", 25),
        ("prices.l’épée n. 3", 0),
        ("armour.cuirass.rare.percent", 47),
        ("rulings.LB-A81", "b"),
        ("healing_the_downed", "refused"),
        ("classes.bard.specific_stat", "charisma"),
        ("elements.loops", "fire, ice"),
        ("xp.table.21", 4_000),
        ("negotiation.discounts.critical.novice", 30),
        ("players_create_characters", False),
    ],
)
def test_what_is_in_the_books_may_be_settled(key, value):
    given(*opened("legends")).when(ChangeSettings(settings={key: value}))
    story = given().when(OpenCampaign(name="Essai", settings={key: value}))
    assert story.only(CampaignOpened).settings == {key: value}


@pytest.mark.rule("LB-C16", "LB-0.11")
@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("price.bread", 25, "UNKNOWN_SETTING"),
        ("prices.", 25, "UNKNOWN_SETTING"),
        ("xp.table.abc", 25, "UNKNOWN_SETTING"),
        ("xp.table.²", 25, "UNKNOWN_SETTING"),
        ("xp.table.0", 25, "UNKNOWN_SETTING"),
        ("classes.a.b.type", "mana", "UNKNOWN_SETTING"),
        ("rulings.LB-A999", "a", "UNKNOWN_SETTING"),
        ("prices.bread", "cheap", "SETTING_UNUSABLE"),
        ("prices.bread", -1, "SETTING_UNUSABLE"),
        ("prices.bread", True, "SETTING_UNUSABLE"),
        ("rulings.LB-A81", "c", "SETTING_UNUSABLE"),
        ("healing_the_downed", "sometimes", "SETTING_UNUSABLE"),
        ("players_create_characters", 1, "SETTING_UNUSABLE"),
        ("dnd35_in_combat", False, "UNKNOWN_SETTING"),
    ],
)
def test_what_no_rule_can_use_is_refused_and_not_kept_in_silence(key, value, code):
    given(*opened("legends")).when(ChangeSettings(settings={key: value})).then_refused(code, key=key)
    given().when(OpenCampaign(name="Essai", settings={key: value})).then_refused(code, key=key)


def test_every_setting_is_told_in_the_documents_and_no_other():
    rows = [line for line in TOLD.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{one.key}` | {one.described} | {one.rule} |" for one in known(SYSTEMS)]
