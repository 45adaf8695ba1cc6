"""What every event has in common: the fact it tells, the dice it shows, who may see it."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta, Struct, field

Audience = str | tuple[str, ...]
"""`"table"` for everybody, otherwise the principals who may see: member ids, and `"gm"` for every game master."""

TABLE: Audience = "table"
GM: Audience = ("gm",)


CharacterRef = Annotated[str, Meta(extra={"refers_to": "character"})]
"""The id of a character. Facts that name a hidden one are narrowed to those who know of it."""


class Roll(Struct, frozen=True, gc=False):
    """Dice of one size thrown together, as they fell.

    `kept` are the faces that count. The server's dice stand in two rows: one that everybody may recompute when the
    session is over (`server`), and one for what not everybody may see (`secret`). `index` is the place of the first
    face in its row; declared faces have none. In the secret row it stands for that place, and tells nothing of how many
    fell before.
    """

    purpose: str = field(name="for")
    sides: int
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    source: Literal["server", "secret", "declared"] = "server"
    index: int | None = None


class Fact(Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True):
    """Something that happened at the table. Never refused, never changed.

    The tag of a subclass is a promise: it is never renamed, and new fields have defaults. `VERSION` rises when
    the meaning of stored data changes; an upcaster then reads the older ones. `rolls` are the dice that fell for
    it; every server die of a campaign stands in exactly one fact.
    """

    VERSION: ClassVar[int] = 1

    rolls: tuple[Roll, ...] = ()

    @property
    def audience(self) -> Audience:
        """Who may see this fact by its own nature; a hidden character narrows it further."""
        return TABLE


class Happened(Struct, frozen=True, gc=False):
    """A fact with what its envelope says of it: the decoded form of a stored body.

    `session` is the number of the open session, 0 outside of one.
    """

    actor: str
    audience: Audience
    command: str
    session: int
    fact: Fact


class Recorded(Struct, frozen=True, gc=False):
    """One stored event, byte for byte as the log keeps it.

    `at_us` is the server's time in microseconds since 1970; it informs and never orders. `fingerprint` is the
    blinded digest of the command that caused the event. `body` and `salt` are empty once erased.
    """

    campaign: str
    seq: int
    at_us: int
    type: str
    version: int
    session: int
    command: str
    index: int
    actor: str
    audience: Audience
    fingerprint: bytes
    salt: bytes
    body: bytes
    digest: bytes
    hash: bytes
