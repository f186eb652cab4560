"""The stages of a tick, between reading the arm and writing to it."""
