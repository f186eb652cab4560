"""Backends: the interfaces to real and simulated arms."""
