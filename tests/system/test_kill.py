"""kill -9 in the middle of a burst: what was acknowledged is there, once."""

import asyncio

import httpx

from tests.support.chain import verified_head
from tests.support.running import Running, Table

CLIENTS, COMMANDS = 8, 250


async def burst(table: Table, client: int, acknowledged: dict[str, int], stop: asyncio.Event) -> None:
    for n in range(COMMANDS):
        key = f"{client}-{n}"
        try:
            answer = await table.give("campaign.say", text=f"{client}:{n}", key=key)
        except httpx.TransportError:
            stop.set()
            return
        if answer.status_code in (200, 201):
            acknowledged[key] = answer.json()["last"]
        if stop.is_set():
            return


async def test_every_acknowledged_command_survives_a_kill_exactly_once(tmp_path):
    running = Running(tmp_path / "data").start()
    try:
        async with httpx.AsyncClient(base_url=running.url, timeout=30) as http:
            table = await Table.open(http, "ana")
            acknowledged: dict[str, int] = {}
            stop = asyncio.Event()
            tasks = [asyncio.create_task(burst(table, client, acknowledged, stop)) for client in range(CLIENTS)]
            while len(acknowledged) < 700 and not all(task.done() for task in tasks):
                await asyncio.sleep(0.005)
            running.kill()
            await asyncio.gather(*tasks)
            assert 700 <= len(acknowledged) < CLIENTS * COMMANDS, "the burst was over before the kill"

            running.start()
            record = await table.record()
            said = {event["command"]: event["seq"] for event in record if event["type"] == "campaign.said"}
            assert len(said) == sum(event["type"] == "campaign.said" for event in record)
            assert {key: said.get(key) for key in acknowledged} == acknowledged
            head = (await table.get("head")).json()
            assert verified_head(table.campaign, record) == head["hash"]

            # Whoever did not get an answer sends again with the same key: still each once.
            for client in range(CLIENTS):
                await asyncio.gather(
                    *(
                        table.give("campaign.say", text=f"{client}:{n}", key=f"{client}-{n}")
                        for n in range(COMMANDS)
                        if f"{client}-{n}" not in acknowledged
                    )
                )
            texts = [event["data"]["text"] for event in await table.record() if event["type"] == "campaign.said"]
            assert sorted(texts) == sorted(f"{c}:{n}" for c in range(CLIENTS) for n in range(COMMANDS))
            record = await table.record("ana")
            assert verified_head(table.campaign, record) == (await table.get("head", "ana")).json()["hash"]
    finally:
        running.stop()


async def test_a_table_is_there_again_after_a_clean_stop(tmp_path):
    with Running(tmp_path / "data") as running:
        async with httpx.AsyncClient(base_url=running.url, timeout=30) as http:
            table = await Table.open(http)
            await table.done("campaign.narrate", text="avant")
            before = (await table.get("head")).json()
        running.stop()
        running.start()
        async with httpx.AsyncClient(base_url=running.url, timeout=30) as http:
            table.http = http
            assert (await table.get("head")).json() == before
            await table.done("campaign.narrate", text="après")
