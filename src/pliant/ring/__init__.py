"""The memory-mapped ring of ticks and lines, its folder, its writers and readers."""
