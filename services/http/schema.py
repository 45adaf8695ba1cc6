"""The OpenAPI document: the contract at the edge in its exact form."""

from typing import Any

import msgspec
from litestar import Litestar, Response, get

from domain.campaign.book import FACTS
from events.codec import kind_of
from services.http import answers, tables
from services.http.commands import AnyCommand
from services.http.parts import Req
from services.live.protocol import Said
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

ANSWERS: dict[tuple[str, str], Any] = {
    ("/api/campaigns/{campaign}/commands", "post"): answers.Done,
    ("/api/campaigns/{campaign}/events", "get"): answers.EventPage,
    ("/api/campaigns/{campaign}/state", "get"): answers.StateShown,
    ("/api/campaigns/{campaign}/head", "get"): answers.Head,
    ("/api/campaigns/{campaign}/sessions/{number}", "get"): answers.SessionShown,
    ("/api/campaigns/{campaign}/views/{view}/{key}", "get"): answers.ViewRows,
    ("/health/ready", "get"): answers.Health,
    ("/health/live", "get"): answers.Health,
}
"""What those answer whose handlers write the JSON themselves."""

WITHOUT_TOKEN = {
    ("/api/campaigns", "post"),
    ("/api/join", "post"),
    ("/health/ready", "get"),
    ("/health/live", "get"),
    ("/metrics", "get"),
}
LANGUAGE = {
    "name": "Accept-Language",
    "in": "header",
    "required": False,
    "description": "The language of sentences, `fr` or `en`; French where nothing is said.",
    "schema": {"type": "string"},
}
ON_COMMANDS = [
    {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "The same key with the same command happens once, and is answered alike; with another, 409.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[!-~]+$"},
    },
    {
        "name": "If-Match",
        "in": "header",
        "required": False,
        "description": "The number of an event in quotes: refuse, with 409, when the table has moved on from it.",
        "schema": {"type": "string", "pattern": '^"?[0-9]{1,15}"?$'},
    },
]
LIVE = """The live feed, a WebSocket of JSON text frames: see `docs/live.md`. Say `LiveFrame` with `op` `hello` first.
The token comes as `Authorization: Bearer …`, or as `?ticket=…` from `POST …/tickets`."""

REF = "#/components/schemas/{name}"


def document(app: Litestar) -> dict[str, Any]:
    """The framework's document with the forms of our bodies, our events, our security and our errors."""
    made: dict[str, Any] = app.openapi_schema.to_schema()
    forms = [*FORMS.values(), *ANSWERS.values(), Problem, Said]
    schemas, components = msgspec.json.schema_components(forms, ref_template=REF)
    bodies = dict(zip(FORMS, schemas, strict=False))
    answered = dict(zip(ANSWERS, schemas[len(FORMS) :], strict=False))
    known = made.setdefault("components", {})
    named = known.setdefault("schemas", {})
    named.update(components)
    named.update(_events())
    named["LiveFrame"] = schemas[-1]
    for name in ("Done", "EventPage"):
        named[name]["properties"]["events"] = {"type": "array", "items": _ref("Event")}
    known["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    made["security"] = [{"token": []}]
    problem = {"description": "A problem", "content": {"application/problem+json": {"schema": schemas[-2]}}}
    paths = {path.replace(":str", "").replace(":int", ""): item for path, item in made.get("paths", {}).items()}
    for path, operations in paths.items():
        for method, operation in operations.items():
            if not isinstance(operation, dict) or "responses" not in operation:
                continue
            place, responses = (path, method), operation["responses"]
            responses.pop("400", None)
            responses["default"] = problem
            operation.setdefault("parameters", []).append(LANGUAGE)
            if place in WITHOUT_TOKEN:
                operation["security"] = []
            if place in bodies:
                operation["requestBody"] = {"required": True, "content": _json(bodies[place])}
            if place in answered:
                for status, response in responses.items():
                    if status.startswith("2"):
                        response["content"] = _json(answered[place])
    command = paths["/api/campaigns/{campaign}/commands"]["post"]
    command["parameters"] += ON_COMMANDS
    command["responses"]["200"] = {
        "description": "Stored before under this key (`Idempotency-Replayed: true`), or nothing to change",
        "content": _json(answered["/api/campaigns/{campaign}/commands", "post"]),
    }
    lines = {"application/x-ndjson": {"schema": {"type": "string"}}}
    paths["/api/campaigns/{campaign}/export"]["get"]["responses"]["200"]["content"] = lines
    paths["/metrics"]["get"]["responses"]["200"]["content"] = {"text/plain": {"schema": {"type": "string"}}}
    frames = {"text/event-stream": {"schema": {"type": "string"}}}
    paths["/api/campaigns/{campaign}/live/events"]["get"]["responses"]["200"]["content"] = frames
    paths["/api/campaigns/{campaign}/events"]["get"]["responses"]["200"]["content"] |= lines
    paths["/api/campaigns/{campaign}/live"] = {"get": _live()}
    made["paths"] = paths
    return made


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": REF.format(name=name)}


def _events() -> dict[str, Any]:
    """`Event`: sealed, erased, or open; an open one with the `data` of its type."""
    around, components = msgspec.json.schema_components(
        [answers.Open, answers.Sealed, answers.Erased, *FACTS], ref_template=REF
    )
    envelope = components["Open"]
    kinds = []
    for fact, schema in zip(FACTS, around[3:], strict=True):
        kind, name = kind_of(fact), schema["$ref"].rpartition("/")[2]
        data = components[name]
        for outside in ("type", "rolls"):  # these stand around the data
            data["properties"].pop(outside, None)
        data["required"] = [field for field in data.get("required", ()) if field not in ("type", "rolls")]
        components[f"event.{kind}"] = {
            **envelope,
            "title": kind,
            "description": data.get("description", ""),
            "properties": {
                **envelope["properties"],
                "type": {"const": kind},
                "data": schema,
            },
        }
        kinds.append(_ref(f"event.{kind}"))
    components["Event"] = {"oneOf": [around[1], around[2], *kinds]}
    return components


def _live() -> dict[str, Any]:
    return {
        "summary": "Live",
        "description": LIVE,
        "parameters": [
            {"name": "campaign", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "ticket", "in": "query", "required": False, "schema": {"type": "string"}},
        ],
        "responses": {"101": {"description": "The WebSocket is open"}},
    }


@get("/schema/openapi.json", include_in_schema=False)
async def openapi(request: Req) -> Response[bytes]:
    return Response(msgspec.json.encode(document(request.app)), media_type="application/json")


HANDLERS = [openapi]
