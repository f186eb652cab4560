"""The tool at the flange: mass, centre point, and pose of the wrist sensor."""

from math import cos, pi, sin

from pydantic import model_validator

from pliant.params import Params, Positive, Vector3, param
from pliant.pose import PoseNumbers


class Tool(Params):
    """Everything on the flange F beyond the sensor's measuring plane.

    The default is a small gripper with a peg. Its sensor is rotated about z and its centre of mass
    is off the axis, as on real arms, so that a wrong frame becomes visible.
    """

    mass: Positive = param(0.5, "kg", "Mass.", le=20.0)
    com_F: Vector3 = param((0.003, -0.002, 0.06), "m", "Centre of mass in F.")
    inertia: tuple[Positive, Positive, Positive] = param(
        (6e-4, 6e-4, 3e-4),
        "kg·m²",
        "Moments of inertia about the centre of mass, along the axes of F.",
    )
    X_FT: PoseNumbers = param(
        (0.0, 0.0, 0.16, 1.0, 0.0, 0.0, 0.0),
        "m, 1",
        "Pose of the tool centre point T in F: x y z qw qx qy qz.",
    )
    X_FS: PoseNumbers = param(
        (0.0, 0.0, 0.02, cos(pi / 12), 0.0, 0.0, sin(pi / 12)),
        "m, 1",
        "Pose of the wrist sensor S in F: x y z qw qx qy qz.",
    )

    @model_validator(mode="after")
    def _inertia_of_a_body(self) -> "Tool":
        if 2.0 * max(self.inertia) > sum(self.inertia):
            raise ValueError(
                f"inertia: {self.inertia} is not physical: one moment exceeds the sum of the others"
            )
        return self
