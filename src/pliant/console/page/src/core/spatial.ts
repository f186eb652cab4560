/** Rotations: quaternions (w, x, y, z), rotation vectors, fixed-axis XYZ angles in degrees. */

export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number];

const RAD = Math.PI / 180;

export function quatMultiply(a: Quat, b: Quat): Quat {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

/** A vector of the rotated frame, expressed in the axes of the reference frame. */
export function rotate(q: Quat, v: ArrayLike<number>): Vec3 {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2]! - z * v[1]!);
  const ty = 2 * (z * v[0]! - x * v[2]!);
  const tz = 2 * (x * v[1]! - y * v[0]!);
  return [
    v[0]! + w * tx + y * tz - z * ty,
    v[1]! + w * ty + z * tx - x * tz,
    v[2]! + w * tz + x * ty - y * tx,
  ];
}

/** The rotation by angles about the fixed axes x, then y, then z, degrees. */
export function quatFromEuler(degrees: ArrayLike<number>): Quat {
  const half = [0, 1, 2].map((i) => 0.5 * RAD * degrees[i]!);
  const [qx, qy, qz] = half.map((angle, i) => {
    const q: Quat = [Math.cos(angle), 0, 0, 0];
    q[i + 1] = Math.sin(angle);
    return q;
  }) as [Quat, Quat, Quat];
  return quatMultiply(qz, quatMultiply(qy, qx));
}

/** The angles of a rotation, degrees; where y is ±90° z is set to zero. */
export function eulerFromQuat(q: Quat): Vec3 {
  const [w, x, y, z] = q;
  const sinY = Math.max(-1, Math.min(1, 2 * (w * y - z * x)));
  if (Math.abs(sinY) > 1 - 1e-9) {
    return [(2 * Math.atan2(x, w)) / RAD, Math.sign(sinY) * 90, 0].map(wrapDegrees) as Vec3;
  }
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)) / RAD,
    Math.asin(sinY) / RAD,
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) / RAD,
  ];
}

/** The shortest rotation vector, rad. */
export function rotationVector(q: Quat): Vec3 {
  const sign = q[0] < 0 ? -1 : 1;
  const n = Math.hypot(q[1], q[2], q[3]);
  const scale = n < 1e-12 ? 2 * sign : (2 * sign * Math.atan2(n, Math.abs(q[0]))) / n;
  return [scale * q[1], scale * q[2], scale * q[3]];
}

/** The angle of a rotation, degrees. */
export function angleOf(q: Quat): number {
  return (2 * Math.atan2(Math.hypot(q[1], q[2], q[3]), Math.abs(q[0]))) / RAD;
}

function wrapDegrees(angle: number): number {
  return angle - 360 * Math.round(angle / 360);
}
