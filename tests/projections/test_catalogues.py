"""Every language says everything, with the same placeholders."""

import re
from pathlib import Path

import pytest

from domain.campaign.book import FACTS
from projections.catalogues import LANGUAGES, WORDS, best, glossary, read, spoken
from projections.extraction import Message, entries, every_refusal, literals, missing, placeholders, wanted
from projections.sentences import SAYINGS


def test_every_fact_is_told() -> None:
    assert [fact.__name__ for fact in FACTS if fact not in SAYINGS] == []


def test_no_sentence_is_for_a_fact_that_is_not_in_the_book() -> None:
    assert [fact.__name__ for fact in SAYINGS if fact not in FACTS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    lacking = missing(language)  # type: ignore[arg-type]
    assert not lacking, f"add to the {language} catalogue:\n\n{entries(lacking)}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_keep_the_placeholders(language: str) -> None:
    for (context, msgid), texts in WORDS[language].items():  # type: ignore[index]
        for text in texts:
            assert context or placeholders(text) == placeholders(msgid), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_fuzzy_and_nothing_is_left_empty(language: str) -> None:
    for catalogue in read(language):  # type: ignore[arg-type]
        for message in catalogue:
            assert not message.id or (not message.fuzzy and message.string), message.id


def test_french_sets_its_signs_apart() -> None:
    """A space that does not break stands before ; : ! ? » and after «."""
    for texts in WORDS["fr"].values():
        for text in texts:
            assert not re.search(r" [;:!?»]|« |\S[;!?»](?<![\u202f\u00a0].)|«[^\u00a0\u202f]", text), text


def test_the_scan_finds_refusals_of_every_corner() -> None:
    codes = {refusal.code for refusal in every_refusal()}
    assert {"NOT_GM", "SESSION_ALREADY_OPEN", "NUMBER_OUT_OF_BOUNDS", "DICE_BY_GM"} <= codes


def test_what_is_missing_is_printed_ready_to_be_filled_in() -> None:
    plural = Message("", '{n} "die"', "{n} dice")
    word = Message("item", "rope")
    assert entries([plural, word]) == (
        'msgid "{n} \\"die\\""\nmsgid_plural "{n} dice"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgctxt "item"\nmsgid "rope"\nmsgstr ""\n'
    )


def test_purposes_and_causes_in_the_code_are_wanted(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "blows.py").write_text(
        'dice.throw(1, 20, "to hit")\ndice.throw(1, 6, purpose="harm")\nwound(who, cause="rules.fall")\nwound(who, cause=why)\n'
    )
    assert literals(tmp_path) == {
        Message("purpose", "to hit"),
        Message("purpose", "harm"),
        Message("cause", "rules.fall"),
    }
    assert Message("cause", "gift") in wanted()


def test_a_client_gets_the_words_for_the_keys() -> None:
    assert glossary("fr-FR")["role"]["gm"] == "meneur de jeu"
    assert glossary("en")["role"]["gm"] == "game master"


@pytest.mark.parametrize(
    ("tag", "language"), [("fr", "fr"), ("fr-CA", "fr"), ("EN_gb", "en"), ("de", "en"), ("", "en"), (None, "en")]
)
def test_a_tag_finds_its_language(tag: str | None, language: str) -> None:
    assert spoken(tag) == language


def test_the_first_tag_spoken_here_is_taken() -> None:
    assert best(["de", "fr-CH", "en"]) == "fr"
