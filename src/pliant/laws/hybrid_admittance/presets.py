"""Named sets of gains."""

from collections.abc import Iterable

from pliant.errors import UnknownNameError
from pliant.laws.hybrid_admittance.config import UNLIMITED, HybridConfig
from pliant.params import spread

PRESETS: dict[str, HybridConfig] = {
    "default": HybridConfig(),
    # On surfaces of up to about 100 N/mm, at the price of a slower approach.
    "stiff_surface": HybridConfig(damping=spread(3000.0, 40.0), inertia=spread(20.0, 0.5)),
    # Led by hand in free space; far too little damping for contact with anything hard.
    "hand_guiding": HybridConfig(damping=spread(60.0, 2.0), inertia=spread(3.0, 0.05)),
    # The values documented for the controller that Pliant grew from, with its step: no ramps, no
    # limits. The damping ratio is 0.045, so it rings; here to compare, not to use.
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
    # The start values of the admittance tutorial; they limit-cycle on anything hard through lag.
    "light": HybridConfig(damping=spread(50.0, 2.0), inertia=spread(2.0, 0.05)),
}


def preset(name: str, others: Iterable[str] = ()) -> HybridConfig:
    """The gains of a preset.

    Args:
        name: Its name.
        others: Names that are valid elsewhere, for the error.

    Raises:
        UnknownNameError: There is no such preset; the error lists those there are.
    """
    if name not in PRESETS:
        raise UnknownNameError("preset", name, [*sorted(PRESETS), *others])
    return PRESETS[name]
