"""Settings, which Numba creates when it is imported."""

CACHE_DIR: str
DISABLE_JIT: int
