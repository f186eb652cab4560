"""The base of commands: frozen models with a word on the wire and documented fields."""

from typing import Any, ClassVar

import numpy as np
from pydantic import ConfigDict, Field

from pliant.params import Params

_REQUIRED: Any = ...


def plain_value(value: Any) -> Any:
    """An array as lists, anything else as it is."""
    return value.tolist() if isinstance(value, np.ndarray) else value


def argument(tokens: str, unit: str, doc: str, default: Any = _REQUIRED, **bounds: Any) -> Any:
    """A field with the names of its tokens on the wire, its unit and its meaning."""
    extra: dict[str, Any] = {"tokens": tokens, "unit": unit}
    return Field(default, description=doc, json_schema_extra=extra, **bounds)


class Command(Params):
    """Base of all commands.

    Attributes:
        word: The first word of its line.
        anyone: Whether a client that does not hold the lease may give it.
        asks: Whether it leaves the arm unchanged: a query, or about the connection.
        moves: Whether it can set the arm in motion.
        streams: Whether it expires and must be resent many times a second.
        changes_config: Whether it changes the configuration.
    """

    # a program uses few of them, and building the validators of all would delay its start
    model_config = ConfigDict(defer_build=True)

    word: ClassVar[str]
    anyone: ClassVar[bool] = False
    asks: ClassVar[bool] = False
    moves: ClassVar[bool] = False
    streams: ClassVar[bool] = False
    changes_config: ClassVar[bool] = False

    @property
    def section(self) -> str:
        """The section of the configuration that it changes; empty if it changes none."""
        return ""
