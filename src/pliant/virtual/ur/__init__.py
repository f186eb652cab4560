"""A virtual Universal Robots controller: RTDE, dashboard and script ports over the simulation."""
