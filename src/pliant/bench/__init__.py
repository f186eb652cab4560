"""How fast it is: every figure beside its bound, all from one run on one machine."""

from pliant.bench.report import Report, measure

__all__ = ["Report", "measure"]
