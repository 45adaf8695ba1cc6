"""Who asks: from a token, a cookie or a ticket to a member's seat and what they may see now."""

from typing import Any

from litestar.connection import ASGIConnection
from msgspec import Struct

from projections.visibility import Viewer, viewer
from services.auth import Credential, Registry
from services.clock import now_us
from services.ids import campaign_of
from services.pipeline import Trouble
from services.seat import Seat
from services.states import Held, States

COOKIE = "greffier_"
"""A cookie for each campaign, `HttpOnly`: the prefix before the campaign's id."""

Connection = ASGIConnection[Any, Any, Any, Any]


class Asking(Struct, frozen=True):
    """A member at the log's head."""

    seat: Seat
    viewer: Viewer
    held: Held


class Doorkeeper:
    """Lets members in. A campaign one has no token for is a 404, not a 403."""

    def __init__(self, registry: Registry, states: States) -> None:
        self._registry, self._states = registry, states

    async def seat(self, connection: Connection, campaign: str) -> Seat:
        """The seat at this campaign. Raises `Trouble` 401 without any token, 404 with one for something else."""
        secret = token_of(connection, campaign)
        if secret is None:
            ticket = connection.query_params.get("ticket")
            if isinstance(ticket, str) and str(connection.scope["type"]) == "websocket":
                return self._seated(await self._registry.redeem(ticket, now_us()), campaign)
            raise Trouble(401, "UNAUTHENTICATED")
        return self._seated(await self._registry.find("token", secret, now_us()), campaign)

    async def asking(self, connection: Connection, campaign: str) -> Asking:
        """The member as the campaign knows them at the log's head. A removed one is nobody."""
        seat = await self.seat(connection, campaign)
        return await self.at_head(seat)

    async def still(self, seat: Seat) -> Seat:
        """The same seat, while its token holds. Raises `Trouble` 404 once it was revoked or has run out."""
        if not await self._registry.holds(seat, now_us()):
            raise Trouble(404, "UNKNOWN_CAMPAIGN")
        return seat

    async def at_head(self, seat: Seat) -> Asking:
        held = await self._states.current(seat.campaign)
        who = viewer(held.state, seat.member) if held else None
        if held is None or who is None:
            raise Trouble(404, "UNKNOWN_CAMPAIGN")
        if who.role == "gm" and seat.scopes and "gm" not in seat.scopes:
            who = Viewer(who.member, "player")
        return Asking(seat, who, held)

    @staticmethod
    def _seated(credential: Credential | None, campaign: str) -> Seat:
        if credential is None or credential.campaign != campaign:
            raise Trouble(404, "UNKNOWN_CAMPAIGN")
        token = credential.name if credential.kind == "ticket" else credential.id
        return Seat(credential.campaign, credential.subject, credential.scopes, token)


def token_of(connection: Connection, campaign: str) -> str | None:
    """The bearer token, or this campaign's cookie when the request comes from our own pages."""
    header = connection.headers.get("authorization", "")
    kind, _, secret = header.partition(" ")
    if kind.lower() == "bearer" and secret.strip():
        return secret.strip()[:200]
    cookie = connection.cookies.get(COOKIE + campaign)
    if cookie and _same_origin(connection):
        return cookie[:200]
    return None


def all_tokens(connection: Connection) -> list[str]:
    """The bearer token and every campaign cookie, at most 100."""
    header = connection.headers.get("authorization", "")
    kind, _, secret = header.partition(" ")
    found = [secret.strip()[:200]] if kind.lower() == "bearer" and secret.strip() else []
    if _same_origin(connection):
        found += [value[:200] for name, value in connection.cookies.items() if name.startswith(COOKIE)][:100]
    return [secret for secret in found if campaign_of(secret)]


def _same_origin(connection: Connection) -> bool:
    """A cookie counts only where the page that sent it is ours."""
    origin = connection.headers.get("origin")
    scheme, _, host = (origin or "").partition("://")
    return origin is None or (scheme in ("http", "https") and host == connection.headers.get("host", ""))
