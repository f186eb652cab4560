"""Whether a contact will be stable, computed from the discrete closed loop of one axis."""

from pliant.stability.arm_end import arm_ends, stiff_end
from pliant.stability.axis import ArmEnd, Axis, Gains, Servo, Surface
from pliant.stability.judgement import (
    AxisMargin,
    ContactGuard,
    axes_of,
    expected_surface,
    margins,
    servo_of,
)
from pliant.stability.margin import SWING, Contact, Margin, gains_for, judge, margin
from pliant.stability.press import Press, press
from pliant.stability.stability_map import StabilityMap, stability_map
from pliant.stability.suggestion import Suggestion, Wish, suggest

__all__ = [
    "SWING",
    "ArmEnd",
    "Axis",
    "AxisMargin",
    "Contact",
    "ContactGuard",
    "Gains",
    "Margin",
    "Press",
    "Servo",
    "StabilityMap",
    "Suggestion",
    "Surface",
    "Wish",
    "arm_ends",
    "axes_of",
    "expected_surface",
    "gains_for",
    "judge",
    "margin",
    "margins",
    "press",
    "servo_of",
    "stability_map",
    "stiff_end",
    "suggest",
]
