"""Whole controllers by name: a law, its gains, and the motion of its reference."""

from dataclasses import dataclass

from pliant import commands as c
from pliant.laws.cartesian_impedance import CartesianImpedanceConfig
from pliant.laws.gravity import GravityConfig
from pliant.laws.hybrid_admittance import PRESET_DOCS
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
        doc: What it does.
        reference: The command that starts its motion; None holds.
    """

    law: str
    doc: str
    gains: Params
    reference: c.StartReference | None = None

    @property
    def moves(self) -> bool:
        """Whether it sets the arm in motion by itself."""
        return self.reference is not None


CONTROLLERS: dict[str, Preset] = {
    "gravity": Preset(
        law="gravity",
        gains=GravityConfig(),
        doc="The arm floats and can be pushed anywhere.",
    ),
    "snake": Preset(
        law="inverse_dynamics",
        gains=InverseDynamicsConfig(),
        reference=c.Sinus(),
        doc="All joints swing by reference.sinus, with computed torque.",
    ),
    "snake_simplified": Preset(
        law="inverse_dynamics_simplified",
        gains=InverseDynamicsSimplifiedConfig(),
        reference=c.Sinus(),
        doc="All joints swing by reference.sinus, without the coupling between them.",
    ),
    "snake_pd": Preset(
        law="pd_gravity",
        gains=PdGravityConfig(),
        reference=c.Sinus(),
        doc="All joints swing by reference.sinus, each with a spring and a damper.",
    ),
    "homing": Preset(
        law="inverse_dynamics",
        gains=InverseDynamicsConfig(),
        reference=c.Home(time=5.0),
        doc="The joints go to the arm's home in 5 s.",
    ),
    "cartesian": Preset(
        law="task_space_inverse_dynamics",
        gains=TaskSpaceConfig(),
        reference=c.Circle(),
        doc="The tool goes round reference.circle within hard limits.",
    ),
    "impedance": Preset(
        law="cartesian_impedance",
        gains=CartesianImpedanceConfig(),
        doc="The tool holds its place like a spring.",
    ),
    "colab": Preset(
        law="inverse_dynamics",
        gains=InverseDynamicsConfig(),
        reference=c.FollowHand(),
        doc="The tool goes where a hand pushes it, by reference.follow_hand.",
    ),
    "playback": Preset(
        law="pd_gravity",
        gains=PdGravityConfig(),
        reference=c.Playback(),
        doc="The joints replay the motion of reference.playback.file.",
    ),
}
"""Whole controllers, for arms with a torque interface."""


def preset_docs(takes_torque: bool) -> dict[str, str]:
    """What the presets of an arm do: first those of gains, then whole controllers."""
    if not takes_torque:
        return PRESET_DOCS
    return PRESET_DOCS | {
        name: f"{preset.doc} {_MOVES if preset.moves else _HOLDS}"
        for name, preset in CONTROLLERS.items()
    }


_MOVES = "It moves the arm."
_HOLDS = "It does not move the arm by itself."
