"""The error of a backend whose arm no longer answers."""

from pliant.errors import PliantError


class ArmLost(PliantError):
    """The arm can no longer be reached."""
