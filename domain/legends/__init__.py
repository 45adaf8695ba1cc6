"""Legends & Bonk (catalogue prefix LB): its contents."""

from domain.kernel.system import System
from domain.legends.sheet import Sheet

SYSTEM = System(
    name="legends",
    coin="MC",
    sheet=Sheet,
    draw_up=lambda state, name, sheet, context: (),
    deciders={},
    evolve={},
    facts=(),
    numbers=(),
    sound=lambda leaf: None,
)
