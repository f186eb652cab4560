"""A ball at the tip on a smooth surface: contact in one point.

The contact is a linear spring with a known stiffness, and the springs of the fixture compensate it,
so that both together have the configured stiffness and damping.
"""

from math import sqrt

import mujoco

from pliant.sim.fixture import FIXTURE
from pliant.sim.tip_contact import NoContact

BALL, TOP = "tip_ball", "surface"

TIP_RADIUS = 0.005

_TIMES = 5.0
_LEAST_STIFFNESS = 4e5
"""Stiffness of the contact: relative to the fixture, and at least, N/m."""

_REST = 0.1
"""1 − d of the contact, where d is its impedance."""

_DAMPED = 2.0
"""Damping ratio of the contact."""

_FRICTION_SOLREF = (0.1, 1.0)
"""Time constant and damping ratio of friction. MuJoCo counts μ·v/T of a sliding speed v as
acceleration out of the surface, so a tip that slides with a short time constant T bounces."""

_HOLDS_SIDEWAYS = 400.0
"""MuJoCo's ratio of frictional to normal impedance; the contact creeps 0.02 mm/s per N."""


def add_ball(tip: mujoco.MjsBody) -> None:
    """Add a ball whose foremost point is the TCP; it touches nothing but by a pair."""
    tip.add_geom(
        name=BALL,
        type=mujoco.mjtGeom.mjGEOM_SPHERE,
        size=[TIP_RADIUS, 0.0, 0.0],
        pos=[0.0, 0.0, -TIP_RADIUS],
        contype=0,
        conaffinity=0,
        rgba=[0.3, 0.3, 0.3, 1.0],
    )


def pair_with(spec: mujoco.MjSpec, surface: mujoco.MjsGeom, friction: float) -> None:
    """Let the ball touch a surface."""
    surface.name = TOP
    spec.add_pair(
        geomname1=BALL,
        geomname2=TOP,
        condim=3,
        friction=[friction, friction, 0.0, 0.0, 0.0],
        solreffriction=_FRICTION_SOLREF,
        solimp=(1.0 - _REST, 1.0 - _REST, 5e-5, 0.5, 2.0),
    )


class BallContact(NoContact):
    """The settled contact of the ball.

    With the time constant T, the damping ratio ζ and a constant impedance d a MuJoCo contact is a
    spring of 1/((T·ζ)²·(1 − d)·A) N/m with damping ratio ζ/√(1 − d), where A is the sum of the
    inverse masses that MuJoCo assigns to the two bodies. With less damping a tip would bounce.
    """

    def __init__(self, model: mujoco.MjModel, tip: int, stiffness: float, stiffest: float) -> None:
        """Settle contact and springs, so that both together are as configured.

        Args:
            model: The compiled model, with configured springs and dampers; it is changed.
            tip: Number of the body that touches.
            stiffness: The configured stiffness, N/m.
            stiffest: The largest stiffness that the fixture ever has, N/m.
        """
        super().__init__()
        self._stiffness = max(_TIMES * stiffest, _LEAST_STIFFNESS)
        fixture = model.body(FIXTURE).id
        inverse_mass = float(model.body_invweight0[[tip, fixture], 0].sum())
        damping_ratio = _DAMPED * sqrt(_REST)
        time_constant = 1.0 / (sqrt(_REST * inverse_mass * self._stiffness) * damping_ratio)
        model.pair_solref[0] = (time_constant, damping_ratio)
        model.opt.impratio = _HOLDS_SIDEWAYS
        # the contact's share of a slow motion of the tip; the springs have the rest
        share = stiffness / self._stiffness
        by_contact = 2.0 * _DAMPED * sqrt(self._stiffness / inverse_mass) * share**2
        for name in "xyz":
            joint = model.joint(f"{FIXTURE}_{name}")
            joint.damping[0] = (joint.damping[0] - by_contact) / (1.0 - share) ** 2
            joint.stiffness[0] = self.series(stiffness)

    def series(self, stiffness: float) -> float:
        """The stiffness of springs in series with the contact."""
        return stiffness / (1.0 - stiffness / self._stiffness)
