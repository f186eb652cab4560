"""Decides on commands to the joint board, by the tables of `joint_modes`."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pliant import commands as c
from pliant.arms.description import ArmDescription
from pliant.commands.handlers.joint_board import board_limits, describe_joint
from pliant.config import Config
from pliant.errors import Refused
from pliant.numerics.spatial import Array
from pliant.stages.joints import (
    Interaction,
    JointFault,
    JointMode,
    ReportedMode,
)
from pliant.stages.joints.joint_modes import (
    CALIBRATE_FROM,
    COMMANDS_OF,
    FIRST_STATUS,
    FORCE_IDLE,
    FORCE_IDLE_FROM,
    NEEDS_TORQUE,
    SELECTABLE_FROM,
    WAY_OUT,
    is_available,
)
from pliant.tick import Rows

Columns = dict[str, Any]

_FAULT = ReportedMode.HARDWARE_FAULT

_GIVES_WAY = (
    "; it gives way: ask again in a second, then move the tool away from what the arm leans on, in "
    "Python arm.reset(), arm.move_by([0, 0, 0.1, 0, 0, 0])"
)


class JointHandlers:
    """Turns commands to joints into columns of the next tick; a command is refused as a whole.

    Attributes:
        arm: The arm's parameters.
        dt: The control period, s.
        simulated: Whether faults may be injected.
        config: Parameters of the joints stage.
        limits: The limits on commands to each joint.
    """

    def __init__(self, config: Config, arm: ArmDescription, dt: float, simulated: bool) -> None:
        """Make the handlers of one arm.

        Args:
            config: The configuration in force.
            arm: The arm's parameters.
            dt: The control period, s.
            simulated: Whether faults may be injected.
        """
        self.arm = arm
        self.dt = dt
        self.simulated = simulated
        self.configure(config)

    def configure(self, config: Config) -> None:
        """Take a new configuration."""
        self.config = config.joints
        self.limits = board_limits(config, self.arm)

    def take(
        self, command: c.JointCommand, row: Rows, now: Callable[[str], Any]
    ) -> tuple[Columns, str]:
        """The columns that a command changes, and the reply.

        Args:
            command: The command.
            row: The last tick.
            now: A column as it will be at the next tick, after the commands accepted so far.

        Raises:
            Refused: One of its joints cannot obey it; the message says why.
        """
        joints = self._numbers(command.joints)
        decision = _Decision(self, row, now, joints)
        columns = getattr(decision, command.name)(command)
        named = f"joints {','.join(map(str, joints))}" if len(joints) > 1 else f"joint {joints[0]}"
        return columns, "; ".join([f"{command.name}, {named}", *decision.notes])

    def clear(self, row: Rows, now: Callable[[str], Any]) -> Columns:
        """The columns that clear the fault of every joint.

        Raises:
            Refused: A cause is still there.
        """
        faulted = [j for j, mode in enumerate(row["mode"][0]) if mode == _FAULT]
        if not faulted:
            return {}
        command = c.SetMode(joints=tuple(faulted), modes=(FORCE_IDLE,))
        return self.take(command, row, now)[0]

    def reported(self, row: Rows, now: Callable[[str], Any]) -> list[ReportedMode]:
        """What each joint will report at the next tick, after the commands accepted so far."""
        modes = []
        for j, code in enumerate(row["mode"][0]):
            cleared = now("clear_seq")[j] != row["clear_seq"][0][j]
            begins = now("calibrate_seq")[j] != row["calibrate_seq"][0][j]
            if begins and code == ReportedMode.IDLE:
                code = ReportedMode.CALIBRATING
            elif code < FIRST_STATUS or (cleared and code == _FAULT):
                code = now("mode_wanted")[j]
            modes.append(ReportedMode(int(code)))
        return modes

    def describe(self, row: Rows, joints: str | Sequence[int]) -> list[dict[str, Any]]:
        """Modes, references and limits of joints, as plain values."""
        return [describe_joint(row, self.arm, self.limits, j) for j in self._numbers(joints)]

    def refuse_unless_ready(self, row: Rows, now: Callable[[str], Any]) -> None:
        """Refuse a command that needs all joints if one has a fault or is not calibrated."""
        for j, mode in enumerate(self.reported(row, now)):
            if mode >= FIRST_STATUS:
                raise Refused(f"{_status(row, j, mode)}: {WAY_OUT[mode]}")

    def _numbers(self, joints: str | Sequence[int]) -> list[int]:
        n = self.arm.n
        if isinstance(joints, str):
            return list(range(n))
        for j in joints:
            if j >= n:
                raise Refused(f"there is no joint {j}; valid: 0 to {n - 1}, or all")
        if len(set(joints)) < len(joints):
            raise Refused(f"a joint is named twice in {','.join(map(str, joints))}")
        return list(joints)


class _Decision:
    """The decision on one command; each method is named like its command."""

    def __init__(
        self, board: JointHandlers, row: Rows, now: Callable[[str], Any], joints: list[int]
    ) -> None:
        self._board = board
        self._row = row
        self._now = now
        self._joints = joints
        self._reported = board.reported(row, now)
        self._columns: Columns = {}
        self.notes: list[str] = []

    # modes

    def set_mode(self, command: c.SetMode) -> Columns:
        for j, name in self._each(command.modes):
            reported = self._reported[j]
            if name == FORCE_IDLE:
                self._check_force_idle(j, reported)
                continue
            mode = JointMode[name.upper()]
            if not is_available(mode, self._board.arm.interface):
                raise Refused(self._not_available(f"{name} mode"))
            if mode not in SELECTABLE_FROM[reported]:
                raise Refused(f"{_status(self._row, j, reported)}: {WAY_OUT[reported]}")
        for j, name in self._each(command.modes):
            self._switch(j, name)
        return self._columns

    def _check_force_idle(self, j: int, reported: ReportedMode) -> None:
        if reported not in FORCE_IDLE_FROM:
            raise Refused(f"{_status(self._row, j, reported)}: {WAY_OUT[reported]}")
        cause = self._row["fault_cause"][0][j]
        if self._now("fault_injected")[j] != self._row["fault_injected"][0][j]:
            cause = self._now("fault_injected")[j]
        if reported is _FAULT and cause:
            remedy = _GIVES_WAY if cause == JointFault.OVER_TORQUE else ""
            text = JointFault(int(cause)).text
            raise Refused(f"joint {j}: the cause is still there: {text}{remedy}")

    def _switch(self, j: int, name: str) -> None:
        mode = JointMode.IDLE if name == FORCE_IDLE else JointMode[name.upper()]
        if self._reported[j] == _FAULT:
            self._set("clear_seq", j, self._row["clear_seq"][0][j] + 1)
        elif self._reported[j] == mode:
            return
        self._set("mode_wanted", j, mode)
        self._forget(j)

    def set_interaction(self, command: c.SetInteraction) -> Columns:
        for j, name in self._each(command.interactions):
            mode = Interaction[name.upper()]
            if mode is Interaction.COMPLIANT and self._board.arm.interface != "torque":
                raise Refused(self._not_available("compliant interaction"))
            self._set("interaction", j, mode)
        return self._columns

    def set_impedance(self, command: c.SetImpedance) -> Columns:
        limits = self._board.limits
        self._bounded(command.stiffness, "K_joint", "stiffness", "N·m/rad", 0.0, limits.K_max)
        self._bounded(command.damping, "D_joint", "damping", "N·m·s/rad", 0.0, limits.D_max)
        self._bounded(
            command.offset, "tau_offset", "torque offset", "N·m", -limits.tau_max, limits.tau_max
        )
        return self._columns

    # motion

    def position_move(self, command: c.PositionMove) -> Columns:
        self._refuse_wrong_mode(command)
        for j in self._joints:
            if not self._now("speed_joint")[j] > 0.0:
                raise Refused(f"the speed of joint {j} is zero: set a speed first")
        return self._go_to(command)

    def set_position(self, command: c.SetPosition) -> Columns:
        self._refuse_wrong_mode(command)
        return self._go_to(command)

    def _go_to(self, command: c.PositionMove | c.SetPosition) -> Columns:
        limits = self._board.limits
        self._clamped(command.values, "q_goal", limits.q_min, limits.q_max)
        for j in self._joints:
            self._set("q_goal_seq", j, self._row["q_goal_seq"][0][j] + 1)
        return self._columns

    def velocity_move(self, command: c.VelocityMove) -> Columns:
        self._refuse_wrong_mode(command)
        most = self._board.limits.qd_max
        self._clamped(command.values, "qd_goal", -most, most)
        return self._stream(self._board.config.velocity_timeout)

    def set_torque(self, command: c.SetTorque) -> Columns:
        self._refuse_wrong_mode(command)
        most = self._board.limits.tau_max
        self._bounded(command.values, "tau_goal", "torque", "N·m", -most, most)
        return self._stream(self._board.config.torque_timeout)

    def set_output(self, command: c.SetOutput) -> Columns:
        self._refuse_wrong_mode(command)
        most = np.ones(self._board.arm.n)
        self._bounded(command.values, "output_goal", "output", "of 1", -most, most)
        return self._stream(self._board.config.torque_timeout)

    def _stream(self, timeout: float) -> Columns:
        # half a tick more, so that the time-out does not depend on rounding
        until = self._row["time"][0] + timeout + 0.5 * self._board.dt
        for j in self._joints:
            self._set("stream_seq", j, self._row["stream_seq"][0][j] + 1)
            self._set("stream_until", j, until)
        return self._columns

    def set_speed(self, command: c.SetJointSpeed) -> Columns:
        most = self._board.limits.qd_max
        self._bounded(command.values, "speed_joint", "speed", "rad/s", 0.0, np.inf + most)
        return self._clamped(command.values, "speed_joint", 0.0 * most, most)

    def set_acceleration(self, command: c.SetJointAcceleration) -> Columns:
        most, least = self._board.limits.qdd_max, np.nextafter(0.0, 1.0)
        self._bounded(
            command.values, "acceleration_joint", "acceleration", "rad/s²", least, np.inf + most
        )
        return self._clamped(command.values, "acceleration_joint", 0.0 * most, most)

    def stop(self, command: c.StopJoints) -> Columns:
        for j in self._joints:
            self._forget(j)
            if self._now("mode_wanted")[j] in (JointMode.TORQUE, JointMode.OPEN_LOOP):
                self._set("mode_wanted", j, JointMode.POSITION)
        return self._columns

    def calibrate(self, command: c.Calibrate) -> Columns:
        for j in self._joints:
            reported = self._reported[j]
            begun = self._now("calibrate_seq")[j] != self._row["calibrate_seq"][0][j]
            if self._row["calibration_left"][0][j] > 0.0 or begun:
                raise Refused(f"joint {j} is being calibrated: wait")
            if reported not in CALIBRATE_FROM:
                way_out = WAY_OUT.get(reported, "set it to idle first")
                raise Refused(f"{_status(self._row, j, reported)}: {way_out}")
        for j in self._joints:
            self._set("calibrate_seq", j, self._row["calibrate_seq"][0][j] + 1)
            self._set("mode_wanted", j, JointMode.IDLE)
        return self._columns

    def inject_fault(self, command: c.InjectFault) -> Columns:
        if not self._board.simulated:
            raise Refused("faults are injected in simulation only")
        for j, name in self._each(command.faults):
            self._set("fault_injected", j, JointFault[name.upper()])
        return self._columns

    # helpers

    def _each(self, values: Sequence[Any]) -> list[tuple[int, Any]]:
        """Each joint with its value; a single value is for all."""
        if len(values) == 1:
            values = list(values) * len(self._joints)
        if len(values) != len(self._joints):
            raise Refused(f"{len(self._joints)} joints need as many values, not {len(values)}")
        return list(zip(self._joints, values, strict=True))

    def _set(self, name: str, j: int, value: Any) -> None:
        if name not in self._columns:
            self._columns[name] = np.array(self._now(name))
        self._columns[name][j] = value

    def _forget(self, j: int) -> None:
        """End the motion of a joint, including a command accepted earlier in the same tick."""
        self._set("stop_seq", j, self._row["stop_seq"][0][j] + 1)
        self._set("q_goal_seq", j, self._row["q_goal_seq"][0][j])
        self._set("stream_seq", j, self._row["stream_seq"][0][j])
        self._set("calibrate_seq", j, self._row["calibrate_seq"][0][j])

    def _clamped(self, values: Sequence[float], name: str, low: Array, high: Array) -> Columns:
        for j, value in self._each(values):
            applied = min(max(value, low[j]), high[j])
            self._set(name, j, applied)
            if applied != value:
                self.notes.append(f"joint {j} clamped to {applied:.6g}")
        return self._columns

    def _bounded(
        self,
        values: Sequence[float],
        name: str,
        what: str,
        unit: str,
        low: Array | float,
        high: Array,
    ) -> None:
        low = np.broadcast_to(low, high.shape)
        for j, value in self._each(values):
            if not low[j] <= value <= high[j]:
                raise Refused(
                    f"the {what} {value:g} {unit} of joint {j} is not within "
                    f"{low[j]:g} to {high[j]:g} {unit}"
                )
            self._set(name, j, value)

    def _refuse_wrong_mode(self, command: c.Motion) -> None:
        """Refuse a command that a joint's mode does not obey, and name the mode that does."""
        self._each(command.values)
        takers = [mode for mode, taken in COMMANDS_OF.items() if command.name in taken]
        if set(takers) <= NEEDS_TORQUE and self._board.arm.interface != "torque":
            raise Refused(self._not_available(command.name))
        for j in self._joints:
            reported = self._reported[j]
            if reported >= FIRST_STATUS:
                raise Refused(f"{_status(self._row, j, reported)}: {WAY_OUT[reported]}")
            if reported not in takers:
                modes = " or ".join(mode.name.lower() for mode in takers)
                raise Refused(
                    f"joint {j} is in {reported.title} mode, which takes no {command.name}: "
                    f"set it to {modes} first"
                )

    def _not_available(self, what: str) -> str:
        return f"{what} is not available: {self._board.arm.name} takes positions, not torques"


def _status(row: Rows, j: int, reported: ReportedMode) -> str:
    fault = JointFault(int(row["fault"][0][j])).text
    because = f" ({fault})" if reported is _FAULT and fault else ""
    return f"joint {j} is in {reported.title}{because}"
