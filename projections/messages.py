"""Sentences in the reader's language."""

from collections.abc import Mapping


def sentence(locale: str, msgid: str, params: Mapping[str, object]) -> str:
    """The sentence `msgid` in a language, with its parameters."""
    return msgid.format_map(params)
