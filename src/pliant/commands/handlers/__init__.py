"""Decides on each command: what it asks of the next tick, or why it is refused."""
