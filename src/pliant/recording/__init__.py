"""Recordings: written by a separate process, readable anywhere, recomputable bit for bit."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pliant.recording.reader import load
    from pliant.recording.recording import Recording

__all__ = ["Recording", "load"]


def __getattr__(name: str) -> Any:
    """Import what reads files when it is asked for: a controller never reads one."""
    if name == "load":
        from pliant.recording.reader import load

        return load
    if name == "Recording":
        from pliant.recording.recording import Recording

        return Recording
    raise AttributeError(f"module 'pliant.recording' has no attribute {name!r}")
