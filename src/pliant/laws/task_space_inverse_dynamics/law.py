"""Task-space inverse dynamics."""

import numpy as np

from pliant.arms.arm_model import ArmModel
from pliant.errors import ConfigError
from pliant.laws.law_base import TorqueLaw
from pliant.laws.posture import posture_row
from pliant.laws.task_space_inverse_dynamics.config import TaskSpaceConfig
from pliant.laws.task_space_inverse_dynamics.kernel import (
    State,
    TaskSpaceParams,
    drop_rate_limits,
    pose_problem,
    take_solution,
)
from pliant.laws.task_space_inverse_dynamics.quadratic_program import Program
from pliant.params import Params
from pliant.tick import Rows, new_rows

# Share of the torque limits that braking counts on.
_BRAKING_SHARE = 0.8
# Largest rate at which a joint may approach its limit, 1/s.
_APPROACH = 20.0

# Share of the torque-rate limit that is available for accelerating to full speed.
_ONSET = 0.3
# Torque, N·m, granted to every joint, so that unmodelled friction cannot stall a light one.
_GRANTED_TORQUE = 3.0

# Share of the arm's torque rate that the program uses; the rest is for the fading offset.
_RATE_SHARE = 0.5

# Peak deceleration of an approach with that rate, as a share of rate times velocity.
_PEAK = 0.4


class TaskSpaceInverseDynamics(TorqueLaw):
    """min ‖J·q̈ + J̇·q̇ − a‖² + w·‖q̈ − a_p‖²  within the limits of torque, velocity and position.

    a = a_r + Kd·(v_r − v) + Kp·e is the task of the tool, a_p that of the posture. The torque is
    τ = M·q̈ + c: a quadratic program over the accelerations, in which the torques are linear. The
    limits are hard: |τ| ≤ τ_max, and q̈ such that the next step neither exceeds a limit of position
    or velocity, nor leads to a state from which braking would come too late.

    Closed loop: while no limit is active, ë + Kd·ė + Kp·e = −J·M⁻¹·τ_ext with the configured
    bandwidth and damping ratio. An active limit causes the smallest possible tool error, which
    decays when the limit is left.

    Follows a tool reference. Precondition: 2·ζ·ω·dt ≤ 1.

    After A. Del Prete et al., "Implementing torque control with high-ratio gear boxes and without
    joint-torque sensors", 2016 (TSID), and A. Del Prete, "Joint position and velocity bounds in
    discrete-time acceleration/torque control of robot manipulators", 2018.
    """

    name = "task_space_inverse_dynamics"
    State = State
    Config = TaskSpaceConfig

    def __init__(self, config: TaskSpaceConfig, arm: ArmModel) -> None:
        """Make the law for an arm.

        Raises:
            ConfigError: The posture does not have one value per joint, or exceeds a joint limit.
        """
        self._program = Program(arm.n)
        super().__init__(config, arm)
        # compiled now, because the loop rarely calls it
        drop_rate_limits(new_rows(arm.n), self.row, self._program.low, self._program.high)

    def check(self, config: Params, dt: float) -> None:
        """Raise `ConfigError` if the gains cannot work at this period."""
        assert isinstance(config, TaskSpaceConfig)
        posture_row(config.posture, self._arm.description, f"laws.{self.name}.posture")
        for name, w in zip(("translation", "rotation"), config.bandwidth, strict=True):
            if 2.0 * config.damping_ratio * w * dt > 1.0:
                raise ConfigError(
                    f"{name}: 2·ζ·ω·dt = {2.0 * config.damping_ratio * w * dt:.3g} exceeds 1 at "
                    f"{1 / dt:g} Hz, the tool would chatter; use bandwidth <= "
                    f"{0.5 / (config.damping_ratio * dt):.3g}"
                )

    def parameters(self, config: TaskSpaceConfig) -> np.ndarray:
        """The row of the kernels for these parameters; gains and posture ramp to them."""
        arm = self._arm.description
        posture, has_posture = posture_row(config.posture, arm, f"laws.{self.name}.posture")
        w = np.array(config.bandwidth)
        qd_max = arm.qd_max * config.speed_share
        braking = self._arm.gentle_braking(_BRAKING_SHARE * config.torque_share)
        return TaskSpaceParams(
            kp=w * w,
            kd=2.0 * config.damping_ratio * w,
            error_clip=config.error_clip,
            posture=posture,
            has_posture=has_posture,
            posture_bandwidth=config.posture_bandwidth,
            posture_weight=config.posture_weight,
            posture_ramp=config.posture_ramp,
            gain_ramp=config.gain_ramp,
            tau_max=arm.tau_max * config.torque_share,
            tau_rate=arm.tau_rate_max * _RATE_SHARE,
            tau_rate_max=arm.tau_rate_max,
            qd_max=qd_max,
            q_min=arm.q_min + config.joint_margin,
            q_max=arm.q_max - config.joint_margin,
            velocity_rate=np.sqrt(_ONSET * arm.tau_rate_max / (qd_max * self._arm.largest_inertia)),
            qdd_max=np.maximum(arm.qdd_max, _GRANTED_TORQUE / self._arm.largest_inertia),
            braking=braking,
            approach_rate=np.minimum(_APPROACH, braking / (_PEAK * qd_max)),
        ).row()

    def load(self, prev: Rows, tick: Rows) -> None:
        """Compile or load the kernels, on ticks of which only the type matters."""
        prev, tick = prev.copy(), tick.copy()
        tick["M"], tick["dt"] = np.eye(self._arm.n), 1e-3
        self.update(prev, tick)

    def update(self, prev: Rows, tick: Rows) -> None:
        """Write the law's columns of this tick."""
        qp = self._program
        pose_problem(prev, tick, self.row, qp.H, qp.g, qp.C, qp.low, qp.high, qp.active)
        relaxed = False
        x = qp.solve()
        if x is None:
            drop_rate_limits(tick, self.row, qp.low, qp.high)
            x = qp.solve()
        if x is None:
            x, relaxed = qp.solve_relaxed(), True
        take_solution(prev, tick, self.row, x, qp.low, qp.high, qp.active, relaxed)
