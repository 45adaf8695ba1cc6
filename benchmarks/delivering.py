"""The live feed to many clients, against handing the same bytes to as many plain queues."""

import asyncio
import time

from benchmarks.line import Line
from domain.campaign.opening import OpenCampaign
from domain.campaign.talk import Narrate
from services.broker.memory import MemoryBroker
from services.live.hub import Hub
from services.log.memory import MemoryLog
from services.pipeline import Order, Pipeline
from services.seat import Seat
from services.states import States

CLIENTS, EVENTS = 1_000, 100
GM = Seat("c_bench", "m_gm")


async def measure() -> list[Line]:
    ours, plain = await _feed(), await _queues()
    return [Line(f"live deliveries, {CLIENTS} clients", ours, "plain queues in the process", plain)]


async def _feed() -> float:
    log = MemoryLog()
    states = States(log)
    hub = Hub(log, states, MemoryBroker(), most_per_campaign=CLIENTS)
    await hub.start()
    clock = iter(range(1_000_000, 2_000_000))
    pipeline = Pipeline(log, states, lambda: next(clock), lambda hint, held: hub.committed(hint))
    await pipeline.submit(Order(GM, OpenCampaign(name="bench"), role="gm"))
    connections = [await hub.attach(GM, None) for _ in range(CLIENTS)]
    received = 0
    enough = asyncio.Event()

    async def read(connection: object) -> None:
        nonlocal received
        async for _ in connection.frames():  # type: ignore[attr-defined]
            received += 1
            if received >= CLIENTS * (3 + EVENTS):
                enough.set()

    tasks = [asyncio.create_task(read(connection)) for connection in connections]
    while not all(connection.live for connection in connections):
        await asyncio.sleep(0.01)
    before, start = received, time.perf_counter()
    for n in range(EVENTS):
        await pipeline.submit(Order(GM, Narrate(text=f"La nuit {n} tombe sur la ville")))
    await asyncio.wait_for(enough.wait(), 60)
    rate = (received - before) / (time.perf_counter() - start)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await hub.close()
    return rate


async def _queues() -> float:
    queues: list[asyncio.Queue[bytes]] = [asyncio.Queue() for _ in range(CLIENTS)]
    received = 0
    enough = asyncio.Event()

    async def read(queue: asyncio.Queue[bytes]) -> None:
        nonlocal received
        while True:
            await queue.get()
            received += 1
            if received >= CLIENTS * EVENTS:
                enough.set()

    tasks = [asyncio.create_task(read(queue)) for queue in queues]
    data = b"x" * 400
    start = time.perf_counter()
    for _ in range(EVENTS):
        for queue in queues:
            queue.put_nowait(data)
        await asyncio.sleep(0)
    await asyncio.wait_for(enough.wait(), 60)
    rate = received / (time.perf_counter() - start)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return rate
