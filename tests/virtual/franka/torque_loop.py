"""Torque control of a virtual FR3 as a client writes it, one command per state."""

from collections.abc import Callable
from typing import Any

import numpy as np
from pylibfranka import ActiveControlBase, Robot, RobotState, Torques

Law = Callable[[RobotState, float], np.ndarray]


class Motion:
    """A motion that runs; its end lets go of the arm, though a traceback may still hold it."""

    def __init__(self, control: ActiveControlBase) -> None:
        self._control: Any = control

    def __enter__(self) -> "Motion":
        return self

    def __exit__(self, *_) -> None:
        self._control = None

    def read(self) -> RobotState:
        """The next state."""
        return self._control.readOnce()[0]

    def write(self, command) -> None:
        """Answer the last state."""
        self._control.writeOnce(command)

    def play(self, command, count: int, finish: bool = True) -> RobotState:
        """Answer so many states with `command(i, state)`; the last state."""
        state = self.read()
        for i in range(count):
            answer = command(i, state)
            answer.motion_finished = finish and i == count - 1
            self.write(answer)
            if i < count - 1:
                state = self.read()
        return state


def run_torque(robot: Robot, law: Law, seconds: float) -> RobotState:
    """Run a law, which maps a state and the time in s to torques; the last state."""
    with Motion(robot.start_torque_control()) as motion:
        state = motion.read()
        begin = state.time.to_sec()
        while True:
            elapsed = state.time.to_sec() - begin
            torques = Torques(np.asarray(law(state, elapsed), float).tolist())
            torques.motion_finished = elapsed >= seconds
            motion.write(torques)
            if torques.motion_finished:
                return state
            state = motion.read()


def hold(robot: Robot, stiffness: float = 200.0) -> Law:
    """Springs and dampers at the joints, which hold the arm where it is."""
    q0, gain = np.array(robot.read_once().q), np.array([1.0] * 4 + [0.2] * 3) * stiffness
    return lambda state, _: gain * (q0 - state.q) - 2.0 * np.sqrt(gain) * np.array(state.dq)


def pose_of(state: RobotState) -> np.ndarray:
    """The end effector's pose as a matrix."""
    return np.array(state.O_T_EE).reshape(4, 4).T


def press(robot: Robot, depth: float, seconds: float, stiffness: float = 1000.0) -> Law:
    """Springs at the end effector, which move down by a depth in some seconds, and stay there."""
    model, start = robot.load_model(), pose_of(robot.read_once())
    gains = np.array([stiffness] * 3 + [20.0] * 3)

    def law(state: RobotState, time: float) -> np.ndarray:
        J = np.array(model.zero_jacobian(state)).reshape(7, 6).T
        here, goal = pose_of(state), start[:3, 3].copy()
        goal[2] -= depth * min(time / seconds, 1.0)
        R = start[:3, :3] @ here[:3, :3].T
        turn = 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        dq = np.array(state.dq)
        e, damping = np.r_[goal - here[:3, 3], turn], np.array([40.0] * 3 + [2.0] * 3)
        return J.T @ (gains * e - damping * (J @ dq)) - dq + np.array(model.coriolis(state))

    return law
