"""Fits mass and centre of mass of the tool, and the bias of the sensor, to poses at rest.

At rest the sensor reads, in its frame S,

    f = b_f + m·g,    τ = b_τ + m·c × g

with g the gravity in S. This is linear in m, m·c, b_f and b_τ: ten unknowns, and six equations per
pose.
"""

from dataclasses import dataclass
from math import acos, radians, sqrt

import numpy as np

from pliant.arms.tool import Tool
from pliant.errors import PliantError, Refused
from pliant.identify.least_squares import Estimate, Fit
from pliant.numerics.spatial import Array, pose_multiply, quat_to_matrix, quat_unrotate
from pliant.stages.wrench.stage import GRAVITY, tool_row
from pliant.tick import Rows

MIN_DIRECTIONS = 3
DISTINCT = radians(10.0)
"""Gravity directions closer than this count as one."""

CONDITION_LIMIT = 60.0
"""Above this condition number the poses do not determine mass, centre of mass and bias.

Five directions spread over 180° give 3.4, over 90° 15, over 45° 61.
"""

_NOISE_FLOOR = (1e-6, 1e-7)


class PosesTooSimilar(Refused):
    """The poses do not determine mass, centre of mass and bias; the message suggests others."""


@dataclass(frozen=True, kw_only=True)
class RestPose:
    """One pose at rest.

    Attributes:
        g_S: Gravity in S, m/s².
        w_S: Mean sensor reading in S, N and N·m.
        w_T: Mean of the loop's compensated wrench on the tool in T, N and N·m.
        noise: Standard deviation of the readings.
        count: Number of readings.
    """

    g_S: Array
    w_S: Array
    w_T: Array
    noise: Array
    count: int


@dataclass(frozen=True, kw_only=True)
class ToolFit:
    """Identified tool.

    Attributes:
        mass: kg.
        com_F: Centre of mass in the flange frame, m.
        bias: Bias of the sensor in S, N and N·m.
        residual: Root mean square residual of force, N, and torque, N·m.
        condition: Condition number of the fit; 1 is best.
        poses: Number of poses.
    """

    mass: Estimate
    com_F: tuple[Estimate, Estimate, Estimate]
    bias: tuple[Estimate, ...]
    residual: tuple[float, float]
    condition: float
    poses: int

    def applied_to(self, tool: Tool) -> Tool:
        """The tool with the identified mass and centre of mass; its inertia scales with mass."""
        ratio = self.mass.value / tool.mass
        return Tool.model_validate(
            tool.model_dump()
            | {
                "mass": self.mass.value,
                "com_F": tuple(c.value for c in self.com_F),
                "inertia": tuple(ratio * moment for moment in tool.inertia),
            }
        )


def rest_pose(rows: Rows, tool: Tool) -> RestPose:
    """Average the sensor over ticks at rest in one pose.

    Raises:
        PliantError: A reading is not finite.
    """
    w_S = rows["w_S_raw"]
    if not np.isfinite(w_S).all():
        raise PliantError("the force sensor sends values that are not finite")
    X_TS = tool_row(tool)["X_TS"][0]
    X_WS, g_S = np.empty(7), np.empty(3)
    pose_multiply(np.array(rows["X_WT"][-1]), X_TS, X_WS)
    quat_unrotate(X_WS[3:], np.array([0.0, 0.0, -GRAVITY]), g_S)
    return RestPose(
        g_S=g_S,
        w_S=w_S.mean(axis=0),
        w_T=rows["w_T_raw"].mean(axis=0),
        noise=w_S.std(axis=0),
        count=len(w_S),
    )


def fit_tool(poses: list[RestPose], tool: Tool) -> ToolFit:
    """Fit the tool to poses at rest by least squares.

    Args:
        poses: At least three, with distinct gravity directions.
        tool: The configured tool, for the pose of the sensor on the flange.

    Raises:
        PosesTooSimilar: The poses do not determine mass, centre of mass and bias.
    """
    directions = distinct_directions([pose.g_S for pose in poses])
    if directions < MIN_DIRECTIONS:
        raise PosesTooSimilar(
            f"{directions} distinct gravity directions do not determine mass, centre of mass and "
            f"bias: rotate the tool to at least {MIN_DIRECTIONS}, better 5 spread over 180 degrees"
        )
    condition = float(np.linalg.cond(np.vstack([_unit_rows(p.g_S / GRAVITY) for p in poses])))
    if condition > CONDITION_LIMIT:
        raise PosesTooSimilar(
            f"the gravity directions are too close together (condition number {condition:.0f}, "
            f"limit {CONDITION_LIMIT:g}): rotate the tool further, by 40 degrees or more"
        )
    return _as_tool_fit(_weighted(poses, _noise(poses)), poses, tool, condition)


def distinct_directions(gravities: list[Array]) -> int:
    """Number of directions that are more than 10° from all previous ones."""
    kept: list[Array] = []
    for g in gravities:
        unit = g / np.linalg.norm(g)
        if all(acos(np.clip(unit @ other, -1.0, 1.0)) > DISTINCT for other in kept):
            kept.append(unit)
    return len(kept)


def _unit_rows(g: Array) -> Array:
    """The six equations of one pose in m, m·c, b_f, b_τ."""
    rows = np.zeros((6, 10))
    rows[:3, 0] = g
    # (m·c) × g = −[g]× · (m·c)
    rows[3:, 1:4] = np.array([[0.0, g[2], -g[1]], [-g[2], 0.0, g[0]], [g[1], -g[0], 0.0]])
    rows[:, 4:] = np.eye(6)
    return rows


def _noise(poses: list[RestPose]) -> Array:
    """Standard deviation of a reading over all poses, of force and of torque."""
    variances = np.mean([pose.noise**2 for pose in poses], axis=0)
    halves = np.array([variances[:3].mean(), variances[3:].mean()])
    return np.maximum(np.sqrt(halves), _NOISE_FLOOR)


def _weighted(poses: list[RestPose], sigma: Array) -> Fit:
    """Weighted least squares, with each equation weighted by the inverse of its standard error.

    The covariance follows from the noise of the readings. If the poses fit worse than the noise
    predicts, it is scaled up accordingly.
    """
    A, b = [], []
    for pose in poses:
        weight = np.repeat(sqrt(pose.count) / sigma, 3)
        A.append(weight[:, None] * _unit_rows(pose.g_S))
        b.append(weight * pose.w_S)
    A, b = np.vstack(A), np.concatenate(b)
    x, *_ = np.linalg.lstsq(A, b, rcond=None)
    residuals = b - A @ x
    misfit = float(residuals @ residuals) / max(1, len(b) - A.shape[1])
    covariance = max(1.0, misfit) * np.linalg.inv(A.T @ A)
    return Fit(x=np.array(x, float), covariance=np.array(covariance, float), residual=sqrt(misfit))


def _as_tool_fit(fit: Fit, poses: list[RestPose], tool: Tool, condition: float) -> ToolFit:
    mass = float(fit.x[0])
    if mass <= 0.0:
        raise PosesTooSimilar(
            f"the fit gives a mass of {mass:.3g} kg: check that a tool is mounted and that nothing "
            "touches it"
        )
    com_S = fit.x[1:4] / mass
    # derivative of c = m·c / m with respect to m and m·c, for its covariance
    slope = np.zeros((3, 10))
    slope[:, 0] = -com_S / mass
    slope[:, 1:4] = np.eye(3) / mass
    R_FS = np.empty((3, 3))
    quat_to_matrix(np.array(tool.X_FS[3:]), R_FS)
    com_F = np.array(tool.X_FS[:3]) + R_FS @ com_S
    spread = R_FS @ slope @ fit.covariance @ slope.T @ R_FS.T
    x, y, z = (Estimate(value=float(com_F[i]), error=sqrt(spread[i, i])) for i in range(3))
    rest = np.array([pose.w_S - _unit_rows(pose.g_S) @ fit.x for pose in poses])
    force, torque = np.sqrt(np.mean(rest[:, :3] ** 2)), np.sqrt(np.mean(rest[:, 3:] ** 2))
    return ToolFit(
        mass=fit.estimate(0),
        com_F=(x, y, z),
        bias=tuple(fit.estimate(4 + i) for i in range(6)),
        residual=(float(force), float(torque)),
        condition=condition,
        poses=len(poses),
    )
