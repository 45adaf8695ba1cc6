"""Faults that a review found on the running server, each of its whole kind."""

import contextlib

import pytest

from tests.support.running import Table
from tests.support.sockets import Following

SIX = {"strength": 10, "dexterity": 10, "constitution": 10, "intelligence": 10, "wisdom": 10, "charisma": 10}
SHEET = {"system": "legends", "stats": SIX, "hp_max": 50}


@pytest.fixture
async def table(http):
    return await Table.open(http, "ana", "bo", "cy", systems=["legends", "dnd35"])


async def test_nobody_misses_an_event_because_somebody_else_is_removed(server, table):
    async with contextlib.AsyncExitStack() as stack:
        everybody = [
            await (await stack.enter_async_context(Following(server.url, table, name))).until_live()
            for name in ("gm", "ana", "ana", "bo", "bo", "cy", "cy", "gm")
        ]
        await table.done("campaign.narrate", text="avant")
        gone = table.members["bo"]
        await table.http.delete(f"/api/campaigns/{table.campaign}/members/{gone}", headers=table.headers("gm"))
        last = (await table.done("campaign.narrate", text="après"))["last"]
        for at, one in enumerate(everybody):
            if at in (3, 4):
                await one.until(lambda client: client.said("bye"))
                assert one.seqs == list(range(1, last - 1))
            else:
                await one.until_seq(last)
                assert one.seqs == list(range(1, last + 1))


async def test_one_members_strange_watch_stops_nobody_elses(server, table):
    await table.done("campaign.create_character", name="A", id="a", sheet=SHEET)
    async with Following(server.url, table, "ana", views=("sheet:a",)) as ana:
        await ana.until_live()
        async with Following(server.url, table, "bo", views=("sheet:\x00",)) as bo:
            await bo.until(lambda one: one.said("bye"))
        async with Following(server.url, table, "cy", views=("sheet:%", "nothing:a", "journal")):
            granted = await table.done("campaign.grant", character="a", coins=5, reason="x")
            await ana.until(lambda one: any(frame["seq"] == granted["last"] for frame in one.said("view")))


async def test_a_revoked_token_commands_nothing_more_on_its_socket(server, table):
    made = (await table.post("tokens", {"name": "bot", "scopes": ["roll"]}, "ana")).json()
    table.tokens["bot"] = made["token"]
    async with Following(server.url, table, "bot") as bot:
        await bot.until_live()
        await bot.say(op="command", id="k1", command={"type": "campaign.say", "text": "avant"})
        await bot.until(lambda one: one.said("done"))
        answer = await table.http.delete(
            f"/api/campaigns/{table.campaign}/tokens/{made['id']}", headers=table.headers("ana")
        )
        assert answer.status_code == 200
        await bot.say(op="command", id="k2", command={"type": "campaign.say", "text": "après"})
        await bot.until(lambda one: one.said("refused"))
        await bot.until(lambda one: one.said("bye"), 30)


async def test_a_narrow_token_neither_lists_nor_ends_the_others(table):
    made = (await table.post("tokens", {"name": "bot", "scopes": ["read"]}, "ana")).json()
    table.tokens["bot"] = made["token"]
    assert (await table.get("tokens", "bot")).status_code == 403
    answer = await table.http.delete(
        f"/api/campaigns/{table.campaign}/tokens/{made['id']}", headers=table.headers("bot")
    )
    assert answer.status_code == 403


async def test_an_acting_token_acts_for_several(table):
    await table.done("campaign.create_character", name="A", id="a", owner=table.members["ana"], sheet=SHEET)
    made = (await table.post("tokens", {"name": "bot", "scopes": ["act:a"]}, "ana")).json()
    table.tokens["bot"] = made["token"]
    await table.done("legends.take_short_rest", "bot", characters=["a"])


@pytest.mark.parametrize("query", ["preview=true", "dry_run=1", "x="])
async def test_a_question_that_is_not_understood_is_not_answered_with_the_deed(table, query):
    before = (await table.get("head")).json()
    answer = await table.http.post(
        f"/api/campaigns/{table.campaign}/commands?{query}",
        json={"type": "campaign.narrate", "text": "x"},
        headers=table.headers("gm"),
    )
    assert answer.status_code == 400
    assert (await table.get("head")).json() == before


@pytest.mark.parametrize("depth", [1_000, 5_000, 20_000])
async def test_what_is_nested_without_end_is_malformed(server, table, depth):
    deep = "[" * depth + "]" * depth
    bodies = [
        (f"/api/campaigns/{table.campaign}/commands", '{"x":%s,"type":"campaign.say","text":"x"}' % deep),
        (
            f"/api/campaigns/{table.campaign}/commands",
            '{"type":"campaign.create_character","name":"x","sheet":{"x":%s,"system":"legends"}}' % deep,
        ),
        ("/api/campaigns", '{"x":%s,"name":"x"}' % deep),
        ("/api/join", '{"x":%s}' % deep),
    ]
    for path, body in bodies:
        answer = await table.http.post(path, content=body, headers=table.headers("ana"))
        assert 400 <= answer.status_code < 500, answer.text
    async with Following(server.url, table, "ana") as ana:
        await ana.until_live()
        await ana.socket.send('{"op":"presence","state":{"x":%s}}' % deep)
        await ana.until(lambda one: one.said("error"))
        assert ana.said("error")[0]["problem"]["status"] == 400


async def test_a_trade_tells_nothing_of_a_giver_who_was_hidden_since(table):
    await table.done("campaign.create_character", name="M", id="mer", kind="non_player", sheet=SHEET)
    await table.done("campaign.create_character", name="A", id="a", owner=table.members["ana"], sheet=SHEET)
    await table.done("campaign.grant", character="mer", coins=50, reason="x")
    offered = await table.done("campaign.offer_trade", giver="mer", taker="a", offer={"coins": 50})
    trade = offered["events"][0]["data"]["trade"]
    await table.done("campaign.take_away", character="mer", coins=13, reason="x")
    short = await table.refused("campaign.accept_trade", "OFFER_NOT_COVERED", "ana", character="a", trade=trade)
    assert "37" not in str(short)
    await table.done("campaign.hide_character", character="mer")
    await table.refused("campaign.accept_trade", "UNKNOWN_TRADE", "ana", character="a", trade=trade)


async def test_catching_up_tells_nothing_of_the_hidden(table):
    await table.post("commands", {"type": "campaign.change_settings", "settings": {"xp.catch_up_multiplier": 2}})
    for name in ("a", "b"):
        await table.done("campaign.create_character", name=name, id=name, sheet=SHEET)
    await table.done("campaign.create_character", name="g", id="g", hidden=True, sheet=SHEET | {"level": 15})
    told = await table.done("legends.award_experience", character="a", amount=10, reason="x")
    assert told["events"][0]["data"]["amount"] == 10


async def test_an_override_names_everybody_it_is_about(table):
    for name, hidden in (("a", False), ("g", True)):
        await table.done("campaign.create_character", name=name, id=name, hidden=hidden, sheet=SHEET)
    await table.done("campaign.retire_character", character="a")
    await table.done("campaign.grant", character="a", coins=5, reason="x")
    await table.done("campaign.give", giver="a", taker="g", coins=1, override={"reason": "ZQX"})
    assert "ZQX" not in (await table.get("events", "ana", limit=1000)).text


async def test_changing_a_member_happens_whole_or_not_at_all(table):
    made = (await table.post("tokens", {"name": "bot", "scopes": ["gm"]})).json()
    table.tokens["bot"] = made["token"]
    before = (await table.get("head")).json()
    answer = await table.http.patch(
        f"/api/campaigns/{table.campaign}/members/{table.members['ana']}",
        json={"role": "spectator", "name": "X"},
        headers=table.headers("bot"),
    )
    assert answer.status_code == 404
    assert (await table.get("head")).json() == before


async def test_a_removed_member_is_not_told_an_old_answer_either(table):
    await table.give("campaign.say", "ana", text="x", key="k1")
    await table.http.delete(
        f"/api/campaigns/{table.campaign}/members/{table.members['ana']}", headers=table.headers("gm")
    )
    assert (await table.give("campaign.say", "ana", text="x", key="k1")).status_code == 404


async def test_an_invite_that_hands_over_a_character_is_for_one(table):
    await table.done("campaign.create_character", name="A", id="a", sheet=SHEET)
    answer = await table.post("invites", {"character": "a", "uses": 2})
    assert answer.json()["code"] == "ONE_PLAYER"
