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
        assert json.loads(CODEC.encode(read)) == json.loads(body)
