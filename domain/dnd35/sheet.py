"""The sheet that a character of the 3.5 house rules starts with."""

from msgspec import Struct


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, tag_field="system", tag="dnd35"):
    """Filled in by the player."""
