"""Bad input never gives a 5xx and never changes anything."""

import json

import httpx
import pytest

from tests.support.running import Table

NAN = b'{"type":"campaign.grant","character":"cy","reason":"x","coins":NaN}'
BODIES = {
    "nothing": b"",
    "no json": b"{",
    "nan": NAN,
    "infinity": NAN.replace(b"NaN", b"Infinity"),
    "a float": NAN.replace(b"NaN", b"1.5"),
    "a whole float": NAN.replace(b"NaN", b"1.0"),
    "an exponent": NAN.replace(b"NaN", b"1e3"),
    "a huge integer": NAN.replace(b"NaN", b"9" * 400),
    "below zero": NAN.replace(b"NaN", b"-1"),
    "a text for a number": NAN.replace(b"NaN", b'"1"'),
    "a boolean for a number": NAN.replace(b"NaN", b"true"),
    "a list": b"[]",
    "a number": b"1",
    "null": b"null",
    "no type": b"{}",
    "an unknown type": b'{"type":"campaign.destroy"}',
    "a type that is a number": b'{"type":1}',
    "the edge's own command": b'{"type":"campaign.join","invite":"i"}',
    "opening again": b'{"type":"campaign.open","name":"x"}',
    "an unknown field": b'{"type":"campaign.narrate","text":"x","result":20}',
    "a missing field": b'{"type":"campaign.narrate"}',
    "an empty text": b'{"type":"campaign.narrate","text":""}',
    "a lone surrogate": b'{"type":"campaign.narrate","text":"\\ud800"}',
    "a surrogate in bytes": b'{"type":"campaign.narrate","text":"\xed\xa0\x80"}',
    "not utf-8": b'{"type":"campaign.narrate","text":"\xff"}',
    "a nul": b'{"type":"campaign.narrate","text":"a\\u0000b"}',
    "a control character": b'{"type":"campaign.rename","name":"a\\u0007b"}',
    "only spaces": b'{"type":"campaign.rename","name":"   "}',
    "a 5 MB name": b'{"type":"campaign.rename","name":"' + b"a" * 5_000_000 + b'"}',
    "a long name": b'{"type":"campaign.rename","name":"' + b"a" * 10_000 + b'"}',
    "depth": b'{"type":"campaign.narrate","text":' + b"[" * 20_000 + b"]" * 20_000 + b"}",
    "twins": b'{"type":"campaign.narrate","type":"campaign.gm_note","text":1}',
    "dice of nothing": b'{"type":"campaign.narrate","text":"x","dice":[1]}',
    "a die of zero": b'{"type":"campaign.roll","expression":"1d20","dice":[0]}',
    "too many dice": json.dumps({"type": "campaign.roll", "expression": "1d20", "dice": [1] * 5_000}).encode(),
    "an override without a reason": b'{"type":"campaign.narrate","text":"x","override":{"reason":""}}',
    "a character with quotes": b'{"type":"campaign.grant","character":"a\\"b","reason":"x","coins":1}',
    "a character of another world": b'{"type":"campaign.grant","character":"k_none","reason":"x","coins":1}',
}


@pytest.mark.parametrize("name", BODIES)
async def test_a_bad_command_is_a_named_problem_and_changes_nothing(http, name):
    table = await Table.open(http)
    before = (await table.get("head")).json()
    answer = await http.post(
        f"/api/campaigns/{table.campaign}/commands",
        content=BODIES[name],
        headers=table.headers("gm", **{"Content-Type": "application/json"}),
    )
    assert 400 <= answer.status_code < 500, answer.text
    problem = answer.json()
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert {"type", "title", "status", "detail", "code"} <= problem.keys()
    assert (await table.get("head")).json() == before


@pytest.mark.parametrize("name", [name for name in BODIES if not name.startswith(("a bad", "dice"))])
@pytest.mark.parametrize("path", ["/api/campaigns", "/api/join"])
async def test_a_bad_form_is_a_named_problem(http, path, name):
    answer = await http.post(path, content=BODIES[name], headers={"Content-Type": "application/json"})
    assert 400 <= answer.status_code < 500, answer.text


@pytest.mark.parametrize(
    "path",
    [
        "events?after=-1",
        "events?after=x",
        "events?limit=0",
        "events?limit=100000",
        "events?after=99999999999999999999999",
        "events?text=" + "a" * 1_000,
        "events?session=-4",
        "state?at=0",
        "state?at=99999999",
        "state?at=yesterday",
        "state?at=2026-01-01T00:00:00",
        "state?at=9999-12-31T23:59:59Z&at=1",
        "sessions/7",
        "sessions/x",
        "sessions/99999999999999999999999999",
        "views/nothing/all",
        "views/sheet/%00",
        "views/sheet/..%2F..%2Fetc",
        "views/journal/all?min_seq=-1",
        "views/journal/all?limit=1000000",
        "nothing",
        "%ff",
    ],
)
async def test_bad_questions_are_answered_without_a_5xx(http, path):
    table = await Table.open(http)
    answer = await http.get(f"/api/campaigns/{table.campaign}/{path}", headers=table.headers("gm"))
    assert answer.status_code < 500, answer.text


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Basic abc", 401),
        ("Bearer gt.c_x.y", 404),
        ("Bearer " + "a" * 10_000, 404),
        ("Bearer é", 404),
        ("Bearer gt.\x01.z", 404),
    ],
)
async def test_without_a_token_of_this_campaign_there_is_no_campaign(http, header, status):
    table = await Table.open(http)
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    for campaign in (table.campaign, "c_nowhere", "%00", "c" * 500):
        try:
            answer = await http.get(f"/api/campaigns/{campaign}/state", headers=headers)
        except httpx.LocalProtocolError:
            return
        assert answer.status_code == status or answer.status_code == 400, (campaign, answer.text)


async def test_a_token_opens_its_own_campaign_only(http):
    mine, theirs = await Table.open(http, "ana"), await Table.open(http, "bo")
    for by in ("gm", "ana"):
        for path in ("state", "events", "head", "export", "tokens", "invites", "views/journal/all", ""):
            answer = await http.get(f"/api/campaigns/{theirs.campaign}/{path}", headers=mine.headers(by))
            assert answer.status_code == 404, path
        answer = await http.post(
            f"/api/campaigns/{theirs.campaign}/commands",
            json={"type": "campaign.say", "text": "coucou"},
            headers=mine.headers(by),
        )
        assert answer.status_code == 404
    invite = (await theirs.post("invites", {})).json()
    answer = await http.delete(
        f"/api/campaigns/{mine.campaign}/members/{theirs.members['bo']}", headers=mine.headers("gm")
    )
    assert answer.status_code == 422
    forged = invite["code"].replace(theirs.campaign, mine.campaign)
    assert (await http.post("/api/join", json={"invite": forged, "name": "x"})).status_code == 404


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 65, "é", "\x01"])
async def test_a_bad_key_is_refused(http, key):
    table = await Table.open(http)
    try:
        answer = await http.post(
            f"/api/campaigns/{table.campaign}/commands",
            json={"type": "campaign.narrate", "text": "x"},
            headers=[
                (b"authorization", table.headers("gm")["Authorization"].encode()),
                (b"idempotency-key", key.encode()),
            ],
        )
    except httpx.LocalProtocolError:
        return
    assert answer.status_code in (400, 201), answer.text
    assert answer.status_code == 400 or key == " "


async def test_strange_but_honest_text_is_kept_as_it_is(http):
    table = await Table.open(http)
    for text in ("👩‍👩‍👧‍👦 ✨", "שלום עולם", "e\u0301 é", "Œil, œuf", "ligne 1\nligne 2\ttab", "a\u202eb"):
        done = await table.done("campaign.narrate", text=text)
        assert done["events"][0]["data"]["text"] == text


async def test_wrong_methods_and_addresses_are_problems_too(http):
    for method, path in (("DELETE", "/api/campaigns"), ("PUT", "/api/join"), ("GET", "/api/nothing"), ("GET", "/x/y")):
        answer = await http.request(method, path)
        assert answer.status_code in (404, 405), (method, path, answer.status_code)
        assert answer.json()["code"] in ("NOT_FOUND", "METHOD_NOT_ALLOWED")


async def test_an_invite_is_used_once(http):
    table = await Table.open(http)
    invite = (await table.post("invites", {"uses": 1})).json()
    answers = [await http.post("/api/join", json={"invite": invite["code"], "name": f"n{n}"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [201, 404, 404]


async def test_the_same_key_says_the_same_and_another_body_is_a_conflict(http):
    table = await Table.open(http)
    first = await table.give("campaign.narrate", text="une fois", key="k1")
    again = await table.give("campaign.narrate", text="une fois", key="k1")
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.headers["idempotency-replayed"] == "true"
    assert again.json() == first.json()
    other = await table.give("campaign.narrate", text="deux fois", key="k1")
    assert (other.status_code, other.json()["code"]) == (409, "KEY_REUSED")
