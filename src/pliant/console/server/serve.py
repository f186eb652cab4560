"""Running the console."""

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import quote

import uvicorn

from pliant.console.address_file import left_behind, published
from pliant.console.server.access_token import new_token
from pliant.console.server.app import make_app
from pliant.console.server.connection_guard import BACKLOG, guarded_protocol
from pliant.console.server.describe import config_schema
from pliant.console.server.hub import Hub
from pliant.console.server.messages import LONGEST_MESSAGE
from pliant.console.server.settings import Settings
from pliant.console.server.show_page import remove_page, show_page
from pliant.errors import PliantError
from pliant.ring.discovery import find_controllers

_GOODBYE = 3


def serve(
    settings: Settings,
    *,
    attach: str = "",
    start: bool = False,
    show: bool = False,
    ready: Callable[[str], None] = print,
) -> None:
    """Serve the console until a signal ends it.

    Args:
        settings: The settings; without a token, a new one is made.
        attach: Name of a controller to attach to.
        start: Whether to start an arm at once.
        show: Whether to open the page in the default browser.
        ready: Called with the address when the page can be opened.

    Raises:
        PliantError: It cannot listen there, or there is nothing to attach to.
    """
    listener = _listen(settings.host, settings.port)
    port = listener.getsockname()[1]
    name = f"{settings.name}-{port}"
    token = settings.token or _taken_over(name) or new_token()
    settings = replace(settings, port=port, token=token, name=name)

    def announce() -> None:
        ready(address(settings))
        if show:
            show_page(name, address(settings))

    with listener, published(name, address(settings), token):
        try:
            asyncio.run(_serve(settings, listener, attach, start, announce))
        finally:
            remove_page(name)


def address(settings: Settings) -> str:
    """The address to open in a browser."""
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    if settings.host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://{host}:{settings.port}/?token={quote(settings.token, safe='')}"


async def _serve(
    settings: Settings,
    listener: socket.socket,
    attach: str,
    start: bool,
    ready: Callable[[], None],
) -> None:
    hub = Hub(settings)
    if attach:
        await hub.attach(attach)
    elif settings.name in find_controllers():
        # a killed console of this name has left its controller running
        await hub.attach(settings.name, own=True)
    # made once, before a page waits for it
    config_schema()
    server = _Server(_config(hub))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        ready()
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
    log = logging.getLogger("uvicorn.error")
    log.setLevel(logging.ERROR)
    # a WebSocket that was refused has been answered, and must not fill the operator's terminal
    log.addFilter(lambda record: "without completing handshake" not in record.getMessage())
    return uvicorn.Config(
        make_app(hub),
        log_config=None,
        access_log=False,
        server_header=False,
        ws_max_size=LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        http=guarded_protocol(),
        backlog=BACKLOG,
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


def _taken_over(name: str) -> str:
    """The token of a killed console whose controller still runs; empty if there is none."""
    return left_behind(name) if name in find_controllers() else ""
