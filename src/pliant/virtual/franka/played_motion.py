"""A motion that a client commands, period by period."""

from dataclasses import dataclass

import numpy as np

from pliant.numerics.kernels import Direct
from pliant.numerics.spatial import Array
from pliant.virtual.franka.cartesian_generator import (
    begin_cartesian,
    begin_pose,
    extrapolate_cartesian,
    follow_pose,
    follow_twist,
)
from pliant.virtual.franka.client_command import ClientCommand
from pliant.virtual.franka.command_watch import MOST_LOST, CommandWatch
from pliant.virtual.franka.desired_motion import PERIOD
from pliant.virtual.franka.fci_errors import (
    COMMUNICATION,
    JOINT_COMMAND_POSITION,
    NO_ERROR,
    TORQUE_DISCONTINUITY,
)
from pliant.virtual.franka.fci_protocol import Controller, Generator
from pliant.virtual.franka.fr3_arm import Fr3Arm
from pliant.virtual.franka.fr3_limits import TORQUE_RATE
from pliant.virtual.franka.joint_generator import (
    approach_target,
    begin_joints,
    extrapolate_joints,
    follow_positions,
    follow_velocities,
)

_begin_joints, _follow_positions = Direct(begin_joints), Direct(follow_positions)
_follow_velocities, _extrapolate_joints = Direct(follow_velocities), Direct(extrapolate_joints)
_begin_cartesian, _begin_pose = Direct(begin_cartesian), Direct(begin_pose)
_follow_pose, _follow_twist = Direct(follow_pose), Direct(follow_twist)
_extrapolate_cartesian, _approach_target = Direct(extrapolate_cartesian), Direct(approach_target)

_TORQUE_STEP = TORQUE_RATE * PERIOD * 1.001


def prepare_motions(arm: Fr3Arm) -> None:
    """Compile what motions need, on copies, because that takes longer than a client waits."""
    motion, limits, command = arm.motion.copy(), arm.limits, ClientCommand()
    pose = (command.R, command.p, command.elbow)
    _begin_joints.call(motion, command.q_c)
    _follow_positions.call(motion, limits, command.q_c)
    _follow_velocities.call(motion, limits, command.dq_c)
    _extrapolate_joints.call(motion)
    _begin_cartesian.call(motion)
    _begin_pose.call(motion, *pose)
    _follow_pose.call(motion, limits, *pose)
    _follow_twist.call(motion, limits, command.twist, command.elbow)
    _extrapolate_cartesian.call(motion, limits)
    _approach_target.call(motion, limits, command.q_c, np.ones(7))
    arm.prepare()


@dataclass(frozen=True, kw_only=True, eq=False)
class MoveRequest:
    """What a client asks for when it begins a motion.

    Attributes:
        controller: Whose torques move the joints.
        generator: What the commands say.
        translation: Largest deviation of the end effector from its path, m.
        rotation: The same of its orientation, rad.
        speeds: Largest joint speeds, rad/s, if commands come at any rate; else None.
    """

    controller: Controller
    generator: Generator
    translation: float
    rotation: float
    speeds: Array | None = None


class PlayedMotion:
    """Follows the commands of one motion.

    Attributes:
        request: What was asked for.
        watch: Whether the commands come in time.
        heard: Whether a command has come.
        finished: Whether the client has said that this was the last command.
    """

    def __init__(self, arm: Fr3Arm, request: MoveRequest) -> None:
        self.request = request
        self.watch = CommandWatch()
        self.heard = self.finished = False
        self._arm = arm
        self._torque = np.zeros(7)
        self._target: Array | None = None
        _begin_cartesian.call(arm.motion)

    @property
    def is_torque(self) -> bool:
        """Whether the client commands torques."""
        return self.request.controller == Controller.EXTERNAL

    @property
    def is_stiff(self) -> bool:
        """Whether the joints are held where they should be, as they are without a motion."""
        return self.request.controller == Controller.JOINT_IMPEDANCE

    def step(self, command: ClientCommand | None) -> int:
        """Play one period; the error that ends the motion, or none.

        Args:
            command: What has come; None if nothing came in time.
        """
        lost, first = self.watch.lost, not self.heard
        if self.request.speeds is None:
            self.watch.note(command is not None)
        if self.watch.lost >= MOST_LOST:
            return COMMUNICATION
        if command is not None:
            self.heard, self.finished = True, command.finished
        error = NO_ERROR
        if self.request.speeds is not None:
            error = self._approach(command)
        elif self.request.generator != Generator.NONE:
            error = self._generate(command, first)
        if error == NO_ERROR and self.is_torque and command is not None:
            error = self._take_torque(command.torque, lost)
        self._control()
        return error

    def _control(self) -> None:
        if self.is_torque:
            self._arm.torque[:] = self._torque
            if self.request.generator == Generator.NONE:
                self._arm.rest_here()
        elif self.request.controller == Controller.CARTESIAN_IMPEDANCE:
            self._arm.control_tool()
        else:
            self._arm.control_joints()

    def _take_torque(self, tau: Array, lost: int) -> int:
        # what the torque may change in all periods since the last command
        most = _TORQUE_STEP * (lost + 1)
        if not (np.abs(tau - self._torque) <= most).all():
            return TORQUE_DISCONTINUITY
        self._torque[:] = tau
        return NO_ERROR

    def _approach(self, command: ClientCommand | None) -> int:
        arm = self._arm
        low, high = arm.limits["q_min"][0], arm.limits["q_max"][0]
        if command is not None and not self.finished:
            if not ((low <= command.q_c) & (command.q_c <= high)).all():
                return JOINT_COMMAND_POSITION
            self._target = command.q_c.copy()
        if self._target is not None and self.request.speeds is not None:
            _approach_target.call(arm.motion, arm.limits, self._target, self.request.speeds)
        return NO_ERROR

    def _generate(self, command: ClientCommand | None, first: bool) -> int:
        if command is None:
            return self._extrapolate() if self.heard else NO_ERROR
        if first:
            error = self._begin(command)
            if error != NO_ERROR:
                return error
        arm, generator = self._arm, self.request.generator
        motion, limits = arm.motion, arm.limits
        if generator == Generator.JOINT_POSITION:
            return _follow_positions.call(motion, limits, command.q_c)
        if generator == Generator.JOINT_VELOCITY:
            return _follow_velocities.call(motion, limits, command.dq_c)
        if generator == Generator.CARTESIAN_POSE:
            return _follow_pose.call(motion, limits, command.R, command.p, command.elbow)
        return _follow_twist.call(motion, limits, command.twist, command.elbow)

    def _begin(self, command: ClientCommand) -> int:
        motion, generator = self._arm.motion, self.request.generator
        if generator == Generator.JOINT_POSITION:
            return _begin_joints.call(motion, command.q_c)
        if generator == Generator.CARTESIAN_POSE:
            return _begin_pose.call(motion, command.R, command.p, command.elbow)
        return NO_ERROR

    def _extrapolate(self) -> int:
        if self.request.generator in (Generator.JOINT_POSITION, Generator.JOINT_VELOCITY):
            _extrapolate_joints.call(self._arm.motion)
            return NO_ERROR
        return _extrapolate_cartesian.call(self._arm.motion, self._arm.limits)
