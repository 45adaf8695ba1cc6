"""Every event ever stored is readable for ever."""

import json

import pytest

from domain.campaign.book import FACTS
from events.codec import Codec, kind_of
from tests.support.golden import FOLDER, path

CODEC = Codec(FACTS)
STORED = sorted(FOLDER.glob("*.json"))


def test_every_type_keeps_a_stored_sample():
    lacking = [kind_of(fact) for fact in FACTS if not path(kind_of(fact)).exists()]
    assert not lacking, f"write them once with `python -m tests.support.golden`: {lacking}"


@pytest.mark.parametrize("file", STORED, ids=[file.stem for file in STORED])
def test_a_stored_event_is_read(file):
    body = file.read_bytes().rstrip(b"\n")
    version = json.loads(body)["version"]
    read = CODEC.decode(file.stem, version, body)
    assert kind_of(read.fact) == file.stem
    if version == type(read.fact).VERSION:
        assert contains(json.loads(CODEC.encode(read)), json.loads(body))


def contains(whole, part) -> bool:
    """What was stored is all there; parts of a fact may have got fields since."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and contains(whole[key], value) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(contains(*pair) for pair in zip(whole, part, strict=True))
    return bool(whole == part)
