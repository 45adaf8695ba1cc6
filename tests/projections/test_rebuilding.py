"""A view updated step by step is a view rebuilt, and shows nobody what is not theirs."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.campaign.book import EVOLVE
from domain.kernel.cast import Character
from domain.kernel.fold import State, every, fold
from domain.kernel.members import Member
from events.envelope import Audience
from projections.contents import VIEWS
from projections.sheet import _open, _secret
from projections.sheet import lines as sheet_lines
from projections.view import Event, Row, View, encode, patched
from projections.visibility import Viewer, may_see, may_see_leaf, visible
from services.states import CODEC
from tests.support.recording import Recording
from tests.support.wandering import Wanderer, newcomer

Rows = dict[tuple[str, int], tuple[bytes, Audience]]


def apply(rows: Rows, changed: list[Row]) -> None:
    for row in changed:
        place = row.key, row.line
        if row.doc is None:
            rows.pop(place, None)
        elif not row.patch:
            rows[place] = encode(row.doc), row.audience
        elif place in rows:
            rows[place] = patched(rows[place][0], encode(row.doc)), row.audience


def stepwise(view: View, recording: Recording) -> Rows:
    """As it grew while the story was told."""
    rows: Rows = {}
    for before, event, after in recording.steps:
        apply(rows, list(view.lines(before, event, after)))
    return rows


def rebuilt(view: View, recording: Recording) -> Rows:
    """From the stored bytes alone."""
    rows: Rows = {}
    state: State = {}
    for stored in recording.events:
        happened = CODEC.decode(stored.type, stored.version, stored.body)
        after = fold(EVOLVE, state, [happened.fact])
        apply(rows, list(view.lines(state, Event(stored.seq, stored.at_us, happened), after)))
        state = after
    return rows


def story(seed: int, steps: int = 120) -> Wanderer:
    wanderer = Wanderer(seed)
    wanderer.wander(steps // 2)
    newcomer(wanderer, "mo")
    wanderer.wander(steps // 2)
    return wanderer


seeds = st.integers(0, 2**32)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_step_by_step_equals_rebuilt(seed: int) -> None:
    recording = story(seed).recording
    for view in VIEWS.values():
        assert stepwise(view, recording) == rebuilt(view, recording), view.name


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_the_sheets_are_those_of_the_last_state(seed: int) -> None:
    recording = story(seed).recording
    _, event, after = recording.steps[-1]
    rows = stepwise(VIEWS["sheet"], recording)
    fresh: Rows = {}
    for name in every(after, Character):
        for line, part in ((0, _open), (1, _secret)):
            if found := part(after, name):
                fresh[name, line] = encode(found[0]), found[1]
    assert rows == fresh
    assert list(sheet_lines(after, event, after)) == []


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_purses_and_bags_are_the_sum_of_their_ledger(seed: int) -> None:
    recording = story(seed).recording
    balances: dict[tuple[str, str], int] = {}
    for (key, _), (doc, _) in sorted(stepwise(VIEWS["ledger"], recording).items()):
        movement = msgspec.json.decode(doc)
        place = key, movement["what"]
        assert movement["balance"] == balances.get(place, 0) + movement["change"]
        balances[place] = movement["balance"]
    for (key, line), (doc, _) in stepwise(VIEWS["sheet"], recording).items():
        if line == 0:
            sheet = msgspec.json.decode(doc)
            assert sheet["coins"] == balances.get((key, "coins"), 0)
            for item in ("rope", "iron-ration", "lantern"):
                assert sheet["items"].get(item, 0) == balances.get((key, f"items.{item}"), 0)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_every_event_has_its_line_in_the_journal(seed: int) -> None:
    recording = story(seed).recording
    assert [line for _, line in stepwise(VIEWS["journal"], recording)] == [event.seq for event in recording.events]


@settings(max_examples=150, deadline=None)
@given(seeds)
def test_no_row_holds_a_word_that_its_reader_may_not_know(seed: int) -> None:
    """Taint: every secret word bears a mark, and no mark stands in any byte of what somebody else may read."""
    wanderer = story(seed)
    recording = wanderer.recording
    shown = [row for view in VIEWS.values() for row in stepwise(view, recording).items()]
    for member, seat in every(recording.state, Member).items():
        who = Viewer(member, seat.role)
        theirs = open_to(who, recording)
        told = b"\n".join(b"%s %s" % (key.encode(), doc) for (key, _), (doc, aud) in shown if may_see(who, aud))
        for mark in wanderer.marks:
            assert mark.encode() not in told or mark.encode() in theirs, (member, seat.role, mark)


def open_to(who: Viewer, recording: Recording) -> bytes:
    """Everything this member may ever have seen, from the events and the leaves themselves."""
    pieces: list[bytes] = []
    for stored, (_, _, after) in zip(recording.events, recording.steps, strict=True):
        if may_see(who, stored.audience):
            pieces.append(stored.body)
        pieces += [
            place.encode() + msgspec.json.encode(leaf)
            for place, leaf in after.items()
            if may_see_leaf(who, after, place, leaf)
        ]
    return b"\n".join(pieces)


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_names_the_version_it_is_kept_under(name: str) -> None:
    assert VIEWS[name].projection == f"{name}@{VIEWS[name].version}"


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_what_arrives_sealed_changes_nothing_that_one_sees(seed: int) -> None:
    """Else a sheet would change and its player's client could not say why."""
    for before, event, after in story(seed).recording.steps:
        for member, seat in every(after, Member).items():
            who = Viewer(member, seat.role)
            if not may_see(who, event.happened.audience):
                assert visible(who, before) == visible(who, after), (member, event.happened.fact)
