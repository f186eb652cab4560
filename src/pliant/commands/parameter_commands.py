"""Commands that change or read parameters: gains, presets, any path of the configuration."""

from typing import Any

from pliant.commands.command import Command, argument
from pliant.laws.hybrid_admittance import PRESET_DOCS
from pliant.params import SixNonNegative, SixPositive


class GainCommand(Command):
    """Base of the commands that change parameters of laws."""

    changes_config = True

    @property
    def section(self) -> str:
        """The laws' section of the configuration."""
        return "laws"


class SetStiffness(GainCommand):
    """Change the stiffness of the hybrid admittance law."""

    word = "SET_STIFFNESS"
    aliases = ("STIFF",)
    stiffness: SixNonNegative = argument(
        "k0 k1 k2 k3 k4 k5", "N/m, N·m/rad", "K, axes of the tool."
    )


class SetDamping(GainCommand):
    """Change the explicit damping of the hybrid admittance law."""

    word = "SET_DAMPING"
    aliases = ("DAMP",)
    damping: SixNonNegative = argument(
        "d0 d1 d2 d3 d4 d5", "N·s/m, N·m·s/rad", "D, axes of the tool."
    )


class SetInertia(GainCommand):
    """Change the inertia of the hybrid admittance law."""

    word = "SET_INERTIA"
    aliases = ("INERT",)
    inertia: SixPositive = argument("m0 m1 m2 m3 m4 m5", "kg, kg·m²", "M, axes of the tool.")


class UsePreset(GainCommand):
    """Take the gains of a preset for the hybrid admittance law, or start a whole controller."""

    word = "USE_PRESET"
    aliases = ("PRESET",)
    moves = True
    name: str = argument(
        "name",
        "",
        f"Gains: {', '.join(PRESET_DOCS)}; on a torque arm also whole controllers, most of which "
        "move the arm: `pliant presets` lists them.",
    )


class SetParameter(Command):
    """Change a parameter of the configuration."""

    word = "SET"
    changes_config = True
    path: str = argument("path", "", "Where, as in laws.hybrid_admittance.stiffness.")
    value: Any = argument("value", "", "The new value, as YAML.")

    @property
    def section(self) -> str:
        """The section of the path."""
        return self.path.partition(".")[0]


class GetParameter(Command):
    """Read a parameter of the configuration."""

    word = "GET"
    asks = True
    anyone = True
    path: str = argument("path", "", "Where.")
