"""What the handlers are given: the parts of the running server, put together in `services.app`."""

from typing import TYPE_CHECKING, Any

from litestar import Request
from litestar.connection import ASGIConnection
from msgspec import Struct

from services.auth import Registry
from services.http.asking import Asking, Doorkeeper
from services.log import Log
from services.pipeline import Pipeline
from services.states import States

if TYPE_CHECKING:
    from services.live.hub import Hub
    from services.views.projector import Projector
    from services.views.store import ViewStore

Req = Request[Any, Any, Any]


class Parts(Struct):
    log: Log
    states: States
    pipeline: Pipeline
    registry: Registry
    door: Doorkeeper
    views: "ViewStore"
    projector: "Projector"
    hub: "Hub"


def parts(connection: ASGIConnection[Any, Any, Any, Any]) -> Parts:
    found: Parts = connection.app.state.parts
    return found


async def asking(request: Req, campaign: str) -> Asking:
    """The member who sends this request. Raises `Trouble` 401, 404."""
    return await parts(request).door.asking(request, campaign)
