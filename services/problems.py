"""Every error at the edge, as `application/problem+json` (RFC 9457), in the asker's language."""

import re
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.exceptions import HTTPException

from domain.kernel.refusal import Refusal, Refused
from projections.messages import sentence
from services.choices import possible
from services.log import LogUnavailable
from services.pipeline import Trouble
from services.states import UnreadableCampaign

TROUBLES: dict[str, str] = {
    "MALFORMED": "The request cannot be read: {detail}.",
    "UNAUTHENTICATED": "Send the token of a member as “Authorization: Bearer …”.",
    "UNKNOWN_CAMPAIGN": "There is no such campaign for this token: it is another's, unknown, revoked, or has run out.",
    "NARROW_TOKEN": "Only a member's own token makes others, and none may do more than its member.",
    "NOT_FOUND": "There is nothing here.",
    "METHOD_NOT_ALLOWED": "This address does not take this method.",
    "TOO_LARGE": "The request is larger than {most} bytes.",
    "UNSUPPORTED": "Send JSON: “Content-Type: application/json”.",
    "KEY_REUSED": "This idempotency key was used for another command.",
    "TABLE_HAS_MOVED_ON": "The table has moved on: it is at event {seq}.",
    "CAMPAIGN_CLOSED": "This campaign takes no more commands.",
    "CAMPAIGN_UNREADABLE": "Event {seq} cannot be read by this build ({reason}): commands wait for a newer one.",
    "STORE_UNAVAILABLE": "The store did not answer: send the command again with the same idempotency key.",
    "BUSY": "Too many commands of this campaign are waiting: try again in a moment.",
    "TOO_BUSY": "Other nodes were faster each time: try again.",
    "TOO_MANY_CONNECTIONS": "This node follows as many clients as it may: try again in a moment.",
    "TOO_MANY_REQUESTS": "Too many requests: try again in a moment.",
    "TABLE_NOT_THERE_YET": "There is no event {seq} yet: the table is at {head}.",
    "NOT_YET": "The view has not reached event {seq} yet: try again.",
    "NO_CHARACTER_THERE": "The view {view} goes by characters, and there is none with this id.",
    "ONE_KEY_ONLY": "The view {view} has one key only: “{only}”.",
    "UNKNOWN_VIEW": "There is no view {view}; there are: {views}.",
    "NUMBER_TOO_LARGE": "A number would leave the range of ±2^53.",
    "INVITE_NOT_VALID": "This invite is unknown, used up, revoked or expired: ask the game master for another.",
    "NO_HELLO": "Nothing was said within {seconds} seconds: the first frame is “hello”.",
    "NO_INVITE_CODE": "Send the code of the invite, which begins with “gi.”, and not its id.",
    "INTERNAL": "The server failed; nothing was stored by this request.",
}
"""Sentences of what no rule refuses, by code; they are message ids of the catalogues."""

LOCALES = ("fr", "en")
DEFAULT_LOCALE = "fr"


class Problem(msgspec.Struct, omit_defaults=True):
    """RFC 9457, with `code` (stable), `rule` (catalogue id), `params`, `overridable`."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    rule: str | None = None
    params: dict[str, Any] = {}
    overridable: bool = False
    path: str | None = None


def locale_of(connection: ASGIConnection[Any, Any, Any, Any], default: str = DEFAULT_LOCALE) -> str:
    """The first of our languages that the client accepts."""
    asked = connection.query_params.get("lang") or connection.headers.get("accept-language", "")
    for part in str(asked)[:200].lower().split(","):
        language = part.split(";")[0].strip()[:2]
        if language in LOCALES:
            return language
    return default


def from_refusal(refused: Refused, locale: str) -> Problem:
    refusal: Refusal = refused.refusal
    return Problem(
        type=f"/problems/{refusal.code}",
        title=refusal.code.replace("_", " ").capitalize(),
        status=refusal.status,
        detail=sentence(locale, refusal.sentence, refused.params),
        code=refusal.code,
        rule=refused.rule,
        params=dict(refused.params),
        overridable=refusal.overridable,
    )


def from_trouble(trouble: Trouble, locale: str) -> Problem:
    return Problem(
        type=f"/problems/{trouble.code}",
        title=trouble.code.replace("_", " ").capitalize(),
        status=trouble.status,
        detail=sentence(locale, TROUBLES[trouble.code], trouble.params),
        code=trouble.code,
        params=dict(trouble.params),
    )


def malformed(error: Exception) -> Trouble:
    """A body that is no JSON, or not of the form asked for; names the place."""
    text = str(error)
    place = re.search(r" - at `([^`]*)`", text)
    detail = re.sub(r" - at `[^`]*`", "", text).rstrip(".")
    return Trouble(400, "MALFORMED", detail=detail[:300], path=place.group(1) if place else "$")


def read_body(raw: bytes, form: Any, decoder: msgspec.json.Decoder[Any] | None = None) -> Any:
    """A request's body in its typed form. Raises `Trouble` 413, 400 with the place and with what could stand there."""
    if len(raw) > MOST_BYTES:
        raise Trouble(413, "TOO_LARGE", most=MOST_BYTES)
    try:
        return (decoder or msgspec.json.Decoder(form)).decode(raw)
    except msgspec.ValidationError as error:
        trouble = malformed(error)
        if choices := possible(form, raw, error):
            trouble.params["detail"] = f"{trouble.params['detail']} (possible: {choices})"
        raise trouble from error
    except RecursionError as error:
        raise Trouble(400, "MALFORMED", detail="nested too deeply", path="$") from error


def problem_of(error: Exception, locale: str) -> tuple[Problem, int | None]:
    """The problem for any exception, and after how many seconds to try again."""
    if isinstance(error, Refused):
        return from_refusal(error, locale), None
    if isinstance(error, LogUnavailable):
        error = Trouble(503, "STORE_UNAVAILABLE", retry_after=error.retry_after)
    if isinstance(error, UnreadableCampaign):
        error = Trouble(503, "CAMPAIGN_UNREADABLE", retry_after=60, seq=error.seq, reason=error.reason)
    if isinstance(error, msgspec.MsgspecError | UnicodeError):
        error = malformed(error)
    if isinstance(error, HTTPException):
        error = _of_framework(error)
    if isinstance(error, Trouble):
        return from_trouble(error, locale), error.retry_after
    return from_trouble(Trouble(500, "INTERNAL"), locale), None


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """The exception handler of the whole edge."""
    problem, retry_after = problem_of(error, locale_of(request))
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(
        msgspec.json.encode(problem),
        status_code=problem.status,
        media_type="application/problem+json",
        headers=headers,
    )


def _of_framework(error: HTTPException) -> Trouble:
    code = error.status_code
    if code == 404:
        return Trouble(404, "NOT_FOUND")
    if code == 405:
        return Trouble(405, "METHOD_NOT_ALLOWED")
    if code == 413:
        return Trouble(413, "TOO_LARGE", most=MOST_BYTES)
    if code == 415:
        return Trouble(415, "UNSUPPORTED")
    if code == 429:
        return Trouble(429, "TOO_MANY_REQUESTS", retry_after=1)
    if 400 <= code < 500:
        return Trouble(code, "MALFORMED", detail=_of_parameters(error.extra) or str(error.detail)[:300])
    return Trouble(500, "INTERNAL")


def _of_parameters(extra: object) -> str:
    """`limit: Expected `int` <= 1000`, for each parameter of the address that does not fit."""
    wrong = [one for one in extra if isinstance(one, dict)] if isinstance(extra, list) else []
    return "; ".join(f"{one.get('key')}: {one.get('message')}" for one in wrong)[:300]


MOST_BYTES = 262_144
"""The largest request."""
