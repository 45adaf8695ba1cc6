"""A client of the edge: what a bot or a phone sheet would use.

Every command carries an idempotency key and is sent again with the same key when the answer got lost, so it happens
once or is refused.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

import httpx

TRIES = 6
PAUSE = 0.2
"""Seconds before the second try; each further pause doubles."""


class Problem(Exception):
    """The server's answer to what cannot be done: `code` is stable, `detail` is a sentence."""

    def __init__(self, document: dict[str, Any]) -> None:
        super().__init__(document.get("detail") or document.get("code") or "the server did not say why")
        self.document = document
        self.code = str(document.get("code", ""))
        self.status = int(document.get("status", 0))


class Unreachable(Exception):
    """There is no server at this address, or it does not answer."""


class Client:
    """One member of one campaign, or somebody who is about to become one."""

    def __init__(self, url: str, campaign: str = "", token: str = "", *, lang: str = "fr") -> None:
        self.url, self.campaign, self.token, self.lang = url.rstrip("/"), campaign, token, lang
        self.member = ""
        self._http = httpx.AsyncClient(base_url=self.url, timeout=30)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    @property
    def headers(self) -> dict[str, str]:
        bearer = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return bearer | {"Accept-Language": self.lang}

    async def open(self, name: str, member_name: str = "MJ", **terms: Any) -> None:
        """Open a campaign and sit down as its game master."""
        self._sit(await self.ask("POST", "/api/campaigns", json={"name": name, "member_name": member_name, **terms}))

    async def join(self, invite: str, name: str) -> None:
        """Take the seat that an invite's code offers."""
        self._sit(await self.ask("POST", "/api/join", json={"invite": invite, "name": name}))

    async def invite(self, role: str = "player", **terms: Any) -> str:
        """A code for somebody else."""
        made = await self.ask("POST", self.path("invites"), json={"role": role, **terms})
        return str(made["code"])

    async def command(self, kind: str, /, *, key: str | None = None, **fields: Any) -> dict[str, Any]:
        """Give a command. Answers `first`, `last` and the events as this member sees them. Raises `Problem`."""
        headers = {"Idempotency-Key": key or secrets.token_hex(16)}
        answer = await self.ask("POST", self.path("commands"), json={"type": kind, **fields}, headers=headers)
        return dict(answer)

    async def get(self, path: str, **params: Any) -> Any:
        """Read something of the campaign."""
        given = {name: value for name, value in params.items() if value is not None}
        return await self.ask("GET", self.path(path), params=given)

    async def events(self, after: int = 0) -> AsyncIterator[dict[str, Any]]:
        """The record in order, sealed where this member may not see it."""
        place: int | None = after
        while place is not None:
            page = await self.get("events", after=place, limit=1_000)
            for event in page["events"]:
                yield event
            place = page["next"]

    async def export(self, file: Path) -> int:
        """Write the campaign's export to a file. Answers its bytes. Raises `Problem`, `Unreachable`, `OSError`."""
        size = 0
        try:
            async with self._http.stream("GET", self.path("export"), headers=self.headers) as stream:
                if stream.status_code != 200:
                    await stream.aread()
                    raise Problem(_document(stream))
                with file.open("wb") as out:
                    async for part in stream.aiter_bytes():
                        size += out.write(part)
        except httpx.TransportError as error:
            raise self._unreachable(error) from error
        return size

    def path(self, rest: str) -> str:
        return f"/api/campaigns/{self.campaign}/{rest}"

    async def ask(self, method: str, path: str, headers: dict[str, str] | None = None, **more: Any) -> Any:
        """One request, sent again with what it carries while the server cannot be reached. Raises `Problem`."""
        again = method == "GET" or "Idempotency-Key" in (headers or {})
        for attempt in range(TRIES):
            last = attempt == TRIES - 1 or not again
            try:
                answer = await self._http.request(method, path, headers=self.headers | (headers or {}), **more)
            except httpx.TransportError as error:
                if last:
                    raise self._unreachable(error) from error
                await asyncio.sleep(PAUSE * 2**attempt)
                continue
            if answer.status_code == 503 and not last:
                await asyncio.sleep(_asked_to_wait(answer, PAUSE * 2**attempt))
                continue
            if answer.status_code >= 400:
                raise Problem(_document(answer))
            try:
                return answer.json()
            except (ValueError, RecursionError) as error:
                raise Problem(_document(answer)) from error
        raise AssertionError("unreachable")

    def _unreachable(self, error: httpx.TransportError) -> Unreachable:
        return Unreachable(f"{self.url}: {str(error) or type(error).__name__}")

    def _sit(self, seat: dict[str, Any]) -> None:
        try:
            self.campaign, self.member, self.token = seat["campaign"], seat["member"], seat["token"]
        except (TypeError, LookupError) as error:
            raise Problem(_no_greffier(self.url, 200)) from error


def _asked_to_wait(answer: httpx.Response, otherwise: float) -> float:
    """Seconds that the server asks for, within bounds; it may also name a date, which is not waited for."""
    asked = answer.headers.get("Retry-After", "")
    return min(10.0, float(asked)) if asked.isascii() and asked.isdigit() else otherwise


def _document(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, dict) and "code" in found:
        return found
    return _no_greffier(str(answer.url), answer.status_code)


def _no_greffier(url: str, status: int) -> dict[str, Any]:
    return {"status": status, "code": "NO_GREFFIER", "detail": f"{url} does not answer like Greffier"}
