"""The hub: relays between one arm and many viewers."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.websockets import WebSocket

from pliant.config import Config
from pliant.console.server import messages as m
from pliant.console.server.backend import Backend, ClientConnection, End
from pliant.console.server.binary_backend import start_binary
from pliant.console.server.contact_margins import ContactMargins
from pliant.console.server.controller_backend import ControllerBackend
from pliant.console.server.controller_launch import launch
from pliant.console.server.describe import arm_of, hello, json_safe
from pliant.console.server.health import Health
from pliant.console.server.recording_manager import RecordingManager
from pliant.console.server.ring_events import changed_sections, events_of, published_config
from pliant.console.server.settings import Settings
from pliant.console.server.status_report import status
from pliant.console.server.viewer import Viewer
from pliant.console.server.viewer_lease import ViewerLease
from pliant.console.server.viewers import Viewers
from pliant.errors import PliantError, Refused
from pliant.ring.discovery import find_controllers
from pliant.robots.registry import describe_robot
from pliant.sim.spec import PREFIX

RELAY_PERIOD = 0.02
"""Time between two batches of ticks to the pages, s."""

_STATUS_EVERY = 5
_LONGEST_STEP = 0.05
_MOST_VIEWERS = 48
_STUCK = 10.0
_SERVER_SILENCE = 0.1
"""The controller's watchdog is this much slower than the server's heartbeat, s."""

_TRY_AGAIN = 1013

T = TypeVar("T")
_Started = tuple[Backend, dict[str, Any]]
"""A backend and its configuration."""

_log = logging.getLogger("pliant.console")


class Hub:
    """The state of the console. All of it belongs to the event loop's thread.

    Attributes:
        settings: The options of the console.
        viewers: The open pages, by name.
        backend: The running arm; None if none runs.
        phase: idle, starting, running, ended, or lost.
        why: The reason of the phase, in words.
        controllers: Names of the controllers that run on this machine.
        lease: Handles requests for control.
        recorder: Starts and ends recordings.
        margins: The contact margins.
        spec: The arm that runs, ran last, or is offered.
        health: Rate and lateness of its loop.
        config: The configuration in force.
        clock: Time for which the hub was awake, s. A viewer is not silent while the hub itself is
            held up.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.viewers = Viewers()
        self.backend: Backend | None = None
        self.phase: m.Phase = "idle"
        self.why = "no controller was started"
        self.config: dict[str, Any] = Config().model_dump(mode="python", round_trip=True)
        self.clock = 0.0
        self.controllers: list[str] = []
        self.lease = ViewerLease(self, settings.lease_timeout)
        self.recorder = RecordingManager(settings.recordings)
        self.margins = ContactMargins()
        self.spec = settings.start.robot
        self.health = Health(self.n)
        self._missed = 0
        self._count = 0
        self._cycles = 0
        self._busy = asyncio.Lock()
        self._starting: asyncio.Task[_Started] | None = None
        self._watched = ""
        self._published = ""
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def holder(self) -> str:
        """Name of the client in control; empty if there is none."""
        return self.backend.holder if self.backend else ""

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.backend.n if self.backend else arm_of(self.spec).n

    # viewers

    async def serve(self, socket: WebSocket) -> None:
        """Serve a page until it leaves."""
        await socket.accept()
        if len(self.viewers) >= _MOST_VIEWERS:
            return await socket.close(_TRY_AGAIN, "too many viewers")
        self._count += 1
        viewer = Viewer(f"viewer-{self._count}{self._suffix()}", self, socket)
        self.viewers[viewer.name] = viewer
        self._send_hello(viewer)
        try:
            await viewer.serve()
        finally:
            was_holder = self.holder == viewer.name
            self.viewers.pop(viewer.name, None)
            if was_holder:
                self.announce("warning", f"{viewer.name} was in control and left: the arm holds")

    def _suffix(self) -> str:
        """Makes names unique where several consoles may follow one controller."""
        ours = self.backend is None or self.backend.name == self.settings.name
        return "" if ours else f".{self.settings.port}"

    def rename(self, viewer: Viewer, name: str) -> None:
        """Rename a viewer.

        Raises:
            Refused: The name is taken or reserved.
        """
        self.viewers.rename(viewer, name)
        viewer.rename(name)
        self._send_hello(viewer)

    def announce(self, kind: m.EventKind, text: str) -> None:
        """Send an event to every viewer."""
        self.viewers.send(m.Event(kind=kind, text=text))

    # commands

    async def connect(self, name: str) -> ClientConnection:
        """A connection to the controller for a viewer."""
        if self.backend is None:
            raise Refused("no controller is running: start one")
        return await self.backend.open(name)

    async def stop(self, viewer: Viewer) -> None:
        """Stop the arm; a viewer need not be in control."""
        self.announce("warning", f"STOP by {viewer.name}")
        if self._starting is not None:
            self._starting.cancel()
        if self.backend is not None:
            await self.backend.stop()

    async def request(
        self, viewer: Viewer, message: m.StartRequest | m.AttachRequest | m.RecordRequest
    ) -> str:
        """Start, attach or record; returns what was done, in words."""
        if isinstance(message, m.RecordRequest):
            if self.holder not in ("", viewer.name):
                raise Refused(f"{self.holder} is in control")
            k = self.health.row["k"].item()
            return await self.recorder.request(message, self.backend, k)
        if self._busy.locked():
            raise Refused("a controller is being started")
        if isinstance(message, m.AttachRequest):
            if self.holder in self.viewers and self.holder != viewer.name:
                raise Refused(f"{self.holder} is in control")
            await self.attach(message.name)
            return f"attached to {message.name}"
        # the start goes on even if the viewer who asked for it leaves
        await asyncio.shield(self.spawn(self.start(message)))
        with contextlib.suppress(Refused):
            viewer.seen = self.clock
            await self.lease.take(viewer)
        return f"{message.binary or message.robot} runs"

    async def start(self, request: m.StartRequest) -> None:
        """Start a controller, or another program.

        Raises:
            PliantError: A controller is already running, or it did not start.
        """
        if self.backend is not None:
            raise Refused(f"{self.backend.name} is already running: stop it first")
        async with self._busy:
            self.phase, self.why = "starting", f"starting {request.binary or request.robot}"
            self._starting = self.spawn(self._ready(self._launched(request)))
            try:
                self._adopt(await self._starting)
            except asyncio.CancelledError:
                self.phase, self.why = "ended", "stopped while it was starting"
                raise Refused(self.why) from None
            except Exception as error:
                self.phase, self.why = "idle", str(error)
                raise
            finally:
                self._starting = None

    async def attach(self, name: str, *, own: bool = False) -> None:
        """Attach to a controller that runs.

        Raises:
            PliantError: There is no controller of that name, or this console's own one runs.
        """
        before = self.backend
        if before is not None and before.name == self.settings.name:
            raise Refused(f"{before.name} runs: stop it first")
        async with self._busy:
            self._adopt(await self._ready(_attached(name, own)))
            if before is not None:
                await before.close()

    # the relay

    async def run(self) -> None:
        """Relay until cancelled, then end the controller that this console started."""
        try:
            last = time.monotonic()
            while True:
                await asyncio.sleep(RELAY_PERIOD)
                now = time.monotonic()
                self.clock += min(now - last, _LONGEST_STEP)
                last = now
                self._cycle()
        finally:
            for viewer in self.viewers.values():
                viewer.disconnect()
            if self._starting is not None:
                self._starting.cancel()
                await asyncio.wait([self._starting])
            await self.recorder.stop()
            if self.backend is not None:
                await self.backend.close()

    def _cycle(self) -> None:
        self._cycles += 1
        if self.backend is not None:
            self._relay(self.backend)
            end = self.backend.end() if self._cycles % _STATUS_EVERY == 0 else None
            if end is not None:
                self._finish(self.backend, end)
        self._check_viewers()
        if self._cycles % _STATUS_EVERY == 0:
            self.viewers.send_status(status(self))
            self.margins.update(self)
        if self._cycles % (10 * _STATUS_EVERY) == 1:
            self.controllers = find_controllers()

    def _relay(self, backend: Backend) -> None:
        """Send new ticks and lines from the arm to the pages."""
        rows = backend.ticks()
        self.health.take(rows)
        missed, self._missed = backend.missed - self._missed, backend.missed
        self.viewers.stream(rows, missed)
        lines = backend.lines()
        for event in events_of(lines):
            self.viewers.send(event)
        self._set_watchdog()
        published = published_config(lines)
        if published is not None and published != self._published:
            self._published = published
            self._change_config(json.loads(published))
        changed = changed_sections(lines)
        if changed and not backend.watch_only:
            self.spawn(self._refresh_config(backend, changed))

    def _set_watchdog(self) -> None:
        """Set the controller's watchdog for a viewer in control, in case this server hangs."""
        if self.holder != self._watched:
            self._watched = self.holder
            viewer = self.viewers.get(self.holder)
            if viewer and self.backend and "WATCHDOG" in self.backend.words:
                silence = self.settings.heartbeat + _SERVER_SILENCE
                viewer.send_if_connected(f"WATCHDOG {silence:g} hold")

    def _check_viewers(self) -> None:
        for viewer in list(self.viewers.values()):
            if viewer.connected and self.clock - viewer.seen > self.settings.heartbeat:
                self._disconnect_silent(viewer)
            if viewer.outbox.overflown or viewer.stuck > _STUCK:
                self.spawn(viewer.close(_TRY_AGAIN, "you do not read what is sent to you"))
                viewer.drop()

    def _disconnect_silent(self, viewer: Viewer) -> None:
        """The dead man's switch: for the controller, a viewer that falls silent is gone."""
        was_holder = self.holder == viewer.name
        viewer.disconnect()
        if was_holder:
            self.announce("warning", f"{viewer.name} was in control and fell silent: the arm holds")

    # beginning and end of an arm

    async def _launched(self, request: m.StartRequest) -> Backend:
        if request.binary:
            return await start_binary(request, self.settings.binaries)
        if request.robot.startswith(PREFIX):
            # a wrong name is refused at once, not after a controller has been started
            describe_robot(request.robot)
        child = await launch(request, self.settings.name, self.settings.config)
        return ControllerBackend(self.settings.name, own=True, process=child.process)

    async def _ready(self, coming: Coroutine[Any, Any, Backend]) -> _Started:
        """Wait for an arm and ask for its configuration; the arm ends if that is interrupted."""
        backend = await coming
        try:
            await backend.get_ready()
            return backend, await backend.config()
        except BaseException:
            await backend.close()
            raise

    def _adopt(self, started: _Started) -> None:
        """Make this the arm that the viewers see."""
        self.backend, config = started
        self.config = self.config | config
        self.spec = self.backend.spec
        self.health = Health(self.n)
        self.margins.clear()
        self._missed, self._watched = 0, ""
        self.phase, self.why = "running", ""
        for viewer in self.viewers.values():
            viewer.disconnect()
            self._send_hello(viewer)
        self.viewers.subscribe_again(self.n)

    def _finish(self, backend: Backend, end: End) -> None:
        """Report why the arm ended, and allow another start."""
        self._relay(backend)
        self.backend = None
        self.phase, self.why = ("lost" if end.lost else "ended"), end.why
        for viewer in self.viewers.values():
            viewer.disconnect()
            self._send_hello(viewer)
        self.announce("error" if end.lost else "info", f"the controller has ended: {end.why}")
        self.spawn(backend.close())

    async def _refresh_config(self, backend: Backend, sections: set[str]) -> None:
        self._change_config(await backend.config(sections))

    def _change_config(self, sections: dict[str, Any]) -> None:
        before, self.config = json_safe(self.config), self.config | sections
        after = json_safe(self.config)
        if after != before:
            self.viewers.send(m.ConfigChanged(config=after))

    def _send_hello(self, viewer: Viewer) -> None:
        viewer.send(
            hello(
                viewer.name,
                self.settings,
                self.spec,
                self.backend,
                self.config,
                record=self.recorder.available(self.backend),
                plot=self.recorder.can_plot,
            )
        )
        if self.backend and self.margins.newest:
            viewer.send(self.margins.newest)

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run a coroutine in the background; the hub keeps a reference until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # a refusal has been reported to the viewer; any other exception is a bug
        if error is not None and not isinstance(error, PliantError):
            _log.error("background task failed", exc_info=error)


async def _attached(name: str, own: bool) -> Backend:
    return ControllerBackend(name, own=own)
