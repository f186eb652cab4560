"""The loop: one tick, read from top to bottom like the data flows."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from pliant import commands as c
from pliant.arms.arm_model import ArmModel
from pliant.arms.description import ArmDescription
from pliant.arms.pinocchio import build_pinocchio
from pliant.commands.handlers.joint_board import begin_board, board_limits
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.commands.supervisor import Supervisor
from pliant.config import Config
from pliant.errors import LawError
from pliant.laws import HybridAdmittance, Law, Position
from pliant.laws.law_base import rest
from pliant.loop.clock import Clock
from pliant.loop.copy_columns import copy_all, copy_computed
from pliant.loop.fused_run import CHANGED, INPUT, NOT_BEGUN, FusedRun, link
from pliant.loop.fused_tick import FUSED_LAWS, fused_tick, parameters_row
from pliant.loop.publisher import Publisher
from pliant.loop.torque_laws import refuse_torque_laws, torque_laws
from pliant.numerics.kernels import direct
from pliant.reasons import Reason
from pliant.robots.base import Robot
from pliant.stability import ContactGuard
from pliant.stages.joints import JointsStage
from pliant.stages.model import ModelStage
from pliant.stages.reference import ReferenceStage
from pliant.stages.resolve import ResolveStage
from pliant.stages.safety import SafetyStage
from pliant.stages.supervisor import State
from pliant.stages.wrench import WrenchStage
from pliant.tick import Rows, new_rows

STOP_INPUT = "stop"
"""Prefix of the line published when the controller itself stops the arm."""

ABANDON_INPUT = "abandon"
"""Prefix of the line published when the arm is lost."""

_CONFIG_PERIOD = 1.0
"""How often the configuration is published, s, so that a new reader soon knows it."""


class Loop:
    """The stages of one arm and the two rows they work on.

    An exception in a stage becomes a controlled stop in the same tick, with the reason in it. If
    the arm cannot be read or written, or safety itself raises, the backend stops the arm by its own
    means and the exception goes on.

    Attributes:
        robot: The backend.
        clock: Decides when the next tick begins.
        arm: The arm's parameters.
        publisher: Where finished ticks go.
        supervisor: Decides on commands.
        in_fault: Whether the last tick was in fault.
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
        self.robot = robot
        self.publisher = publisher
        self.clock = clock
        self._model = ModelStage(arm, config.tool, config.model)
        self._wrench = WrenchStage(config.wrench, config.tool)
        model = build_pinocchio(arm, config.tool, config.model.mass_scale)
        self._hybrid = HybridAdmittance(config.laws.hybrid_admittance, dt=robot.dt)
        self._position = Position(config.laws.position)
        self._laws: list[Law] = [self._hybrid, self._position]
        self._laws += torque_laws(config, ArmModel(description=arm, model=model))
        self._built_in_laws = len(self._laws)
        refuse_torque_laws(laws, arm)
        self._laws += laws
        takes = [law.takes for law in self._laws]
        self._reference = ReferenceStage(config.reference, arm, model, takes)
        self._resolve = ResolveStage(config.resolve)
        self.arm = arm
        self._joints = JointsStage(config.joints, arm, board_limits(config, arm))
        self._safety = SafetyStage(config.safety, arm)
        self.supervisor = Supervisor(
            config, self._laws, robot.dt, self._apply, arm, robot.simulated, self._reference
        )
        self._prev, self._tick = new_rows(robot.n), new_rows(robot.n)
        self._can_fuse = not arm.takes_torque
        self._fused_tick: Callable[[Rows, Rows], bool] = self._run_stages
        self._run: FusedRun | None = None
        self._stages: tuple[np.ndarray, ...] = ()
        self._gather(config)
        self._fusible, self.in_fault = False, False
        self._config_every = max(1, round(_CONFIG_PERIOD / robot.dt))
        self._config_due = self._config_every
        self._config_then = config
        self._config_text = (config, config.model_dump_json(round_trip=True))
        self._inputs: list[str] = []
        self.supervisor.guard = ContactGuard(arm, config.tool, robot.dt)
        self.supervisor.guard(config)
        self._begin()

    @property
    def row(self) -> Rows:
        """The last finished tick."""
        return self._prev

    @property
    def config_then(self) -> Config:
        """The configuration with which the last tick was computed."""
        return self._config_then

    @property
    def stages(self) -> dict[str, Callable[[Rows, Rows], None]]:
        """The stages between reading and writing, by name, to run them on other rows."""
        return {
            "model": self._model.update,
            "wrench": self._wrench.update,
            "supervisor": self.supervisor.stage.update,
            "reference": self._reference.update,
            "law": self._run_law,
            "resolve": self._resolve.update,
            "joints": self._joints.update,
            "safety": self._safety.update,
        }

    def take(self, command: c.Command, line: str | None = None) -> Reply:
        """Give the supervisor a command; it acts at the next tick and is published.

        Args:
            command: The command.
            line: Its line, if it came as one.

        Raises:
            PliantError: It was refused, and nothing changed.
        """
        reply = self.supervisor.take(command, self._prev)
        self._publish_input(write(command) if line is None else line)
        return reply

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
        self._note_state(self._prev)

    def link(self) -> None:
        """Link clock, arm, stages and publisher to one kernel, where all of them have kernels.

        Call it when clock and publisher are final.
        """
        self._run = link(self.clock, self.robot, self._stages, self.publisher)

    def step(self, intake: Callable[[], None] = lambda: None, most: int = 1) -> Rows:
        """Run one tick, or several if there is no input and nothing changes; the last of them.

        Args:
            intake: Called at the beginning of a tick with input, to give it to the supervisor.
            most: How many ticks to run at most.
        """
        most = min(most, self._config_due)
        ran, begun = 0, NOT_BEGUN
        if self._run and self._fusible and self.supervisor.idle:
            ran, begun = self._run(min(most, self.robot.unattended()), self._prev, self._tick)
            if ran % 2:
                self._prev, self._tick = self._tick, self._prev
        if begun or not ran:
            ran += self._step_by_step(intake, begun, most - ran)
        self._config_due -= ran
        if self._config_due == 0 or self._inputs:
            self._finish_tick(self._prev)
        return self._prev

    def _step_by_step(self, intake: Callable[[], None], begun: int, most: int) -> int:
        """Run ticks until there is input or something changes; how many.

        Everything that Python does at every tick is here, and it is little: after a sleep a call
        from Python takes longer than most functions compute.

        Args:
            intake: Called at the beginning of a tick with input.
            begun: How much of the first tick is done.
            most: How many ticks to run at most.
        """
        prev, tick = self._prev, self._tick
        wait, read = self.clock.wait, self.robot.read
        write, publish = self.robot.write, self.publisher.publish
        compute, fused = self._tick_function()
        ran = 0
        for ran in range(1, most + 1):  # noqa: B007
            has_input = begun == INPUT if begun else wait(prev, tick)
            if has_input:
                self._prev, self._tick = prev, tick
                intake()
                compute, fused = self._tick_function()
            try:
                if begun != CHANGED:
                    read(tick)
                try:
                    changed = begun == CHANGED or compute(prev, tick)
                    if changed and fused:
                        self._explain_change(prev, tick)
                except Exception as error:
                    changed = True
                    self._stop_controlled(prev, tick, error)
                write(tick)
            except Exception as error:
                self._prev, self._tick = prev, tick
                self._abandon(prev, tick, error)
                raise
            publish(tick)
            prev, tick = tick, prev
            if has_input or changed:
                break
            begun = NOT_BEGUN
        self._prev, self._tick = prev, tick
        return ran

    def _tick_function(self) -> tuple[Callable[[Rows, Rows], bool], bool]:
        """The function that computes a tick, and whether it is the fused tick.

        The function returns whether something changed.
        """
        self._config_then = self.supervisor.config
        quick = self._fusible and self.supervisor.idle
        return (self._fused_tick if quick else self._run_stages), quick

    def _run_stages(self, prev: Rows, tick: Rows) -> bool:
        """Compute a tick stage by stage, after which anything may have changed."""
        self._model.update(prev, tick)
        self._wrench.update(prev, tick)
        self.supervisor.stage.update(prev, tick)
        self._reference.update(prev, tick)
        self._run_law(prev, tick)
        self._resolve.update(prev, tick)
        self._joints.update(prev, tick)
        self._safety.update(prev, tick)
        self._note_state(tick)
        return True

    def _explain_change(self, prev: Rows, tick: Rows) -> None:
        self.supervisor.stage.explain(prev, tick)
        self._note_state(tick)

    def _note_state(self, tick: Rows) -> None:
        """Note what in a tick only changes with its reason or with a command."""
        self._fusible = self._can_fuse and tick["law"].item() < FUSED_LAWS
        self.in_fault = tick["state"].item() == State.FAULT

    def _begin(self) -> None:
        """Fill row 0, before the first tick: the arm holds where it is."""
        first = self._prev
        self.robot.connect()
        self.robot.read(first)
        first["dt"] = self.robot.dt
        for name in ("q_sent", "q_limited", "q_requested", "q_set"):
            first[name] = first["q"]
        begin_board(first, self.supervisor.config)
        self._model.update(first, first)
        # so that a law cannot be activated before the first verdict on the sensor
        self._wrench.update(first, first)
        for name in ("X_WR", "X_WT_cmd", "X_WR_target", "X_WR_seed"):
            first[name] = first["X_WT_sent"]
        first["ref_done"] = 1

    def _run_law(self, prev: Rows, tick: Rows) -> None:
        index = tick["law"].item()
        if index < 0 or index >= self._built_in_laws:
            # a user's law need not write every column; old values must not remain
            rest(tick)
        if index >= 0:
            try:
                self._laws[index].update(prev, tick)
            except Exception as error:
                name = self._laws[index].name
                raise LawError(f"law {name}: {type(error).__name__}: {error}") from error

    def _stop_controlled(self, prev: Rows, tick: Rows, error: Exception) -> None:
        """Brake within limits from the last set points, with the reason in the tick."""
        copy_computed(prev, tick)
        self.supervisor.stage.fail(prev, tick, _describe(error))
        tick["q_set"] = prev["q_sent"]
        self._joints.update(prev, tick)
        self._safety.update(prev, tick)
        self._note_state(tick)

    def _abandon(self, prev: Rows, tick: Rows, error: Exception) -> None:
        """Stop the arm by the backend's own means; the last tick has the reason."""
        try:
            self.robot.stop()
        finally:
            copy_all(prev, tick)
            self.supervisor.stage.fail(prev, tick, _describe(error))
            self._note_state(tick)
            self._publish_input(f"{ABANDON_INPUT} {_describe(error)}")
            self._config_then = self.supervisor.config
            self.publisher.publish(tick)
            self._prev, self._tick = tick, prev
            self._finish_tick(tick)

    def _finish_tick(self, tick: Rows) -> None:
        """Forget inputs that have acted; publish the configuration when it is due."""
        self._inputs.clear()
        if self._config_due == 0:
            self._config_due = self._config_every
            self.publisher.write_line("config", tick["k"].item(), self._config_json())

    def _config_json(self) -> str:
        """The configuration of the last tick as JSON, made again only when it changes."""
        if self._config_text[0] is not self._config_then:
            text = self._config_then.model_dump_json(round_trip=True)
            self._config_text = (self._config_then, text)
        return self._config_text[1]

    def _publish_input(self, text: str) -> None:
        """Publish an input of the supervisor, with the number of the tick at which it acts."""
        self._inputs.append(text)
        self.publisher.write_line("input", self._prev["k"].item() + 1, text)

    def _apply(self, config: Config, section: str) -> None:
        """Give a changed section of the configuration to its stage."""
        if section == "laws":
            for law in self._laws:
                changed = getattr(config.laws, law.name, None)
                if changed is not None and changed != law.config:
                    law.configure(changed)
        elif section in ("wrench", "tool"):
            self._wrench.configure(config.wrench, config.tool)
        elif section == "reference":
            self._reference.configure(config.reference)
        elif section == "resolve":
            self._resolve.configure(config.resolve)
        elif section == "safety":
            self._safety.configure(config.safety)
        if section in ("supervisor", "safety"):
            self.supervisor.stage.configure(config.supervisor, config.safety)
        if section in ("joints", "safety"):
            self._joints.configure(config.joints, board_limits(config, self.arm))
        self._gather(config)

    def _gather(self, config: Config) -> None:
        """Collect the parameters of all stages in one row, for the fused tick."""
        if not self._can_fuse:
            return
        parameters = parameters_row(
            *self._model.rows,
            *self._wrench.rows,
            self.supervisor.stage.rows[0],
            *self._reference.tool_rows,
            *self._hybrid.rows,
            *self._position.rows,
            *self._resolve.rows,
            *self._joints.rows,
            *self._safety.rows,
        )
        if self._stages:
            self._stages[1][:] = parameters
            return
        self._stages = (self.supervisor.stage.rows[1], parameters)
        self._fused_tick = partial(
            direct(fused_tick, *self._stages, self._prev, self._tick), *self._stages
        )


def _describe(error: Exception) -> str:
    return str(error) if isinstance(error, LawError) else f"{type(error).__name__}: {error}"
