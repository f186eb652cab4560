"""Parameters of the supervisor."""

from pliant.params import Params, Positive, SixPositive, param


class SupervisorConfig(Params):
    """Limits on commands, and how long a stop may take."""

    wrench_limit: SixPositive = param(
        (20.0, 3.0), "N, N·m", "Wrench targets are clamped to plus and minus this, per axis."
    )
    stop_time: Positive = param(
        1.0, "s", "After this a stop no longer waits for force targets to reach zero.", le=10.0
    )
