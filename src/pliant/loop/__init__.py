"""The loop: clocks, the fused tick, and where finished ticks go."""
