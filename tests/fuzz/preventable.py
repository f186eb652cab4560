"""How much faster a load makes a torque arm than torques within their rates can prevent.

A load that comes or vanishes leaves torques n = M·q̈ that accelerate the arm. They are taken back
together, so that the acceleration keeps its direction, in T = maxᵢ |nᵢ|/rᵢ by the torque rates r;
until then a velocity v with the acceleration a becomes v + a·T/2. The load is what the torques that
were sent do not explain, M·q̈ − τ_sent. So a limit may be passed by what the changes of the load
have added to v + a·T/2, and by nothing that the torques have.
"""

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.tick import Rows


def added_by_loads(
    rows: Rows, arm: ArmDescription, tool_speed: float
) -> tuple[np.ndarray, np.ndarray]:
    """The speed that changes of the load have added since a limit was last kept.

    Args:
        rows: Consecutive ticks of a torque arm.
        arm: The arm.
        tool_speed: The limit of the tool's speed, m/s.

    Returns:
        For each tick that of the tool, m/s, and that of each joint, rad/s; 0 in the first two.
    """
    dt, J = rows["dt"][-1], rows["J_W"][2:, :3]
    M, qd, v = rows["M"][1:], rows["qd"], rows["v_WT_W"][:, :3]
    net = np.einsum("kij,kj->ki", M, np.diff(qd, axis=0) / dt)
    load = net - rows["tau_sent"][:-1]
    change = np.diff(load, axis=0)
    changed = np.linalg.solve(M[1:], change[:, :, None])[:, :, 0]
    qdd, a = np.diff(qd, axis=0)[1:] / dt, np.diff(v, axis=0)[1:] / dt
    before = _time(net[1:] - change, arm)
    after = _time(net[1:], arm)
    joints = np.abs(_end(qd[2:], qdd, after))
    joints_before = np.abs(_end(qd[2:], qdd - changed, before))
    tool = np.linalg.norm(_end(v[2:], a, after), axis=1)
    a_before = a - np.einsum("kij,kj->ki", J, changed)
    tool_before = np.linalg.norm(_end(v[2:], a_before, before), axis=1)
    return (
        _added(
            (tool - tool_before)[:, None],
            np.maximum(tool, np.linalg.norm(v[2:], axis=1))[:, None] > tool_speed,
        )[:, 0],
        _added(joints - joints_before, np.maximum(joints, np.abs(qd[2:])) > arm.qd_max),
    )


def _time(net: np.ndarray, arm: ArmDescription) -> np.ndarray:
    return (np.abs(net) / arm.tau_rate_max).max(axis=1)


def _end(v: np.ndarray, a: np.ndarray, time: np.ndarray) -> np.ndarray:
    return v + 0.5 * a * time[:, None]


def _added(gains: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """The sum of the gains while a limit is passed; losses count too, so that noise does not."""
    added = np.zeros((len(gains) + 2, gains.shape[1]))
    for k in range(len(gains)):
        added[k + 2] = np.where(beyond[k], np.maximum(0.0, added[k + 1] + gains[k]), 0.0)
    return added
