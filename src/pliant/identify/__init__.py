"""Identifies an arm's tool, its servo lag and a surface, by small motions."""

from pliant.identify.lag import LagFit, fit_lag, identify_lag
from pliant.identify.least_squares import Estimate
from pliant.identify.surface import SurfaceFit, fit_surface, identify_surface
from pliant.identify.tool_weight import identify_tool, tool_from_rows
from pliant.identify.weighing import PosesTooSimilar, RestPose, ToolFit, fit_tool, rest_pose

__all__ = [
    "Estimate",
    "LagFit",
    "PosesTooSimilar",
    "RestPose",
    "SurfaceFit",
    "ToolFit",
    "fit_lag",
    "fit_surface",
    "fit_tool",
    "identify_lag",
    "identify_surface",
    "identify_tool",
    "rest_pose",
    "tool_from_rows",
]
