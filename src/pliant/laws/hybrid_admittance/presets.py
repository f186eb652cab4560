"""Named sets of gains."""

from collections.abc import Iterable

from pliant.errors import UnknownNameError
from pliant.laws.hybrid_admittance.config import UNLIMITED, HybridConfig
from pliant.params import spread

PRESETS: dict[str, HybridConfig] = {
    "default": HybridConfig(),
    "stiff_surface": HybridConfig(damping=spread(3000.0, 40.0), inertia=spread(20.0, 0.5)),
    "hand_guiding": HybridConfig(damping=spread(60.0, 2.0), inertia=spread(3.0, 0.05)),
    "force_control_demo": HybridConfig(
        stiffness=spread(100.0, 1.0),
        damping=spread(2.0, 0.2),
        inertia=spread(5.0, 0.005),
        max_spring_force=50.0,
        max_spring_torque=4.0,
        wrench_rate=UNLIMITED,
        gain_ramp=0.0,
        max_speed=UNLIMITED,
        max_acceleration=UNLIMITED,
        integration="first_order",
    ),
    "light": HybridConfig(damping=spread(50.0, 2.0), inertia=spread(2.0, 0.05)),
    "adaptive": HybridConfig(damping_mode="adaptive"),
}

"""Gains by name."""

PRESET_DOCS: dict[str, str] = {
    "default": "Well damped on surfaces of up to about 10 N/mm through 34 ms of lag.",
    "stiff_surface": "For surfaces of up to about 100 N/mm, at the price of a slower approach.",
    "hand_guiding": "For guiding by hand in free space; far too little damping for hard contact.",
    "force_control_demo": "The documented values of the program force_control_demo, with its "
    "integration step, no ramps and no limits; they ring (damping ratio 0.045): for comparison.",
    "light": "A light start value with little damping; with servo lag it oscillates on hard "
    "surfaces.",
    "adaptive": "Damping, inertia and speed of force-controlled translations follow from the "
    "estimated lag and stiffness: pressing on anything up to about 100 N/mm with one set.",
}
"""What each of them is for. Gains alone do not move the arm."""


def preset(name: str, others: Iterable[str] = ()) -> HybridConfig:
    """The gains of a preset.

    Args:
        name: Its name.
        others: Further valid names for the error message.

    Raises:
        UnknownNameError: There is no such preset; the error lists the valid names.
    """
    if name not in PRESETS:
        raise UnknownNameError("preset", name, [*sorted(PRESETS), *others])
    return PRESETS[name]
