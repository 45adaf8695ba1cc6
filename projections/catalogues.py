"""The words of every language: gettext catalogues, read from `locale/<language>/LC_MESSAGES`.

`greffier.po` is the table's; each system keeps its own beside it. A sentence's id is its English text. Words that
stand under a key (`item`, `role`, `cause` …) have the kind of word as their context and the key as their id, in
English too.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Literal, get_args

from babel import Locale
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

Language = Literal["fr", "en"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
DEFAULT: Language = "en"
LOCALES: dict[Language, Locale] = {language: Locale.parse(language) for language in LANGUAGES}


def read(language: Language) -> Iterator[Catalog]:
    """The catalogues as they stand in the package."""
    folder = files("projections").joinpath("locale", language, "LC_MESSAGES")
    for po in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if po.name.endswith(".po"):
            with po.open("rb") as stream:
                yield read_po(stream, locale=language, domain=po.name, abort_invalid=True)


Words = dict[tuple[str, str], tuple[str, ...]]
"""By context (`""` for a sentence) and id: the text, or one for each plural form."""


def _words(language: Language) -> Words:
    words: Words = {}
    for message in (message for catalogue in read(language) for message in catalogue):
        if message.id and not message.fuzzy:
            single = message.id if isinstance(message.id, str) else message.id[0]
            texts = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
            if all(texts):
                words[message.context or "", single] = texts
    return words


WORDS: dict[Language, Words] = {language: _words(language) for language in LANGUAGES}
_PLURAL = {language: LOCALES[language].plural_form for language in LANGUAGES}


def spoken(wanted: str | None) -> Language:
    """The language spoken here that comes nearest to a tag such as `fr-CA`; the default where none does."""
    return best([wanted or ""])


def best(accepted: Iterable[str]) -> Language:
    """The first of these tags that is spoken here, whatever its region."""
    spoken = (tag.replace("_", "-").partition("-")[0].lower() for tag in accepted)
    return next((known for short in spoken for known in LANGUAGES if short == known), DEFAULT)


def text(language: Language, msgid: str, plural: str = "", count: int | None = None) -> str:
    """The sentence in this language, its placeholders still in it; the English one where there is no other."""
    texts = WORDS[language].get(("", msgid))
    if texts is None:
        return plural if plural and count is not None and _PLURAL[DEFAULT](abs(count)) != "one" else msgid
    if len(texts) == 1 or count is None:
        return texts[0]
    return texts[_form(language, count)] if _form(language, count) < len(texts) else texts[-1]


def word(language: Language, context: str, key: str) -> str | None:
    """The word for a key, or nothing where the catalogue has none."""
    texts = WORDS[language].get((context, key))
    return texts[0] if texts else None


def _form(language: Language, count: int) -> int:
    """Which of a message's forms this count takes: both languages know one and many."""
    return 0 if _PLURAL[language](abs(count)) == "one" else 1


def glossary(locale: str) -> dict[str, dict[str, str]]:
    """The words for every key, by kind: what a client needs to show a sheet or a ledger in its reader's language."""
    words: dict[str, dict[str, str]] = {}
    for (context, key), texts in WORDS[spoken(locale)].items():
        if context:
            words.setdefault(context, {})[key] = texts[0]
    return words
