"""Simulated arms for tests of a law, without lag, noise and other disturbances."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.ur5e import DESCRIPTION as UR5E

QUIET_SENSOR = {
    "noise_force": 0.0,
    "noise_torque": 0.0,
    "bias_force": 0.0,
    "bias_torque": 0.0,
    "drift_force": 0.0,
    "drift_torque": 0.0,
}
NO_LAG = {"dead_time": 0.0, "time_constant": 0.0}
# The sensor measures the tool's inertial force, so a heavy tool adds to M; this one is very light.
LIGHT_TOOL = {"mass": 0.01, "inertia": (1e-5, 1e-5, 1e-5)}
# Almost no low-pass and no dead band, so that the law gets the true wrench.
OPEN_WRENCH = {"cutoff": 1e5, "dead_band": (0.0, 0.0)}

MakeArm = Callable[..., Arm]


def random_joints(seed: int) -> tuple[float, ...]:
    """Joints in a wide neighbourhood of home, away from the wrist and elbow singularities."""
    rng = np.random.default_rng(seed)
    spread = np.array([3.0, 0.3, 0.4, 0.8, 0.6, 3.0])
    return tuple(UR5E.home + spread * rng.uniform(-1.0, 1.0, 6))


@pytest.fixture
def make_arm() -> MakeArm:
    """Makes an arm that is zeroed and under the hybrid law, with no axis compliant."""

    def make(
        scene: str = "free",
        *,
        pose: int | None = None,
        lag: bool = True,
        quiet: bool = False,
        law: str = "hybrid_admittance",
        seed: int = 0,
        history: float = 30.0,
        config: dict[str, Any] | None = None,
        **scene_values: Any,
    ) -> Arm:
        sim: dict[str, Any] = {"scene": {"kind": scene, **scene_values}}
        if pose is not None:
            sim["q_start"] = random_joints(pose)
        if not lag:
            sim["actuator"] = NO_LAG
        values: dict[str, Any] = {"sim": sim, **(config or {})}
        if quiet:
            sim["sensor"] = QUIET_SENSOR
            values = {"wrench": OPEN_WRENCH, "tool": LIGHT_TOOL, **values}
        arm = Arm(f"sim:ur5e/{scene}", config=values, seed=seed, history=history)
        arm.wait(0.05)
        arm.zero()
        arm.activate(law)
        arm.wait(0.01)
        return arm

    return make


@pytest.fixture
def make_panda() -> MakeArm:
    """A Panda in free space that may move fast; by default without friction."""

    def make(
        *,
        friction: str = "off",
        q: np.ndarray | None = None,
        mass_scale: float = 1.0,
        history: float = 30.0,
        **sections: Any,
    ) -> Arm:
        sim: dict[str, Any] = {"friction": friction}
        if q is not None:
            sim["q_start"] = tuple(q)
        values = {
            "sim": sim,
            "model": {"mass_scale": mass_scale},
            "safety": {"tool_speed": 2.0},
            **sections,
        }
        arm = Arm("sim:panda", config=values, history=history)
        arm.wait(0.05)
        return arm

    return make
