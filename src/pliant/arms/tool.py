"""The tool at the flange: its mass, its tip, and the sensor that carries it."""

from math import cos, pi, sin, sqrt
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

Vector3 = tuple[float, float, float]


def _unit_quaternion(
    pose: tuple[float, float, float, float, float, float, float],
) -> tuple[float, float, float, float, float, float, float]:
    norm = sqrt(sum(c * c for c in pose[3:]))
    if abs(norm - 1.0) > 1e-6:
        raise ValueError(f"the quaternion (last four numbers, w first) has norm {norm:g}, not 1")
    return pose


Pose = Annotated[
    tuple[float, float, float, float, float, float, float], AfterValidator(_unit_quaternion)
]
"""(x, y, z, qw, qx, qy, qz) in metres, unit quaternion."""


class Tool(BaseModel):
    """What is mounted on the flange F, beyond the sensor's measuring plane.

    The default is a small gripper holding a peg. Its sensor is turned about z and its centre of
    mass is off the axis, as on real arms, so that a mistaken frame shows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    mass: float = Field(default=0.5, gt=0.0, le=20.0, description="Mass, kg.")
    com_F: Vector3 = Field(default=(0.003, -0.002, 0.06), description="Centre of mass in F, m.")
    inertia: Vector3 = Field(
        default=(6e-4, 6e-4, 3e-4),
        description="Moments of inertia about the centre of mass, along the axes of F, kg·m².",
    )
    X_FT: Pose = Field(
        default=(0.0, 0.0, 0.16, 1.0, 0.0, 0.0, 0.0),
        description="Pose of the tool centre point T in F: x y z qw qx qy qz, m.",
    )
    X_FS: Pose = Field(
        default=(0.0, 0.0, 0.02, cos(pi / 12), 0.0, 0.0, sin(pi / 12)),
        description="Pose of the wrist sensor S in F: x y z qw qx qy qz, m.",
    )
