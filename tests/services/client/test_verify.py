"""An export verifies by itself, and each way of tampering with it is named at the exact event.

Two verifiers are held against each other: ours, and one that knows nothing of the project.
"""

import json

import msgspec
import pytest

from domain.campaign.cast import CreateCharacter
from domain.campaign.corrections import Correct
from domain.campaign.rolls import RollDice
from domain.campaign.sessions import AddEntropy, CloseSession, OpenSession
from domain.campaign.talk import GmNote, Narrate
from domain.dnd35.sheet import Sheet
from domain.kernel.dice import blend, face, veil
from domain.kernel.fold import state_hash
from events import chain
from projections.visibility import Viewer
from projections.wire import event_for
from services.client.checking import at_us, body_of
from services.client.verify import verify_lines
from tests.independent_verifier import verify as independently
from tests.support.nodes import CAMPAIGN, Node


async def story(node):
    await node.open()
    await node.give(CreateCharacter(name="Cy", id="cy", sheet=Sheet()))
    await node.give(OpenSession(title="Un"))
    await node.give(AddEntropy(entropy="trois chats"))
    for text in ("3d6", "1d20+2 dégâts", "2d20kl1"):
        await node.give(RollDice(expression=text))
    await node.give(GmNote(text="le roi ment"))
    await node.give(RollDice(expression="1d100 caché", secret=True))
    await node.give(CloseSession())
    await node.give(Correct(character="cy", field="coins", value=7, reason="oubli"))
    await node.give(Narrate(text="Fin — « été » 🎲"))


async def export(node, who):
    head = await node.log.head(CAMPAIGN)
    first = {"format": "greffier/export/1", "campaign": CAMPAIGN, "epoch": 1, "seq": head.seq, "hash": head.hash.hex()}
    events = await node.log.read(CAMPAIGN, 0, 10_000)
    return [msgspec.json.encode(first), *(bytes(event_for(who, event)) for event in events)]


@pytest.fixture
async def node():
    async with Node() as one:
        await story(one)
        yield one


@pytest.fixture
async def lines(node):
    return await export(node, Viewer("m_gm", "gm"))


def faults(lines):
    """Where both verifiers find a fault."""
    ours = [fault.seq for fault in verify_lines(lines).faults]
    theirs = [at for at, _ in independently(lines)]
    assert bool(ours) == bool(theirs), (ours, theirs)
    return ours


async def test_a_full_export_verifies_with_every_die_and_the_state(node, lines):
    report = verify_lines(lines)
    assert report.ok, report.faults
    assert (report.sealed, report.server_dice, report.unproved_dice) == (0, 3 + 1 + 2 + 1, 0)
    assert report.state_hash == state_hash((await node.states.current(CAMPAIGN)).state).hex()
    assert report.corrections == ["14: cy coins 0 → 7 (oubli)"]
    assert independently(lines) == []


async def test_a_players_export_has_the_same_head_and_verifies_too(node, lines):
    sealed = await export(node, Viewer("m_other", "player"))
    report = verify_lines(sealed)
    assert report.ok, report.faults
    assert (report.sealed, report.server_dice) == (3, 3 + 1 + 2)
    assert report.head == verify_lines(lines).head
    assert b"le roi ment" not in b"".join(sealed)
    assert independently(sealed) == []


def changed(lines, at, change):
    event = json.loads(lines[at])
    change(event)
    return [*lines[:at], json.dumps(event, ensure_ascii=False).encode(), *lines[at + 1 :]]


def put(*path):
    *places, value = path

    def change(event):
        for place in places[:-1]:
            event = event[place]
        event[places[-1]] = value

    return change


def turn_the_dice(event):
    event["rolls"][0]["faces"] = [face % 6 + 1 for face in event["rolls"][0]["faces"]]


ATTACKS = {
    "an actor": put("actor", "m_other"),
    "an audience": put("audience", ["gm"]),
    "a command": put("command", "k"),
    "a session": put("session", 7),
    "a type": put("type", "campaign.said"),
    "a version": put("version", 2),
    "a field": put("data", "total", 99),
    "a die": turn_the_dice,
    "a time": put("at", "2020-01-01T00:00:00.000000Z"),
    "a digest": put("digest", "00" * 32),
    "a hash": put("hash", "00" * 32),
    "a salt": put("salt", "00" * 48),
    "an added field": put("extra", 1),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_changed_part_of_an_event_is_caught_at_that_event(lines, attack):
    at = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    assert at in faults(changed(lines, at, ATTACKS[attack]))


def test_a_dropped_tail_is_caught_and_the_last_event_there_is_named(lines):
    assert faults(lines[:-2])
    told = verify_lines(lines[:-2]).faults[-1]
    assert (told.line, told.seq) == (len(lines) - 2, len(lines) - 3)
    assert told.what == f"the file ends after event {len(lines) - 3}, and its first line promises {len(lines) - 1}"


def test_a_file_cut_within_a_line_is_told_with_the_last_whole_event(lines):
    whole = [line + b"\n" for line in lines]
    cut, end = verify_lines([*whole[:-1], whole[-1][:-20]]).faults
    assert (cut.line, cut.what) == (len(lines), "the file is cut within this line")
    assert end.seq == len(lines) - 2


@pytest.mark.parametrize(
    "first", [b"# Greffier", b"\xff\xfe", b"[]", b"{}", b'{"format": "greffier/export/1"}', b"[" * 5_000]
)
def test_what_is_no_export_is_said_once(first):
    report = verify_lines([first + b"\n", b"more\n", b"and more\n"])
    assert [fault.what for fault in report.faults] == ["this is no export of Greffier"]
    assert report.campaign == ""


def test_two_swapped_events_are_caught(lines):
    assert 6 in faults([*lines[:5], lines[6], lines[5], *lines[7:]])


def test_a_removed_and_a_doubled_event_are_caught(lines):
    assert faults([*lines[:5], *lines[6:]])
    assert faults([*lines[:6], lines[5], *lines[6:]])


async def test_the_rows_of_another_campaign_are_caught(lines):
    async with Node() as other:
        await story(other)
        foreign = await export(other, Viewer("m_gm", "gm"))
    assert 4 in faults([*lines[:4], foreign[4], *lines[5:]])


def forged(lines, change):
    """A whole new chain, as whoever holds the server could write it; `change` answers whether an open event stays."""
    kept, head, seq = [], chain.GENESIS, 0
    for line in lines[1:]:
        event = json.loads(line)
        if "salt" in event and change(event) is False:
            continue
        seq += 1
        event["seq"] = seq
        digest = bytes.fromhex(event["digest"])
        if "salt" in event:
            salt = bytes.fromhex(event["salt"])
            digest = chain.digest(salt[:16], salt[16:], body_of(event))
        head = chain.link(CAMPAIGN, seq, at_us(event["at"]), head, digest)
        if "salt" in event:
            event |= {"digest": digest.hex(), "hash": head.hex()}
        kept.append(json.dumps(event, ensure_ascii=False).encode())
    first = json.loads(lines[0]) | {"seq": seq, "hash": head.hex()}
    return [json.dumps(first).encode(), *kept]


def test_a_die_that_the_seed_does_not_give_is_caught_even_with_a_forged_chain(lines):
    def change(event):
        if event["data"].get("expression") == "3d6":
            turn_the_dice(event)

    at = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    assert set(faults(forged(lines, change))) == {at}


def test_a_roll_that_was_left_out_is_caught_even_with_a_forged_chain(lines):
    at = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    assert at in faults(forged(lines, lambda event: event["data"].get("expression") != "3d6"))


def test_a_content_without_its_salt_proves_nothing(lines):
    def change(event):
        del event["salt"]
        turn_the_dice(event)

    at = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    assert at in faults(changed(lines, at, change))


def test_a_seed_that_was_not_committed_to_is_caught(lines):
    at = next(n for n, line in enumerate(lines) if b"session_closed" in line)
    found = faults(changed(lines, at, put("data", "seed", "11" * 32)))
    assert at in found


def test_a_secret_die_is_proved_to_the_game_master_alone(lines):
    def change(event):
        if event["data"].get("secret"):
            event["rolls"][0]["faces"] = [event["rolls"][0]["faces"][0] % 100 + 1]

    at = next(n for n, line in enumerate(lines) if b'"secret":true' in line)
    assert json.loads(lines[at])["rolls"][0]["source"] == "secret"
    assert set(faults(forged(lines, change))) == {at}


async def test_a_public_die_that_is_said_to_be_secret_is_caught_by_whoever_cannot_check_it(node):
    sealed = await export(node, Viewer("m_other", "player"))

    def load(event):
        if event["data"].get("expression") == "3d6":
            event["rolls"][0].update(source="secret", faces=[6, 6, 6], kept=[6, 6, 6], index=77)

    at = next(n for n, line in enumerate(sealed) if b'"expression":"3d6"' in line)
    assert at in faults(forged(sealed, load))


async def test_a_die_declared_where_the_server_throws_is_caught(node):
    sealed = await export(node, Viewer("m_other", "player"))

    def load(event):
        if event["data"].get("expression") == "3d6":
            event["rolls"][0].update(source="declared", faces=[6, 6, 6], kept=[6, 6, 6], index=None)

    at = next(n for n, line in enumerate(sealed) if b'"expression":"3d6"' in line)
    assert at in faults(forged(sealed, load))


async def test_dice_of_one_command_may_be_told_in_any_order(node, lines):
    """The days of a potion are thrown before its effect and told after it (HM-A27)."""
    number = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    event = json.loads(lines[number])
    roll = event["rolls"][0]
    first = {**roll, "faces": roll["faces"][:1], "kept": roll["kept"][:1]}
    rest = {**roll, "faces": roll["faces"][1:], "kept": roll["kept"][1:], "index": roll["index"] + 1}

    def parted(event):
        if event["data"].get("expression") == "3d6":
            event["rolls"] = [rest, first]

    assert faults(forged(lines, parted)) == []


async def test_a_secret_die_out_of_its_turn_is_caught(lines):
    def skip(event):
        if event["data"].get("secret"):
            event["rolls"][0]["index"] += 1

    at = next(n for n, line in enumerate(lines) if b'"secret":true' in line)
    assert at in faults(forged(lines, skip))


async def test_the_place_of_a_secret_die_tells_nothing_of_how_many_fell_before():
    async with Node() as node:
        await story(node)
        await node.give(OpenSession())
        places = []
        for _ in range(3):
            await node.give(RollDice(expression="1d6", secret=True))
            events = await node.log.read(CAMPAIGN, 0, 10_000)
            places.append(json.loads(events[-1].body)["rolls"][0]["index"])
        assert len({abs(one - other) for one in places for other in places}) > 3
        assert min(places) > 1_000


async def test_the_seed_of_the_secret_dice_is_sealed_for_players(node, lines):
    seed = next(json.loads(line)["data"]["seed"] for line in lines if b"secret_dice_revealed" in line)
    assert seed.encode() not in b"".join(await export(node, Viewer("m_other", "player")))


# What somebody who holds the server could write, chain and all.


@pytest.fixture
async def loaded():
    """A story with several secret dice and a whisper that the game master may not read, as lines for the master."""
    async with Node() as node:
        await story(node)
        await node.give(OpenSession(title="Deux"))
        for _ in range(3):
            await node.give(RollDice(expression="1d20", secret=True))
        await node.give(RollDice(expression="2d20kl1"))
        await node.give(CloseSession())
        lines = await export(node, Viewer("m_gm", "gm"))
        return [json.dumps(json.loads(lines[0]) | {"role": "gm"}).encode(), *lines[1:]]


def rechained(lines, change):
    """`change` gets the events as they are and answers those of another chain."""
    events = change([json.loads(line) for line in lines[1:]])
    return forged([lines[0], *(json.dumps(event, ensure_ascii=False).encode() for event in events)], lambda _: True)


def secrets_of(events):
    return [at for at, event in enumerate(events) if event.get("data", {}).get("secret")]


def of_kind(events, kind):
    return [at for at, event in enumerate(events) if event.get("type") == kind]


def again(event, **more):
    return json.loads(json.dumps({**event, **more}))


def replayed(events):
    at = secrets_of(events)[-1]
    return [*events[: at + 1], again(events[at], command="k-again"), *events[at + 1 :]]


def in_another_order(events):
    one, other = secrets_of(events)[-2:]
    events[one]["rolls"], events[other]["rolls"] = events[other]["rolls"], events[one]["rolls"]
    events[one]["data"], events[other]["data"] = events[other]["data"], events[one]["data"]
    return events


def leaping(events):
    """The best of many places, and the rest never thrown: also when something else is sealed for this reader."""
    at = secrets_of(events)[-1]
    told = events[of_kind(events, "campaign.secret_dice_revealed")[-1]]["data"]
    seed, number = bytes.fromhex(told["seed"]), told["session"]
    place = next(n for n in range(4, 500) if face(seed, CAMPAIGN, number, blend(()), n, 20) == 20)
    events[at]["rolls"][0].update(index=veil(seed, CAMPAIGN, number, place), faces=[20], kept=[20])
    events[at]["data"]["total"] = 20
    whisper = {"seq": 0, "at": events[at]["at"], "digest": "ab" * 32}
    return [*events[:at], whisper, *events[at:]]


def never_revealed(events):
    return [event for event in events if event.get("type") != "campaign.secret_dice_revealed"]


def thrown_after_the_reveal(events):
    at, known = of_kind(events, "campaign.secret_dice_revealed")[-1], secrets_of(events)[-1]
    return [*events[: at + 1], again(events[known], command="k-late"), *events[at + 1 :]]


def thrown_after_the_close(events):
    known = next(at for at, event in enumerate(events) if event.get("data", {}).get("expression") == "2d20kl1")
    late = again(events[known], command="k-late")
    late["rolls"][0]["index"] += 100
    return [*events, late]


def words_ground_later(events):
    (at,) = of_kind(events, "campaign.entropy_added")
    word = events.pop(at)
    first = next(n for n, event in enumerate(events) if event.get("rolls"))
    return [*events[: first + 1], word, *events[first + 1 :]]


def opened_twice(events):
    at = of_kind(events, "campaign.session_opened")[-1]
    close = of_kind(events, "campaign.session_closed")[-1]
    return [*events[:close], again(events[at], command="k-twice"), *events[close:]]


def another_face_counts(events):
    at = next(n for n, event in enumerate(events) if event.get("data", {}).get("expression") == "2d20kl1")
    events[at]["rolls"][0]["kept"] = [events[at]["rolls"][0]["faces"][0] % 20 + 1] * 2
    return events


LOADED = [
    replayed,
    in_another_order,
    leaping,
    never_revealed,
    thrown_after_the_reveal,
    thrown_after_the_close,
    words_ground_later,
    opened_twice,
    another_face_counts,
]


@pytest.mark.parametrize("attack", LOADED, ids=lambda attack: attack.__name__)
def test_dice_that_a_server_loads_are_caught_in_a_chain_of_its_own(loaded, attack):
    assert faults(loaded) == []
    assert faults(rechained(loaded, attack))


def test_a_free_roll_that_adds_up_to_something_else_is_caught(lines):
    def change(event):
        if event["data"].get("expression") == "3d6":
            event["data"]["total"] += 1

    at = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    assert [fault.seq for fault in verify_lines(forged(lines, change)).faults] == [at]


STRANGE = {
    "no sides": (b'"sides":6', b'"sides":0'),
    "too many sides": (b'"sides":6', b'"sides":36893488147419103232'),
    "a place before the first": (b'"index":0', b'"index":-1'),
    "a place beyond all": (b'"index":0', b'"index":99999999999999999999'),
    "a depth without end": (b'"sides":6', b'"sides":' + b"[" * 100_000),
    "no time": (b'"at":"', b'"at":"x'),
    "an odd number": (b'"seq":', b'"seq":-'),
    "no number": (b'"seq":', b'"seq":1e400,"x":'),
    "no text": (b'"digest":"', b'"digest":7,"x":"'),
}


@pytest.mark.parametrize("strange", STRANGE)
def test_whatever_somebody_made_up_is_a_fault_and_no_crash(lines, strange):
    old, new = STRANGE[strange]
    at = next(n for n, line in enumerate(lines) if b'"expression":"3d6"' in line)
    assert old in lines[at]
    report = verify_lines([*lines[:at], lines[at].replace(old, new), *lines[at + 1 :]])
    assert not report.ok


@pytest.mark.parametrize("text", [b"", b"{}", b"[]", b"nonsense", b'{"format":"greffier/export/2"}', b"\xff"])
def test_what_is_no_export_is_said_to_be_none(text):
    assert not verify_lines([text]).ok
    assert not verify_lines([]).ok
