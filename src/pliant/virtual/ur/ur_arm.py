"""The virtual arm: a UR's motion controller at 500 Hz over Pliant's contact simulation."""

from math import copysign
from typing import Any

import numpy as np
import pinocchio as pin

from pliant.arms.pinocchio import pose_to_se3
from pliant.errors import ConfigError
from pliant.robots.sim import SimConfig, SimRobot
from pliant.robots.ur.ur_frames import Array
from pliant.sim.actuator import ActuatorConfig
from pliant.tick import new_rows
from pliant.virtual.ur.contact_history import ContactHistory
from pliant.virtual.ur.motions.force_mode import FILTER, ForceMode
from pliant.virtual.ur.motions.motion import Hold, Motion, Target
from pliant.virtual.ur.motions.servo_joints import DEAD_TIME
from pliant.virtual.ur.motions.stop_motion import StopJoints
from pliant.virtual.ur.motions.waypoint_motion import PathMotion
from pliant.virtual.ur.program_error import ProgramError
from pliant.virtual.ur.safety_state import STOPPED, RobotMode, SafetyMode
from pliant.virtual.ur.ur_kinematics import UrKinematics
from pliant.virtual.ur.ur_payload import UrPayload

PERIOD = 0.002
_PROTECTIVE_DECELERATION = 15.0
"""Deceleration of the leading joint in a protective or emergency stop, rad/s²."""

_SCALING_RATE = 10.0
"""How fast the speed scaling follows the slider, and a safeguard stop brakes on the path, 1/s."""

_STEADY = 1e-3
_MOVES = 5e-3
"""Joint speed above that at which an arm swings on its contact after it has braked, rad/s."""


class UrArm:
    """Joints, tool and safety of the virtual arm; a program moves it through `motion`.

    Attributes:
        sim: The simulated arm.
        tick: What it measured last.
        kinematics: In the base of the arm, with the TCP that was set.
        payload: The payload that was set, and the wrist sensor.
        contacts: The last periods, for tool_contact.
        target: Where the joints should be.
        motion: The motion command that runs.
        force_mode: The force mode that is on, else None.
        force_scaling: Its gain scaling.
        force_damping: Its damping.
        robot_mode: Power and brakes.
        safety_mode: Safety.
        slider: The speed slider, 0 to 1.
        speed_scaling: How fast time passes for motions, and how fast force mode yields.
        most_force: Force at the TCP that triggers a protective stop, N.
        stop_wanted: Whether a program asks for a protective stop.
        motion_error: Why a motion could not go on, until the controller has taken note.
        cycles: Number of periods so far.
        f_peak: Largest contact force on the fixture so far, N, from the physics engine.
    """

    def __init__(self, name: str, config: SimConfig, most_force: float) -> None:
        """Build the arm in its scene.

        Args:
            name: The model, such as ur5e.
            config: Scene, tool, sensor and seed; the lag is the controller's own.
            most_force: Force at the TCP that triggers a protective stop, N.

        Raises:
            ConfigError: It is not an arm of Universal Robots.
        """
        if not name.startswith("ur"):
            raise ConfigError(f"a virtual UR can be a ur5e, not a {name}")
        lag = ActuatorConfig(dead_time=DEAD_TIME, time_constant=0.0)
        self.sim = SimRobot(name, config.model_copy(update={"actuator": lag}), 1.0 / PERIOD)
        self.tick = new_rows(self.sim.n)
        tool = self.sim.tool
        self.kinematics = UrKinematics(self.sim.description, pose_to_se3(tool.X_FT))
        self.payload = UrPayload(tool)
        self.contacts = ContactHistory()
        self.sim.read(self.tick)
        rest = np.zeros(self.sim.n)
        self.target = Target(q=self.q.copy(), qd=rest)
        self.motion: Motion = Hold()
        self.force_mode: ForceMode | None = None
        self.force_scaling, self.force_damping = 0.5, 0.025
        self.robot_mode, self.safety_mode = RobotMode.RUNNING, SafetyMode.NORMAL
        self.slider = self.speed_scaling = 1.0
        self.most_force = most_force
        self.stop_wanted = False
        self.motion_error: ProgramError | None = None
        self.cycles = 0
        self._longest_step = self.sim.description.qd_max * PERIOD
        self.f_peak = 0.0
        self._filtered = np.zeros(6)
        self._moved_at = 0.0
        self._measure()
        self.payload.zero(self.kinematics.flange(self.q))

    @property
    def q(self) -> Array:
        """Joint positions, measured, rad."""
        return self.tick["q"][0]

    @property
    def qd(self) -> Array:
        """Joint velocities, measured, rad/s."""
        return self.tick["qd"][0]

    @property
    def time(self) -> float:
        """The controller's time, s."""
        return self.cycles * PERIOD

    @property
    def can_move(self) -> bool:
        """Whether the arm is powered, with its brakes released, and not stopped by safety."""
        return self.robot_mode == RobotMode.RUNNING and self.safety_mode not in STOPPED

    @property
    def steady(self) -> bool:
        """Whether target and joints are at rest."""
        return not self.target.qd.any() and float(np.abs(self.qd).max()) < _STEADY

    def cycle(self) -> None:
        """One control period: the target moves, then the physics."""
        self._scale()
        self.target = self._limited(self._next())
        self.tick["q_limited"] = self.target.q
        self.sim.write(self.tick)
        self.sim.read(self.tick)
        self.cycles += 1
        self._measure()

    def brake(self) -> None:
        """Brake as in a stop by safety, whatever ran before."""
        self.force_mode = None
        self.motion = StopJoints(_PROTECTIVE_DECELERATION)

    def halt(self) -> None:
        """Brake gently, as when a program ends."""
        self.force_mode = None
        if self.target.qd.any():
            self.motion = StopJoints(4.0)
        else:
            self.motion = Hold()

    def check(self, motion: PathMotion) -> None:
        """Check that the end of a move can be reached.

        Raises:
            ProgramError: It cannot.
        """
        if not isinstance(motion.last, np.ndarray):
            self.kinematics.inverse(motion.last, self.target.q)

    def target_waypoint(self) -> pin.SE3:
        """Pose of the TCP at the end of the move that runs, or at the target."""
        if not isinstance(self.motion, PathMotion):
            return self.kinematics.tool(self.target.q)
        last = self.motion.last
        return self.kinematics.tool(last) if isinstance(last, np.ndarray) else last

    def over_force(self) -> bool:
        """Whether the force at the TCP exceeds its limit."""
        return float(np.linalg.norm(self.payload.wrench_B[:3])) > self.most_force

    def truth(self) -> dict[str, Any]:
        """What only the simulation knows, for tests."""
        return {
            "time": self.time,
            "q": self.q.tolist(),
            "qd": self.qd.tolist(),
            "fixture": self.tick["true_f_fixture_W"][0].tolist(),
            "peak": self.f_peak,
            "moved_at": self._moved_at,
        }

    def _scale(self) -> None:
        goal = self.slider if self.can_move else 0.0
        most = _SCALING_RATE * PERIOD
        near = abs(goal - self.speed_scaling) <= most
        self.speed_scaling = (
            goal if near else self.speed_scaling + copysign(most, goal - self.speed_scaling)
        )

    def _next(self) -> Target:
        # braking does not depend on the slider
        braking = isinstance(self.motion, StopJoints)
        dt = PERIOD if braking else PERIOD * self.speed_scaling
        try:
            after = self.motion.step(self.target, dt, self.kinematics)
        except ProgramError as error:
            self.motion_error = error
            self.brake()
            return self._next()
        if self.motion.done:
            self.motion = Hold()
        if self.force_mode is None or braking:
            return after
        nominal = self.kinematics.jacobian(self.target.q) @ (after.q - self.target.q) / PERIOD
        scaling = self.speed_scaling * self.force_scaling * (1.0 - self.force_damping)
        twist = self.force_mode.twist(nominal, self._filtered, scaling)
        qd = self.kinematics.joint_velocity(self.target.q, twist)
        return Target(q=self.target.q + qd * PERIOD, qd=qd)

    def _limited(self, target: Target) -> Target:
        """A target no further away than the joints can follow."""
        most = self._longest_step
        step = target.q - self.target.q
        if (np.abs(step) <= most).all():
            return target
        return Target(q=self.target.q + np.clip(step, -most, most), qd=target.qd)

    def _measure(self) -> None:
        X_BF = self.kinematics.flange(self.q)
        self.payload.measure(self.tick["w_S_raw"][0], X_BF, self.kinematics.X_FT)
        self.contacts.add(self.q, self.payload.wrench_B[:3])
        self._filtered = self._filtered + FILTER * (self.payload.wrench_B - self._filtered)
        if float(np.abs(self.qd).max()) >= _MOVES:
            self._moved_at = self.time
        self.f_peak = max(self.f_peak, float(self.tick["true_f_peak"][0]))
