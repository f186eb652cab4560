"""Commands that change what is in charge: laws, zeroing, reset, stop; and the query of it."""

from pliant.commands.command import Command, argument


class Zero(Command):
    """Zero the force sensor with the tool free."""

    word = "ZERO"


class Activate(Command):
    """Put a law in charge."""

    word = "LAW"
    law: str = argument("name", "", "Name of the law.")


class Deactivate(Command):
    """End the active law: force targets go to zero, then the arm holds."""

    word = "OFF"


class Reset(Command):
    """Leave a fault whose cause is gone; the arm holds, no law is active."""

    word = "RESET"


class QueryState(Command):
    """Ask for the state, the law, the reason, the verdict on the sensor, and who is in control."""

    word = "STATE"
    asks = True
    anyone = True


class Stop(Command):
    """End gracefully: force targets go to zero, the arm comes to rest, the controller exits."""

    word = "STOP"
    anyone = True
