"""The loop: one tick, read from top to bottom like the data flows."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from pliant import commands as c
from pliant.arms.description import ArmDescription
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.commands.supervisor import Supervisor
from pliant.config import Config, with_laws
from pliant.errors import LawError, Refused
from pliant.laws import Law
from pliant.loop.pipeline import Pipeline
from pliant.loop.publisher import Publisher
from pliant.reasons import Reason, State
from pliant.robots.backend_check import first_read, first_write, unknown_estimates
from pliant.robots.base import Clock, Robot
from pliant.stability import ContactGuard
from pliant.stages.contact.stage import SWINGS
from pliant.stages.reference.playable_motion import PlayableMotion
from pliant.stages.supervisor.armed_reactions import explain_reaction
from pliant.stages.supervisor.explain import explain_stall, explain_swings
from pliant.stages.supervisor.stage import REACTED, STALLED
from pliant.tick import Rows, new_rows

STOP_INPUT = "stop"
"""Prefix of the line published when the controller itself stops the arm."""

ABANDON_INPUT = "abandon"
"""Prefix of the line published when the arm is lost."""

_CONFIG_PERIOD = 1.0
"""How often the configuration is published, s, so that a new reader soon knows it."""


def _nothing() -> None:
    pass


class Loop:
    """One arm, its pipeline, and the two rows that it works on.

    An exception in a stage becomes a controlled stop in the same tick, with the reason in it. If
    the arm cannot be read or written, or safety itself raises, the backend stops the arm by its own
    means and the exception goes on.

    Attributes:
        robot: The backend.
        clock: Decides when the next tick begins.
        arm: The arm's parameters.
        pipeline: What is computed in a tick.
        publisher: Where finished ticks go.
        supervisor: Decides on commands.
        in_fault: Whether the last tick was in fault.
        on_abandon: Called before the backend stops an arm that could not be read or written.
        tell: Called with an event of the last tick, in words; None publishes it.
    """

    def __init__(
        self,
        robot: Robot,
        arm: ArmDescription,
        clock: Clock,
        config: Config,
        *,
        laws: Sequence[Law] = (),
        publisher: Publisher,
    ) -> None:
        """Configure every stage and every law; nothing slow happens after this.

        Args:
            robot: The backend, not yet connected.
            arm: The arm's parameters.
            clock: Decides when the next tick begins.
            config: The configuration of all stages.
            laws: Laws beside Pliant's own.
            publisher: Where finished ticks go.
        """
        config = _settled(with_laws(config, laws), robot)
        self.robot = robot
        self.arm = arm
        self.publisher = publisher
        self.clock = clock
        self.pipeline = Pipeline(arm, config, robot.dt, laws)
        self.pipeline.load()
        guard = ContactGuard(arm, config.tool, robot.dt)
        self.supervisor = Supervisor(config, self.pipeline, robot.dt, arm, robot.simulated, guard)
        self._prev, self._tick = new_rows(robot.n), new_rows(robot.n)
        self._config_every = max(1, round(_CONFIG_PERIOD / robot.dt))
        self._config_due = self._config_every
        self._config_then = config
        self._config_text = (config, config.model_dump_json(round_trip=True))
        self._inputs: list[str] = []
        self.in_fault = False
        self.on_abandon: Callable[[], None] = _nothing
        self.tell: Callable[[str], None] | None = None
        self._has_written = False
        robot.connect()
        if robot.gripper is not None:
            robot.gripper.tell = self._tell
        for row in (self._prev, self._tick):
            unknown_estimates(row)
        first_read(robot, self._prev)
        self._prev["dt"] = robot.dt
        self.pipeline.begin(self._prev, config)
        self.supervisor.load(self._prev)

    @property
    def row(self) -> Rows:
        """The last finished tick."""
        return self._prev

    @property
    def config_then(self) -> Config:
        """The configuration with which the last tick was computed."""
        return self._config_then

    def step(self, take_input: Callable[[], None] = _nothing) -> Rows:
        """Run one tick.

        Args:
            take_input: Gives commands to the supervisor, before the arm is read.
        """
        prev, tick = self._prev, self._tick
        self.clock.wait(prev, tick)
        take_input()
        self._config_then = self.supervisor.config
        told = 0
        try:
            self.robot.read(tick)
            try:
                told = self.pipeline.compute(prev, tick)
                if told:
                    # no fault begins or ends without a new reason
                    self.in_fault = tick["state"].item() == State.FAULT
            except Exception as error:
                self.pipeline.stop(prev, tick, _describe(error))
                self.in_fault = True
            if self._has_written:
                self.robot.write(tick)
            else:
                first_write(self.robot, tick)
                self._has_written = True
        except Exception as error:
            self._abandon(prev, tick, _describe(error))
            raise
        self._finish(tick, prev)
        if told:
            self._explain(told, prev, tick)
        return tick

    def take(
        self, command: c.Command, line: str | None = None, motion: PlayableMotion | None = None
    ) -> Reply:
        """Give the supervisor a command; it acts at the next tick and is published.

        Args:
            command: The command.
            line: Its line, if it came as one.
            motion: The motion of the file that it names.

        Raises:
            PliantError: It was refused, and nothing changed.
        """
        text = write(command) if line is None else line
        with self._consulted(command):
            reply = self.supervisor.take(command, self._prev, motion)
        self._publish_input(text)
        return reply

    def read_and_take(self, command: c.Command, line: str | None = None) -> Reply:
        """Give the supervisor a command; a motion that it names is read while time stands still.

        Raises:
            PliantError: It was refused, and nothing changed.
        """
        text = write(command) if line is None else line
        with self._consulted(command):
            reply = self.supervisor.read_and_take(command, self._prev)
        self._publish_input(text)
        return reply

    @contextmanager
    def _consulted(self, command: c.Command) -> Iterator[None]:
        """Ask the robot too: a reset makes a stopped arm ready, and force needs a trusted sensor.

        Raises:
            Refused: The robot refuses.
        """
        note = ""
        if isinstance(command, c.Reset) and self._prev["robot_status"].item():
            note = self.robot.recover()
        by_force = {law.name for law in self.supervisor.laws if law.needs_force}
        law = command.law if isinstance(command, c.Activate) else ""
        if law in by_force and (refusal := self.robot.force_refusal()):
            raise Refused(f"{law} needs the force sensor: {refusal}")
        try:
            yield
        except Refused as error:
            if not note:
                raise
            raise Refused(f"{error}; {note}") from None

    def stop(self, reason: Reason) -> None:
        """Let the supervisor end the active law; a fault keeps its reason."""
        self.supervisor.stop(self._prev, reason)
        self._publish_input(f"{STOP_INPUT} {reason.name}")

    def introduce(self, publisher: Publisher) -> None:
        """Publish to a new publisher what the next tick builds on."""
        publisher.publish(self._prev)
        k = self._prev["k"].item()
        publisher.write_line("config", k, self._config_json())
        for text in self._inputs:
            publisher.write_line("input", k + 1, text)

    def resume(self, row: Rows) -> None:
        """Continue after a tick that was computed elsewhere."""
        self._prev[0] = row[0]
        self.in_fault = row["state"].item() == State.FAULT

    def _finish(self, tick: Rows, prev: Rows) -> None:
        """Publish a tick, and the configuration when it is due."""
        self.publisher.publish(tick)
        self._prev, self._tick = tick, prev
        self._inputs.clear()
        self._config_due -= 1
        if self._config_due == 0:
            self._config_due = self._config_every
            self.publisher.write_line("config", tick["k"].item(), self._config_json())

    def _abandon(self, prev: Rows, tick: Rows, why: str) -> None:
        """Stop the arm by the backend's own means; the last tick has the reason."""
        try:
            self.on_abandon()
            self.robot.stop()
        finally:
            self.pipeline.abandon(prev, tick, why)
            self.in_fault = True
            self._publish_input(f"{ABANDON_INPUT} {why}")
            self._finish(tick, prev)

    def _config_json(self) -> str:
        """The configuration of the last tick as JSON, made again only when it changes."""
        if self._config_text[0] is not self._config_then:
            text = self._config_then.model_dump_json(round_trip=True)
            self._config_text = (self._config_then, text)
        return self._config_text[1]

    def _explain(self, told: int, prev: Rows, tick: Rows) -> None:
        """Tell in words what happened in a tick."""
        if told & REACTED:
            self._tell(explain_reaction(tick, self.supervisor.law_names))
        if told & STALLED:
            self._tell(explain_stall(prev, tick))
        if told & SWINGS:
            self._tell(explain_swings(tick))

    def _tell(self, text: str) -> None:
        if self.tell is not None:
            self.tell(text)
        else:
            self.publisher.write_line("event", self._prev["k"].item(), text)

    def _publish_input(self, text: str) -> None:
        """Publish an input of the supervisor, with the number of the tick at which it acts."""
        self._inputs.append(text)
        self.publisher.write_line("input", self._prev["k"].item() + 1, text)


def _settled(config: Config, robot: Robot) -> Config:
    """The configuration with limits that depend on the kind of arm, so that it is recorded."""
    safety = config.safety.settled(simulated=robot.simulated)
    return config.model_copy(update={"safety": safety})


def _describe(error: Exception) -> str:
    return str(error) if isinstance(error, LawError) else f"{type(error).__name__}: {error}"
