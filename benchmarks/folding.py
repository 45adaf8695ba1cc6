"""Reading the record: typed decode, and decode with fold."""

import time
from collections.abc import Callable

from benchmarks.line import Line
from domain.campaign.book import EVOLVE
from domain.kernel.fold import fold
from events.envelope import Fact, Happened
from events.table import CampaignOpened, CharacterCreated, CoinsGained, CoinsGiven, ItemsGained, MemberJoined, Said
from services.states import CODEC

EVENTS = 60_000


def story() -> list[Fact]:
    """Four characters who earn, give and talk."""
    names = ["ayla", "bonk", "cy", "dan"]
    facts: list[Fact] = [CampaignOpened("x", ("legends",), "fr", "server", {}), MemberJoined("m_1", "gm")]
    facts += [CharacterCreated(name, name, "player", "legends", owner="m_1") for name in names]
    balance = dict.fromkeys(names, 0)
    while len(facts) < EVENTS:
        n = len(facts)
        who, other = names[n % 4], names[(n + 1) % 4]
        balance[who] += 10
        facts.append(CoinsGained(who, 10, balance[who], "campaign.grant"))
        balance[who], balance[other] = balance[who] - 3, balance[other] + 3
        facts.append(CoinsGiven(who, other, 3, balance[who], balance[other]))
        facts.append(ItemsGained(who, "bread", 1, n, "legends.purchase"))
        facts.append(Said("La nuit tombe sur la ville", character=who))
    return facts


def measure() -> list[Line]:
    stored = []
    for fact in story():
        kind = str(fact.__struct_config__.tag)
        stored.append((kind, CODEC.encode(Happened("m_1", "table", "k1", 1, fact))))
    decode = CODEC.decode

    def alone() -> None:
        for kind, body in stored:
            decode(kind, 1, body)

    def folded() -> None:
        fold(EVOLVE, {}, (decode(kind, 1, body).fact for kind, body in stored))

    one, both = _best(alone), _best(folded)
    return [Line("decode and fold", len(stored) / both, "decode alone", len(stored) / one, "≥ 0.40 (time ≤ 2.5 ×)")]


def _best(work: Callable[[], None]) -> float:
    """The shortest of five runs, in seconds."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)
