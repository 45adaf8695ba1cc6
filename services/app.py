"""The only place where things are put together: settings to parts, parts to a running server."""

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from socket import socket as Socket

import msgspec
import structlog
import uvicorn
from litestar import Litestar, Router
from litestar.openapi import OpenAPIConfig

from domain.campaign.book import EVOLVE
from projections.contents import VIEWS
from services import VERSION
from services.auth import Registry
from services.broker import Broker, Hint
from services.broker.memory import MemoryBroker
from services.broker.redis import RedisBroker
from services.clock import now_us
from services.database import Database
from services.embedded.postgres import EmbeddedPostgres
from services.http import commands, health, reading, schema, tables, views, welcome
from services.http.asking import Doorkeeper
from services.http.bounds import BoundedProtocol
from services.http.parts import Parts
from services.listening import address, cannot_listen, port_of, take
from services.live import socket, sse
from services.live.hub import Hub
from services.live.watching import Watching
from services.log.migrate import application_role, migrate
from services.log.postgres import PostgresLog
from services.pipeline import Pipeline
from services.problems import MOST_BYTES, respond
from services.settings import Settings, SettingsError
from services.states import CODEC, Held, States
from services.views.postgres import PostgresViews
from services.views.projector import Projector

_log = structlog.get_logger()


def application(parts: Parts) -> Litestar:
    """The HTTP edge over running parts."""
    handlers = [
        *tables.HANDLERS,
        *commands.HANDLERS,
        *reading.HANDLERS,
        *views.HANDLERS,
        *schema.HANDLERS,
        *socket.HANDLERS,
        *sse.HANDLERS,
    ]
    app = Litestar(
        route_handlers=[Router("/api", route_handlers=handlers), *health.HANDLERS, *welcome.HANDLERS],
        exception_handlers={Exception: respond},
        openapi_config=OpenAPIConfig(
            title="Greffier",
            version=VERSION,
            description="A campaign server for tabletop role-playing.",
            use_handler_docstrings=True,
            render_plugins=[],
        ),
        request_max_body_size=MOST_BYTES,
        logging_config=None,
        debug=False,
    )
    app.state.parts = parts
    return app


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[Parts]:
    """The parts of one node, started; ended in the opposite order.

    Raises `SettingsError`, `ServerFailed`, `LogUnavailable`, `MigrationError`.
    """
    broker = _broker(settings)
    async with AsyncExitStack() as stack:
        url = settings.database_url or await _own_postgres(settings, stack)
        applied = await migrate(settings.migrate_database_url or url)
        if applied:
            _log.info("migrated", applied=applied)
        database = await Database.connect(url, size=settings.database_pool, role=await application_role(url))
        stack.push_async_callback(database.close)
        log = PostgresLog(database, settings.append)
        stack.push_async_callback(log.close)
        states = States(log, settings.states)
        stack.push_async_callback(states.close)
        store = PostgresViews(database)
        projector = Projector(log, store, CODEC, EVOLVE, VIEWS.values(), now_us)
        projector.start()
        stack.push_async_callback(projector.close)

        registry = Registry(database)
        watching = Watching(projector, store, registry)
        stack.push_async_callback(watching.close)
        hub = Hub(
            log,
            states,
            broker,
            most_connections=settings.live_connections,
            buffer=settings.live_buffer,
            moved=watching.moved,
            holding=lambda seats: registry.holding(seats, now_us()),
        )
        await hub.start()
        stack.push_async_callback(hub.close)

        def committed(hint: Hint, held: Held) -> None:
            hub.committed(hint)
            projector.nudge(held.campaign)

        pipeline = Pipeline(log, states, now_us, committed)
        stack.push_async_callback(pipeline.close)
        yield Parts(
            log=log,
            states=states,
            pipeline=pipeline,
            registry=registry,
            door=Doorkeeper(registry, states),
            views=store,
            projector=projector,
            hub=hub,
        )


def _broker(settings: Settings) -> Broker:
    """The one that carries hints; a wrong address is noticed before anything is started."""
    if not settings.redis_url:
        return MemoryBroker()
    try:
        return RedisBroker(settings.redis_url)
    except ValueError as error:
        raise SettingsError(f"GREFFIER_REDIS_URL cannot be used: {error}.") from error


async def _own_postgres(settings: Settings, stack: AsyncExitStack) -> str:
    """The Postgres that comes along, in the data directory."""
    postgres = await stack.enter_async_context(EmbeddedPostgres(settings.data / "postgres"))
    return postgres.url


def configure_logging(settings: Settings) -> None:
    """structlog on standard error: lines for people, or JSON."""
    level = getattr(logging, settings.log_level.upper())
    renderer = structlog.processors.JSONRenderer() if settings.log_json else structlog.dev.ConsoleRenderer(colors=False)
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso"),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )


async def _serve(settings: Settings) -> None:
    """Raises `CannotListen`, and what `running` raises."""
    taken = take(settings)
    settings = msgspec.structs.replace(settings, port=port_of(taken))
    async with running(settings) as parts:
        config = uvicorn.Config(
            application(parts),
            http=BoundedProtocol,
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=65_536,
            ws_ping_interval=20,
            ws_ping_timeout=20,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=5,
            lifespan="off",
        )
        await _Server(config, settings, parts.hub).serve(taken)


class _Server(uvicorn.Server):
    """Says where it is, once it answers."""

    def __init__(self, config: uvicorn.Config, settings: Settings, hub: Hub) -> None:
        super().__init__(config)
        self._settings, self._hub = settings, hub

    async def startup(self, sockets: list[Socket] | None = None) -> None:
        try:
            await super().startup(sockets)
        except OSError as error:  # somebody else came to listen while we were starting
            raise cannot_listen(self._settings, error) from error
        if self.started:
            print(greeting(self._settings), flush=True)

    async def shutdown(self, sockets: list[Socket] | None = None) -> None:
        self._hub.farewell()
        await asyncio.sleep(0.1)  # the goodbyes leave before the sockets are closed
        await super().shutdown(sockets)


def greeting(settings: Settings) -> str:
    """The address, and how to open a table."""
    here = address(settings.host, settings.port)
    program = os.path.relpath(sys.argv[0]) if sys.argv[0].endswith("greffier") else "greffier"
    kept = settings.database_url.rpartition("@")[2] or str(settings.data.absolute())
    return (
        f"Greffier écoute : {here}\n"
        f"Greffier listens: {here}\n"
        f"  record kept in    {kept}\n"
        f"  see it play       {program} demo --url {here}\n"
        f'  open a table      {program} new "Ma campagne" --url {here}\n'
        f"  the contract      {here}/api/schema/openapi.json"
    )


def serve(settings: Settings) -> None:
    """Run one node until it is told to end."""
    configure_logging(settings)
    with contextlib.suppress(KeyboardInterrupt):
        uvicorn_loop = __import__("uvloop") if sys.platform != "win32" else asyncio
        uvicorn_loop.run(_serve(settings))
