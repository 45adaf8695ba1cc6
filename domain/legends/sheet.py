"""The sheet that a character of Legends & Bonk starts with."""

from msgspec import Struct


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, tag_field="system", tag="legends"):
    """Filled in by the player."""
