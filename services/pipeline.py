"""One command from its decoded form to its acknowledgement: authorise, decide, append, acknowledge, publish."""

from msgspec import Struct

from domain.kernel.command import Command
from events.envelope import Recorded
from services.seat import Seat


class Order(Struct, frozen=True):
    """A command as it came in. `id` is the client's idempotency key, `if_match` the seq the client believes in."""

    seat: Seat
    command: Command
    id: str | None = None
    if_match: int | None = None


class Outcome(Struct, frozen=True):
    """Stored as `first`..`last` (0, 0 when there was nothing to change)."""

    first: int
    last: int
    replayed: bool
    events: tuple[Recorded, ...]


class Trouble(Exception):
    """A command that could not be carried out for a reason that is no rule's: `status` and `code` are the edge's."""

    def __init__(self, status: int, code: str, *, retry_after: int | None = None, **params: object) -> None:
        super().__init__(code)
        self.status, self.code, self.retry_after, self.params = status, code, retry_after, params
