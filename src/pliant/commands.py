"""The commands: what a client may ask of a running arm.

Each is a frozen model whose fields carry units and meaning. The supervisor decides on them; what
is refused changes nothing.
"""

from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field, model_validator

from pliant.arms.tool import Pose
from pliant.params import Frame, Params, Positive, Six


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


PoseValues = Annotated[Pose, BeforeValidator(_plain)]
Matrix6 = Annotated[tuple[Six, Six, Six, Six, Six, Six], BeforeValidator(_plain)]
Mask = Annotated[tuple[bool, bool, bool, bool, bool, bool], BeforeValidator(_plain)]

_UNIT_TOLERANCE = 1e-6


class Command(Params):
    """Base of all commands."""


class SetWrench(Command):
    """Set the wrench to be sensed along force-controlled axes."""

    wrench: Six = Field(description="Fx Fy Fz Tx Ty Tz on the tool, N and N·m.")
    frame: Frame = Field("tool", description="Its axes; it acts at the TCP either way.")


class SetAxes(Command):
    """Choose the force-controlled axes, by a mask or by the rows of an orthonormal matrix."""

    mask: Mask | None = Field(
        default=None, description="Force-controlled axes of the tool, x y z rx ry rz."
    )
    Tr: Matrix6 | None = Field(
        default=None, description="Rows are axes, force-controlled ones first."
    )
    n_af: int = Field(
        default=0, ge=0, le=6, description="How many rows of Tr are force-controlled."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> "SetAxes":
        if (self.mask is None) == (self.Tr is None):
            raise ValueError("give either a mask or Tr with n_af")
        if self.Tr is not None:
            Tr = np.array(self.Tr)
            off = float(np.abs(Tr @ Tr.T - np.eye(6)).max())
            if off > _UNIT_TOLERANCE:
                raise ValueError(f"Tr is not orthonormal: Tr·Trᵀ differs from 1 by {off:.2g}")
        return self


class MoveTo(Command):
    """Send the reference to a pose in the world."""

    pose: PoseValues = Field(description="x y z qw qx qy qz, m; the quaternion is unit.")


class MoveBy(Command):
    """Move the reference by a translation and a rotation vector."""

    delta: Six = Field(description="dx dy dz, m, and a rotation vector, rad.")
    frame: Frame = Field("world", description="Axes of both; the tool turns about the TCP.")


class Jog(Command):
    """Move the reference with a velocity until the command goes stale."""

    twist: Six = Field(description="vx vy vz, m/s, and wx wy wz, rad/s.")
    frame: Frame = Field("world", description="Axes of both.")
    timeout: Positive = Field(0.2, le=2.0, description="When the velocity returns to zero, s.")


class Hold(Command):
    """Stop the reference where it is."""


class Zero(Command):
    """Zero the force sensor with the tool free."""


class Activate(Command):
    """Put a law in charge."""

    law: str = Field(description="Name of the law.")


class Deactivate(Command):
    """End the active law: force targets go to zero, then the arm holds."""


class Reset(Command):
    """Leave a fault whose cause is gone; the arm holds, no law is active."""


class SetParameter(Command):
    """Change a parameter of the configuration."""

    path: str = Field(description="Where, as in laws.hybrid_admittance.stiffness.")
    value: Any = Field(description="The new value.")


class UsePreset(Command):
    """Take the gains of a preset for the hybrid admittance law."""

    name: str = Field(description="Name of the preset.")


AnyCommand = (
    SetWrench
    | SetAxes
    | MoveTo
    | MoveBy
    | Jog
    | Hold
    | Zero
    | Activate
    | Deactivate
    | Reset
    | SetParameter
    | UsePreset
)
