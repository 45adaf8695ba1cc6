"""The live feed on real sockets."""

import asyncio
import json

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tests.support.chain import verified_head
from tests.support.running import Running, Table
from tests.support.sockets import Following


@pytest.fixture
async def table(http):
    return await Table.open(http, "ana", "bo", systems=["legends", "dnd35"])


async def test_everybody_follows_and_verifies(server, table):
    async with Following(server.url, table, "gm") as gm, Following(server.url, table, "ana") as ana:
        await gm.until_live()
        await ana.until_live()
        await table.done("campaign.narrate", text="La nuit tombe")
        await table.done("campaign.gm_note", text="secret")
        last = (await table.done("campaign.say", "ana", text="Oh"))["last"]
        for one in (gm, ana):
            await one.until_seq(last)
            assert verified_head(table.campaign, one.record) == (await table.get("head")).json()["hash"]
        assert "secret" not in json.dumps(ana.frames)


async def test_commands_on_the_socket(server, table):
    async with Following(server.url, table, "ana") as ana:
        await ana.until_live()
        await ana.say(op="command", id="k1", command={"type": "campaign.say", "text": "Oh"})
        await ana.say(op="command", id="k1", command={"type": "campaign.say", "text": "Oh"})
        await ana.say(op="command", id="k2", command={"type": "campaign.narrate", "text": "Oh"})
        await ana.say(op="command", id="k3", command={"type": "campaign.dance"})
        await ana.until(lambda one: len(one.said("done")) == 2 and len(one.said("refused")) == 2)
        (answer,) = {(frame["first"], frame["last"]) for frame in ana.said("done")}
        assert answer == ((await table.get("head")).json()["seq"],) * 2
        assert {frame["problem"]["code"] for frame in ana.said("refused")} == {"NOT_GM", "MALFORMED"}
        texts = [event["data"]["text"] for event in ana.record if event.get("type") == "campaign.said"]
        assert texts == ["Oh"]


async def test_watched_views_arrive_with_the_event_they_reflect(server, table):
    async with Following(server.url, table, "ana", views=("journal", "sheet:cy")) as ana:
        await ana.until_live()
        await table.done("campaign.create_character", name="Cy", id="cy", sheet={"system": "dnd35"})
        granted = await table.done("campaign.grant", character="cy", coins=12, reason="solde")
        await ana.until(lambda one: any(f["view"] == "sheet" and f["seq"] == granted["last"] for f in one.said("view")))
        sheet = [f for f in ana.said("view") if f["view"] == "sheet"][-1]
        assert sheet["key"] == "cy"
        assert '"coins":12' in json.dumps(sheet["doc"]).replace(" ", "")
        await ana.until(
            lambda one: any(f["view"] == "journal" and f["seq"] == granted["last"] for f in one.said("view"))
        )


async def test_a_removed_player_is_told_goodbye(server, table):
    async with Following(server.url, table, "ana") as ana:
        await ana.until_live()
        await table.http.delete(
            f"/api/campaigns/{table.campaign}/members/{table.members['ana']}", headers=table.headers("gm")
        )
        await ana.until(lambda one: one.said("bye"))
        assert ana.frames[-1]["reason"] == "removed"


async def test_a_ticket_opens_one_socket(server, table):
    ticket = (await table.post("tickets", {}, "ana")).json()["ticket"]
    url = f"{server.url.replace('http', 'ws')}/api/campaigns/{table.campaign}/live?ticket={ticket}"
    async with connect(url) as socket:
        await socket.send('{"op":"hello"}')
        assert json.loads(await socket.recv())["op"] in ("event", "sealed")
    async with connect(url) as socket:
        assert json.loads(await socket.recv())["reason"] == "refused"


@pytest.mark.parametrize("token", [None, "Bearer x", "Bearer gt.c_1.zzz"])
async def test_a_stranger_is_told_why_and_sent_away(server, table, token):
    url = f"{server.url.replace('http', 'ws')}/api/campaigns/{table.campaign}/live"
    async with connect(url, additional_headers={"Authorization": token} if token else {}) as socket:
        goodbye = json.loads(await asyncio.wait_for(socket.recv(), 10))
        assert goodbye["problem"]["code"] == ("UNAUTHENTICATED" if token is None else "UNKNOWN_CAMPAIGN")
        with pytest.raises(ConnectionClosed):
            await asyncio.wait_for(socket.recv(), 10)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"op":"dance"}', '{"op":"hello","resume":1}', '{"op":"hello","x":1}', '{"op":"ping"}', "\x00"],
)
async def test_a_bad_hello_is_a_named_problem(server, table, text):
    url = f"{server.url.replace('http', 'ws')}/api/campaigns/{table.campaign}/live"
    async with connect(url, additional_headers=table.headers("ana")) as socket:
        await socket.send(text)
        goodbye = json.loads(await asyncio.wait_for(socket.recv(), 10))
        assert goodbye["problem"]["code"] == "MALFORMED"


async def test_bad_frames_are_told_and_too_many_end_it(server, table):
    async with Following(server.url, table, "ana") as ana:
        await ana.until_live()
        for _ in range(5):
            await ana.socket.send('{"op":"dance"}')
        await ana.until(lambda one: one.said("bye"))
        assert len(ana.said("error")) >= 4
        assert ana.said("bye")[0]["reason"] == "mistakes"
    assert (await table.get("head")).status_code == 200


async def test_the_same_feed_as_server_sent_events(server, table):
    seen, marks = [], []
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=15) as client,
        client.stream("GET", f"/api/campaigns/{table.campaign}/live/events", headers=table.headers("ana")) as stream,
    ):
        async for line in stream.aiter_lines():
            if line.startswith("id: "):
                marks.append(line[4:])
            if line.startswith("data: "):
                seen.append(json.loads(line[6:]))
                if seen[-1]["op"] == "live":
                    break
    await table.done("campaign.narrate", text="plus tard")
    async with (
        httpx.AsyncClient(base_url=server.url, timeout=15) as client,
        client.stream(
            "GET",
            f"/api/campaigns/{table.campaign}/live/events",
            headers=table.headers("ana", **{"Last-Event-ID": marks[-1]}),
        ) as stream,
    ):
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                seen.append(json.loads(line[6:]))
                if seen[-1]["op"] == "live":
                    break
    seqs = [
        one["event"]["seq"] if one["op"] == "event" else one["seq"] for one in seen if one["op"] in ("event", "sealed")
    ]
    assert seqs == list(range(1, (await table.get("head")).json()["seq"] + 1))


async def test_clients_end_with_exactly_the_log_after_a_kill(tmp_path):
    running = Running(tmp_path / "data").start()
    try:
        async with httpx.AsyncClient(base_url=running.url, timeout=30) as http:
            table = await Table.open(http, "ana")
            record = []
            async with Following(running.url, table, "ana") as ana:
                await ana.until_live()
                for n in range(50):
                    await table.done("campaign.narrate", text=f"{n}")
                running.kill()
                await ana.until(lambda one: one._task.done())
                record = ana.record
            running.start()
            last = record[-1]
            async with Following(running.url, table, "ana", f"1:{last['seq']}:{last['hash']}") as ana:
                await ana.until_live()
                await table.done("campaign.narrate", text="après")
                await ana.until_seq((await table.get("head")).json()["seq"])
                record += ana.record
            assert record == await table.record("ana")
            assert verified_head(table.campaign, record) == (await table.get("head")).json()["hash"]
    finally:
        running.stop()


async def test_a_server_that_stops_says_where_to_go_on(tmp_path):
    running = Running(tmp_path / "data").start()
    async with httpx.AsyncClient(base_url=running.url, timeout=30) as http:
        table = await Table.open(http, "ana")
        async with Following(running.url, table, "ana") as ana:
            await ana.until_live()
            await asyncio.to_thread(running.stop)
            await ana.until(lambda one: one.said("bye"))
            assert ana.said("bye")[0]["reason"] == "restart"
