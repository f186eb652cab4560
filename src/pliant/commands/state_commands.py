"""Commands about the controller's state: laws, zeroing, reset, stop, and its query."""

from pliant.commands.command import Command, argument


class Zero(Command):
    """Zero the force sensor with the tool free."""

    word = "ZERO"


class Activate(Command):
    """Activate a law."""

    word = "LAW"
    law: str = argument("name", "", "Name of the law.")


class Deactivate(Command):
    """End the active law: force targets go to zero, then the arm holds."""

    word = "OFF"


class Reset(Command):
    """Leave a fault whose cause is gone; the arm holds, no law is active."""

    word = "RESET"


class QueryState(Command):
    """Ask for state, law, sensor verdict, the client in control, and the reason."""

    word = "STATE"
    asks = True
    anyone = True


class Stop(Command):
    """Stop: force targets go to zero, the arm comes to rest, the controller exits."""

    word = "STOP"
    anyone = True
