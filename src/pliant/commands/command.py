"""What a command is: a frozen model with a word on the wire and fields that explain themselves."""

from typing import Any, ClassVar

import numpy as np
from pydantic import Field

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
        word: How the command begins on the wire.
        anyone: Whether a client that does not hold the lease may give it.
    """

    word: ClassVar[str]
    anyone: ClassVar[bool] = False
