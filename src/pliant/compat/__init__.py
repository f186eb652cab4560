"""Compatibility with the force-control demo: its config file, commands and telemetry."""
