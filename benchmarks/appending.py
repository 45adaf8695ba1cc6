"""Our log against pgbench calling the same function, and against a bare insert of the same rows."""

import asyncio
import glob
import os
import re
import secrets
import shutil
import tempfile
import time
from pathlib import Path

import asyncpg

from benchmarks.line import Line
from events import chain
from events.envelope import Recorded
from services.database import Database
from services.log import Appended, Batch
from services.log.grouping import GroupedWriter
from services.log.migrate import application_role, migrate
from services.log.postgres import PostgresLog

SECONDS = 3.0
BODY = b'{"actor":"m_1","audience":"table","command":"k","data":{"amount":20,"cause":"legends.strike","character":"bonk","rule":"LB-16.2.5","to_armour":15,"to_hp":5},"rolls":[{"faces":[15],"for":"to hit","index":118,"kept":[15],"sides":20,"source":"server"}],"session":3,"type":"legends.damage_taken","version":1}'  # noqa: E501
PGBENCH = r"""
\set next :seq + 1
SELECT status FROM greffier.append('p_' || :run::bigint || '_' || :client_id::bigint, true, :seq::bigint,
  decode(lpad(to_hex(:seq::bigint), 64, '0'), 'hex'), 'k' || :seq::bigint, '\x00'::bytea, ARRAY[:next::bigint],
  ARRAY[1]::bigint[],
  ARRAY['legends.damage_taken'], ARRAY[1], ARRAY[3], ARRAY['m_1'], ARRAY['table'], ARRAY['\x00'::bytea],
  ARRAY['BODY'::bytea], ARRAY['\x00'::bytea], ARRAY[decode(lpad(to_hex(:next::bigint), 64, '0'), 'hex')]);
\set seq :next
"""


class Writer:
    """One campaign's caller: the next batch, chained on."""

    def __init__(self) -> None:
        self.campaign, self.seq, self.hash = f"c_{secrets.token_hex(8)}", 0, chain.GENESIS

    def batch(self) -> Batch:
        seq, salt, fingerprint = self.seq + 1, secrets.token_bytes(16), bytes(32)
        digest = chain.digest(salt, fingerprint, BODY)
        head = chain.link(self.campaign, seq, seq, self.hash, digest)
        event = Recorded(
            self.campaign,
            seq,
            seq,
            "legends.damage_taken",
            1,
            3,
            f"k{seq}",
            0,
            "m_1",
            "table",
            fingerprint,
            salt,
            BODY,
            digest,
            head,
        )
        made = Batch(self.campaign, self.seq, self.hash, f"k{seq}", fingerprint, (event,))
        self.seq, self.hash = seq, head
        return made


class BareWriter(GroupedWriter):
    """The same queue before a plain insert: no look-up, no compare-and-set, no head."""

    async def _prepared(self) -> "asyncpg.prepared_stmt.PreparedStatement[asyncpg.Record]":
        self._connection = await self._connect()
        self._statement = await self._connection.prepare(
            "INSERT INTO bare SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::int[],"
            " $6::int[], $7::text[], $8::int[], $9::text[], $10::text[], $11::bytea[], $12::bytea[], $13::bytea[],"
            " $14::bytea[], $15::bytea[])"
        )
        return self._statement

    async def _store(self, batches: list[Batch]) -> list[Appended | None]:
        statement = self._statement or await self._prepared()
        events = [event for batch in batches for event in batch.events]
        await statement.fetch(
            [event.campaign for event in events],
            [event.seq for event in events],
            [event.at_us for event in events],
            [event.type for event in events],
            [event.version for event in events],
            [event.session for event in events],
            [event.command for event in events],
            [event.index for event in events],
            [event.actor for event in events],
            ["table" for _ in events],
            [event.fingerprint for event in events],
            [event.salt for event in events],
            [event.body for event in events],
            [event.digest for event in events],
            [event.hash for event in events],
        )
        return [Appended("written") for _ in batches]


async def measure(url: str) -> list[Line]:
    await migrate(url)
    database = await Database.connect(url, size=40, role=await application_role(url))
    owner = await Database.connect(url, size=2)
    async with owner.connection() as connection:
        await connection.execute(
            "CREATE TABLE bare (campaign_id text, seq bigint, at_us bigint, type text, version int, session int,"
            " command_id text, command_index int, actor_id text, audience text, fingerprint bytea, salt bytea,"
            " body bytea, digest bytea, hash bytea, PRIMARY KEY (campaign_id, seq));"
            " CREATE UNIQUE INDEX ON bare (campaign_id, command_id) WHERE command_index = 0;"
            " ALTER TABLE bare ALTER COLUMN body SET STORAGE EXTERNAL"
        )
    log = PostgresLog(database)
    lines = []
    for callers in (1, 8, 32):
        ours = await _log_rate(log, callers)
        theirs = await _pgbench(url, callers)
        wanted = "≥ 0.85" if callers == 32 else ""
        lines.append(Line(f"our log, {callers} callers", ours, f"pgbench, {callers} clients", theirs, wanted))
    for callers in (32, 512):
        ours = await _log_rate(log, callers)
        bare = BareWriter(owner.connect_one, log._waiting)
        plain = await _rate(bare.append, [Writer() for _ in range(callers)])
        await bare.close()
        lines.append(Line(f"grouped append, {callers} callers", ours, "bare set-based insert", plain, "≥ 0.50"))
    await log.close()
    await database.close()
    await owner.close()
    return lines


async def _log_rate(log: PostgresLog, callers: int) -> float:
    writers = [Writer() for _ in range(callers)]
    for writer in writers:
        assert (await log.create(writer.batch())).status == "written"
    return await _rate(log.append, writers)


async def _rate(append: object, writers: list[Writer]) -> float:
    """Appends a second, each caller waiting for its answer before it goes on."""
    until, done = time.perf_counter() + SECONDS, 0

    async def call(writer: Writer) -> None:
        nonlocal done
        while time.perf_counter() < until:
            answer = await append(writer.batch())  # type: ignore[operator]
            assert answer.status == "written", answer
            done += 1

    start = time.perf_counter()
    await asyncio.gather(*(call(writer) for writer in writers))
    return done / (time.perf_counter() - start)


async def _pgbench(url: str, clients: int) -> float:
    """Transactions a second of pgbench calling greffier.append, or 0 where there is no pgbench."""
    program = shutil.which("pgbench") or next(iter(sorted(glob.glob("/usr/lib/postgresql/*/bin/pgbench"))[::-1]), None)
    if program is None:
        print("pgbench was not found: install Postgres' client programs to measure against it")
        return 0.0
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "append.sql"
        script.write_text(PGBENCH.replace("BODY", "\\x" + BODY.hex()))
        process = await asyncio.create_subprocess_exec(
            program,
            *("-n", "-f", str(script), "-c", str(clients), "-j", str(min(2, clients)), "-T", str(int(SECONDS))),
            *("-M", "extended", "-D", "seq=0", "-D", f"run={secrets.randbelow(10**9)}", url),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=os.environ,
        )
        out, err = await asyncio.wait_for(process.communicate(), 60)
    found = re.search(rb"tps = ([0-9.]+)", out)
    if found is None:
        print(err.decode()[-500:])
        return 0.0
    return float(found[1])
