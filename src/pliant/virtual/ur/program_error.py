"""A runtime error of a program, which ends it as on the real controller."""

from pliant.errors import PliantError


class ProgramError(PliantError):
    """What a program asked for cannot be done; the program ends."""
