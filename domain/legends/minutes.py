"""LB-A61 and LB-A109: outside of a fight a minute is a turn, for saves and for effects."""

from domain.kernel.cast import Character
from domain.kernel.clock import MINUTE, now
from domain.kernel.dice import Dice
from domain.kernel.fold import State, every, find, fold
from domain.legends.downfall import ENOUGH
from domain.legends.effects import consequence, expired
from domain.legends.evolve import EVOLVE
from domain.legends.leaves.afflictions import Afflicted
from domain.legends.state import Combatant, Fighter, in_play
from events.envelope import Fact
from events.legends import TurnStarted


def minutes_pass(state: State, until: int, dice: Dice) -> list[Fact]:
    """What falls due for everybody who takes no part in the fight."""
    told: list[Fact] = []
    since, cast = now(state), every(state, Character)
    for who in every(state, Fighter):
        if find(state, Combatant, who) is None and who in cast and in_play(cast[who]):
            new = _for(state, who, since, until, dice)
            state = fold(EVOLVE, state, new)
            told += new
    return told


def _for(state: State, who: str, since: int, until: int, dice: Dice) -> list[Fact]:
    """LB-A109: a turn of effects for each minute begun; LB-A57: whoever is down saves and suffers all the same."""
    told: list[Fact] = []
    for number in range(until // MINUTE - since // MINUTE):
        if find(state, Afflicted, who) is None:
            break
        new = _minute(state, who, (since // MINUTE + number + 1) * MINUTE, dice)
        if not new:
            break
        state = fold(EVOLVE, state, new)
        told += new
    return [*told, *_saves(state, who, until)]


def _minute(state: State, who: str, at: int, dice: Dice) -> list[Fact]:
    one = find(state, Fighter, who)
    if one is None or one.dead:
        return []
    window = [_window(who, one, at, 1)] if one.down and not _quiet(state, who) else []
    after = fold(EVOLVE, state, window)
    acted = consequence(after, who, dice)
    over = expired(fold(EVOLVE, after, acted), who)
    return [*window, *acted, *over] if acted or over else []


def _quiet(state: State, who: str) -> bool:
    leaf = find(state, Afflicted, who)
    return leaf is None or not leaf.effects


def _saves(state: State, who: str, until: int) -> list[Fact]:
    """LB-A61: whoever is down has a save a minute, until three of a kind decide (LB-A54)."""
    one = find(state, Fighter, who)
    if one is None or not one.down:
        return []
    minutes = (until - one.turn_at) // MINUTE
    return [_window(who, one, one.turn_at + minutes * MINUTE, minutes)] if minutes > 0 else []


def _window(who: str, one: Fighter, at: int, saves: int) -> Fact:
    most = 2 * ENOUGH - 1 - one.successes - one.failures
    return TurnStarted(who, at, cause="legends.minute", rule="LB-A61", saves=min(most, one.saves_due + saves))
