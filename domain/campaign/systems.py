"""The sets of rules this build knows."""

from domain.dnd35 import SYSTEM as DND35
from domain.dnd35.sheet import Sheet as Dnd35Sheet
from domain.kernel.system import System, Wording
from domain.legends import SYSTEM as LEGENDS
from domain.legends.sheet import Sheet as LegendsSheet

Sheet = LegendsSheet | Dnd35Sheet
"""What creating a character takes, tagged by its `system`."""

SYSTEMS: dict[str, System] = {system.name: system for system in (LEGENDS, DND35)}

COMMON = Wording()


def wording_of(command: str) -> Wording:
    """The refusals of the system that a command's tag names; `campaign.*` uses the common ones."""
    system = SYSTEMS.get(command.partition(".")[0])
    return system.wording if system else COMMON
