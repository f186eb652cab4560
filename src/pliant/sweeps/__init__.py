"""Trials by the thousand: a task over ranges of its parameters, on all cores or on a cluster."""
