"""The real program as a process of its own: started, asked over HTTP, killed."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).resolve().parents[2]


class Running:
    """`greffier serve` on a data directory, or on the Postgres and Redis of `environment`."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data, self.environment = data, environment
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        self.log = data.parent / f"{data.name}-{self.port}.log"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> "Running":
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GREFFIER_")}
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "services.cli", "serve", "--port", str(self.port), "--data", str(self.data)],
                cwd=ROOT,
                env=clean | {"PYTHONPATH": str(ROOT)} | self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            )
        until = time.monotonic() + 90
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"the server ended with {self.process.returncode}:\n{self.said()}")
            try:
                if httpx.get(f"{self.url}/health/ready", timeout=2).status_code == 200:
                    return self
            except httpx.TransportError:
                pass
            time.sleep(0.05)
        raise AssertionError(f"the server did not get ready:\n{self.said()}")

    def said(self) -> str:
        return self.log.read_text()[-4_000:] if self.log.exists() else ""

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As a host would."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait(10)
        self.process = None

    def __enter__(self) -> "Running":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Table:
    """A campaign on a running server, and what its members send."""

    def __init__(self, http: httpx.AsyncClient, campaign: str, tokens: dict[str, str], members: dict[str, str]) -> None:
        self.http, self.campaign, self.tokens, self.members = http, campaign, tokens, members

    @classmethod
    async def open(cls, http: httpx.AsyncClient, *players: str, **form: Any) -> "Table":
        """The game master is `gm`; every name in `players` joins as a player."""
        made = (await http.post("/api/campaigns", json={"name": "Essai", **form})).json()
        table = cls(http, made["campaign"], {"gm": made["token"]}, {"gm": made["member"]})
        for name in players:
            await table.seat(name)
        return table

    async def seat(self, name: str, role: str = "player") -> None:
        invite = (await self.post("invites", {"role": role})).json()
        joined = (await self.http.post("/api/join", json={"invite": invite["code"], "name": name})).json()
        self.tokens[name], self.members[name] = joined["token"], joined["member"]

    def headers(self, by: str, **more: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.tokens[by]}", **more}

    async def post(self, path: str, json: Any, by: str = "gm", **headers: str) -> httpx.Response:
        return await self.http.post(
            f"/api/campaigns/{self.campaign}/{path}", json=json, headers=self.headers(by, **headers)
        )

    async def get(self, path: str, by: str = "gm", **params: Any) -> httpx.Response:
        return await self.http.get(f"/api/campaigns/{self.campaign}/{path}", params=params, headers=self.headers(by))

    async def give(self, command: str, /, by: str = "gm", key: str | None = None, **fields: Any) -> httpx.Response:
        headers = {"Idempotency-Key": key} if key else {}
        return await self.post("commands", {"type": command, **fields}, by, **headers)

    async def done(self, command: str, /, by: str = "gm", **fields: Any) -> dict[str, Any]:
        """Give a command that must be stored."""
        answer = await self.give(command, by, **fields)
        assert answer.status_code in (200, 201), answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def refused(self, command: str, code: str, /, by: str = "gm", **fields: Any) -> dict[str, Any]:
        """Give a command that must be refused with this code, and change nothing."""
        before = (await self.get("head")).json()["hash"]
        answer = await self.give(command, by, **fields)
        found: dict[str, Any] = answer.json()
        assert found.get("code") == code, answer.text
        assert (await self.get("head")).json()["hash"] == before
        return found

    async def record(self, by: str = "gm") -> list[dict[str, Any]]:
        """Every event, in order."""
        found: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            page = (await self.get("events", by, after=after, limit=1_000)).json()
            found += page["events"]
            after = page["next"]
        return found


def greffier(*words: str, home: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """`greffier …` as somebody types it."""
    return subprocess.run(
        [sys.executable, "-m", "services.cli", *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(home), "NO_COLOR": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=240,
    )
