"""Commands about the controller's state: laws, zeroing, reset, stop, and its query."""

from typing import Any

from pydantic import field_validator

from pliant.commands.command import Command, argument
from pliant.config import plain


class Zero(Command):
    """Zero the force sensor with the tool free."""

    word = "ZERO"


class Activate(Command):
    """Activate a law, with parameters if they are given: both, or neither."""

    word = "ACTIVATE"
    aliases = ("LAW",)
    changes_config = True
    law: str = argument("name", "", "Name of the law.")
    parameters: Any = argument(
        "parameters", "", "Those to change first, as YAML: {stiffness: [300, 20]}.", None
    )

    @field_validator("parameters", mode="before")
    @classmethod
    def _named(cls, value: Any) -> dict[str, Any] | None:
        if value is not None and not isinstance(value, dict):
            raise ValueError("parameters are names with values, as in {stiffness: [300, 20]}")
        return {str(name): plain(item) for name, item in value.items()} if value else None

    @property
    def section(self) -> str:
        """The laws' section, if there are parameters."""
        return "laws" if self.parameters else ""


class Deactivate(Command):
    """End the active law: force targets go to zero, then the arm holds."""

    word = "DEACTIVATE"
    aliases = ("OFF",)


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
