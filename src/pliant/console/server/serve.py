"""Running the console."""

import asyncio
import contextlib
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace

import uvicorn

from pliant.console.server.app import make_app
from pliant.console.server.hub import Hub
from pliant.console.server.messages import LONGEST_MESSAGE
from pliant.console.server.settings import Settings, is_loopback
from pliant.errors import ConfigError, PliantError
from pliant.ring.discovery import find_controllers

_SHORTEST_TOKEN = 8
_GOODBYE = 3


def serve(
    settings: Settings,
    *,
    attach: str = "",
    start: bool = False,
    ready: Callable[[str], None] = print,
) -> None:
    """Serve the console until a signal ends it.

    Args:
        settings: The settings.
        attach: Name of a controller to attach to.
        start: Whether to start an arm at once.
        ready: Called with the address when the page can be opened.

    Raises:
        PliantError: It cannot listen there, or there is nothing to attach to.
    """
    listener = _listen(settings.host, settings.port)
    port = listener.getsockname()[1]
    settings = replace(settings, port=port, token=_token(settings), name=f"{settings.name}-{port}")
    with listener:
        asyncio.run(_serve(settings, listener, attach, start, ready))


def address(settings: Settings) -> str:
    """The address to open in a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if settings.host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    query = f"?token={settings.token}" if settings.token else ""
    return f"http://{host}:{settings.port}/{query}"


async def _serve(
    settings: Settings,
    listener: socket.socket,
    attach: str,
    start: bool,
    ready: Callable[[str], None],
) -> None:
    hub = Hub(settings)
    if attach:
        await hub.attach(attach)
    elif settings.name in find_controllers():
        # a killed console of this name has left its controller running
        await hub.attach(settings.name, own=True)
    server = _Server(_config(hub))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        ready(address(settings))
        if start and hub.backend is None:
            await _start(hub)
    await serving


class _Server(uvicorn.Server):
    """A server that ends normally on a signal, where uvicorn would raise the signal again."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle SIGINT and SIGTERM."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._end)
        yield

    def _end(self) -> None:
        self.should_exit = True


async def _start(hub: Hub) -> None:
    # the status says why it did not start, and the operator may start another arm
    with contextlib.suppress(PliantError):
        await hub.start(hub.settings.start)


def _config(hub: Hub) -> uvicorn.Config:
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    return uvicorn.Config(
        make_app(hub),
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        limit_concurrency=256,
        timeout_graceful_shutdown=_GOODBYE,
    )


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, where = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
    except OSError as error:
        raise PliantError(f"cannot listen on {host} port {port}: {error.strerror}") from None
    return listener


def _token(settings: Settings) -> str:
    """The token given; a new one if it is needed and none was given."""
    if settings.token:
        if len(settings.token) < _SHORTEST_TOKEN:
            raise ConfigError(f"the token must have at least {_SHORTEST_TOKEN} characters")
        return settings.token
    return "" if is_loopback(settings.host) else secrets.token_urlsafe(16)
