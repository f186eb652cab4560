"""The torque laws of an arm; a position arm has none."""

from collections.abc import Sequence

from pliant.arms.arm_model import ArmModel
from pliant.arms.description import ArmDescription
from pliant.config import Config
from pliant.errors import ConfigError
from pliant.laws import TORQUE_LAWS, Law, TorqueLaw


def torque_laws(config: Config, arm: ArmModel) -> list[Law]:
    """Pliant's own torque laws; none for a position arm."""
    if not arm.description.takes_torque:
        return []
    return [law(getattr(config.laws, law.name), arm) for law in TORQUE_LAWS]


def refuse_torque_laws(laws: Sequence[Law], arm: ArmDescription) -> None:
    """Refuse torque laws for a position arm.

    Raises:
        ConfigError: There is one.
    """
    for law in laws:
        if isinstance(law, TorqueLaw) and not arm.takes_torque:
            raise ConfigError(
                f"law {law.name} commands joint torques, but {arm.name} accepts only positions"
            )
