"""Probes and figures."""

import asyncio

from litestar import Response, get
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from services.http.parts import Req, parts
from services.log import LogUnavailable


@get("/health/live", sync_to_thread=False)
def live() -> dict[str, str]:
    """The process answers."""
    return {"status": "live"}


@get("/health/ready")
async def ready(request: Req) -> Response[dict[str, str]]:
    """The store answers too."""
    try:
        async with asyncio.timeout(3):
            await parts(request).log.head("c_health")
    except (LogUnavailable, TimeoutError):
        return Response({"status": "store unavailable"}, status_code=503, headers={"Retry-After": "1"})
    return Response({"status": "ready"})


@get("/metrics", sync_to_thread=False)
def metrics() -> Response[bytes]:
    """Prometheus."""
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


HANDLERS = [live, ready, metrics]
