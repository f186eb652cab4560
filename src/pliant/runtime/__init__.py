"""The loop and what drives it."""
