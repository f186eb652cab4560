"""A fixture: something to touch, with the stiffness it claims.

MuJoCo's contacts have no stiffness of their own that one could set: it scales with the masses
that touch. So the fixture is a body of 1 kg on three springs of about the asked stiffness, and the
contact is made much stiffer than those. What a contact in one point gives way all the same is made
up for by springs and dampers, so that both together measure as asked.
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

_RIGID, _WIDTH = 0.999, 0.00005
"""MuJoCo's impedance of a loaded contact of many points, and how deep it must be for that, m."""

_LEAST_RATIO = 9.0
_MANY_POINTS = 21.0

_TIMES = 5.0
_LEAST_STIFFNESS = 4e5
"""How stiff a contact in one point is: in stiffnesses of the fixture, and at least, N/m."""

_REST = 0.1
"""1 − d of such a contact, d its impedance."""

_DAMPED = 2.0
"""Its damping ratio."""

_HOLDS_SIDEWAYS = 20.0
"""How much better friction holds such a contact than it is damped; it creeps 0.02 mm/s per N."""


def contact_solimp(stiffness: float, points: int) -> tuple[float, float, float, float, float]:
    """MuJoCo's impedance of a contact whose load is shared by about so many points.

    A contact has about 50·d/(1 − d) N/mm at its beginning, d the first figure. Together they must
    be some 25 times as stiff as the fixture, for it to measure what it claims; but a light contact
    that is much stiffer than needed loses touch for single steps while it slides, and so the more
    points share a load, the softer each must be at first. One point by itself is a plain spring,
    which `settle_contact` makes as stiff as it should be.
    """
    if points == 1:
        return (1.0 - _REST, 1.0 - _REST, _WIDTH, 0.5, 2.0)
    ratio = max(_LEAST_RATIO, 0.5e-3 * stiffness) / _MANY_POINTS
    return (ratio / (1.0 + ratio), _RIGID, _WIDTH, 0.5, 2.0)


def settle_contact(model: mujoco.MjModel, tip: int, fixture: int) -> None:
    """Let contact in one point and springs be together what was asked of a fixture.

    With a time constant T, a damping ratio ζ and a constant impedance d MuJoCo's contact is a
    spring of 1/((T·ζ)²·(1 − d)·A) N/m, damped with ζ/√(1 − d), A being the sum of the inverse
    masses that it reckons the two bodies to have. With less damping a tip would bounce; with much
    more, one that begins to slide would lose touch, because MuJoCo counts μ·v of a sliding speed v
    as speed out of the surface.

    Args:
        model: The compiled model, with springs and dampers as asked; it is changed.
        tip: Number of the body that touches.
        fixture: Number of the fixture's body; left alone where many points touch.
    """
    geom = int(model.body_geomadr[fixture])
    if model.geom_solimp[geom, 0] != model.geom_solimp[geom, 1]:
        return
    joints = [model.joint(f"{FIXTURE}_{name}") for name in "xyz"]
    asked, damping = float(joints[0].stiffness[0]), float(joints[0].damping[0])
    contact = max(_TIMES * asked, _LEAST_STIFFNESS)
    inverse_mass = float(model.body_invweight0[[tip, fixture], 0].sum())
    damping_ratio = _DAMPED * sqrt(_REST)
    time_constant = 1.0 / (sqrt(_REST * inverse_mass * contact) * damping_ratio)
    model.geom_solref[geom] = (time_constant, damping_ratio)
    model.opt.impratio = _HOLDS_SIDEWAYS
    # of a slow motion of the tip the contact takes this share, and the springs the rest
    share = asked / contact
    by_contact = 2.0 * _DAMPED * sqrt(contact / inverse_mass) * share**2
    for joint in joints:
        joint.stiffness[0] = asked / (1.0 - share)
        joint.damping[0] = (damping - by_contact) / (1.0 - share) ** 2


class Fixture:
    """A body of 1 kg on three springs, and the shapes of it that can be touched."""

    def __init__(
        self,
        spec: mujoco.MjSpec,
        X_WH: Pose,
        *,
        stiffness: float,
        friction: float,
        points: int = 1,
    ) -> None:
        """Add the body at a pose, sprung alike in all directions; it has no shape yet.

        Args:
            spec: The world.
            X_WH: Where it is.
            stiffness: Of its surface, N/m.
            friction: Coefficient of friction of its surface.
            points: About how many points of a tool touch it at once.
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
        """Add a box, for tips to touch."""
        geom = self._add_touchable(pos)
        geom.type = mujoco.mjtGeom.mjGEOM_BOX
        geom.size = half_size
        geom.quat = quat
        geom.conaffinity = SURFACE

    def add_sphere(self, radius: float, pos: tuple[float, float, float]) -> None:
        """Add a sphere to an edge, for sides to touch."""
        geom = self._add_touchable(pos)
        geom.type = mujoco.mjtGeom.mjGEOM_SPHERE
        geom.size = [radius, 0.0, 0.0]
        geom.conaffinity = EDGE

    def _add_touchable(self, pos: tuple[float, float, float]) -> mujoco.MjsGeom:
        """A geom whose contact is as the fixture says, whatever touches it."""
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
