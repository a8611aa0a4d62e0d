"""The web application: routes, guard and life cycle put together; what each does stands elsewhere."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

from fastapi import FastAPI
from starlette.middleware import Middleware

from huaben import __version__
from huaben.config import Settings
from huaben.services.precompiled import Allowance, Desk
from huaben.services.thumbnails import Thumbnails
from huaben.web.documents import REFUSALS, Documented
from huaben.web.guard import Guard
from huaben.web.hosts import Hosts
from huaben.web.password import Doorkeeper
from huaben.web.problems import Boundary, answer_problems
from huaben.web.routes import (
    amendments,
    authors_note,
    backup,
    building,
    card_assets,
    cards,
    care,
    chapters,
    chats,
    checkpoints,
    connections,
    diff,
    entries,
    exports,
    guidance,
    health,
    images,
    imports,
    jobs,
    ledger,
    lore,
    lorebooks,
    manuscript,
    map,
    memory,
    moves,
    page,
    page_settings,
    personas,
    plan,
    precompiled,
    presets,
    projects,
    recompute,
    rehearsal,
    saves,
    scenarios,
    scripts,
    search,
    summary,
    traces,
    trash,
    tree,
    turns,
)
from huaben.web.stream import Streams

if TYPE_CHECKING:
    # Opening a theatre loads the database; the application is handed one and need not.
    from huaben.bootstrap import Theatre

    TheatreBuilder: TypeAlias = Callable[[Settings], AbstractAsyncContextManager[Theatre]]

_API = (
    cards,
    card_assets,
    lorebooks,
    entries,
    connections,
    exports,
    lore,
    guidance,
    presets,
    personas,
    scripts,
    projects,
    authors_note,
    chats,
    rehearsal,
    tree,
    map,
    memory,
    saves,
    search,
    plan,
    summary,
    ledger,
    recompute,
    building,
    diff,
    chapters,
    checkpoints,
    manuscript,
    care,
    turns,
    traces,
    images,
    amendments,
    scenarios,
    imports,
    moves,
    jobs,
    trash,
    backup,
    page_settings,
    health,
)


def create_app(
    settings: Settings, build: TheatreBuilder, *, streams: Streams | None = None
) -> FastAPI:
    """The application over the theatre that `build` opens when it starts and closes when it ends.

    A server that stops must call `streams.close()` before it waits for its connections; without
    that, open streams end when their readers leave.
    """
    open_streams = Streams() if streams is None else streams

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        async with build(settings) as theatre:
            app.state.theatre = theatre
            app.state.desk = _desk(settings, theatre)
            yield
            open_streams.close()
            await app.state.desk.close()

    app = Documented(
        title="Huaben",
        version=__version__,
        lifespan=lifespan,
        openapi_url="/api/openapi.json",
        # The framework's own pages would load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        middleware=[_guard(settings), Middleware(Boundary)],
    )
    app.state.settings = settings
    app.state.streams = open_streams
    app.state.thumbnails = Thumbnails()
    answer_problems(app)
    for resource in _API:
        app.include_router(resource.router, responses=REFUSALS)
    app.include_router(precompiled.router)
    app.include_router(page.router)
    app.add_exception_handler(404, page.unknown_addresses(page.BUILT))
    return app


def _desk(settings: Settings, theatre: Theatre) -> Desk:
    house = theatre.house
    requests, tokens = settings.requests_per_minute, settings.reply_tokens_per_minute
    return Desk(house, Allowance(house.clock, requests, tokens))


def _guard(settings: Settings) -> Middleware:
    password = settings.password.get_secret_value()
    return Middleware(
        Guard,
        hosts=Hosts.of(settings.host, settings.allowed_hosts),
        doorkeeper=Doorkeeper(password, time.monotonic) if password else None,
        upload_bytes=settings.max_upload_mb * 1024 * 1024,
    )
