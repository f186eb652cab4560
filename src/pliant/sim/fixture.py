"""A fixture: a surface for contact, with the configured stiffness.

The stiffness of a MuJoCo contact cannot be set: it scales with the masses in contact. The fixture
is therefore a body of 1 kg on three springs of about the configured stiffness, and the contact is
much stiffer than the springs. The springs and dampers compensate the compliance of a contact in one
point, so that both together have the configured stiffness and damping.
"""

from math import sqrt

import mujoco
import numpy as np

from pliant.pose import PoseNumbers

FIXTURE = "fixture"

# Contact classes, bits of MuJoCo's contype and conaffinity.
SURFACE = 1
EDGE = 2

MASS = 1.0
DAMPING_RATIO = 0.3

CONTACT_SOLREF = (0.004, 1.0)
"""MuJoCo's time constant and damping ratio of a contact; twice the shortest it accepts."""

_RIGID, _WIDTH = 0.999, 0.00005
"""MuJoCo's impedance of a loaded contact of many points, and the depth at which it holds, m."""

_LEAST_RATIO = 9.0
_MANY_POINTS = 21.0

_TIMES = 5.0
_LEAST_STIFFNESS = 4e5
"""Stiffness of a contact in one point: relative to the fixture, and at least, N/m."""

_REST = 0.1
"""1 − d of a contact in one point, where d is its impedance."""

_DAMPED = 2.0
"""Damping ratio of a contact in one point."""

_HOLDS_SIDEWAYS = 20.0
"""MuJoCo's ratio of frictional to normal impedance there; the contact creeps 0.02 mm/s per N."""


def contact_solimp(stiffness: float, points: int) -> tuple[float, float, float, float, float]:
    """MuJoCo's impedance of a contact whose load is shared by about this many points.

    The initial stiffness of a contact is about 50·d/(1 − d) N/mm, where d is the first number.
    Together the contacts must be about 25 times as stiff as the fixture, so that its stiffness is
    accurate. A light contact that is too stiff, however, separates for single steps while it
    slides; so the more points share a load, the softer each must be initially. A single point is a
    linear spring, whose stiffness `settle_contact` sets.
    """
    if points == 1:
        return (1.0 - _REST, 1.0 - _REST, _WIDTH, 0.5, 2.0)
    ratio = max(_LEAST_RATIO, 0.5e-3 * stiffness) / _MANY_POINTS
    return (ratio / (1.0 + ratio), _RIGID, _WIDTH, 0.5, 2.0)


def settle_contact(model: mujoco.MjModel, tip: int, fixture: int) -> None:
    """Adjust a contact in one point and the springs, so that both together are as configured.

    With the time constant T, the damping ratio ζ and a constant impedance d a MuJoCo contact is a
    spring of 1/((T·ζ)²·(1 − d)·A) N/m with damping ratio ζ/√(1 − d), where A is the sum of the
    inverse masses that MuJoCo assigns to the two bodies. With less damping a tip would bounce; with
    much more, a tip that starts to slide would separate, because MuJoCo counts μ·v of a sliding
    speed v as speed out of the surface.

    Args:
        model: The compiled model, with configured springs and dampers; it is changed.
        tip: Number of the body that touches.
        fixture: Number of the fixture's body; unchanged if many points touch it.
    """
    geom = int(model.body_geomadr[fixture])
    if model.geom_solimp[geom, 0] != model.geom_solimp[geom, 1]:
        return
    joints = [model.joint(f"{FIXTURE}_{name}") for name in "xyz"]
    configured, damping = float(joints[0].stiffness[0]), float(joints[0].damping[0])
    contact = max(_TIMES * configured, _LEAST_STIFFNESS)
    inverse_mass = float(model.body_invweight0[[tip, fixture], 0].sum())
    damping_ratio = _DAMPED * sqrt(_REST)
    time_constant = 1.0 / (sqrt(_REST * inverse_mass * contact) * damping_ratio)
    model.geom_solref[geom] = (time_constant, damping_ratio)
    model.opt.impratio = _HOLDS_SIDEWAYS
    # the contact's share of a slow motion of the tip; the springs have the rest
    share = configured / contact
    by_contact = 2.0 * _DAMPED * sqrt(contact / inverse_mass) * share**2
    for joint in joints:
        joint.stiffness[0] = configured / (1.0 - share)
        joint.damping[0] = (damping - by_contact) / (1.0 - share) ** 2


class Fixture:
    """A body of 1 kg on three springs, with the shapes that can be touched."""

    def __init__(
        self,
        spec: mujoco.MjSpec,
        X_WH: PoseNumbers,
        *,
        stiffness: float,
        friction: float,
        points: int = 1,
    ) -> None:
        """Add the body at a pose, with equal springs in all directions and no shape yet.

        Args:
            spec: The world.
            X_WH: Pose of the fixture.
            stiffness: Stiffness of its surface, N/m.
            friction: Coefficient of friction of its surface.
            points: Approximate number of contact points.
        """
        self._friction = friction
        self._solimp = contact_solimp(stiffness, points)
        self._body = spec.worldbody.add_body(name=FIXTURE, pos=X_WH[:3], quat=X_WH[3:])
        self._body.explicitinertial = True
        self._body.mass = MASS
        self._body.inertia = [MASS, MASS, MASS]
        self._body.gravcomp = 1.0
        damping = 2.0 * DAMPING_RATIO * sqrt(stiffness * MASS)
        for axis, name in zip(np.eye(3), "xyz", strict=True):
            self._body.add_joint(
                name=f"{FIXTURE}_{name}",
                type=mujoco.mjtJoint.mjJNT_SLIDE,
                axis=axis,
                stiffness=stiffness,
                damping=damping,
            )

    def add_box(
        self,
        half_size: tuple[float, float, float],
        pos: tuple[float, float, float],
        quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
    ) -> None:
        """Add a box, in contact with tips."""
        geom = self._add_touchable(pos)
        geom.type = mujoco.mjtGeom.mjGEOM_BOX
        geom.size = half_size
        geom.quat = quat
        geom.conaffinity = SURFACE

    def add_sphere(self, radius: float, pos: tuple[float, float, float]) -> None:
        """Add a sphere of an edge, in contact with the sides of a peg."""
        geom = self._add_touchable(pos)
        geom.type = mujoco.mjtGeom.mjGEOM_SPHERE
        geom.size = [radius, 0.0, 0.0]
        geom.conaffinity = EDGE

    def _add_touchable(self, pos: tuple[float, float, float]) -> mujoco.MjsGeom:
        """A geom whose contact parameters are those of the fixture, for any partner."""
        return self._body.add_geom(
            pos=pos,
            contype=0,
            condim=3,
            priority=1,
            friction=[self._friction, 0.0, 0.0],
            solref=CONTACT_SOLREF,
            solimp=self._solimp,
            rgba=[0.75, 0.70, 0.62, 1.0],
        )
