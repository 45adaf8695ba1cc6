"""What a campaign may settle for itself: the keys there are, and what each takes."""

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Literal

from msgspec import Struct

from domain.kernel.refusal import Refusal
from events.table import Setting

UNKNOWN_SETTING = Refusal("UNKNOWN_SETTING", "There is no setting {key}; close to it: {choices}.")
SETTING_UNUSABLE = Refusal("SETTING_UNUSABLE", "{key} cannot be {value}: it takes {takes}.")


_PARTS = re.compile(r"(<[^>]*>)")
_NAMED = {"<item>": ".+", "<part>": ".+", "<level>": "[1-9][0-9]{0,2}"}
_ANY = r"[^.]+"
"""What may stand for a placeholder: things have names of any form, the others keys without dots."""


class Known(Struct, frozen=True):
    """A setting, or a family of them: `<…>` in the key stands for a name of the table's own.

    `takes` is `number` (from `least` to `most`), `text`, `flag`, `any`, or the choices. `rule` is the catalogue's.
    """

    key: str
    takes: Literal["number", "text", "flag", "any"] | tuple[str, ...]
    rule: str = ""
    least: int = 0
    most: int = 10**9

    @property
    def described(self) -> str:
        if isinstance(self.takes, tuple):
            return " / ".join(self.takes)
        return f"{self.least}..{self.most}" if self.takes == "number" else self.takes

    def named(self, key: str) -> bool:
        parts = (_NAMED.get(part, _ANY) if part.startswith("<") else re.escape(part) for part in _PARTS.split(self.key))
        return re.fullmatch("".join(parts), key) is not None

    def fits(self, value: Setting) -> bool:
        match self.takes:
            case "any":
                return True
            case "flag":
                return isinstance(value, bool)
            case "text":
                return isinstance(value, str)
            case "number":
                return isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most
            case choices:
                return value in choices


def check(chosen: Mapping[str, Setting], known: Iterable[Known]) -> None:
    """Refuse what no rule reads, and what none can use: silently it would do nothing."""
    there_is = tuple(known)
    for key, value in chosen.items():
        fitting = [one for one in there_is if one.named(key)]
        if not fitting:
            close = get_close_matches(key, [one.key for one in there_is], n=3, cutoff=0.0)
            UNKNOWN_SETTING.because(key=key, choices=close)
        if not any(one.fits(value) for one in fitting):
            SETTING_UNUSABLE.because(fitting[0].rule or None, key=key, value=value, takes=fitting[0].described)
