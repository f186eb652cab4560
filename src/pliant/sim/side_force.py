"""The side force: how hard an edge is pressed in one direction.

The net force of a wedged peg is small, because the forces on its two sides cancel. The side force
of n contact forces fᵢ is the largest Σ max(0, fᵢ·u) over all directions u. It is the length of the
sum of those forces that point along this sum.
"""

import numpy as np

from pliant.numerics.kernels import kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, norm3
from pliant.tick_column import IntArray

_ROUNDS = 8
"""The set of forces along the direction is final after two or three."""


@kernel
def side_force(forces: Array, edges: IntArray, edge: int, count: int) -> float:
    """The side force of the contacts of one edge, N.

    Args:
        forces: Contact forces, one a row.
        edges: The edge of each.
        edge: The edge in question.
        count: How many rows count.
    """
    largest = 0.0
    u, total = scratch(3), scratch(3)
    for start in range(count):
        if edges[start] != edge:
            continue
        for i in range(3):
            u[i] = forces[start, i]
        length = 0.0
        for _ in range(_ROUNDS):
            total[:] = 0.0
            for k in range(count):
                along = forces[k, 0] * u[0] + forces[k, 1] * u[1] + forces[k, 2] * u[2]
                if edges[k] == edge and along > 0.0:
                    for i in range(3):
                        total[i] += forces[k, i]
            now = norm3(total)
            if now <= length:
                break
            length = now
            for i in range(3):
                u[i] = total[i]
        largest = max(largest, length)
    return largest


@kernel
def to_world(normal: Array, f: Array, out: Array) -> None:
    """Write a contact force given in MuJoCo's frame of a contact: normal, and two tangents."""
    y, z = scratch(3), scratch(3)
    y[0] = 0.0
    y[1] = 1.0 if abs(normal[1]) < 0.5 else 0.0
    y[2] = 1.0 - y[1]
    along = normal[1] * y[1] + normal[2] * y[2]
    for i in range(3):
        y[i] -= along * normal[i]
    length = norm3(y)
    for i in range(3):
        y[i] /= length
    z[0] = normal[1] * y[2] - normal[2] * y[1]
    z[1] = normal[2] * y[0] - normal[0] * y[2]
    z[2] = normal[0] * y[1] - normal[1] * y[0]
    for i in range(3):
        out[i] = f[0] * normal[i] + f[1] * y[i] + f[2] * z[i]


@kernel
def largest_side_force(
    normals_W: Array, edges: IntArray, count: int, efc_force: Array, out: Array
) -> None:
    """Write the largest side force of the three edges; the contacts are MuJoCo's last constraints.

    Args:
        normals_W: Normals of the contacts, one a row.
        edges: The edge of each.
        count: How many contacts there are.
        efc_force: MuJoCo's forces of all constraints, three a contact.
        out: Out: the side force, N.
    """
    forces = np.empty((count, 3))
    first = efc_force.size - 3 * count
    for k in range(count):
        to_world(normals_W[k], efc_force[first + 3 * k : first + 3 * k + 3], forces[k])
    out[0] = 0.0
    for edge in range(3):
        out[0] = max(out[0], side_force(forces, edges, edge, count))
