"""What the addresses answer: the forms of the contract, and of nothing inside."""

from typing import Any

from msgspec import Struct

from domain.kernel.members import Member
from events.envelope import Roll
from events.table import DiceMode, Role, Setting


class Seated(Struct, frozen=True):
    """A seat taken. The token is shown this once."""

    campaign: str
    member: str
    token: str
    seq: int


class TableListed(Struct, frozen=True):
    campaign: str
    name: str
    systems: tuple[str, ...]
    member: str
    role: Role
    seq: int


class MemberShown(Struct, frozen=True):
    """`name` is null once it was erased."""

    member: str
    name: str | None
    role: Role
    removed: bool

    @classmethod
    def of(cls, member: str, name: str | None, seat: Member) -> "MemberShown":
        return cls(member, name, seat.role, seat.removed)


class TableShown(Struct, frozen=True):
    """`session` is the open one; `member` and `role` are the asker's; `scopes` those of a narrower token."""

    campaign: str
    name: str
    systems: tuple[str, ...]
    locale: str
    dice_mode: DiceMode
    settings: dict[str, Setting]
    session: int | None
    member: str
    role: Role
    scopes: tuple[str, ...]
    members: tuple[MemberShown, ...]
    seq: int


class Invitation(Struct, frozen=True):
    """`code` is what `POST /api/join` takes, shown this once; `invite` is the id by which it is revoked."""

    invite: str
    code: str
    link: str
    role: Role
    seq: int


class InviteListed(Struct, frozen=True):
    """`expires_us` in microseconds since 1970, 0 for never."""

    invite: str
    role: Role
    uses: int
    expires_us: int
    character: str | None


class Moved(Struct, frozen=True):
    """The campaign's newest event after it."""

    seq: int


class MemberChanged(Struct, frozen=True):
    member: str
    seq: int


class TokenMade(Struct, frozen=True):
    """The token is shown this once."""

    id: str
    token: str
    scopes: tuple[str, ...]
    name: str


class TokenListed(Struct, frozen=True):
    """`expires_us` in microseconds since 1970, 0 for never."""

    id: str
    name: str
    scopes: tuple[str, ...]
    expires_us: int


class TokenRevoked(Struct, frozen=True):
    revoked: str


class Ticket(Struct, frozen=True):
    """Good for one WebSocket, until `expires_us`."""

    ticket: str
    expires_us: int


class CookieKept(Struct, frozen=True):
    member: str


class Sealed(Struct, frozen=True, forbid_unknown_fields=True):
    """An event one may not see: its place in the chain."""

    seq: int
    at: str
    digest: str


class Erased(Struct, frozen=True, forbid_unknown_fields=True):
    """An event whose content was erased."""

    seq: int
    at: str
    digest: str
    erased: bool
    hash: str


class Open(Struct, frozen=True, forbid_unknown_fields=True):
    """An event one may see. `data` depends on `type`; `salt` and `hash` prove the content and its place."""

    seq: int
    at: str
    type: str
    version: int
    session: int
    actor: str
    command: str
    audience: str | tuple[str, ...]
    data: dict[str, Any]
    rolls: tuple[Roll, ...]
    struck: bool
    salt: str
    digest: str
    hash: str


Event = Open | Sealed | Erased


class Done(Struct, frozen=True):
    """The events that a command brought, `first` to `last`; null where it changed nothing."""

    first: int | None
    last: int | None
    events: tuple[dict[str, Any], ...]


class EventPage(Struct, frozen=True):
    """`next` is the `after` of the next page; null at the end. `head` is the campaign's newest event."""

    events: tuple[dict[str, Any], ...]
    next: int | None
    head: int


class StateShown(Struct, frozen=True):
    """The part one may see, by place (`<kind>/<name>`), and its hash; `hash` is the chain's at this event."""

    seq: int
    at: str
    hash: str
    state_hash: str
    state: dict[str, dict[str, Any]]


class Head(Struct, frozen=True):
    """`resume` is the token from which the live feed goes on."""

    epoch: int
    seq: int
    hash: str
    resume: str
    state_hash: str


class SessionShown(Struct, frozen=True):
    """The commitments are there from the start, `seed` once the session is closed. `entropy` as (member, text)."""

    session: int
    title: str
    commitment: str
    secret_commitment: str | None
    entropy: tuple[tuple[str, str], ...]
    first_die: int
    open: bool
    seed: str | None


class ViewRow(Struct, frozen=True):
    """`line` orders the rows of a key; `seq` is the event that changed it last."""

    key: str
    line: int
    seq: int
    doc: dict[str, Any]


class ViewRows(Struct, frozen=True):
    """`seq` is the event that the view reflects."""

    view: str
    key: str
    seq: int
    rows: tuple[ViewRow, ...]


class Health(Struct, frozen=True):
    status: str
