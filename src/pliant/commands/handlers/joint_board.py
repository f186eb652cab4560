"""The joints as a whole: limits by a configuration, the first row, a description."""

from typing import Any

from pliant.arms.description import ArmDescription
from pliant.config import Config
from pliant.stages.joints import (
    Interaction,
    JointFault,
    JointLimits,
    JointMode,
    ReportedMode,
    joint_limits,
)
from pliant.stages.joints.joint_modes import is_available
from pliant.tick import Rows

_SHOWN = {
    "q": "q",
    "q_ref": "q_board",
    "qd_ref": "qd_board",
    "speed": "speed_joint",
    "acceleration": "acceleration_joint",
    "K": "K_joint",
    "D": "D_joint",
    "offset": "tau_offset",
}


def board_limits(config: Config, arm: ArmDescription) -> JointLimits:
    """The limits on commands to an arm's joints, by a configuration."""
    return joint_limits(
        arm,
        config.joints,
        margin=config.safety.joint_margin,
        speed_share=config.safety.joint_speed_share,
        acceleration_share=config.safety.joint_acceleration_share,
    )


def begin_board(first: Rows, config: Config) -> None:
    """Row 0 of the joints: at rest where they are, stiff, idle or not yet calibrated."""
    for name in ("q_board", "q_goal", "q_hold", "traj_from", "traj_to"):
        first[name] = first["q"]
    first["joint_done"] = 1
    first["speed_joint"] = config.joints.speed
    first["acceleration_joint"] = config.joints.acceleration
    start = ReportedMode.IDLE if config.joints.calibrated else ReportedMode.NOT_CONFIGURED
    first["mode"] = start


def describe_joint(row: Rows, arm: ArmDescription, limits: JointLimits, j: int) -> dict[str, Any]:
    """Mode, references and limits of a joint, as plain values."""
    return {
        "joint": j,
        "name": arm.joint_names[j],
        "mode": ReportedMode(int(row["mode"][0][j])).vocab,
        "available": [m.vocab for m in JointMode if is_available(m, arm.interface)],
        "interaction": Interaction(int(row["interaction"][0][j])).vocab,
        "fault": JointFault(int(row["fault"][0][j])).text,
        "done": int(row["joint_done"][0][j]),
        **{key: float(row[name][0][j]) for key, name in _SHOWN.items()},
        "q_limits": [float(limits.q_min[j]), float(limits.q_max[j])],
        "qd_max": float(limits.qd_max[j]),
        "tau_max": float(limits.tau_max[j]),
        "K_max": float(limits.K_max[j]),
        "D_max": float(limits.D_max[j]),
    }
