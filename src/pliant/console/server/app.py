"""The web application: page, WebSocket, REST."""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI, WebSocket
from fastapi.responses import PlainTextResponse
from fastapi.staticfiles import StaticFiles

from pliant.console.server.access import Access
from pliant.console.server.hub import Hub
from pliant.console.server.rest import router
from pliant.version import __version__

PAGE = Path(__file__).parents[1] / "static"
"""Folder of the built page."""


def make_app(hub: Hub) -> FastAPI:
    """The web application of a hub."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        relay = asyncio.create_task(hub.run())
        relay.add_done_callback(_end_with_relay)
        yield
        relay.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await relay  # raises the error that ended it

    app = FastAPI(
        title="Pliant console",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.hub = hub
    app.include_router(router)

    @app.websocket("/ws")
    async def socket(websocket: WebSocket) -> None:
        await hub.serve(websocket)

    if (PAGE / "index.html").exists():
        app.mount("/", StaticFiles(directory=PAGE, html=True))
    else:
        app.add_api_route("/", _not_built, include_in_schema=False)
    app.add_middleware(Access, settings=hub.settings)
    return app


def _end_with_relay(relay: asyncio.Task[None]) -> None:
    """End the console with its relay, which watches for silent viewers."""
    if not relay.cancelled() and relay.exception() is not None:
        signal.raise_signal(signal.SIGTERM)


async def _not_built() -> PlainTextResponse:
    return PlainTextResponse("the page is not built: run `make setup`\n", 503)
