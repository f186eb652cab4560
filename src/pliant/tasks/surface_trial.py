"""What the trials on a surface share: its hidden parameters, the arm above it, its true force."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from pliant.api.arm import Arm
from pliant.api.recorders import record as record_arm
from pliant.arms.description import load_arm
from pliant.errors import ConfigError
from pliant.laws import LawsConfig
from pliant.numerics.spatial import Array
from pliant.pose import Pose
from pliant.sim.ball_contact import TIP_RADIUS
from pliant.sim.scenes.scene import BallScene
from pliant.sim.spec import PREFIX, parse_place
from pliant.tasks.pressing import FORCE_LAWS, force_law
from pliant.tasks.trial_task import TrialParameter
from pliant.tick import Rows

CONTACT_FORCE = 0.3
"""Above this true force, N, there is contact."""

HISTORY = 120.0
"""Longest trial, s."""

_LAW = "law."
_HOVER = 0.01
"""Height above the nominal surface from which a trial begins, m."""

SURFACE = {
    "stiffness": TrialParameter(
        default=10.0, low=1.0, high=100.0, unit="N/mm", doc="Stiffness of the surface.",
    ),
    "friction": TrialParameter(
        default=0.3, low=0.0, high=2.0, unit="", doc="Coefficient of friction.",
    ),
    "radius": TrialParameter(
        default=0.0, low=0.0, high=10.0, unit="m",
        doc="Radius of a table that is a dome; 0: flat.",
    ),
    "height": TrialParameter(
        default=0.0, low=-5.0, high=5.0, unit="mm",
        doc="How far the true surface is above the nominal one.",
    ),
    "lag": TrialParameter(
        default=34.0, low=0.0, high=100.0, unit="ms",
        doc="Servo lag of a position-controlled arm, of which a quarter is dead time.",
    ),
}  # fmt: skip
"""The parameters of surface and arm, all hidden from the task."""


def is_gain(name: str) -> bool:
    """Whether a name is that of a number of a law that regulates force, as in law.contact_peak."""
    laws = LawsConfig()
    return name.startswith(_LAW) and any(
        isinstance(_first(getattr(getattr(laws, law), name.removeprefix(_LAW), None)), float)
        for law in FORCE_LAWS
    )


def trial_config(params: Mapping[str, float], seed: int, robot: str) -> dict[str, Any]:
    """The configuration of a trial; values in the units of the command line.

    Raises:
        ConfigError: The scene has no surface, or no such shape.
    """
    arm, kind = parse_place(robot.removeprefix(PREFIX))
    lag = 1e-3 * params["lag"]
    sim: dict[str, Any] = {
        "actuator": {"dead_time": 0.25 * lag, "time_constant": 0.75 * lag},
        "seed": seed,
    }
    if "stiffness" in params:
        sim["scene"] = _scene(params, kind)
    law = FORCE_LAWS[load_arm(arm).takes_torque]
    return {"sim": sim, "laws": {law: _gains(params, law)}}


def _scene(params: Mapping[str, float], kind: str) -> dict[str, Any]:
    if kind not in ("table", "wall"):
        raise ConfigError(f"this task needs a surface: sim:ur5e/table or sim:ur5e/wall, not {kind}")
    if params["radius"] and kind != "table":
        raise ConfigError("only a table can be a dome: leave out --radius")
    scene = {
        "kind": kind,
        "stiffness": 1e3 * params["stiffness"],
        "friction": params["friction"],
        "height_error": 1e-3 * params["height"],
    }
    return scene | ({"radius": params["radius"]} if params["radius"] else {})


def _gains(params: Mapping[str, float], law: str) -> dict[str, Any]:
    """Adaptive damping, unless damping or inertia is given; of six values the translations'."""
    usual = getattr(LawsConfig(), law)
    given = {n.removeprefix(_LAW): v for n, v in params.items() if n.startswith(_LAW)}
    gains: dict[str, Any] = {}
    if law == "hybrid_admittance":
        fixed = given.keys() & {"damping", "inertia"}
        gains["damping_mode"] = "fixed" if fixed else "adaptive"
    for name, value in given.items():
        before = getattr(usual, name, None)
        if before is None:
            raise ConfigError(f"{law} has no gain {name}")
        several = isinstance(before, tuple)
        half = len(before) // 2 if several else 0
        gains[name] = (*(value,) * half, *before[half:]) if several else value
    return gains


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, tuple) else value


@contextmanager
def arm_above(
    params: Mapping[str, float], seed: int, robot: str, record: Path | None
) -> Iterator[Arm]:
    """An arm that is zeroed, near the nominal surface if there is one."""
    arm = Arm(robot, config=trial_config(params, seed, robot), history=HISTORY, flight=False)
    with arm, record_arm(arm, record) if record else nullcontext():
        arm.zero()
        if (X_WH := arm.scene.X_WH) is not None:
            height = float((Pose(X_WH).inverse() @ arm.pose).position[2])
            arm.activate(force_law(arm))
            arm.move_by([0, 0, height - _HOVER, 0, 0, 0], "tool")
        yield arm


def normal_force(arm: Arm, rows: Rows) -> Array:
    """The true force of the tool on the surface, at right angles to it, N."""
    scene = arm.config.sim.scene
    assert isinstance(scene, BallScene)
    w, x, y, z = rows["X_WT"][:, 3:].T
    z_T = np.stack((2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x**2 + y**2)), 1)
    normals = scene.normal(rows["X_WT"][:, :3] - TIP_RADIUS * z_T)
    return -np.einsum("ij,ij->i", rows["true_f_fixture_W"], normals)
