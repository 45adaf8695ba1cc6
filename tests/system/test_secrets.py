"""A hidden character, a whisper and a note are nowhere a player can look, except sealed."""

import pytest

from tests.support.chain import verified_head
from tests.support.running import Table

MARK = "ZQXJ"
ASKED = '"key":"zqxj-id"'
"""What the reader asked for is told back to them."""


@pytest.fixture
async def table(http):
    table = await Table.open(http, "ana", "bo", systems=["legends", "dnd35"])
    await table.seat("zoe", "spectator")
    return table


async def secrets(table: Table, sheet: dict) -> list[str]:
    """Marks that only the game master (and bo, for the whisper) may ever read."""
    await table.done(
        "campaign.create_character", name=f"{MARK}-ombre", kind="non_player", id="zqxj-id", hidden=True, sheet=sheet
    )
    await table.done(
        "campaign.grant", character="zqxj-id", coins=7_654_321, items={f"{MARK}-objet": 1}, reason=f"{MARK}-raison"
    )
    await table.done("campaign.rename_character", character="zqxj-id", name=f"{MARK}-voleur")
    await table.done("campaign.correct", character="zqxj-id", field="coins", value=7_654_320, reason=f"{MARK}-erreur")
    await table.done("campaign.say", character="zqxj-id", text=f"{MARK}-parole")
    await table.done("campaign.whisper", to=[table.members["bo"]], text=f"{MARK}-murmure")
    await table.done("campaign.gm_note", text=f"{MARK}-note")
    await table.done("campaign.open_session")
    await table.done("campaign.roll", expression=f"1d20 {MARK}-jet", secret=True)
    return [MARK, MARK.lower(), "7654321", "7654320"]


@pytest.mark.parametrize("who", ["ana", "zoe"])
async def test_no_byte_that_a_player_can_fetch_tells_a_secret(table, sheet, who):
    marks = await secrets(table, sheet)
    head = (await table.get("head")).json()["seq"]
    fetched = {}
    for path in (
        "",
        "state",
        "state?at=5",
        "events?limit=1000",
        f"events?limit=1000&text={MARK}",
        "events?limit=1000&character=zqxj-id",
        "events?limit=1000&type=campaign.gm_noted",
        "export",
        "head",
        "invites",
        "tokens",
        "sessions/1",
        f"views/journal/all?min_seq={head}",
        f"views/journal/all?min_seq={head}&detail=true&lang=en",
        f"views/sheet/zqxj-id?min_seq={head}",
        f"views/sheet/all?min_seq={head}",
        f"views/ledger/zqxj-id?min_seq={head}",
        f"views/sessions/all?min_seq={head}",
    ):
        answer = await table.http.get(f"/api/campaigns/{table.campaign}/{path}", headers=table.headers(who))
        assert answer.status_code < 500
        fetched[path] = answer.text
    fetched["/api/campaigns"] = (await table.http.get("/api/campaigns", headers=table.headers(who))).text
    fetched["/metrics"] = (await table.http.get("/metrics")).text
    for kind, fields in (
        ("campaign.give", {"giver": "zqxj-id", "taker": "zqxj-id", "coins": 1}),
        ("campaign.rename_character", {"character": "zqxj-id", "name": "x"}),
    ):
        hidden = await table.give(kind, who, **fields)
        nobody = await table.give(kind, who, **{k: "nobody" if v == "zqxj-id" else v for k, v in fields.items()})
        assert hidden.text.replace("zqxj-id", "nobody") == nobody.text
    for path, text in fetched.items():
        for mark in marks:
            assert mark not in text.replace(path, "").replace(ASKED, ""), (path, mark)


async def test_the_game_master_does_see_them(table, sheet):
    await secrets(table, sheet)
    head = (await table.get("head")).json()["seq"]
    assert MARK in (await table.get("state")).text
    assert f"{MARK}-note" in (await table.get("events", limit=1_000)).text
    journal = (await table.get("views/journal/all", min_seq=head, limit=1_000)).text
    assert f"{MARK}-note" in journal
    assert f"{MARK}-murmure" in (await table.get("events", "bo", limit=1_000)).text


async def test_a_player_verifies_the_whole_chain_all_the_same(table, sheet):
    await secrets(table, sheet)
    heads = {by: verified_head(table.campaign, await table.record(by)) for by in ("gm", "ana", "bo", "zoe")}
    assert set(heads.values()) == {(await table.get("head")).json()["hash"]}
    sealed = [event for event in await table.record("ana") if "salt" not in event]
    assert sealed
    assert all(set(event) == {"seq", "at", "digest"} for event in sealed)


async def test_two_campaigns_that_differ_only_in_a_secret_look_alike(http, sheet):
    """But for ids, times and hashes."""

    async def seen(note: str) -> list[str]:
        table = await Table.open(http, "ana")
        await table.done("campaign.gm_note", text=note)
        await table.done("campaign.narrate", text="rien")
        return [sorted(event) if "salt" in event else ["sealed"] for event in await table.record("ana")]

    assert await seen("a") == await seen("b" * 5_000)


async def test_a_removed_player_reads_nothing_more(table):
    await table.http.delete(
        f"/api/campaigns/{table.campaign}/members/{table.members['ana']}", headers=table.headers("gm")
    )
    for path in ("state", "events", "head", "export", "views/journal/all"):
        assert (await table.get(path, "ana")).status_code == 404
    assert (await table.give("campaign.say", "ana", text="x")).status_code == 404


@pytest.fixture
def sheet():
    return {"system": "dnd35"}
