"""A fixture: a body on springs, with the surface that the tool touches.

The stiffness of a MuJoCo contact cannot be set: it scales with the masses in contact. The fixture
is therefore a body of 1 kg on three springs of about the configured stiffness, and the contact is
much stiffer than the springs.
"""

from math import sqrt

import mujoco
import numpy as np

from pliant.pose import PoseNumbers

FIXTURE = "fixture"

SURFACE = 1
"""Contact class of what the links of the arm can hit, a bit of MuJoCo's conaffinity."""

MASS = 1.0
DAMPING_RATIO = 0.3

_INERTIA = 2e-3
"""Moments of inertia, kg·m²: those of a block of 1 kg and the size of a fist."""

_RIGID_INERTIA = 1.0
_LINK_SOLREF = (0.004, 1.0)


class Fixture:
    """A body of 1 kg on three springs, and on three torsion springs if it can turn."""

    def __init__(
        self,
        spec: mujoco.MjSpec,
        X_WH: PoseNumbers,
        *,
        stiffness: float,
        rotational_stiffness: float = 0.0,
    ) -> None:
        """Add the body at a pose, with equal springs in all directions and no shape yet.

        Args:
            spec: The world.
            X_WH: Pose of the fixture; it turns about its origin.
            stiffness: Stiffness of its springs, N/m.
            rotational_stiffness: Stiffness of its torsion springs, N·m/rad; 0: it cannot turn.
        """
        self.body = spec.worldbody.add_body(name=FIXTURE, pos=X_WH[:3], quat=X_WH[3:])
        self.body.explicitinertial = True
        self.body.mass = MASS
        self.body.inertia = [_INERTIA if rotational_stiffness else _RIGID_INERTIA] * 3
        # by default this would be the body's position in the world
        self.body.ipos = [0.0, 0.0, 0.0]
        self.body.gravcomp = 1.0
        self._add_springs("", mujoco.mjtJoint.mjJNT_SLIDE, stiffness, MASS)
        if rotational_stiffness:
            self._add_springs("r", mujoco.mjtJoint.mjJNT_HINGE, rotational_stiffness, _INERTIA)

    def _add_springs(
        self, prefix: str, kind: mujoco.mjtJoint, stiffness: float, inertia: float
    ) -> None:
        for axis, name in zip(np.eye(3), "xyz", strict=True):
            self.body.add_joint(
                name=f"{FIXTURE}_{prefix}{name}",
                type=kind,
                axis=axis,
                stiffness=stiffness,
                damping=2.0 * DAMPING_RATIO * sqrt(stiffness * inertia),
            )

    def add_box(
        self, half_size: tuple[float, float, float], pos: tuple[float, float, float]
    ) -> mujoco.MjsGeom:
        """Add a box that the arm can hit."""
        geom = self._add_shape(pos)
        geom.type = mujoco.mjtGeom.mjGEOM_BOX
        geom.size = half_size
        return geom

    def add_ball(self, radius: float, pos: tuple[float, float, float]) -> mujoco.MjsGeom:
        """Add a ball that nothing touches but by a pair: a large one would contain the arm."""
        geom = self._add_shape(pos)
        geom.conaffinity = 0
        geom.type = mujoco.mjtGeom.mjGEOM_SPHERE
        geom.size = [radius, 0.0, 0.0]
        return geom

    def _add_shape(self, pos: tuple[float, float, float]) -> mujoco.MjsGeom:
        return self.body.add_geom(
            pos=pos,
            contype=0,
            conaffinity=SURFACE,
            condim=3,
            priority=1,
            solref=_LINK_SOLREF,
            rgba=[0.75, 0.70, 0.62, 1.0],
        )


class Springs:
    """The springs of a compiled fixture: their stiffness can change under load."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        joints = [model.joint(f"{FIXTURE}_{name}") for name in "xyz"]
        self._joints = [int(joint.id) for joint in joints]
        self._model, self._data = model, data

    @property
    def stiffness(self) -> float:
        """Stiffness of the springs, N/m."""
        return float(self._model.jnt_stiffness[self._joints[0]])

    def change(self, stiffness: float) -> None:
        """Give the springs another stiffness without a jump of force, as if a layer ended."""
        model = self._model
        share = self.stiffness / stiffness
        for joint in self._joints:
            q, dof = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            stretch = self._data.qpos[q] - model.qpos_spring[q]
            model.qpos_spring[q] = self._data.qpos[q] - share * stretch
            model.jnt_stiffness[joint] = stiffness
            model.dof_damping[dof] /= sqrt(share)
