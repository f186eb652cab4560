"""The virtual controller: what the arm does now, and what ends it."""

import sys
from collections.abc import Callable
from typing import Any

from pliant.virtual.franka.client_command import ClientCommand
from pliant.virtual.franka.desired_motion import PERIOD
from pliant.virtual.franka.fci_errors import COMMUNICATION, NAMES, NO_ERROR
from pliant.virtual.franka.fci_protocol import Controller, Generator, MoveStatus, RobotMode
from pliant.virtual.franka.fr3_arm import Fr3Arm
from pliant.virtual.franka.played_motion import MoveRequest, PlayedMotion

_STOP_DECELERATION, _REFLEX_DECELERATION = 10.0, 20.0
"""Deceleration of the leading joint after a motion, and in a reflex, rad/s²."""

_RECOVERY = 0.2
"""How long an automatic error recovery takes, s."""

_CARTESIAN = (Generator.CARTESIAN_POSE, Generator.CARTESIAN_VELOCITY)

Answer = Callable[[MoveStatus], None]


class Fr3Controller:
    """Plays motions, watches over them, and holds the arm when there is none.

    Attributes:
        arm: The arm.
        mode: What it does.
        motion: The motion that is commanded, else None.
    """

    def __init__(self, arm: Fr3Arm) -> None:
        self.arm = arm
        self.mode = RobotMode.IDLE
        self.motion: PlayedMotion | None = None
        self._answer: Answer = _nothing
        self._ending: MoveStatus | None = None
        self._stopped: list[Callable[[], None]] = []
        self._deceleration = _STOP_DECELERATION
        self._recovered: Callable[[], None] | None = None
        self._recovery_left = 0.0
        self._reflexes: dict[str, int] = {}
        self._ended_at = 0.0
        self._publish_mode()

    @property
    def takes_commands(self) -> bool:
        """Whether a motion waits for a command in every period."""
        motion = self.motion
        return motion is not None and self._ending is None and motion.request.speeds is None

    def cycle(self, command: ClientCommand | None) -> None:
        """One control period, with the command that came for it."""
        error = NO_ERROR
        if self.motion is not None and self._ending is None:
            error = self.motion.step(command)
        elif self.mode == RobotMode.GUIDING:
            self.arm.yield_to_hand()
            self.arm.rest_here()
        else:
            self._hold()
        self.arm.cycle()
        self._recover_on()
        if error == NO_ERROR and self.motion is not None:
            request = self.motion.request
            error = self.arm.error(request.translation, request.rotation)
        if error != NO_ERROR:
            self.reflex(error)
        elif self.motion is not None and self.motion.finished and self._ending is None:
            self._end(MoveStatus.SUCCESS)
        self._publish()

    def start(self, request: MoveRequest, answer: Answer) -> bool:
        """Begin a motion; False if that is not possible now.

        Args:
            request: What was asked for.
            answer: Called when it ends.
        """
        if self.mode != RobotMode.IDLE:
            return False
        self.mode = RobotMode.MOVE
        self.arm.reset_collision()
        self.arm.state.row["reflex_reason"] = 0
        self.motion, self._answer = PlayedMotion(self.arm, request), answer
        self._publish_mode()
        return True

    def stop(self, stopped: Callable[[], None]) -> bool:
        """Stop the motion; False if that is not possible now.

        Args:
            stopped: Called when the arm is at rest.
        """
        if self.mode == RobotMode.IDLE:
            stopped()
        elif self.mode != RobotMode.MOVE:
            return False
        else:
            if self._ending is None:
                self._end(MoveStatus.PREEMPTED)
            self._stopped.append(stopped)
        return True

    def abandon(self) -> None:
        """Stop because the client has gone."""
        self._answer, self._recovered = _nothing, None
        if self.motion is not None:
            self.reflex(COMMUNICATION)

    def reflex(self, error: int) -> None:
        """Stop with an error, which must be recovered from."""
        name = NAMES[error]
        self._reflexes[name] = self._reflexes.get(name, 0) + 1
        row = self.arm.state.row
        row["errors"][0][error] = row["reflex_reason"][0][error] = 1
        self._abort(RobotMode.REFLEX, MoveStatus.REFLEX_ABORTED)
        print(f"{self.arm.cycles * 1e-3:.3f} s: {name}", file=sys.stderr, flush=True)

    def press_user_stop(self, pressed: bool) -> None:
        """Press or release the user stop."""
        if pressed:
            self._abort(RobotMode.USER_STOPPED, MoveStatus.EMERGENCY_ABORTED)
        elif self.mode == RobotMode.USER_STOPPED:
            self._leave(RobotMode.IDLE)

    def guide(self, guided: bool) -> None:
        """Press or release the enabling button of the hand guiding."""
        if guided and self.mode in (RobotMode.IDLE, RobotMode.MOVE):
            self._abort(RobotMode.GUIDING, MoveStatus.PREEMPTED)
        elif not guided and self.mode == RobotMode.GUIDING:
            self._leave(RobotMode.IDLE)

    def close_brakes(self, closed: bool) -> None:
        """Close or open the brakes."""
        if closed:
            self._abort(RobotMode.OTHER, MoveStatus.ABORTED)
        elif self.mode == RobotMode.OTHER:
            self._leave(RobotMode.IDLE)

    def recover(self, recovered: Callable[[], None]) -> bool:
        """Recover from errors; False if that is not possible now.

        Args:
            recovered: Called when it is done.
        """
        if self.mode == RobotMode.IDLE:
            recovered()
        elif self.mode != RobotMode.REFLEX:
            return False
        else:
            self.mode = RobotMode.AUTOMATIC_ERROR_RECOVERY
            self._recovered, self._recovery_left = recovered, _RECOVERY
        return True

    def truth(self) -> dict[str, Any]:
        """For tests: the mode, how often each error came, and when the last motion ended."""
        mode = self.mode.name.lower()
        return {"mode": mode, "reflexes": self._reflexes, "ended_at": self._ended_at}

    def _hold(self) -> None:
        if self.arm.brake(self._deceleration) and self._ending is not None:
            self._finish(RobotMode.IDLE, self._ending)
        self.arm.control_joints()

    def _recover_on(self) -> None:
        if self.mode != RobotMode.AUTOMATIC_ERROR_RECOVERY:
            return
        self._recovery_left -= 1e-3
        if self._recovery_left <= 0.0:
            self._leave(RobotMode.IDLE)
            if self._recovered is not None:
                self._recovered()
            self._recovered = None

    def _end(self, status: MoveStatus) -> None:
        """End a motion gently; the answer comes when the arm is at rest."""
        self._deceleration, self._ending = _STOP_DECELERATION, status
        if self.motion is not None and not self.motion.is_stiff:
            self.arm.rest_here()

    def _abort(self, mode: RobotMode, status: MoveStatus) -> None:
        """End whatever there is, at once."""
        self._deceleration = _REFLEX_DECELERATION
        if self.motion is not None and not self.motion.is_stiff:
            self.arm.rest_here()
        self._finish(mode, status)

    def _finish(self, mode: RobotMode, status: MoveStatus) -> None:
        """Say that a motion is over, if there was one."""
        if self.motion is not None:
            self._ended_at = self.arm.cycles * PERIOD
        self.motion, self._ending, self.mode = None, None, mode
        self._publish_mode()
        answer, self._answer = self._answer, _nothing
        answer(status)
        stopped, self._stopped = self._stopped, []
        for tell in stopped:
            tell()

    def _leave(self, mode: RobotMode) -> None:
        self.mode = mode
        self.arm.state.row["errors"] = 0
        self.arm.reset_collision()
        self.arm.rest_here()

    def _publish_mode(self) -> None:
        row, motion = self.arm.state.row, self.motion
        row["generator"] = motion.request.generator if motion else Generator.IDLE
        row["controller"] = motion.request.controller if motion else Controller.OTHER
        row["robot_mode"] = self.mode

    def _publish(self) -> None:
        row, motion = self.arm.state.row, self.motion
        row["message_id"] = self.arm.cycles
        row["robot_mode"] = self.mode
        row["success_rate"] = motion.watch.success_rate if motion else 0.0
        self.arm.fill_state(motion is not None and motion.request.generator in _CARTESIAN)


def _nothing(_status: MoveStatus) -> None:
    """No client waits for an answer."""
