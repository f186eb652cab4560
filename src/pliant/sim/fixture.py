"""A fixture: something to touch, with the stiffness it claims.

MuJoCo's contacts have no stiffness of their own that one could set: it scales with the masses
that touch. So the fixture is a body of 1 kg on three springs of the asked stiffness, and the
contact is made much stiffer than those.
"""

from math import sqrt

import mujoco
import numpy as np

from pliant.arms.tool import Pose

FIXTURE = "fixture"

# Contact classes, bits of MuJoCo's contype and conaffinity.
SURFACE = 1
EDGE = 2

MASS = 1.0
DAMPING_RATIO = 0.3

CONTACT_SOLREF = (0.004, 1.0)
"""MuJoCo's time constant and damping ratio of a contact; twice the shortest it accepts."""


def contact_solimp(points: int) -> tuple[float, float, float, float, float]:
    """MuJoCo's impedance of a contact whose load is shared by about so many points.

    It ends near 1, so that the contact takes only a few per cent of the deflection at 100 N/mm. It
    begins lower, because a light contact as hard as that loses touch for single steps while it
    slides; and the lower, the more points add up.
    """
    start = 0.9 if points == 1 else 0.3
    return (start, 0.999, 0.00005, 0.5, 2.0)


def add_fixture(spec: mujoco.MjSpec, X_WH: Pose, stiffness: float) -> mujoco.MjsBody:
    """Add the moving body at a pose, sprung alike in all directions; it has no shape yet."""
    body = spec.worldbody.add_body(name=FIXTURE, pos=X_WH[:3], quat=X_WH[3:])
    body.explicitinertial = True
    body.mass = MASS
    body.inertia = [MASS, MASS, MASS]
    body.gravcomp = 1.0
    damping = 2.0 * DAMPING_RATIO * sqrt(stiffness * MASS)
    for axis, name in zip(np.eye(3), "xyz", strict=True):
        body.add_joint(
            name=f"{FIXTURE}_{name}",
            type=mujoco.mjtJoint.mjJNT_SLIDE,
            axis=axis,
            stiffness=stiffness,
            damping=damping,
        )
    return body


def add_box(
    body: mujoco.MjsBody,
    half_size: tuple[float, float, float],
    pos: tuple[float, float, float],
    friction: float,
    quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
    points: int = 1,
) -> None:
    """Add a box to the fixture, for tips to touch at about so many points."""
    geom = _add_touchable(body, pos, friction, points)
    geom.type = mujoco.mjtGeom.mjGEOM_BOX
    geom.size = half_size
    geom.quat = quat
    geom.conaffinity = SURFACE


def add_sphere(
    body: mujoco.MjsBody,
    radius: float,
    pos: tuple[float, float, float],
    friction: float,
    points: int,
) -> None:
    """Add a sphere to an edge of the fixture, for sides to touch at about so many points."""
    geom = _add_touchable(body, pos, friction, points)
    geom.type = mujoco.mjtGeom.mjGEOM_SPHERE
    geom.size = [radius, 0.0, 0.0]
    geom.conaffinity = EDGE


def _add_touchable(
    body: mujoco.MjsBody, pos: tuple[float, float, float], friction: float, points: int
) -> mujoco.MjsGeom:
    """A geom whose contact is as the fixture says, whatever touches it."""
    return body.add_geom(
        pos=pos,
        contype=0,
        condim=3,
        priority=1,
        friction=[friction, 0.0, 0.0],
        solref=CONTACT_SOLREF,
        solimp=contact_solimp(points),
        rgba=[0.75, 0.70, 0.62, 1.0],
    )
