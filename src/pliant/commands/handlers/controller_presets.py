"""Whole controllers by name: a law, its gains, and the motion of its reference."""

from dataclasses import dataclass

from pliant import commands as c
from pliant.laws.cartesian_impedance import CartesianImpedanceConfig
from pliant.laws.gravity import GravityConfig
from pliant.laws.joint_space import (
    InverseDynamicsConfig,
    InverseDynamicsSimplifiedConfig,
    PdGravityConfig,
)
from pliant.laws.task_space_inverse_dynamics import TaskSpaceConfig
from pliant.params import Params


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A controller.

    Attributes:
        law: The law's name.
        gains: Its parameters.
        reference: The command that starts its motion; None holds.
    """

    law: str
    gains: Params
    reference: c.StartReference | None = None


CONTROLLERS: dict[str, Preset] = {
    "gravity": Preset(law="gravity", gains=GravityConfig()),
    "snake": Preset(law="inverse_dynamics", gains=InverseDynamicsConfig(), reference=c.Sinus()),
    "snake_simplified": Preset(
        law="inverse_dynamics_simplified",
        gains=InverseDynamicsSimplifiedConfig(),
        reference=c.Sinus(),
    ),
    "snake_pd": Preset(law="pd_gravity", gains=PdGravityConfig(), reference=c.Sinus()),
    "homing": Preset(
        law="inverse_dynamics", gains=InverseDynamicsConfig(), reference=c.Home(time=5.0)
    ),
    "cartesian": Preset(
        law="task_space_inverse_dynamics", gains=TaskSpaceConfig(), reference=c.Circle()
    ),
    "impedance": Preset(law="cartesian_impedance", gains=CartesianImpedanceConfig()),
    "colab": Preset(
        law="inverse_dynamics", gains=InverseDynamicsConfig(), reference=c.FollowHand()
    ),
    "playback": Preset(law="pd_gravity", gains=PdGravityConfig(), reference=c.Playback()),
}
"""Presets for arms with a torque interface."""
