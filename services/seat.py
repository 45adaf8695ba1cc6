"""Who is asking: a member of a campaign, with what their token allows."""

from msgspec import Struct


class Seat(Struct, frozen=True, gc=False):
    """`scopes` narrow what the member's role allows; empty for a member's own token, which allows all of it.

    `token` is the id of the token behind the seat: a socket asks again whether it still holds.
    `read`, `roll` (free rolls and talk), `act:<character>`, `gm`.
    """

    campaign: str
    member: str
    scopes: tuple[str, ...] = ()
    token: str = ""
