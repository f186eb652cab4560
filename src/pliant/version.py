"""The version of Pliant."""

__version__ = "0.1.0"
