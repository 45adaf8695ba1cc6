"""Mixing in the stomach (HM-12.4 to 12.7): the second potion meets the first one while that still runs."""

from msgspec.structs import replace

from domain.dnd35.body import body
from domain.dnd35.evolve import WORLD
from domain.dnd35.potions.blast import InCompany
from domain.dnd35.potions.effects import running
from domain.dnd35.potions.mixing import Meeting, judge, share_left
from domain.dnd35.potions.outcomes import come_out
from domain.dnd35.rounds import current_round
from domain.dnd35.state import Running
from domain.kernel.command import Context
from domain.kernel.fold import State, in_order
from events.envelope import Fact
from events.potions import Dose, PotionsMixed


def partner(state: State, who: str, dose: Dose) -> Running | None:
    """HM-12.4, 12.7: the potion that this one meets: the one running longest, once every stomach holds one.

    HM-12.12, 12.15: what has mixed once, is ruined, or is an oil, meets nothing. HM-12.5: neither does, as the first,
    what acted at once, for it never runs.
    """
    if dose.mixed or dose.ruined or dose.form != "potion":
        return None
    waiting = [one for one in running(state, who) if one.dose.form == "potion" and not one.dose.mixed]
    if len(waiting) < body(state, who).stomachs:
        return None
    return min(waiting, key=lambda one: one.started)


def meet(state: State, who: str, first: Running, dose: Dose, context: Context, around: InCompany) -> list[Fact]:
    """HM-12.4, 16.3: the first one counts for what it has left, one half at most, and the row follows at once."""
    k = current_round(state) - first.started + 1
    pair = context.new_id("pair")
    meeting = Meeting(pair, "stomach", first.dose, dose, f=share_left(first.total, k), k=k)
    met = replace(dose, mixed=True, pair=pair)
    return in_order(
        WORLD,
        state,
        [
            lambda now: [
                judge(now, meeting, context),
                PotionsMixed(pair, (first.dose.id, dose.id), "stomach", who),
            ],
            lambda now: come_out(now, who, pair, (first.dose, met), context, around, cause="dnd35.stomach"),
        ],
    )
