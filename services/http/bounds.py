"""How large the head of a request may be, and how long a request may take to arrive: what uvicorn leaves open."""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_HEAD = 32_768
"""Bytes of the address and the headers together."""
ARRIVES_WITHIN = 20.0
"""Seconds from the first byte, or from the connection, to the last byte of the body."""


class TooLarge(ValueError):
    """The head is larger than any of ours; the parser answers 400."""


class BoundedProtocol(HttpToolsProtocol):
    """HTTP/1.1 that lets go of whoever sends too much head, or too slowly."""

    _patience: asyncio.TimerHandle | None = None
    _since = 0
    """Bytes since the last that were of use: of a head, of chunks' sizes, of trailers."""
    _seen = 0
    """Bytes of the address and of the finished headers and trailers."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._since += len(data)
        super().data_received(data)
        # What came in one piece is bounded by the read buffer, and `on_header` counts it.
        if self._since > MOST_HEAD and not self.transport.is_closing():
            self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._since = 0
        self._wait()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._since = 0
        if self.parser.should_upgrade():
            self._arrived()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._since = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._arrived()
        self._since = self._seen = 0
        super().on_message_complete()

    def _count(self, more: int) -> None:
        self._seen += more
        if self._seen > MOST_HEAD:
            raise TooLarge

    def _wait(self) -> None:
        if self._patience is None:
            self._patience = self.loop.call_later(ARRIVES_WITHIN, self._too_slow)

    def _arrived(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _too_slow(self) -> None:
        self._patience = None
        if not self.transport.is_closing():
            self.transport.close()
