"""Sentences in two languages."""

import msgspec
import pytest

from events.envelope import Roll
from projections.messages import Coins, Goods, Instant, Param, Person, Seat, Settings, Span, dice, sentence, told

NARROW = "\u202f"
NO_BREAK = "\u00a0"


def test_a_sentence_in_both_languages() -> None:
    params = {"member": Seat("m_1"), "role": "gm"}
    names = {"m_1": "Ayla"}
    assert (
        sentence("en", "{member} joins the table as {role}.", params, names) == "Ayla joins the table as game master."
    )
    assert (
        sentence("fr", "{member} joins the table as {role}.", params, names) == "Ayla rejoint la table (meneur de jeu)."
    )


def test_an_erased_name_is_gone() -> None:
    assert sentence("fr", "{member} leaves the table.", {"member": Seat("m_1")}, {}) == "quelqu’un quitte la table."


@pytest.mark.parametrize(
    ("uses", "english", "french"),
    [
        (0, "Ayla invites 0 people to join as player.", "Ayla invite 0 personne à rejoindre la table (joueur)."),
        (1, "Ayla invites 1 person to join as player.", "Ayla invite 1 personne à rejoindre la table (joueur)."),
        (2, "Ayla invites 2 people to join as player.", "Ayla invite 2 personnes à rejoindre la table (joueur)."),
    ],
)
def test_plurals(uses: int, english: str, french: str) -> None:
    one, many = "{actor} invites {uses} person to join as {role}.", "{actor} invites {uses} people to join as {role}."
    params = {"actor": Seat("m_1"), "uses": uses, "role": "player"}
    for locale, text in (("en", english), ("fr", french)):
        assert sentence(locale, one, params, {"m_1": "Ayla"}, plural=many, count="uses") == text


@pytest.mark.parametrize(
    ("value", "english", "french"),
    [
        (1200, "1,200", f"1{NARROW}200"),
        (-1200, "-1,200", f"-1{NARROW}200"),
        (Coins(0, "cp"), "0 cp", "0 pc"),
        (Coins(1200, "MC"), "1,200 MC", f"1{NARROW}200 MC"),
        (Goods(), "nothing", "rien"),
        (Goods(3, "MC", {"rope": 2}), "3 MC and 2 × rope", "3 MC et 2 × rope"),
        (Span(5400), "1 hour, 30 minutes", f"1{NO_BREAK}heure et 30 minutes"),
        (Span(0), "0 seconds", f"0{NO_BREAK}seconde"),
        (Instant(1_800_000_000_000_000), "Jan 15, 2027, 8:00:00 AM UTC", "15 janv. 2027, 08:00:00 UTC"),
        (Settings({"tone": "grim", "gore": False}), "tone = grim and gore = no", "tone = grim et gore = non"),
        (None, "nobody", "personne"),
        (True, "yes", "oui"),
        (Person("k_1", "Bonk"), "Bonk", "Bonk"),
        (["Ayla", "Bonk", "Mo"], "Ayla, Bonk, and Mo", "Ayla, Bonk et Mo"),
    ],
)
def test_values(value: Param, english: str, french: str) -> None:
    assert [told(language, "value", value).replace(NARROW + "AM", " AM") for language in ("en", "fr")] == [  # type: ignore[arg-type]
        english,
        french,
    ]


def test_keys_of_the_rules_are_words_and_what_was_typed_stays() -> None:
    assert told("fr", "cause", "gift") == "cadeau"
    assert told("fr", "cause", "a gift from above") == "a gift from above"
    assert told("fr", "systems", ["dnd35", "unheard-of"]) == "règles maison 3.5 et unheard-of"


def test_what_somebody_typed_is_never_a_placeholder() -> None:
    assert sentence("en", "{actor}: “{text}”", {"actor": Seat("m"), "text": "{actor} {0} %s \\1"}, {"m": "{text}"}) == (
        "{text}: “{actor} {0} %s \\1”"
    )


def test_a_placeholder_without_parameter_stays() -> None:
    assert sentence("en", "{given} faces were given and only {used} are thrown.", {"given": 3}) == (
        "3 faces were given and only {used} are thrown."
    )


def test_an_unknown_sentence_is_told_in_english() -> None:
    assert sentence("fr", "The {animal} sleeps.", {"animal": "cat"}) == "The cat sleeps."


def test_dice_show_what_counts() -> None:
    rolls = (
        Roll("roll", 20, (14,), (14,)),
        Roll("roll", 6, (6, 5, 1), (6, 5)),
    )
    assert dice("en", rolls) == ["roll: d20: 14", "roll: 3d6: 6, 5, 1 (kept: 6, 5)"]
    assert dice("fr", rolls)[0] == f"jet{NO_BREAK}: d20{NO_BREAK}: 14"


def test_parameters_survive_storage() -> None:
    params: dict[str, Param] = {
        "a": Person("k", "Bonk"),
        "b": [Seat("m"), Seat("n")],
        "c": Goods(1, "MC", {"rope": 1}),
        "d": Coins(0, "cp"),
        "e": 3,
        "f": "text",
        "g": None,
        "h": True,
    }
    assert msgspec.json.decode(msgspec.json.encode(params), type=dict[str, Param]) == params
