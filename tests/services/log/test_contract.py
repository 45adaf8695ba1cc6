"""What every log promises."""

import asyncio
import random

import pytest

from events.chain import Stub, follow
from services.log import Appended, Head, Snapshot
from tests.support.batches import Writer


@pytest.fixture
async def writer(log):
    one = Writer()
    first = one.batch("open", 2)
    assert (await log.create(first)).status == "written"
    one.went_on(first)
    return one


async def test_what_was_written_is_read_back_byte_for_byte(log, writer):
    batch = writer.batch("k1", 3)
    assert await log.append(batch) == Appended("written", 3, 5)
    assert tuple(await log.read(writer.campaign, 2)) == batch.events
    assert await log.head(writer.campaign) == Head(writer.campaign, 1, 5, batch.events[-1].hash)


async def test_a_campaign_that_nobody_opened_has_no_head_and_takes_no_events(log):
    stranger = Writer()
    assert await log.head(stranger.campaign) is None
    assert (await log.append(stranger.batch("k1"))).status == "unknown_campaign"
    assert await log.read(stranger.campaign, 0) == []


async def test_a_campaign_is_created_once(log, writer):
    again = Writer(writer.campaign).batch("other")
    assert (await log.create(again)).status == "conflict"


async def test_the_opening_is_replayed_like_everything_else(log):
    one = Writer()
    batch = one.batch("open", 2)
    assert await log.create(batch) == Appended("written", 1, 2)
    assert await log.create(one.batch("open", 2)) == Appended("replayed", 1, 2)


@pytest.mark.parametrize("off", [-1, 1, 5])
async def test_an_expected_number_too_high_or_too_low_is_refused_without_a_hole(log, writer, off):
    believes = Writer(writer.campaign, writer.seq + off, writer.hash)
    assert (await log.append(believes.batch("k1"))).status == "conflict"
    assert (await log.head(writer.campaign)).seq == 2
    assert len(await log.read(writer.campaign, 0)) == 2


async def test_an_expected_hash_that_is_not_the_heads_is_refused(log, writer):
    believes = Writer(writer.campaign, writer.seq, b"x" * 32)
    assert (await log.append(believes.batch("k1"))).status == "conflict"


@pytest.mark.parametrize("fresh", [True, False], ids=["fresh head", "stale head"])
@pytest.mark.parametrize("same", [True, False], ids=["same body", "other body"])
async def test_a_key_is_answered_before_the_head_is_looked_at(log, writer, fresh, same):
    batch = writer.batch("k1", 2)
    await log.append(batch)
    if fresh:
        writer.went_on(batch)
    again = writer.batch("k1", 2, fingerprint=bytes(32) if same else b"f" * 32)
    expected = Appended("replayed", 3, 4) if same else Appended("key_reused")
    assert await log.append(again) == expected
    assert await log.answer(writer.campaign, "k1", again.fingerprint) == expected
    assert await log.answer(writer.campaign, "unheard", bytes(32)) is None
    assert len(await log.read(writer.campaign, 0)) == 4


async def test_the_same_key_sent_fifty_times_at_once_is_written_once(log, writer):
    answers = await asyncio.gather(*(log.append(writer.batch("k1", 2)) for _ in range(50)))
    assert sorted(answer.status for answer in answers) == ["replayed"] * 49 + ["written"]
    assert {(answer.first, answer.last) for answer in answers} == {(3, 4)}


async def test_sixteen_racing_writers_leave_no_gap_and_no_duplicate_and_every_loser_is_told(log, writer):
    async def write(name: int) -> list[str]:
        statuses, mine = [], Writer(writer.campaign, writer.seq, writer.hash)
        for n in range(6):
            while True:
                batch = mine.batch(f"{name}-{n}", 1 + n % 3)
                answer = await log.append(batch)
                statuses.append(answer.status)
                if answer.status == "written":
                    mine.went_on(batch)
                    break
                assert answer.status == "conflict"
                head = await log.head(writer.campaign)
                mine.seq, mine.hash = head.seq, head.hash
        return statuses

    statuses = [one for many in await asyncio.gather(*(write(name) for name in range(16))) for one in many]
    assert statuses.count("written") == 96
    events = await log.read(writer.campaign, 0, 10_000)
    assert [event.seq for event in events] == list(range(1, 2 + 16 * (1 + 2 + 3 + 1 + 2 + 3) + 1))
    head = await log.head(writer.campaign)
    assert follow(writer.campaign, [Stub(e.seq, e.at_us, e.digest) for e in events]) == (head.seq, head.hash)


async def test_many_campaigns_at_once_each_keep_their_own_order(log):
    async def play() -> Writer:
        one = Writer()
        first = one.batch("open")
        await log.create(first)
        one.went_on(first)
        for n in range(10):
            batch = one.batch(f"k{n}", 2)
            assert (await log.append(batch)).status == "written"
            one.went_on(batch)
        return one

    for one in await asyncio.gather(*(play() for _ in range(40))):
        assert await log.head(one.campaign) == Head(one.campaign, 1, one.seq, one.hash)
        assert [event.seq for event in await log.read(one.campaign, 0)] == list(range(1, 22))


async def test_a_cancelled_caller_leaves_its_batch_whole(log, writer):
    chance = random.Random(11)
    for n in range(60):
        batch = writer.batch(f"k{n}")
        task = asyncio.ensure_future(log.append(batch))
        for _ in range(chance.randrange(12)):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        answer = await log.append(batch)
        assert answer.status in ("written", "replayed")
        assert (answer.first, answer.last) == (writer.seq + 1, writer.seq + 1)
        writer.went_on(batch)
    assert len(await log.read(writer.campaign, 0)) == 62


async def test_heads_beyond_what_one_knows(log, writer):
    other = Writer()
    await log.create(other.batch("open"))
    found = await log.heads({writer.campaign: 1, other.campaign: 1, "c_unknown": 0})
    assert [head.campaign for head in found] == [writer.campaign]
    assert await log.heads({}) == []


async def test_pages_meet_without_gap_or_repeat(log, writer):
    batch = writer.batch("k1", 57)
    await log.append(batch)
    read, after = [], 0
    while page := await log.read(writer.campaign, after, 10):
        read += [event.seq for event in page]
        after = page[-1].seq
    assert read == list(range(1, 60))


async def test_the_newest_snapshot_of_the_same_code_is_found(log, writer):
    for seq in (1, 2):
        await log.save_snapshot(Snapshot(writer.campaign, "code1", seq, bytes(32), b"%d" % seq))
    await log.save_snapshot(Snapshot(writer.campaign, "code1", 2, bytes(32), b"2"))
    assert (await log.load_snapshot(writer.campaign, "code1")).seq == 2
    assert (await log.load_snapshot(writer.campaign, "code1", 1)).state == b"1"
    assert await log.load_snapshot(writer.campaign, "code2") is None
    assert await log.delete_snapshots(writer.campaign) == 2
    assert await log.load_snapshot(writer.campaign, "code1") is None


async def test_a_seed_is_kept_and_never_replaced(log, writer):
    await log.keep_seed(writer.campaign, "commitment", b"s" * 32)
    await log.keep_seed(writer.campaign, "commitment", b"t" * 32)
    assert await log.seed(writer.campaign, "commitment") == b"s" * 32
    assert await log.seed(writer.campaign, "another") is None


async def test_a_campaigns_secret_is_always_the_same(log, writer):
    secrets = await asyncio.gather(*(log.secret(writer.campaign) for _ in range(20)))
    assert len(set(secrets)) == 1
    assert len(secrets[0]) == 32
    assert await log.secret("c_other") != secrets[0]
