"""Recordings: written by a process of its own, read anywhere, recomputed."""

from pliant.recording.reader import load
from pliant.recording.recording import Recording

__all__ = ["Recording", "load"]
