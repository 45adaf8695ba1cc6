"""What a browser finds at the root: where an invite's link leads."""

from html import escape

from litestar import Response, get

from projections.messages import sentence
from services.http.parts import Req
from services.problems import locale_of

PHRASES = (
    "Greffier keeps the record of role-playing campaigns.",
    "You were given an invite? It is what follows “#join=” in the address of this page. Take your seat with:",
    "Programs are written against the OpenAPI document.",
)
COMMAND = "greffier join CODE --name … --url "


@get("/", include_in_schema=False, sync_to_thread=False)
def welcome(request: Req) -> Response[str]:
    locale = locale_of(request)
    what, invited, programs = (sentence(locale, phrase, {}) for phrase in PHRASES)
    url = str(request.base_url).rstrip("/")
    page = (
        f'<!doctype html><html lang="{locale}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Greffier</title><h1>Greffier</h1><p>{what}</p><p>{invited}</p><pre>{COMMAND}{escape(url)}</pre>"
        f'<p><a href="/api/schema/openapi.json">{programs}</a></p></html>'
    )
    policy = {"Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'"}
    return Response(page, media_type="text/html", headers=policy)


HANDLERS = [welcome]
