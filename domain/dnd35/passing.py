"""What falls due as time passes: in order, once, whatever the size of the step.

Each thing due has a round of its own. One step over a day throws the same dice in the same order as a thousand small
ones, and its facts tell the rounds at which things happened, not the round at which somebody looked.
"""

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush

from msgspec import Struct

from domain.dnd35 import ailments
from domain.dnd35.evolve import WORLD
from domain.dnd35.potions import poison
from domain.dnd35.potions.effects import finish
from domain.dnd35.rounds import HOUR
from domain.dnd35.state import Ailments, Creature, Drinker, Flask, PendingSave, Turn
from domain.kernel.clock import ROUND, now
from domain.kernel.command import Context
from domain.kernel.fold import State, every, find, fold
from events.envelope import Fact
from events.potions import FlaskSettled
from events.table import ClockAdvanced

Happen = Callable[[State, Context], Iterable[Fact]]


class Due(Struct, frozen=True):
    """Something that happens in a round. Of the same round, the lower rank comes first, then the lower name.

    `of` is the flask or the character that it happens to.
    """

    of: str
    round: int
    rank: int
    name: str
    happen: Happen

    @property
    def order(self) -> tuple[int, int, str]:
        return self.round, self.rank, self.name


def passes(state: State, until: int, context: Context) -> list[Fact]:
    """Everything due up to the second `until`, each thing seeing what the earlier ones did."""
    told: list[Fact] = []
    waiting = _Waiting(until)
    for due in dues(state):
        waiting.add(due)
    while first := waiting.first():
        at = first.round * ROUND
        there = fold(WORLD, state, [ClockAdvanced(max(0, at - now(state)), max(at, now(state)))])
        new = list(first.happen(there, context))
        state = fold(WORLD, there, new)
        told += new
        waiting.forget(first.of)
        for due in dues_of(state, first.of):
            waiting.add(due)
    return told


class _Waiting:
    """What is due until then, in order. What happens to one flask or one body changes only what it waits for itself."""

    def __init__(self, until: int) -> None:
        self._until = until
        self._heap: list[tuple[tuple[int, int, str], int, Due]] = []
        self._since: dict[str, int] = {}
        self._count = 0

    def add(self, due: Due) -> None:
        if due.round * ROUND <= self._until:
            self._count += 1
            heappush(self._heap, (due.order, self._count, due))

    def forget(self, of: str) -> None:
        self._since[of] = self._count

    def first(self) -> Due | None:
        while self._heap:
            _, number, due = heappop(self._heap)
            if number > self._since.get(due.of, 0):
                return due
        return None


def a_round_passes(state: State, context: Context) -> list[Fact]:
    """The clock moves on by one round, inside a command that takes several."""
    until = now(state) + ROUND
    return [ClockAdvanced(ROUND, until), *passes(state, until, context)]


def dues(state: State) -> Iterator[Due]:
    """All that waits, in no order."""
    for of in dict.fromkeys((*every(state, Flask), *every(state, Drinker), *every(state, Ailments))):
        yield from dues_of(state, of)


def dues_of(state: State, of: str) -> Iterator[Due]:
    """What waits for this flask, or for this character."""
    if flask := find(state, Flask, of):
        yield from _settling(of, flask)
    if drinker := find(state, Drinker, of):
        yield from _running_out(of, drinker)
    ill, sheet = find(state, Ailments, of), find(state, Creature, of)
    if ill is not None and sheet is not None and not sheet.dead:
        yield from _healing(of, ill, sheet)
        yield from _resting(of, ill, find(state, Turn, of) or Turn())


def _settling(name: str, flask: Flask) -> Iterator[Due]:
    """HM-12.11: an hour after the shaking the liquids part, each back in its place, each marked for ever."""
    if flask.emulsified_at is not None:
        at = flask.emulsified_at + HOUR
        yield Due(name, at, 0, name, _simply(FlaskSettled(name, flask.holder, at)))


def _running_out(who: str, drinker: Drinker) -> Iterator[Due]:
    """HM-A21: a potion runs out in the round it was drunk plus its rounds."""
    for place, one in enumerate(drinker.running):
        if one.until is not None:
            ended = finish(who, one, one.until, cause="dnd35.expired", rule="HM-A21")
            yield Due(who, one.until, 1, f"{who}/{place:06}", _simply(ended))


def _simply(fact: Fact) -> Happen:
    return lambda _, __: [fact]


def _saving(who: str, save: PendingSave) -> Happen:
    return lambda state, context: poison.second_save(state, who, save, context)


def _regaining(who: str, ability: str, at: int) -> Happen:
    return lambda state, _: ailments.regain(state, who, ability, at)


def _healing(who: str, ill: Ailments, sheet: Creature) -> Iterator[Due]:
    for save in ill.saves:
        yield Due(who, save.due, 2, f"{who}/{save.pair}", _saving(who, save))
    for ability, lost in sheet.ability_damage.items():
        at = sheet.recovers_at.get(ability)
        if lost > 0 and at is not None:
            yield Due(who, at, 3, f"{who}/{ability}", _regaining(who, ability, at))
    if ill.nauseated_until is not None:
        over = ill.nauseated_until
        yield Due(who, over, 4, who, lambda state, _: ailments.recover_from_nausea(state, who, over))


def _resting(who: str, ill: Ailments, turn: Turn) -> Iterator[Due]:
    if turn.resting_since is None:
        return
    hour, night = turn.resting_since + HOUR, turn.resting_since + ailments.FULL_REST
    if ill.weariness == "exhausted":
        yield Due(who, hour, 5, who, lambda state, _: ailments.breathe(state, who, hour))
    yield Due(who, night, 6, who, lambda state, _: ailments.wake(state, who, night))
