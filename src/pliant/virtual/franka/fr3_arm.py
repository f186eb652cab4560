"""The virtual arm: Pliant's contact simulation at 1 kHz, and the controllers inside the arm."""

from typing import Any

import numpy as np

from pliant.arms.chain import chain_row
from pliant.arms.links import links_row
from pliant.arms.pinocchio import build_pinocchio
from pliant.errors import ConfigError
from pliant.numerics.kernels import Direct
from pliant.numerics.spatial import Array
from pliant.robots.sim import SimConfig, SimRobot
from pliant.stages.dynamics import dynamics_kernel
from pliant.tick import new_rows
from pliant.virtual.franka.desired_motion import PERIOD, brake, new_motion
from pliant.virtual.franka.fr3_limits import limits_row
from pliant.virtual.franka.fr3_measurement import measure_fr3, motion_error, new_measurement
from pliant.virtual.franka.fr3_settings import new_settings
from pliant.virtual.franka.fr3_state import StateBuffer, fill_state
from pliant.virtual.franka.impedance_torque import (
    cartesian_impedance_torque,
    joint_impedance_torque,
)

_MOVES = 1e-3
"""Joint speed at which the arm is not at rest, rad/s."""

_AT_FLANGE = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


class Fr3Arm:
    """Physics and inner controllers; every period of 1 ms is one call of `cycle`.

    Attributes:
        sim: The simulated arm.
        tick: What it measured last.
        settings: What the client has set.
        motion: The desired motion.
        measurement: What is computed from the measurements.
        limits: The limits of joints and commands.
        state: The state for the client.
        torque: Torques for the next period, without the compensation of gravity, N·m.
        cycles: Number of periods so far.
        f_peak: Largest contact force on the fixture so far, N, from the physics engine.
    """

    def __init__(self, name: str, config: SimConfig) -> None:
        """Build the arm in its scene.

        Raises:
            ConfigError: It is not an FR3.
        """
        if name != "fr3":
            raise ConfigError(f"a virtual Franka can be an fr3, not a {name}")
        self.sim = SimRobot(name, config, 1.0 / PERIOD)
        self.tick, self._before = new_rows(self.sim.n), new_rows(self.sim.n)
        tool = self.sim.tool
        model = build_pinocchio(self.sim.description, tool.model_copy(update={"X_FT": _AT_FLANGE}))
        self._links, self._flange = links_row(model), chain_row(model)
        self.settings, self.limits = new_settings(tool), limits_row(self.sim.description)
        self.sim.read(self.tick)
        self.motion, self.measurement = new_motion(self.q), new_measurement()
        self.state = StateBuffer(tool)
        self.torque = np.zeros(self.sim.n)
        self.cycles = 0
        self.f_peak = self._moved_at = 0.0
        self._make_kernels()
        self._measure()

    @property
    def q(self) -> Array:
        """Joint positions, measured, rad."""
        return self.tick["q"][0]

    @property
    def qd(self) -> Array:
        """Joint velocities, measured, rad/s."""
        return self.tick["qd"][0]

    def cycle(self) -> None:
        """One control period with `torque`."""
        self.tick["tau_limited"][0] = self.torque + self._load_torque
        self.sim.write(self.tick)
        self.sim.read(self.tick)
        self.cycles += 1
        self.f_peak = max(self.f_peak, float(self.tick["true_f_peak"][0]))
        if float(np.abs(self.qd).max()) >= _MOVES:
            self._moved_at = self.cycles * PERIOD
        self._measure()

    def control_joints(self) -> None:
        """Set the torque of the joint impedance controller."""
        self._joint_law.call(*self._joint_law_arguments)

    def control_tool(self) -> None:
        """Set the torque of the Cartesian impedance controller."""
        self._tool_law.call(*self._tool_law_arguments)

    def yield_to_hand(self) -> None:
        """Set the torque of an arm that a person guides: none but gravity's."""
        self.torque[:] = 0.0

    def rest_here(self) -> None:
        """Make the measured motion the desired one."""
        self.motion["q"][0], self.motion["dq"][0] = self.q, self.qd
        self.motion["ddq"][0] = 0.0

    def brake(self, deceleration: float) -> bool:
        """Brake the desired motion by one period; whether it is at rest."""
        return self._brake.call(self.motion, deceleration)

    def error(self, translation: float, rotation: float) -> int:
        """The error that ends a motion now, or none; with the largest deviations from its path."""
        return self._error.call(
            self.tick, self.limits, self.motion, self.measurement, translation, rotation
        )

    def reset_collision(self) -> None:
        """Forget collisions."""
        self.measurement["joint_collision"] = 0.0
        self.measurement["cartesian_collision"] = 0.0

    def fill_state(self, cartesian: bool) -> None:
        """Bring the floats of the state up to date.

        Args:
            cartesian: Whether poses or twists are commanded.
        """
        rows = (self.tick, self.settings, self.motion, self.measurement)
        self._fill.call(*rows, self.torque, cartesian, self.state.floats)

    def prepare(self) -> None:
        """Compile what a motion needs, while the arm stands still."""
        self.control_tool()
        self.control_joints()
        self.brake(1.0)
        self.error(1.0, 1.0)
        self.fill_state(False)
        self.torque[:] = 0.0

    def truth(self) -> dict[str, Any]:
        """What only the simulation knows, for tests."""
        return {
            "time": self.cycles * PERIOD,
            "q": self.q.tolist(),
            "dq": self.qd.tolist(),
            "fixture": self.tick["true_f_fixture_W"][0].tolist(),
            "peak": self.f_peak,
            "moved_at": self._moved_at,
        }

    def _make_kernels(self) -> None:
        """Make views and direct kernels once, because each costs a microsecond."""
        tick, motion, m = self.tick, self.motion, self.measurement
        self._load_torque = m["load_torque"][0]
        self._dynamics, self._measurement = Direct(dynamics_kernel), Direct(measure_fr3)
        self._joint_law = Direct(joint_impedance_torque)
        self._tool_law = Direct(cartesian_impedance_torque)
        self._brake, self._error, self._fill = (
            Direct(brake),
            Direct(motion_error),
            Direct(fill_state),
        )
        arm = (self.q, self.qd, tick["M"][0], tick["c"][0])
        desired = (motion["q"][0], motion["dq"][0], motion["ddq"][0])
        frames = (m["R_K"][0], m["p_K"][0], m["J_K"][0], m["R_Kd"][0], m["p_Kd"][0])
        stiffness = self.settings["joint_stiffness"][0]
        self._joint_law_arguments = (*arm, *desired, stiffness, self.torque)
        stiffness = self.settings["cartesian_stiffness"][0]
        self._tool_law_arguments = (*arm, *desired, *frames, stiffness, self.torque)

    def _measure(self) -> None:
        self._dynamics.call(self._before, self.tick, self._links)
        self._measurement.call(
            self.tick, self._flange, self.settings, self.motion, self.measurement
        )
