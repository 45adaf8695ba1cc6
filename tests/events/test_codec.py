import json

import pytest

from domain.campaign.book import FACTS
from events.codec import Codec, NotCanonical, Unreadable, kind_of
from events.envelope import CharacterRef, Fact, Happened, Roll
from events.table import CampaignOpened, DiceRolled, Said

CODEC = Codec(FACTS)


def told(fact: Fact) -> Happened:
    return Happened("m_1", "table", "k1", 0, fact)


def test_the_body_is_json_with_sorted_keys_and_no_space():
    body = CODEC.encode(told(CampaignOpened("Été", ("legends",), "fr", "server", {"b": 1, "a": True})))
    again = json.dumps(json.loads(body), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert body == again.encode()


def test_rolls_stand_beside_the_data():
    fact = DiceRolled("1d20", 12, "(12)", rolls=(Roll("x", 20, (12,), (12,), "server", 3),))
    body = json.loads(CODEC.encode(told(fact)))
    assert body["rolls"] == [{"for": "x", "sides": 20, "faces": [12], "kept": [12], "source": "server", "index": 3}]
    assert "rolls" not in body["data"]


def test_what_was_written_is_read_again():
    fact = DiceRolled("1d20", 12, "(12)", rolls=(Roll("x", 20, (12,), (12,), "server", 3),))
    happened = Happened("m_1", ("gm", "m_1"), "k1", 4, fact)
    assert CODEC.decode(kind_of(fact), 1, CODEC.encode(happened)) == happened


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 1.5])
def test_what_a_browser_cannot_write_again_is_refused(value):
    with pytest.raises(NotCanonical):
        CODEC.encode(told(CampaignOpened("x", (), "fr", "server", {"n": value})))


def test_an_unknown_type_is_named_and_not_guessed():
    with pytest.raises(Unreadable) as unreadable:
        CODEC.decode("legends.from_the_future", 1, b"{}")
    assert (unreadable.value.reason, unreadable.value.kind) == ("unknown_type", "legends.from_the_future")


def test_a_newer_version_of_a_known_type_is_named():
    with pytest.raises(Unreadable) as unreadable:
        CODEC.decode("campaign.said", 99, CODEC.encode(told(Said("x"))))
    assert unreadable.value.reason == "newer_version"


def test_a_broken_body_is_named():
    with pytest.raises(Unreadable) as unreadable:
        CODEC.decode("campaign.said", 1, b'{"data":{"text":1}}')
    assert unreadable.value.reason == "broken"


def test_an_older_version_is_upcast_when_read(monkeypatch):
    class Sung(Fact, frozen=True, tag="campaign.sung"):
        VERSION = 2
        words: str
        who: CharacterRef | None = None

    class SungBefore(Fact, frozen=True, tag="campaign.sung"):
        text: str

    stored = Codec([SungBefore]).encode(told(SungBefore("la")))
    monkeypatch.setitem(
        __import__("events.upcasting").upcasting.UPCASTERS, ("campaign.sung", 1), lambda data: {"words": data["text"]}
    )
    assert Codec([Sung]).decode("campaign.sung", 1, stored).fact == Sung("la")


def test_no_two_facts_share_a_tag():
    assert len({kind_of(fact) for fact in FACTS}) == len(FACTS)


def test_every_field_that_names_a_character_says_so():
    """Facts about a hidden character are narrowed by these fields: a plain `str` would leak."""
    named = {
        "character",
        "giver",
        "taker",
        "actor",
        "target",
        "source",
        "attacker",
        "drinker",
        "holder",
        "by_character",
    }
    wrong = [
        f"{kind_of(fact)}.{field}"
        for fact in FACTS
        for field, hint in fact.__annotations__.items()
        if field in named and "str" in repr(hint) and "refers_to" not in repr(hint)
    ]
    assert not wrong
