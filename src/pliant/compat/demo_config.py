"""Translates configuration files of the force-control demo."""

from math import inf
from typing import Any

from pliant.errors import ConfigError
from pliant.laws.hybrid_admittance import preset

_TOP = {
    "dt",
    "compliance6d",
    "max_spring_force_magnitude",
    "max_spring_torque_magnitude",
    "direct_force_control_gains",
    "direct_force_control_I_limit",
}
_COMPLIANCE = ("stiffness", "damping", "inertia", "stiction")
_WRAPPER = "admittance_controller"
_DEFAULT_DT = 0.002


def is_force_control_demo(values: dict[str, Any]) -> bool:
    """Whether a mapping has that program's keys."""
    return bool(_TOP & set(values)) or _WRAPPER in values


def from_force_control_demo(values: dict[str, Any]) -> dict[str, Any]:
    """The same settings as a Pliant configuration, on top of the preset `force_control_demo`.

    Its PID gains are per tick; ours are per second, so they are scaled by its dt. A spring cap that
    is not positive means none.

    Raises:
        ConfigError: The file has keys that are not known, or values that are not numbers.
    """
    try:
        return _translate(values.get(_WRAPPER, values))
    except (AttributeError, TypeError, ValueError, ZeroDivisionError) as error:
        raise ConfigError(
            f"invalid value in the force-control demo's config file: {error}"
        ) from None


def _translate(values: dict[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(values) - _TOP)
    if unknown:
        raise ConfigError(f"unknown key {unknown[0]!r}; valid: {', '.join(sorted(_TOP))}")
    gains = preset("force_control_demo").model_dump(round_trip=True)
    law = gains | _compliance(values.get("compliance6d", {}))
    for ours, theirs in (("force", "force_magnitude"), ("torque", "torque_magnitude")):
        cap = values.get(f"max_spring_{theirs}")
        if cap is not None:
            law[f"max_spring_{ours}"] = cap if cap > 0 else inf
    law |= _pid(values, float(values.get("dt", _DEFAULT_DT)))
    return {"laws": {"hybrid_admittance": law}}


def _compliance(given: dict[str, Any]) -> dict[str, Any]:
    unknown = sorted(set(given) - set(_COMPLIANCE))
    if unknown:
        raise ConfigError(f"unknown key compliance6d.{unknown[0]}; valid: {', '.join(_COMPLIANCE)}")
    return dict(given)


def _pid(values: dict[str, Any], dt: float) -> dict[str, Any]:
    gains = values.get("direct_force_control_gains", {})
    limit = values.get("direct_force_control_I_limit", [0.0] * 6)
    scales = {"P": ("pid_p", 1.0), "I": ("pid_i", 1.0 / dt), "D": ("pid_d", dt)}
    result: dict[str, Any] = {"pid_i_limit": [value * dt for value in limit]}
    for letter, (name, scale) in scales.items():
        pair = [gains.get(f"{letter}_{part}", 0.0) * scale for part in ("trans", "rot")]
        result[name] = pair
    return result
