"""Recordings: written by a separate process, readable anywhere, recomputable bit for bit."""

from pliant.recording.reader import load
from pliant.recording.recording import Recording

__all__ = ["Recording", "load"]
