"""The dynamics stage, of torque arms only: mass matrix, Coriolis and gravity torques, J̇·q̇.

Twists v, accelerations a and forces f of all links are about the origin of W, so nothing needs to
be transformed from link to link (R. Featherstone, "Rigid Body Dynamics Algorithms", 2008). With
the unit twist sⱼ of each joint, from the base to the tool and with q̈ = 0:

    vⱼ = vⱼ₋₁ + sⱼ·q̇ⱼ,    aⱼ = aⱼ₋₁ + vⱼ × sⱼ·q̇ⱼ,    fⱼ = Iⱼ·aⱼ + vⱼ ×* Iⱼ·vⱼ

and back, with inertia I and force f summed over the links that follow joint j:

    Mᵢⱼ = sᵢ·I·sⱼ for i ≤ j,    cⱼ = sⱼ·f,    gⱼ = −sⱼ·(I·gravity)

Pinocchio computes the same, but five calls from Python after a control period of sleep load so much
code and memory that they take longer than all other stages together.
"""

from pliant.arms.chain import transformed
from pliant.arms.links import INERTIA, Links, link_inertia, momentum, pass_joint
from pliant.numerics.kernels import Row, kernel
from pliant.numerics.scratch import scratch, scratch_matrix
from pliant.numerics.spatial import Array, cross, force_cross, motion_cross, power
from pliant.params import Params, param
from pliant.tick import MOST_JOINTS, Tick


class ModelConfig(Params):
    """Accuracy of the dynamic model; fixed while the arm runs."""

    mass_scale: float = param(
        1.0,
        "1",
        "Factor on the link masses in the model of the torque laws, not in the simulated arm.",
        ge=0.5,
        le=2.0,
    )


@kernel
def dynamics_kernel(prev: Row[Tick], tick: Row[Tick], p: Row[Links]) -> None:
    """Write all dynamics columns of one tick."""
    t = tick[0]
    s = scratch_matrix(MOST_JOINTS, 6)
    inertia, f = scratch_matrix(MOST_JOINTS, INERTIA), scratch_matrix(MOST_JOINTS, 6)
    _outward(t.q, t.qd, p, s, inertia, f, t.a_bias_W)
    _inward(p, s, inertia, f, t.M, t.c, t.g)


@kernel
def _outward(
    q: Array, qd: Array, links: Row[Links], s: Array, inertia: Array, f: Array, a_bias_W: Array
) -> None:
    """From the base to the tool: write twists, inertias and forces of all links, and J̇·q̇.

    Args:
        q: Joint positions, rad.
        qd: Joint velocities, rad/s.
        links: The arm.
        s: Out: unit twist of each joint.
        inertia: Out: spatial inertia of each link.
        f: Out: force that each link needs if no joint accelerates.
        a_bias_W: Out: classical acceleration of the tool at the TCP then.
    """
    chain = links[0].chain[:]
    R, p, point, step = scratch_matrix(3, 3), scratch(3), scratch(3), scratch(6)
    v, a, h = scratch(6), scratch(6), scratch(6)
    for i in range(3):
        p[i] = 0.0
        for k in range(3):
            R[i, k] = 1.0 if i == k else 0.0
    v[:] = 0.0
    a[:] = 0.0
    for j in range(q.shape[0]):
        pass_joint(chain, j, q[j], R, p, point, s[j, 3:])
        cross(point, s[j, 3:], s[j, :3])
        motion_cross(v, s[j], step)
        for i in range(6):
            a[i] += step[i] * qd[j]
            v[i] += s[j, i] * qd[j]
        link_inertia(links, j, R, p, inertia[j])
        momentum(inertia[j], v, h)
        force_cross(v, h, step)
        momentum(inertia[j], a, f[j])
        for i in range(6):
            f[j, i] += step[i]
    for i in range(3):
        point[i] = transformed(R, p, chain[0].p_WT, i)
    _at_point(v, a, point, a_bias_W)


@kernel
def _at_point(v: Array, a: Array, point: Array, out: Array) -> None:
    """Write the classical acceleration of a point of a body: a + α × p + ω × (v + ω × p)."""
    velocity, turned = scratch(3), scratch(3)
    cross(v[3:], point, velocity)
    for i in range(3):
        velocity[i] += v[i]
    cross(a[3:], point, turned)
    cross(v[3:], velocity, velocity)
    for i in range(3):
        out[i] = a[i] + turned[i] + velocity[i]
        out[3 + i] = a[3 + i]


@kernel
def _inward(
    links: Row[Links], s: Array, inertia: Array, f: Array, M: Array, c: Array, g: Array
) -> None:
    """From the tool to the base: sum up inertias and forces, and project them on the joints.

    Args:
        links: The arm.
        s: Unit twist of each joint.
        inertia: Spatial inertia of each link; becomes that of all links that follow.
        f: Force that each link needs; becomes that of all links that follow.
        M: Out: mass matrix.
        c: Out: Coriolis and centrifugal torques.
        g: Out: gravity torques.
    """
    n = c.shape[0]
    fall, h = scratch(6), scratch(6)
    fall[:3] = links[0].gravity
    fall[3:] = 0.0
    for j in range(n - 1, -1, -1):
        if j < n - 1:
            for i in range(INERTIA):
                inertia[j, i] += inertia[j + 1, i]
            for i in range(6):
                f[j, i] += f[j + 1, i]
        c[j] = power(s[j], f[j])
        momentum(inertia[j], fall, h)
        g[j] = -power(s[j], h)
        momentum(inertia[j], s[j], h)
        for i in range(j + 1):
            M[i, j] = M[j, i] = power(s[i], h)
        M[j, j] += links[0].armature[j]
