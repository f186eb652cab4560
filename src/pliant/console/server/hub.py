"""The hub: relays between one arm and many viewers."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Coroutine
from functools import partial
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
from pliant.console.server.heartbeats import Heartbeats
from pliant.console.server.identities import Identities
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
_TRY_AGAIN = 1013

T = TypeVar("T")
_Started = tuple[Backend, dict[str, Any]]
"""A backend and its configuration."""

_log = logging.getLogger("pliant.console")


class Hub:
    """The state of the console. All of it belongs to the event loop's thread.

    Attributes:
        settings: The options of the console.
        viewers: The open pages, by id.
        identities: Who has ever been a viewer.
        backend: The running arm; None if none runs.
        phase: idle, starting, running, ended, or lost.
        why: The reason of the phase, in words.
        controllers: Names of the controllers that run on this machine.
        lease: Handles requests for control.
        heartbeats: Watches the viewers.
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
        self.identities = Identities()
        self.backend: Backend | None = None
        self.phase: m.Phase = "idle"
        self.why = "no controller was started"
        self.config: dict[str, Any] = Config().model_dump(mode="python", round_trip=True)
        self.clock = 0.0
        self.controllers: list[str] = []
        self.lease = ViewerLease(self, settings.lease_timeout)
        self.heartbeats = Heartbeats(self)
        self.recorder = RecordingManager(settings.recordings)
        self.margins = ContactMargins()
        self.spec = settings.start.robot
        self.health = Health(self.n)
        self._missed = 0
        self._cycles = 0
        self._busy = asyncio.Lock()
        self._starting: asyncio.Task[_Started] | None = None
        self._published = ""
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def holder(self) -> str:
        """The client in control, by its name at the controller; empty if there is none."""
        return self.backend.holder if self.backend else ""

    @property
    def holding(self) -> Viewer | None:
        """The viewer in control; None if no viewer of this console is."""
        return self.viewers.of_client(self.holder) if self.holder else None

    @property
    def holder_name(self) -> str:
        """The label of the viewer, or the name of the program in control; empty if none is."""
        return self.identities.labelled(self.holder)

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
        viewer = Viewer(self.identities.new(self.viewers), self, socket)
        self.viewers[viewer.id] = viewer
        self._send_hello(viewer)
        try:
            await viewer.serve()
        finally:
            self._leave(viewer)

    def _leave(self, viewer: Viewer) -> None:
        was_holder = self.holding is viewer
        if self.viewers.get(viewer.id) is viewer:
            del self.viewers[viewer.id]
        if was_holder:
            self.announce("warning", f"{viewer.name} was in control and left: the arm holds")

    def rename(self, viewer: Viewer, name: str) -> None:
        """Give a viewer another label.

        Raises:
            Refused: The name is taken or reserved.
        """
        self.identities.rename(viewer.identity, name)
        self._send_hello(viewer)

    def resume(self, viewer: Viewer, secret: str) -> None:
        """Give a viewer the identity that its page had before; an older connection of it ends.

        Raises:
            Refused: The viewer has given a command already.
        """
        identity = self.identities.of_secret(secret)
        if identity is None or identity is viewer.identity:
            return
        if viewer.connected:
            raise Refused("you have given commands: you stay who you are")
        before = self.viewers.get(identity.id)
        if before is not None:
            before.disconnect()
            before.drop()
            self._leave(before)
        del self.viewers[viewer.id]
        self.identities.forget(viewer.identity)
        identity.renew_client()
        viewer.identity = identity
        self.viewers[viewer.id] = viewer
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
            if self.holder and not viewer.in_control:
                raise Refused(f"{self.holder_name} is in control")
            k = self.health.row["k"].item()
            return await self.recorder.request(message, self.backend, k)
        if self._busy.locked():
            raise Refused("a controller is being started")
        if isinstance(message, m.AttachRequest):
            if self.holding and not viewer.in_control:
                raise Refused(f"{self.holder_name} is in control")
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
        self.heartbeats.check()
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
            self.viewers.send(self._of_viewers(event))
        self.heartbeats.set_watchdog()
        published = published_config(lines)
        if published is not None and published != self._published:
            self._published = published
            self._change_config(json.loads(published))
        changed = changed_sections(lines)
        if changed and not backend.watch_only:
            self.spawn(self._refresh_config(backend, changed))

    def _of_viewers(self, event: m.Event) -> m.Event:
        """An event of the controller, in terms of viewers."""
        about = self.identities.of_client(event.about) if event.about else None
        text = self.identities.labelled(event.text)
        return event.model_copy(update={"text": text, "about": about.id if about else ""})

    # beginning and end of an arm

    async def _launched(self, request: m.StartRequest) -> Backend:
        if request.binary:
            return await start_binary(request, self.settings.binaries)
        if request.robot.startswith(PREFIX):
            # a wrong name is refused at once, not after a controller has been started
            await asyncio.to_thread(describe_robot, request.robot)
        tell = partial(setattr, self, "why")
        child = await launch(request, self.settings.name, self.settings.config, tell)
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
        self._missed = 0
        self.heartbeats.forget()
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
                viewer.identity,
                self.heartbeats.limit,
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
