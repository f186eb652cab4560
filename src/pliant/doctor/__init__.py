"""The doctor: is this machine, this arm, this sensor, this configuration fit to run."""

from pliant.doctor.examine import examine
from pliant.doctor.finding import Check, Finding, Report

__all__ = ["Check", "Finding", "Report", "examine"]
