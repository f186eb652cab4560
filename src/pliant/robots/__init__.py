"""Backends: what talks to an arm, real or simulated."""
