"""The doctor: checks whether machine, arm, sensor and configuration are fit to run."""

from pliant.doctor.examine import examine
from pliant.doctor.finding import Check, Finding, Report

__all__ = ["Check", "Finding", "Report", "examine"]
