"""The OpenAPI document: the contract at the edge in its exact form."""

from typing import Any

import msgspec
from litestar import Litestar, Response, get

from services.http import tables
from services.http.commands import AnyCommand
from services.http.parts import Req
from services.problems import Problem

FORMS: dict[tuple[str, str], Any] = {
    ("/api/campaigns", "post"): tables.OpenTable,
    ("/api/campaigns/{campaign}/invites", "post"): tables.AskInvite,
    ("/api/join", "post"): tables.JoinTable,
    ("/api/campaigns/{campaign}/members/{member}", "patch"): tables.ChangeMember,
    ("/api/campaigns/{campaign}/tokens", "post"): tables.AskToken,
    ("/api/campaigns/{campaign}/commands", "post"): AnyCommand,
}
"""What the bodies of requests look like."""


def document(app: Litestar) -> dict[str, Any]:
    """The framework's document with the forms of our bodies, our security and our errors."""
    made: dict[str, Any] = app.openapi_schema.to_schema()
    schemas, components = msgspec.json.schema_components(
        [*FORMS.values(), Problem], ref_template="#/components/schemas/{name}"
    )
    known = made.setdefault("components", {})
    known.setdefault("schemas", {}).update(components)
    known["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"token": []}]
    problem = {"description": "A problem", "content": {"application/problem+json": {"schema": schemas[-1]}}}
    for path, operations in made.get("paths", {}).items():
        for method, operation in operations.items():
            if isinstance(operation, dict) and "responses" in operation:
                operation["responses"]["default"] = problem
                place = (path.replace(":str", "").replace(":int", ""), method)
                if place in FORMS:
                    schema = schemas[list(FORMS).index(place)]
                    operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return made


@get("/schema/openapi.json", include_in_schema=False)
async def openapi(request: Req) -> Response[bytes]:
    return Response(msgspec.json.encode(document(request.app)), media_type="application/json")


HANDLERS = [openapi]
