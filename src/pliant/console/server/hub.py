"""The hub: one arm, many viewers, and what goes from one to the others."""

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
from pliant.console.server.audience import Audience
from pliant.console.server.backend import Backend, Door, End
from pliant.console.server.binary_backend import start_binary
from pliant.console.server.controller_backend import ControllerBackend
from pliant.console.server.describe import arm_of, hello, json_safe
from pliant.console.server.health import Health
from pliant.console.server.launch import launch
from pliant.console.server.lease_desk import LeaseDesk
from pliant.console.server.margin_desk import MarginDesk
from pliant.console.server.record_desk import Recorder
from pliant.console.server.ring_events import changed_sections, events_of, told_config
from pliant.console.server.settings import Settings
from pliant.console.server.status_report import status
from pliant.console.server.viewer import Viewer
from pliant.errors import PliantError, Refused
from pliant.ring.discovery import find_controllers
from pliant.sim.spec import PREFIX, parse_sim_spec
from pliant.tick import Rows

RELAY_PERIOD = 0.02
"""How often ticks go out to the pages, s."""

_STATUS_EVERY = 5
_LONGEST_STEP = 0.05
_MOST_VIEWERS = 48
_STUCK = 10.0
_SERVER_SILENCE = 0.1
"""How much longer the controller waits for a sign of life than the server does, s."""

_TRY_AGAIN = 1013

T = TypeVar("T")
_Started = tuple[Backend, dict[str, Any]]
"""A backend and its parameters."""

_log = logging.getLogger("pliant.console")


class Hub:
    """Everything that the console knows while it runs. One thread: that of the event loop.

    Attributes:
        settings: What the console was started with.
        viewers: The pages that look, by name.
        backend: What moves the arm, while it runs.
        phase: How far it is: idle, starting, running, ended, lost.
        why: What happened last, in words.
        spec: Which arm it is, was, or would be.
        health: How its loop is doing.
        config: The parameters in force.
        clock: Time that the hub was awake, s: silence of a viewer does not count while the hub
            itself was held up.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.viewers = Audience()
        self.backend: Backend | None = None
        self.phase: m.Phase = "idle"
        self.why = "no controller was started"
        self.config: dict[str, Any] = Config().model_dump(mode="python", round_trip=True)
        self.clock = 0.0
        self.controllers: list[str] = []
        self.lease = LeaseDesk(self, settings.lease_timeout)
        self.recorder = Recorder(settings.recordings)
        self.margins = MarginDesk()
        self.spec = settings.start.robot
        self.health = Health(self.n)
        self._missed = 0
        self._count = 0
        self._cycles = 0
        self._busy = asyncio.Lock()
        self._starting: asyncio.Task[_Started] | None = None
        self._judging: asyncio.Task[None] | None = None
        self._watched = ""
        self._told = ""
        self._tasks: set[asyncio.Task[Any]] = set()

    @property
    def holder(self) -> str:
        """Who is in control; empty if nobody is."""
        return self.backend.holder if self.backend else ""

    @property
    def n(self) -> int:
        """Number of joints."""
        return self.backend.n if self.backend else arm_of(self.spec).n

    # viewers

    async def welcome(self, socket: WebSocket) -> None:
        """Serve a page until it leaves."""
        await socket.accept()
        if len(self.viewers) >= _MOST_VIEWERS:
            return await socket.close(_TRY_AGAIN, "too many viewers")
        self._count += 1
        viewer = Viewer(f"viewer-{self._count}{self._suffix()}", self, socket)
        self.viewers[viewer.name] = viewer
        self._greet(viewer)
        try:
            await viewer.serve()
        finally:
            was_holder = self.holder == viewer.name
            self.viewers.pop(viewer.name, None)
            if was_holder:
                self.announce("warning", f"{viewer.name} was in control and left: the arm holds")

    def _suffix(self) -> str:
        """Keeps names apart where several consoles may follow one controller."""
        ours = self.backend is None or self.backend.name == self.settings.name
        return "" if ours else f".{self.settings.port}"

    def rename(self, viewer: Viewer, name: str) -> None:
        """Call a viewer by another name.

        Raises:
            Refused: It belongs to another.
        """
        self.viewers.rename(viewer, name)
        viewer.rename(name)
        self._greet(viewer)

    def announce(self, kind: m.EventKind, text: str) -> None:
        """Tell everyone that something happened."""
        self.viewers.tell(m.Event(kind=kind, text=text))

    # commands

    async def open_door(self, name: str) -> Door:
        """A way to the controller for a viewer."""
        if self.backend is None:
            raise Refused("no controller runs: start one")
        return await self.backend.open(name)

    async def stop(self, viewer: Viewer) -> None:
        """Stop the arm, whoever is in control."""
        self.announce("warning", f"STOP by {viewer.name}")
        if self._starting is not None:
            self._starting.cancel()
        if self.backend is not None:
            await self.backend.stop()

    async def request(
        self, viewer: Viewer, message: m.StartRequest | m.AttachRequest | m.RecordRequest
    ) -> str:
        """Start, attach or record; what was done, in words."""
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
        # goes on even if whoever asked for it leaves
        await asyncio.shield(self._do(self.start(message)))
        with contextlib.suppress(Refused):
            viewer.seen = self.clock
            await self.lease.take(viewer)
        return f"{message.binary or message.robot} runs"

    async def start(self, request: m.StartRequest) -> None:
        """Start a controller, or another program.

        Raises:
            PliantError: One runs already, or it did not start.
        """
        if self.backend is not None:
            raise Refused(f"{self.backend.name} runs already: stop it first")
        async with self._busy:
            self.phase, self.why = "starting", f"starting {request.binary or request.robot}"
            self._starting = self._do(self._ready(self._launched(request)))
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
        """Follow a controller that runs.

        Raises:
            PliantError: There is none of that name, or another is followed already.
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
        """Relay until cancelled, then end what is this console's own."""
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
                viewer.leave()
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
        self._look_after_viewers()
        if self._cycles % _STATUS_EVERY == 0:
            self.viewers.tell_status(status(self))
            self._look_after_margins()
        if self._cycles % (10 * _STATUS_EVERY) == 1:
            self.controllers = find_controllers()

    def _relay(self, backend: Backend) -> None:
        """Ticks and lines from the arm to the pages."""
        rows = backend.ticks()
        self.health.take(rows)
        missed, self._missed = backend.missed - self._missed, backend.missed
        self.viewers.stream(rows, missed)
        lines = backend.lines()
        for event in events_of(lines):
            self.viewers.tell(event)
        self._watch_over_holder()
        told = told_config(lines)
        if told is not None and told != self._told:
            self._told = told
            self._change_config(json.loads(told))
        changed = changed_sections(lines)
        if changed and not backend.watch_only:
            self._do(self._refresh_config(backend, changed))

    def _watch_over_holder(self) -> None:
        """Let the controller itself notice if a viewer in control, or this server, falls silent."""
        if self.holder != self._watched:
            self._watched = self.holder
            viewer = self.viewers.get(self.holder)
            if viewer and self.backend and "WATCHDOG" in self.backend.words:
                silence = self.settings.heartbeat + _SERVER_SILENCE
                viewer.add(f"WATCHDOG {silence:g} hold")

    def _look_after_margins(self) -> None:
        """Compute them again if they may have changed, one after the other."""
        backend, row = self.backend, self.health.row
        if self._judging or backend is None or backend.kind != "pliant" or not self.health.seen:
            return
        if self.margins.outdated(self.config, row):
            self._judging = self._do(self._tell_margins(backend, row))

    async def _tell_margins(self, backend: Backend, row: Rows) -> None:
        try:
            told = await self.margins.compute(backend.spec, backend.dt, self.config, row)
            if backend is self.backend:
                self.viewers.tell(told)
        finally:
            self._judging = None

    def _look_after_viewers(self) -> None:
        for viewer in list(self.viewers.values()):
            if viewer.has_door and self.clock - viewer.seen > self.settings.heartbeat:
                self._count_as_gone(viewer)
            if viewer.outbox.overflown or viewer.stuck > _STUCK:
                self._do(viewer.close(_TRY_AGAIN, "you do not read what is sent to you"))
                viewer.drop()

    def _count_as_gone(self, viewer: Viewer) -> None:
        """The dead man's switch: whoever commands and is silent is gone for the controller."""
        was_holder = self.holder == viewer.name
        viewer.leave()
        if was_holder:
            self.announce("warning", f"{viewer.name} was in control and fell silent: the arm holds")

    # beginning and end of an arm

    async def _launched(self, request: m.StartRequest) -> Backend:
        if request.binary:
            return await start_binary(request, self.settings.binaries)
        if request.robot.startswith(PREFIX):
            # known to be wrong at once, rather than after a controller has been started
            parse_sim_spec(request.robot)
        child = await launch(request, self.settings.name, self.settings.config)
        return ControllerBackend(self.settings.name, own=True, process=child.process)

    async def _ready(self, coming: Coroutine[Any, Any, Backend]) -> _Started:
        """Learn what there is to know of an arm; if that is cut off, it ends."""
        backend = await coming
        try:
            await backend.get_ready()
            return backend, await backend.config()
        except BaseException:
            await backend.close()
            raise

    def _adopt(self, started: _Started) -> None:
        """From now on this is the arm."""
        self.backend, config = started
        self.config = self.config | config
        self.spec = self.backend.spec
        self.health = Health(self.n)
        self.margins.forget()
        self._missed, self._watched = 0, ""
        self.phase, self.why = "running", ""
        for viewer in self.viewers.values():
            viewer.leave()
            self._greet(viewer)
        self.viewers.subscribe_again(self.n)

    def _finish(self, backend: Backend, end: End) -> None:
        """The arm has come to its end: say why, and be ready to start again."""
        self._relay(backend)
        self.backend = None
        self.phase, self.why = ("lost" if end.lost else "ended"), end.why
        for viewer in self.viewers.values():
            viewer.leave()
            self._greet(viewer)
        self.announce("error" if end.lost else "info", f"the controller has ended: {end.why}")
        self._do(backend.close())

    async def _refresh_config(self, backend: Backend, sections: set[str]) -> None:
        self._change_config(await backend.config(sections))

    def _change_config(self, sections: dict[str, Any]) -> None:
        before, self.config = json_safe(self.config), self.config | sections
        after = json_safe(self.config)
        if after != before:
            self.viewers.tell(m.ConfigChanged(config=after))

    def _greet(self, viewer: Viewer) -> None:
        viewer.tell(
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
        if self.backend and self.margins.told:
            viewer.tell(self.margins.told)

    def _do(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Do something beside the relay, and keep hold of it until it is done."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        # a refusal was told to whoever asked; anything else is a mistake in here
        if error is not None and not isinstance(error, PliantError):
            _log.error("in the background", exc_info=error)


async def _attached(name: str, own: bool) -> Backend:
    return ControllerBackend(name, own=own)
