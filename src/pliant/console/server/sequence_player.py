"""Runs a sequence of joint positions for one viewer."""

import asyncio
from math import inf
from typing import TYPE_CHECKING

from pliant.commands import Command, StopJoints
from pliant.commands.line_protocol import write
from pliant.console.server.messages import Event, SequenceProgress, SequenceRequest
from pliant.errors import PliantError, Refused
from pliant.tasks.joint_sequence import SequenceRun, run_sequence
from pliant.tick import Rows

if TYPE_CHECKING:
    from pliant.console.server.hub import Hub
    from pliant.console.server.viewer import Viewer

_STOP = write(StopJoints(joints="all"))


class SequencePlayer:
    """Gives the commands of `run_sequence` in the name of a viewer, under the viewer's lease.

    Attributes:
        progress: The sequence that runs; None if none does.
    """

    def __init__(self, viewer: "Viewer", hub: "Hub") -> None:
        self.progress: SequenceProgress | None = None
        self._viewer = viewer
        self._hub = hub
        self._task: asyncio.Task[None] | None = None

    async def request(self, message: SequenceRequest) -> str:
        """Start or stop a sequence; returns what was done, in words.

        Raises:
            Refused: It cannot be done.
        """
        if message.action == "start":
            return await self._start(message)
        if self.progress is None:
            raise Refused("no sequence runs")
        await self.stop()
        return "the sequence was stopped"

    async def stop(self) -> None:
        """Stop the joints if a sequence runs; the viewer must still be in control."""
        if self._cancel():
            await self._viewer.send_line(_STOP)

    def abort(self) -> None:
        """As `stop`, without waiting for the reply: the viewer's connection is about to close."""
        if self._cancel():
            self._viewer.send_if_connected(_STOP)

    async def _start(self, message: SequenceRequest) -> str:
        if self.progress is not None:
            raise Refused("a sequence is already running: stop it first")
        cycles = inf if message.how == "cycle" else 1
        run = run_sequence(message.steps, timed=message.how == "timed", cycles=cycles)
        count = len(message.steps)
        self._report(0, count)
        try:
            if isinstance(first := next(run), Command):
                await self._give(first)
        except BaseException:
            self.progress = None
            raise
        if self.progress is None:
            raise Refused("the sequence was stopped")
        self._task = self._hub.spawn(self._play(run, count))
        return f"the sequence runs: {count} steps"

    async def _play(self, run: SequenceRun, count: int) -> None:
        """Drive a run to its end; a refusal or a fault is reported to the viewer."""
        try:
            while True:
                instruction = run.send(await self._next_row())
                while isinstance(instruction, Command):
                    await self._give(instruction)
                    instruction = run.send(self._hub.health.row)
                self._report(instruction.step or 0, count)
        except StopIteration:
            event = Event(kind="info", text="the sequence is done")
        except PliantError as error:
            event = Event(kind="error", text=str(error))
            if self._viewer.in_control:
                await self._viewer.send_line(_STOP)
        finally:
            run.close()
            # a cancelled sequence has already been replaced by the next one
            if self._task is asyncio.current_task():
                self.progress = self._task = None
        self._viewer.send(event)

    async def _give(self, command: Command) -> None:
        answer = await self._viewer.command(write(command))
        if not answer.ok:
            raise Refused(answer.text)

    async def _next_row(self) -> Rows:
        """The next row of an arm that this viewer still commands."""
        row = await self._hub.health.next_row()
        if not self._viewer.in_control:
            raise Refused("you are no longer in control: the sequence has ended")
        return row

    def _report(self, step: int, count: int) -> None:
        self.progress = SequenceProgress(viewer=self._viewer.id, step=step, steps=count)

    def _cancel(self) -> bool:
        """End the sequence without stopping the joints; returns whether one was running."""
        running = self.progress is not None
        if self._task is not None:
            self._task.cancel()
        self.progress = self._task = None
        return running
