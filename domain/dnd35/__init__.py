"""House rules on a 3.5 base (catalogue prefix HM): its contents."""

from domain.dnd35.sheet import Sheet
from domain.kernel.system import System

SYSTEM = System(
    name="dnd35",
    coin="cp",
    sheet=Sheet,
    draw_up=lambda state, name, sheet, context: (),
    deciders={},
    evolve={},
    facts=(),
    numbers=(),
    sound=lambda leaf: None,
)
