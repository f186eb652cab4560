"""From set points to joint torques: through the servos of a position arm, or directly."""

from abc import ABC, abstractmethod

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.numerics.kernels import Direct, Row, direct, kernel
from pliant.numerics.linalg import packed_entry
from pliant.numerics.spatial import Array
from pliant.sim.actuator import drive, hold, new_actuator
from pliant.sim.external_torque import EstimateConfig, estimate, new_estimate, redraw
from pliant.sim.world import STEP, World
from pliant.tick import Rows, Tick, new_rows

# Bandwidth with which a torque arm's own controller brakes and holds after a stop, rad/s.
_HOLD_BANDWIDTH = 40.0


class Drive(ABC):
    """One arm's interface in the simulation.

    Attributes:
        tau: Torques of the joints on the links in the last physics step, N·m, as measured by the
            torque sensors.
    """

    tau: Array

    @abstractmethod
    def before_step(self) -> None:
        """Set MuJoCo's input for the next physics step."""

    @abstractmethod
    def after_step(self) -> None:
        """Evaluate the last physics step."""

    def estimate(self, tick: Rows) -> None:  # noqa: B027
        """Write `tau_ext` and `w_ext_T`, if the arm reports them."""

    @abstractmethod
    def write(self, tick: Rows) -> None:
        """Take the set points for the next period, and write them to the `sent` columns."""

    @abstractmethod
    def stop(self) -> None:
        """Bring the arm to rest, and hold."""

    def redraw(self, rng: np.random.Generator) -> None:  # noqa: B027
        """Draw random numbers for the next block of ticks."""


class PositionDrive(Drive):
    """Positions, through dead time, lag and stiff servos; without estimates of external torque.

    Attributes:
        driven: Arguments of `drive`, before a physics step.
        q_written: The set points for the next period, rad.
    """

    def __init__(
        self, world: World, lag: tuple[float, float], period: float, q_start: Array
    ) -> None:
        data, n = world.data, len(q_start)
        self._actuator = new_actuator(
            lag, period, STEP, world.servo_stiffness, world.servo_damping, q_start
        )
        self.driven = (self._actuator, data.M, data.qfrc_bias, data.ctrl)
        self.q_written = self._actuator["q_written"][0]
        self._drive = direct(drive, *self.driven)
        self._take = direct(take_positions, new_rows(n), self.q_written)
        self.tau = data.qfrc_actuator[:n]

    def before_step(self) -> None:
        """Advance the lag, and set the servos' input."""
        self._drive(*self.driven)

    def after_step(self) -> None:
        """Do nothing: MuJoCo gives the torques of its servos."""

    def write(self, tick: Rows) -> None:
        """Take `q_limited`."""
        self._take(tick, self.q_written)

    def stop(self) -> None:
        """Hold the present set point of the servos."""
        hold(self._actuator, self._actuator["q_s"][0].copy())


class TorqueDrive(Drive):
    """Torques, with gravity compensation by the arm, and estimates of external torques."""

    def __init__(
        self,
        world: World,
        arm: ArmDescription,
        config: EstimateConfig,
        period: float,
        rng: np.random.Generator,
    ) -> None:
        n, data = arm.n, world.data
        self._data = data
        self._estimate = new_estimate(config, rng, period, n)
        self._tau_written = np.zeros(n)
        self._q_hold: Array | None = None
        self._has_friction = bool(world.model.dof_frictionloss[:n].any())
        self._friction = np.zeros(n)
        self._beyond = config.friction
        self._tau_ext = np.zeros(n)
        self._split, self._filter = Direct(split), Direct(estimate)
        self._take = direct(take_torques, new_rows(n), self._tau_written)
        self._steps = round(period / STEP)
        self.tau = data.qfrc_gravcomp[:n].copy()
        self._state = (data.qpos[:n], data.qvel[:n], data.M)
        self._parts = (
            data.qfrc_actuator[:n],
            data.qfrc_gravcomp[:n],
            data.qfrc_passive[:n],
            data.qfrc_smooth[:n],
            data.qfrc_bias[:n],
            data.qfrc_constraint[:n],
        )
        self._tool = (
            data.cdof[:n],
            data.subtree_com[world.model.body_rootid[world.tip]],
            data.xpos[world.tip],
            data.xmat[world.tip].reshape(3, 3),
        )

    def before_step(self) -> None:
        """Set the torque last written, or the holding torque after a stop."""
        if self._q_hold is not None:
            hold_torque(*self._state, self._q_hold, self._tau_written)
        self._data.ctrl[:] = self._tau_written

    def after_step(self) -> None:
        """Split the forces of the step into those of the joints and of the environment."""
        if self._has_friction:
            # in a model without equality constraints, friction comes first
            self._friction[:] = self._data.efc_force[: self._friction.size]
        self._split.call(*self._parts, self._friction, self._beyond, self.tau, self._tau_ext)

    def estimate(self, tick: Rows) -> None:
        """Filter the external torque of this period, and add the noise of the sensors."""
        self._tau_ext /= self._steps
        self._filter.call(self._estimate, self._tau_ext, *self._tool, tick)
        self._tau_ext[:] = 0.0

    def write(self, tick: Rows) -> None:
        """Take `tau_limited`."""
        self._q_hold = None
        self._take(tick, self._tau_written)

    def stop(self) -> None:
        """Brake, and hold the present position."""
        self._q_hold = self._state[0].copy()

    def redraw(self, rng: np.random.Generator) -> None:
        """Draw random numbers for the next block of ticks."""
        redraw(self._estimate, rng)


@kernel
def take_positions(tick: Row[Tick], q_written: Array) -> None:
    """Take the set points of a position arm, and write the `sent` columns."""
    t = tick[0]
    for j in range(q_written.size):
        q_written[j] = t.q_limited[j]
        t.q_sent[j] = t.q_limited[j]
        t.tau_sent[j] = 0.0


@kernel
def take_torques(tick: Row[Tick], tau_written: Array) -> None:
    """Take the torques of a torque arm, and write the `sent` columns."""
    t = tick[0]
    for j in range(tau_written.size):
        tau_written[j] = t.tau_limited[j]
        t.tau_sent[j] = t.tau_limited[j]
        t.q_sent[j] = t.q_limited[j]


@kernel
def split(
    actuator: Array,
    gravcomp: Array,
    passive: Array,
    smooth: Array,
    bias: Array,
    constraint: Array,
    friction: Array,
    beyond: float,
    tau: Array,
    tau_ext: Array,
) -> None:
    """Write the torques of the joints on the links, and add those of the environment to `tau_ext`.

    MuJoCo has the torque of applied wrenches only in the sum of all smooth forces. The share
    `beyond` of the friction acts between sensor and link, so the arm takes it for external.
    """
    for j in range(tau.size):
        tau[j] = actuator[j] + gravcomp[j] + (1.0 - beyond) * friction[j]
        applied = smooth[j] - actuator[j] - passive[j] + bias[j]
        tau_ext[j] += applied + constraint[j] - (1.0 - beyond) * friction[j]


@kernel
def hold_torque(q: Array, qd: Array, M: Array, q_hold: Array, tau: Array) -> None:
    """Write the torque of critically damped springs to q_hold; M is packed by rows."""
    w = _HOLD_BANDWIDTH
    tau[:] = 0.0
    for j in range(tau.size):
        qdd = w * w * (q_hold[j] - q[j]) - 2.0 * w * qd[j]
        for i in range(tau.size):
            tau[i] += packed_entry(M, i, j) * qdd
