"""Every language says everything, with the same placeholders."""

import re

import pytest

from domain.campaign.book import FACTS
from projections import extraction
from projections.catalogues import LANGUAGES, WORDS, best, read, spoken
from projections.extraction import entries, every_refusal, missing, placeholders, wanted
from projections.sentences import SAYINGS
from services.problems import TROUBLES


def test_every_fact_is_told() -> None:
    assert [fact.__name__ for fact in FACTS if fact not in SAYINGS] == []


def test_no_sentence_is_for_a_fact_that_is_not_in_the_book() -> None:
    assert [fact.__name__ for fact in SAYINGS if fact not in FACTS] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_message_is_translated(language: str) -> None:
    lacking = missing(language)  # type: ignore[arg-type]
    assert not lacking, f"add to the {language} catalogue:\n\n{entries(lacking)}"


def test_every_trouble_of_the_edge_is_translated() -> None:
    assert [text for text in TROUBLES.values() if ("", text) not in WORDS["fr"]] == []


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
    plural = extraction.Message("", '{n} "die"', "{n} dice")
    word = extraction.Message("item", "rope")
    assert entries([plural, word]) == (
        'msgid "{n} \\"die\\""\nmsgid_plural "{n} dice"\nmsgstr[0] ""\nmsgstr[1] ""\n\nmsgctxt "item"\nmsgid "rope"\nmsgstr ""\n'
    )


def test_purposes_of_throws_are_wanted() -> None:
    assert any(message.context == "purpose" for message in wanted())


@pytest.mark.parametrize(
    ("tag", "language"), [("fr", "fr"), ("fr-CA", "fr"), ("EN_gb", "en"), ("de", "en"), ("", "en"), (None, "en")]
)
def test_a_tag_finds_its_language(tag: str | None, language: str) -> None:
    assert spoken(tag) == language


def test_the_first_tag_spoken_here_is_taken() -> None:
    assert best(["de", "fr-CH", "en"]) == "fr"
