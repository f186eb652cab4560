"""Compiled, and shipped without types: every attribute is Any."""

from typing import Any

def __getattr__(name: str) -> Any: ...
