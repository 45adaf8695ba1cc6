"""Two nodes, as two processes, on one Postgres and one Redis serve the same campaign."""

import asyncio
import random

import httpx
import pytest

from tests.support.chain import verified_head
from tests.support.running import Running, Table, greffier
from tests.support.servers import drop_database, fresh_database
from tests.support.sockets import Following


@pytest.fixture
async def two(tmp_path, postgres_server, redis_server):
    url = await fresh_database(postgres_server)
    environment = {"GREFFIER_DATABASE_URL": url, "GREFFIER_REDIS_URL": redis_server}
    nodes = [Running(tmp_path / name, **environment) for name in ("one", "two")]
    await asyncio.gather(*(asyncio.to_thread(node.start) for node in nodes))
    yield nodes
    for node in nodes:
        await asyncio.to_thread(node.stop)
    await drop_database(postgres_server, url)


async def test_both_take_commands_and_every_client_sees_one_order(two):
    chance = random.Random(5)
    async with (
        httpx.AsyncClient(base_url=two[0].url, timeout=30) as here,
        httpx.AsyncClient(base_url=two[1].url, timeout=30) as there,
    ):
        table = await Table.open(here, "ana", "bo", systems=["legends", "dnd35"])
        other = Table(there, table.campaign, table.tokens, table.members)
        async with Following(two[0].url, table, "ana") as ana, Following(two[1].url, table, "bo") as bo:
            await ana.until_live()
            await bo.until_live()

            async def play(name: str) -> int:
                done = 0
                for n in range(40):
                    answer = await chance.choice((table, other)).give(
                        "campaign.say", name, text=f"{n}", key=f"{name}{n}"
                    )
                    done += answer.status_code == 201
                return done

            done = await asyncio.gather(play("gm"), play("ana"), play("bo"))
            assert done == [40, 40, 40]
            heads = [(await one.get("head")).json() for one in (table, other)]
            assert heads[0] == heads[1]
            for one in (ana, bo):
                await one.until_seq(heads[0]["seq"])
                assert verified_head(table.campaign, one.record) == heads[0]["hash"]

            # The same key on both at once: one effect.
            answers = await asyncio.gather(
                *((table, other)[n % 2].give("campaign.narrate", text="une fois", key="same") for n in range(50))
            )
            assert sorted(answer.status_code for answer in answers) == [200] * 49 + [201]
            assert len({(answer.json()["first"], answer.json()["last"]) for answer in answers}) == 1

            # A member removed on one node is nobody on the other, at once.
            await table.http.delete(
                f"/api/campaigns/{table.campaign}/members/{table.members['bo']}", headers=table.headers("gm")
            )
            assert (await other.get("state", "bo")).status_code == 404
            await bo.until(lambda one: one.said("bye"))


async def test_a_node_that_dies_takes_nothing_with_it(two):
    async with (
        httpx.AsyncClient(base_url=two[0].url, timeout=30) as here,
        httpx.AsyncClient(base_url=two[1].url, timeout=30) as there,
    ):
        table = await Table.open(here, "ana")
        other = Table(there, table.campaign, table.tokens, table.members)
        for n in range(20):
            await table.done("campaign.narrate", text=f"{n}")
        two[0].kill()
        for n in range(20, 40):
            await other.done("campaign.narrate", text=f"{n}")
        record = await other.record("ana")
        assert [e["data"]["text"] for e in record if e.get("type") == "campaign.narrated"] == [
            f"{n}" for n in range(40)
        ]
        assert verified_head(table.campaign, record) == (await other.get("head")).json()["hash"]


async def test_the_demo_passes_with_the_spectator_on_the_other_node(two, tmp_path):
    words = ("demo", "--url", two[0].url, "--watch-url", two[1].url)
    played = await asyncio.to_thread(greffier, *words, home=tmp_path)
    assert played.returncode == 0, played.stdout + played.stderr
