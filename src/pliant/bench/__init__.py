"""The benchmark: every figure with its bound, from one run on one machine."""

from pliant.bench.report import Report, measure

__all__ = ["Report", "measure"]
