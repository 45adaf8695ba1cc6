import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.chain import GENESIS, Broken, Stub, digest, follow, link


def test_a_digest_commits_to_salt_fingerprint_and_body():
    salt, fingerprint, body = b"s" * 16, b"f" * 32, b"{}"
    by_hand = hashlib.sha256(b"greffier/event/1" + salt + fingerprint + (2).to_bytes(8) + body).digest()
    assert digest(salt, fingerprint, body) == by_hand


def test_a_link_commits_to_campaign_number_time_past_and_event():
    by_hand = hashlib.sha256(
        b"greffier/link/1" + (3).to_bytes(8) + b"c_1" + (7).to_bytes(8) + (99).to_bytes(8) + GENESIS + b"d" * 32
    ).digest()
    assert link("c_1", 7, 99, GENESIS, b"d" * 32) == by_hand


def test_stubs_alone_reach_the_head():
    stubs = [Stub(n, n * 10, bytes([n]) * 32) for n in (1, 2, 3)]
    seq, head = follow("c_1", stubs)
    assert seq == 3
    assert follow("c_1", stubs[1:], 1, follow("c_1", stubs[:1])[1]) == (3, head)


@pytest.mark.parametrize("numbers", [(1, 3), (1, 1), (2,), (1, 2, 4)])
def test_a_missing_or_repeated_number_breaks_the_chain(numbers):
    with pytest.raises(Broken):
        follow("c_1", [Stub(n, 0, bytes(32)) for n in numbers])


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=2, max_size=8), st.data())
def test_any_changed_digest_changes_the_head(digests, data):
    at = data.draw(st.integers(0, len(digests) - 1))
    other = data.draw(st.binary(min_size=32, max_size=32).filter(lambda one: one != digests[at]))
    changed = [*digests[:at], other, *digests[at + 1 :]]
    assert follow("c", [Stub(n, 0, d) for n, d in enumerate(digests, 1)]) != follow(
        "c", [Stub(n, 0, d) for n, d in enumerate(changed, 1)]
    )
