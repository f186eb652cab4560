"""SO(3) and SE(3) kernels on plain arrays.

A quaternion is (w, x, y, z), unit; a pose X_AB is (x, y, z, qw, qx, qy, qz); a rotation vector is
axis times angle; a twist or a wrench is linear part first. Results go into the last argument,
which may be one of the inputs.
"""

from math import atan2, cos, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from pliant.numerics.kernels import kernel
from pliant.numerics.scratch import scratch_matrix

Array = NDArray[np.float64]

IDENTITY_POSE: Array = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
IDENTITY_POSE.setflags(write=False)

_SMALL_ANGLE = 1e-8


@kernel
def norm3(v: Array) -> float:
    """Length of the first three entries."""
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@kernel
def cross(a: Array, b: Array, out: Array) -> None:
    """a × b."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    out[0], out[1], out[2] = x, y, z


@kernel
def _product(aw: float, ax: float, ay: float, az: float, b: Array, out: Array) -> None:
    """a ⊗ b, with a by its components."""
    w = aw * b[0] - ax * b[1] - ay * b[2] - az * b[3]
    x = aw * b[1] + ax * b[0] + ay * b[3] - az * b[2]
    y = aw * b[2] - ax * b[3] + ay * b[0] + az * b[1]
    z = aw * b[3] + ax * b[2] - ay * b[1] + az * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@kernel
def quat_multiply(a: Array, b: Array, out: Array) -> None:
    """The rotation b followed by a: q_AC = q_AB ⊗ q_BC."""
    _product(a[0], a[1], a[2], a[3], b, out)


@kernel
def quat_inverse_multiply(a: Array, b: Array, out: Array) -> None:
    """q_BC from q_AB and q_AC: a⁻¹ ⊗ b."""
    w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
    x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
    z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
    out[0], out[1], out[2], out[3] = w, x, y, z


@kernel
def quat_normalize(q: Array, out: Array) -> None:
    """Scale to unit length."""
    s = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    out[0], out[1], out[2], out[3] = s * q[0], s * q[1], s * q[2], s * q[3]


@kernel
def _rotate(w: float, x: float, y: float, z: float, v: Array, out: Array) -> None:
    tx = 2.0 * (y * v[2] - z * v[1])
    ty = 2.0 * (z * v[0] - x * v[2])
    tz = 2.0 * (x * v[1] - y * v[0])
    rx = v[0] + w * tx + y * tz - z * ty
    ry = v[1] + w * ty + z * tx - x * tz
    rz = v[2] + w * tz + x * ty - y * tx
    out[0], out[1], out[2] = rx, ry, rz


@kernel
def quat_rotate(q: Array, v: Array, out: Array) -> None:
    """v_A = R_AB v_B."""
    _rotate(q[0], q[1], q[2], q[3], v, out)


@kernel
def quat_unrotate(q: Array, v: Array, out: Array) -> None:
    """v_B = R_ABᵀ v_A."""
    _rotate(q[0], -q[1], -q[2], -q[3], v, out)


@kernel
def quat_exp(r: Array, out: Array) -> None:
    """The quaternion of a rotation vector."""
    angle = norm3(r)
    # sin(a/2)/a, by its series where the quotient would lose precision
    s = 0.5 - angle * angle / 48.0 if angle < _SMALL_ANGLE else sin(0.5 * angle) / angle
    w, x, y, z = cos(0.5 * angle), s * r[0], s * r[1], s * r[2]
    out[0], out[1], out[2], out[3] = w, x, y, z


@kernel
def quat_log(q: Array, out: Array) -> None:
    """The rotation vector of a quaternion, angle in [0, π]."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    w, x, y, z = sign * q[0], sign * q[1], sign * q[2], sign * q[3]
    half_sine = sqrt(x * x + y * y + z * z)
    s = 2.0 if half_sine < _SMALL_ANGLE else 2.0 * atan2(half_sine, w) / half_sine
    out[0], out[1], out[2] = s * x, s * y, s * z


@kernel
def quat_to_matrix(q: Array, out: Array) -> None:
    """The rotation matrix R_AB (3×3) of q_AB."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0] = 1.0 - 2.0 * (y * y + z * z)
    out[0, 1] = 2.0 * (x * y - w * z)
    out[0, 2] = 2.0 * (x * z + w * y)
    out[1, 0] = 2.0 * (x * y + w * z)
    out[1, 1] = 1.0 - 2.0 * (x * x + z * z)
    out[1, 2] = 2.0 * (y * z - w * x)
    out[2, 0] = 2.0 * (x * z - w * y)
    out[2, 1] = 2.0 * (y * z + w * x)
    out[2, 2] = 1.0 - 2.0 * (x * x + y * y)


@kernel
def quat_from_matrix(R: Array, out: Array) -> None:
    """The quaternion of a rotation matrix, normalised.

    The largest of the four components is the pivot only if the trace is not positive, as in Eigen.
    This matters for a matrix that is not exactly a rotation: the result then depends on the pivot
    (see `pose_step_first_order`).
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace > 0.0:
        t = sqrt(trace + 1.0)
        s = 0.5 / t
        out[0] = 0.5 * t
        out[1] = (R[2, 1] - R[1, 2]) * s
        out[2] = (R[0, 2] - R[2, 0]) * s
        out[3] = (R[1, 0] - R[0, 1]) * s
    else:
        i = 0
        if R[1, 1] > R[0, 0]:
            i = 1
        if R[2, 2] > R[i, i]:
            i = 2
        j = (i + 1) % 3
        k = (j + 1) % 3
        t = sqrt(R[i, i] - R[j, j] - R[k, k] + 1.0)
        s = 0.5 / t
        out[1 + i] = 0.5 * t
        out[0] = (R[k, j] - R[j, k]) * s
        out[1 + j] = (R[j, i] + R[i, j]) * s
        out[1 + k] = (R[k, i] + R[i, k]) * s
    quat_normalize(out, out)


@kernel
def quat_align(q: Array, like: Array) -> None:
    """Flip the sign of q in place if that brings it nearer to `like` (same rotation)."""
    if q[0] * like[0] + q[1] * like[1] + q[2] * like[2] + q[3] * like[3] < 0.0:
        for i in range(4):
            q[i] = -q[i]


@kernel
def pose_multiply(X_AB: Array, X_BC: Array, out: Array) -> None:
    """X_AC = X_AB · X_BC."""
    px, py, pz = X_AB[0], X_AB[1], X_AB[2]
    quat_rotate(X_AB[3:], X_BC[:3], out[:3])
    out[0] += px
    out[1] += py
    out[2] += pz
    quat_multiply(X_AB[3:], X_BC[3:], out[3:])


@kernel
def pose_inverse_multiply(X_AB: Array, X_AC: Array, out: Array) -> None:
    """X_BC = X_AB⁻¹ · X_AC."""
    qw, qx, qy, qz = X_AB[3], X_AB[4], X_AB[5], X_AB[6]
    dx, dy, dz = X_AC[0] - X_AB[0], X_AC[1] - X_AB[1], X_AC[2] - X_AB[2]
    quat_inverse_multiply(X_AB[3:], X_AC[3:], out[3:])
    tx = 2.0 * (-qy * dz + qz * dy)
    ty = 2.0 * (-qz * dx + qx * dz)
    tz = 2.0 * (-qx * dy + qy * dx)
    out[0] = dx + qw * tx - qy * tz + qz * ty
    out[1] = dy + qw * ty - qz * tx + qx * tz
    out[2] = dz + qw * tz - qx * ty + qy * tx


@kernel
def pose_error(X_AB: Array, X_AC: Array, out: Array) -> None:
    """The displacement from B to C in B: position of X_BC, then its rotation vector."""
    # the result holds the quaternion until the position is written
    quat_inverse_multiply(X_AB[3:], X_AC[3:], out[2:])
    quat_log(out[2:], out[3:])
    out[0], out[1], out[2] = X_AC[0] - X_AB[0], X_AC[1] - X_AB[1], X_AC[2] - X_AB[2]
    quat_unrotate(X_AB[3:], out[:3], out[:3])


@kernel
def pose_step(X_AB: Array, step_B: Array, out: Array) -> None:
    """Move B by a translation and a rotation vector, both expressed in B."""
    px, py, pz = X_AB[0], X_AB[1], X_AB[2]
    qw, qx, qy, qz = X_AB[3], X_AB[4], X_AB[5], X_AB[6]
    quat_rotate(X_AB[3:], step_B[:3], out[:3])
    out[0] += px
    out[1] += py
    out[2] += pz
    quat_exp(step_B[3:], out[3:])
    _product(qw, qx, qy, qz, out[3:], out[3:])
    quat_normalize(out[3:], out[3:])


@kernel
def pose_step_first_order(X_AB: Array, step_B: Array, out: Array) -> None:
    """As `pose_step`, with R·(I + [r]×) turned into a quaternion instead of R·exp(r).

    This is the integration step of force_control_demo; the two differ by the square of the rotation
    in one step.
    """
    R = scratch_matrix(3, 3)
    N = scratch_matrix(3, 3)
    quat_to_matrix(X_AB[3:], R)
    rx, ry, rz = step_B[3], step_B[4], step_B[5]
    for i in range(3):
        N[i, 0] = R[i, 0] + R[i, 1] * rz - R[i, 2] * ry
        N[i, 1] = R[i, 1] - R[i, 0] * rz + R[i, 2] * rx
        N[i, 2] = R[i, 2] + R[i, 0] * ry - R[i, 1] * rx
    for i in range(3):
        out[i] = X_AB[i] + R[i, 0] * step_B[0] + R[i, 1] * step_B[1] + R[i, 2] * step_B[2]
    quat_from_matrix(N, out[3:])


@kernel
def wrench_move(X_AB: Array, w_B: Array, out: Array) -> None:
    """The same wrench expressed in A at A's origin, lever arm included."""
    quat_rotate(X_AB[3:], w_B[3:], out[3:])
    quat_rotate(X_AB[3:], w_B[:3], out[:3])
    out[3] += X_AB[1] * out[2] - X_AB[2] * out[1]
    out[4] += X_AB[2] * out[0] - X_AB[0] * out[2]
    out[5] += X_AB[0] * out[1] - X_AB[1] * out[0]


@kernel
def rotate_pair(q_AB: Array, pair_B: Array, out: Array) -> None:
    """Rotate both halves of a twist or wrench; the point it refers to stays."""
    quat_rotate(q_AB, pair_B[:3], out[:3])
    quat_rotate(q_AB, pair_B[3:], out[3:])


@kernel
def unrotate_pair(q_AB: Array, pair_A: Array, out: Array) -> None:
    """The inverse of `rotate_pair`."""
    quat_unrotate(q_AB, pair_A[:3], out[:3])
    quat_unrotate(q_AB, pair_A[3:], out[3:])


@kernel
def motion_cross(v: Array, m: Array, out: Array) -> None:
    """v × m: rate of change of a twist m that is fixed to a body which moves with v."""
    x = v[4] * m[2] - v[5] * m[1] + v[1] * m[5] - v[2] * m[4]
    y = v[5] * m[0] - v[3] * m[2] + v[2] * m[3] - v[0] * m[5]
    z = v[3] * m[1] - v[4] * m[0] + v[0] * m[4] - v[1] * m[3]
    cross(v[3:], m[3:], out[3:])
    out[0], out[1], out[2] = x, y, z


@kernel
def force_cross(v: Array, f: Array, out: Array) -> None:
    """v ×* f: rate of change of a wrench or momentum f that is fixed to a body moving with v."""
    x = v[4] * f[5] - v[5] * f[4] + v[1] * f[2] - v[2] * f[1]
    y = v[5] * f[3] - v[3] * f[5] + v[2] * f[0] - v[0] * f[2]
    z = v[3] * f[4] - v[4] * f[3] + v[0] * f[1] - v[1] * f[0]
    cross(v[3:], f[:3], out[:3])
    out[3], out[4], out[5] = x, y, z


@kernel
def power(v: Array, f: Array) -> float:
    """Power of a wrench f on a body that moves with a twist v, both about the same point."""
    return v[0] * f[0] + v[1] * f[1] + v[2] * f[2] + v[3] * f[3] + v[4] * f[4] + v[5] * f[5]
