"""A configuration for fast tests."""

FAST = {"wrench": {"zero_time": 0.05}, "reference": {"max_acceleration": (2.0, 5.0)}}
