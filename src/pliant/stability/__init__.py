"""Contact stability, computed from the discrete closed loop of one axis."""

from pliant.stability.axis import Axis, Gains, Servo, Surface, TipImpedance
from pliant.stability.axis_margins import (
    AxisMargin,
    ContactGuard,
    axes_of,
    contact_warning,
    expected_surface,
    margins,
    servo_of,
)
from pliant.stability.margin import MAX_OVERSHOOT, Contact, Margin, gains_for, judge, margin
from pliant.stability.press import Press, press
from pliant.stability.stability_map import StabilityMap, stability_map
from pliant.stability.suggestion import ContactTarget, Suggestion, suggest
from pliant.stability.tip_impedance import stiff_tip, tip_impedances

__all__ = [
    "MAX_OVERSHOOT",
    "Axis",
    "AxisMargin",
    "Contact",
    "ContactGuard",
    "ContactTarget",
    "Gains",
    "Margin",
    "Press",
    "Servo",
    "StabilityMap",
    "Suggestion",
    "Surface",
    "TipImpedance",
    "axes_of",
    "contact_warning",
    "expected_surface",
    "gains_for",
    "judge",
    "margin",
    "margins",
    "press",
    "servo_of",
    "stability_map",
    "stiff_tip",
    "suggest",
    "tip_impedances",
]
