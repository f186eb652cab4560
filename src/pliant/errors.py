"""Pliant's exceptions. Each message states the cause and, where possible, the remedy."""

from collections.abc import Iterator
from contextlib import contextmanager


class PliantError(Exception):
    """Root of everything Pliant raises on purpose."""


class Refused(PliantError):
    """A command that cannot be obeyed; nothing has changed, and the message says why."""


@contextmanager
def refusing_errors() -> Iterator[None]:
    """Turn an exception that nobody foresaw into a refusal with its type and text.

    Raises:
        Refused: Something raised, even `sys.exit`; Pliant's own exceptions pass as they are.
    """
    try:
        yield
    except PliantError:
        raise
    except (Exception, SystemExit) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error


class ConfigError(Refused):
    """A configuration that cannot work; the message says which value and why."""


class UnknownNameError(Refused):
    """A name that does not exist; carries the names that do.

    Attributes:
        kind: What was looked up, such as "arm" or "law".
        name: The name that was asked for.
        valid: The names that would have been accepted.
    """

    def __init__(self, kind: str, name: str, valid: list[str]) -> None:
        self.kind = kind
        self.name = name
        self.valid = valid
        super().__init__(f"unknown {kind} {name!r}; valid: {', '.join(valid)}")


class LawError(PliantError):
    """An exception raised by a law; the message names the law and the exception."""


class ArmStopped(PliantError):
    """The arm stopped while a caller was waiting for it.

    Attributes:
        reason: The reason, as in the tick.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"the arm stopped: {reason}")


class WaitTimeout(PliantError):
    """A condition that did not become true in time."""


class RecordingError(PliantError):
    """A recording that cannot be written or read; the message says which and why."""
