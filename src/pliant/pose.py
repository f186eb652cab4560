"""`Pose`: a position and an orientation as one value."""

from collections.abc import Iterator, Sequence
from math import asin, atan2, cos, degrees, isfinite, radians, sin, sqrt
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BeforeValidator

from pliant.errors import ConfigError
from pliant.numerics.spatial import (
    Array,
    pose_error,
    pose_inverse_multiply,
    pose_multiply,
    pose_step,
    quat_exp,
    quat_from_matrix,
    quat_log,
    quat_multiply,
    quat_normalize,
    quat_to_matrix,
)
from pliant.params import Frame, Number

Numbers = Sequence[float] | Array

_COUNT = 7
_SIX = 6
_UNIT_TOLERANCE = 1e-3
"""How far the norm of a quaternion may be from 1: robots report a few decimals."""

_EXACT = 1e-9
"""A quaternion nearer to unit length than this is kept bit for bit."""

_ROTATION_TOLERANCE = 1e-6


class Pose:
    """Position and orientation of one frame in another: x y z, m, and a unit quaternion, w first.

    A pose does not change; its methods return new ones. It is accepted wherever Pliant takes a
    pose, and `np.asarray(pose)` has its seven numbers.

    If `X_AB` is the pose of B in A and `X_BC` that of C in B, then `X_AB @ X_BC` is that of C in A.

    Example:
        >>> above = Pose.from_rpy([0.4, 0.1, 0.3], [180, 0, 45])
        >>> above.moved([0, 0, 0.05])
        <Pose x 0.4 y 0.1 z 0.35 m, roll 180 pitch 0 yaw 45 °>
        >>> above.inverse() @ above
        <Pose x 0 y 0 z 0 m, roll 0 pitch 0 yaw 0 °>
    """

    __slots__ = ("_numbers",)
    # an array does not compute with a pose number by number
    __array_ufunc__ = None

    _numbers: tuple[float, ...]

    def __init__(self, numbers: "Numbers | Pose" = (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)) -> None:
        """Make a pose from x y z qw qx qy qz; without them it is the identity.

        Raises:
            ConfigError: They are not seven finite numbers with a unit quaternion.
        """
        try:
            values = pose_numbers(numbers)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        object.__setattr__(self, "_numbers", values)

    @classmethod
    def from_rotvec(cls, position: Numbers, rotvec: Numbers = (0.0, 0.0, 0.0)) -> "Pose":
        """A pose from its position, m, and its rotation vector: axis times angle, rad."""
        quaternion = np.empty(4)
        quat_exp(np.array(_three(rotvec, "rotvec")), quaternion)
        return cls([*_three(position, "position"), *quaternion.tolist()])

    @classmethod
    def from_rpy(cls, position: Numbers, rpy: Numbers = (0.0, 0.0, 0.0)) -> "Pose":
        """A pose from its position, m, and roll, pitch and yaw about fixed x, y, z, degrees."""
        (cr, sr), (cp, sp), (cy, sy) = (
            (cos(0.5 * radians(angle)), sin(0.5 * radians(angle))) for angle in _three(rpy, "rpy")
        )
        quaternion = (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )
        return cls([*_three(position, "position"), *quaternion])

    @classmethod
    def from_matrix(cls, matrix: Any) -> "Pose":
        """A pose from a homogeneous 4×4 matrix.

        Raises:
            ConfigError: The matrix is not that of a pose.
        """
        values = np.array(matrix, dtype=np.float64)
        if values.shape != (4, 4) or not np.isfinite(values).all():
            raise ConfigError(f"a pose is a matrix of 4×4 finite numbers, not {values.shape}")
        R = np.ascontiguousarray(values[:3, :3])
        off = max(
            float(np.abs(R @ R.T - np.eye(3)).max()),
            float(np.abs(values[3] - (0.0, 0.0, 0.0, 1.0)).max()),
        )
        if off > _ROTATION_TOLERANCE or np.linalg.det(R) < 0.0:
            raise ConfigError(
                "the matrix is not that of a pose: its first three rows and columns must be a "
                "rotation and its last row 0 0 0 1"
            )
        quaternion = np.empty(4)
        quat_from_matrix(R, quaternion)
        return cls([*values[:3, 3].tolist(), *quaternion.tolist()])

    # parts

    @property
    def position(self) -> Array:
        """x y z, m."""
        return np.array(self._numbers[:3])

    @property
    def quaternion(self) -> Array:
        """qw qx qy qz."""
        return np.array(self._numbers[3:])

    @property
    def rotvec(self) -> Array:
        """The rotation vector: axis times angle in [0, π], rad."""
        out = np.empty(3)
        quat_log(self.quaternion, out)
        return out

    @property
    def rpy(self) -> Array:
        """Roll, pitch and yaw about fixed x, y, z, degrees."""
        _, _, _, w, x, y, z = self._numbers
        sine = 2.0 * (w * y - x * z)
        roll = atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
        yaw = atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        return np.array([degrees(roll), degrees(asin(max(-1.0, min(1.0, sine)))), degrees(yaw)])

    @property
    def matrix(self) -> Array:
        """The homogeneous 4×4 matrix."""
        out, R = np.eye(4), np.empty((3, 3))
        quat_to_matrix(self.quaternion, R)
        out[:3, :3] = R
        out[:3, 3] = self._numbers[:3]
        return out

    # other poses

    def __matmul__(self, other: "Pose") -> "Pose":
        if not isinstance(other, Pose):
            return NotImplemented
        out = np.empty(_COUNT)
        pose_multiply(np.array(self._numbers), np.array(other._numbers), out)
        return _normalized(out)

    def inverse(self) -> "Pose":
        """The pose of A in B, if this is that of B in A."""
        out = np.empty(_COUNT)
        pose_inverse_multiply(np.array(self._numbers), np.array(Pose()._numbers), out)
        return _normalized(out)

    def moved(self, delta: Numbers, frame: Frame = "world") -> "Pose":
        """The pose moved as `arm.move_by` moves the reference.

        Args:
            delta: dx dy dz, m, and a rotation vector, rad; or the translation alone.
            frame: Axes of both; the orientation turns about the pose's own position.
        """
        step = np.array([*delta, 0.0, 0.0, 0.0] if len(delta) == 3 else [*delta], dtype=np.float64)
        if step.shape != (_SIX,) or not np.isfinite(step).all():
            raise ConfigError(f"delta must be 3 or 6 finite numbers, not {delta!r}")
        return Pose(moved(np.array(self._numbers), step, frame))

    def distance(self, other: "Numbers | Pose") -> tuple[float, float]:
        """How far another pose is: distance, m, and angle, rad."""
        error = np.empty(_SIX)
        pose_error(np.array(self._numbers), np.array(Pose(other)._numbers), error)
        return float(np.linalg.norm(error[:3])), float(np.linalg.norm(error[3:]))

    def is_close(
        self, other: "Numbers | Pose", position: float = 1e-6, angle: float = 1e-6
    ) -> bool:
        """Whether another pose is within a distance, m, and an angle, rad."""
        distance, turn = self.distance(other)
        return distance <= position and turn <= angle

    # as numbers

    def tolist(self) -> list[float]:
        """The seven numbers."""
        return list(self._numbers)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if copy is False:
            raise ValueError("the numbers of a pose are copied")
        return np.array(self._numbers, dtype=dtype)

    def __len__(self) -> int:
        return _COUNT

    def __iter__(self) -> Iterator[float]:
        return iter(self._numbers)

    def __getitem__(self, index: Any) -> Any:
        return self._numbers[index]

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("a pose does not change: make another, as with moved()")

    def __reduce__(self) -> tuple[Any, ...]:
        return Pose, (self._numbers,)

    def __eq__(self, other: object) -> bool:
        return self._numbers == other._numbers if isinstance(other, Pose) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._numbers)

    def __repr__(self) -> str:
        x, y, z = (_short(value, 4) for value in self._numbers[:3])
        roll, pitch, yaw = (_short(value, 2) for value in self.rpy)
        return f"<Pose x {x} y {y} z {z} m, roll {roll} pitch {pitch} yaw {yaw} °>"


def moved(pose: Array, delta: Array, frame: str) -> Array:
    """The numbers of a pose moved by a translation and a rotation vector, in tool or world axes."""
    out = np.array(pose)
    if frame == "tool":
        pose_step(pose, delta, out)
        return out
    turn = np.empty(4)
    quat_exp(delta[3:], turn)
    quat_multiply(turn, out[3:], out[3:])
    quat_normalize(out[3:], out[3:])
    out[:3] += delta[:3]
    return out


def pose_numbers(value: Any) -> tuple[float, ...]:
    """The seven numbers of a pose, whatever it is given as; the quaternion gets unit length.

    Raises:
        ValueError: They are not those of a pose; the message says why.
    """
    if isinstance(value, Pose):
        return value._numbers
    numbers = _listed(value)
    norm = sqrt(sum(number * number for number in numbers[3:]))
    if not abs(norm - 1.0) <= _UNIT_TOLERANCE:
        raise ValueError(f"the quaternion (last four numbers, w first) has norm {norm:g}, not 1")
    if abs(norm - 1.0) > _EXACT:
        numbers[3:] = [number / norm for number in numbers[3:]]
    return tuple(numbers)


def _listed(value: Any) -> list[float]:
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"a pose has 7 numbers, x y z qw qx qy qz, not {value!r}") from None
    if array.shape == (4, 4):
        raise ValueError("for a 4×4 matrix use pliant.Pose.from_matrix(matrix)")
    if array.shape == (_SIX,):
        raise ValueError(
            "a pose has 7 numbers, x y z qw qx qy qz, not 6; for a position and a rotation vector "
            "use pliant.Pose.from_rotvec([x, y, z], [rx, ry, rz])"
        )
    if array.shape != (_COUNT,):
        given = array.shape[0] if array.ndim == 1 else f"{array.shape}"
        raise ValueError(f"a pose has 7 numbers, x y z qw qx qy qz, not {given}")
    if not np.isfinite(array).all():
        raise ValueError("a pose has finite numbers")
    return array.tolist()


def _unit(
    pose: tuple[float, float, float, float, float, float, float],
) -> tuple[float, float, float, float, float, float, float]:
    norm = sqrt(sum(c * c for c in pose[3:]))
    if abs(norm - 1.0) > _ROTATION_TOLERANCE:
        raise ValueError(f"the quaternion (last four numbers, w first) has norm {norm:g}, not 1")
    return pose


PoseNumbers = Annotated[
    tuple[Number, Number, Number, Number, Number, Number, Number],
    BeforeValidator(lambda value: tuple(_listed(value))),
    AfterValidator(_unit),
]
"""The type of a parameter or argument that is a pose: x y z qw qx qy qz, or a `Pose`."""


def _three(values: Numbers, name: str) -> tuple[float, float, float]:
    numbers = tuple(float(value) for value in values)
    if len(numbers) != 3 or not all(map(isfinite, numbers)):
        raise ConfigError(f"{name} must be three finite numbers, not {values!r}")
    return numbers


def _normalized(values: Array) -> Pose:
    quat_normalize(values[3:], values[3:])
    return Pose(values)


def _short(value: float, digits: int) -> str:
    """A number with at most so many decimals; + 0.0 writes a negative zero as 0."""
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    return text.rstrip("0").rstrip(".")
