"""A ball at the tip on a smooth surface: contact in one point.

The contact is a linear spring with a known stiffness, and the springs of the fixture compensate it,
so that both together have the configured stiffness and damping.
"""

from math import sqrt

import mujoco
import numpy as np

from pliant.numerics.kernels import direct, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, norm3
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

_FRICTION_SOLREF = (0.01, 1.0)
"""Time constant T and damping ratio of friction. A tip that brakes harder than 2·v/T would be
pushed on by friction, not held back."""

_SLOWS = 2.0 / ((1.0 - _REST) * _FRICTION_SOLREF[0])
"""Acceleration by which MuJoCo's friction wants to slow a contact down, relative to its speed."""

_HOLDS_SIDEWAYS = 40.0
"""MuJoCo's ratio of frictional to normal impedance; the contact creeps 0.02 mm/s per N. A tip
that is held more stiffly would chatter where it sticks."""


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
    """The settled contact of the ball, with Coulomb's friction.

    With the time constant T, the damping ratio ζ and a constant impedance d a MuJoCo contact is a
    spring of 1/((T·ζ)²·(1 − d)·A) N/m with damping ratio ζ/√(1 − d), where A is the sum of the
    inverse masses that MuJoCo assigns to the two bodies. With less damping a tip would bounce.

    In MuJoCo a contact that slides with the velocity v is also pushed apart, as if it were
    μ·|dv/dt + _SLOWS·v| faster to separate. Under a light load it would lose touch and bounce,
    so that acceleration is taken off before each step is solved.
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
        self._ball, self._slid_W = model.geom(BALL).id, np.full(3, np.nan)
        self._friction = float(model.pair_friction[0, 0])
        # compiled here: at the first touch a tick would be late
        three = np.zeros(3)
        self._uncouple = direct(uncouple, three, 0, three, np.zeros(9), 0.0, 0.0, self._slid_W)
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

    def step(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """Advance the physics by one step."""
        mujoco.mj_step1(model, data)
        touched = False
        # iterating over the list itself would take longer than the physics
        for k in range(data.ncon):
            contact = data.contact[k]
            if self._ball in (contact.geom1, contact.geom2):
                row, frame, step = contact.efc_address, contact.frame, model.opt.timestep
                self._uncouple(
                    data.efc_aref, row, data.efc_vel, frame, self._friction, step, self._slid_W
                )
                touched = True
        if not touched:
            self._slid_W[:] = np.nan
        mujoco.mj_step2(model, data)

    def series(self, stiffness: float) -> float:
        """The stiffness of springs in series with the contact."""
        return stiffness / (1.0 - stiffness / self._stiffness)


@kernel
def uncouple(
    aref: Array,
    row: int,
    velocity: Array,
    frame: Array,
    friction: float,
    step: float,
    slid_W: Array,
) -> None:
    """Take off what MuJoCo is going to add along the normal of a contact that slides.

    Args:
        aref: In, out: MuJoCo's reference accelerations of all constraints.
        row: The normal's; the two tangents' follow it.
        velocity: MuJoCo's velocities of all constraints.
        frame: Normal and tangents in W, by rows.
        friction: Coefficient of friction.
        step: Physics step, s.
        slid_W: In, out: the sliding velocity one step ago, and now; NaN without contact.
    """
    pushed_W = scratch(3)
    for i in range(3):
        v = frame[3 + i] * velocity[row + 1] + frame[6 + i] * velocity[row + 2]
        # that of the last step is as good as that of this one, which is not solved yet
        acceleration = 0.0 if np.isnan(slid_W[i]) else (v - slid_W[i]) / step
        pushed_W[i] = acceleration + _SLOWS * v
        slid_W[i] = v
    aref[row] -= friction * norm3(pushed_W)
