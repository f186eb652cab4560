"""Parameters of an arm of Universal Robots."""

from typing import Literal

from pliant.params import Params, Positive, param
from pliant.robots.drawing import Drawing


class UrConfig(Params):
    """How a UR is commanded and read."""

    lookahead: float = param(
        0.03, "s", "Lookahead time of servoj: smoother, and later.", ge=0.03, le=0.2
    )
    gain: float = param(300.0, "1", "Proportional gain of servoj.", ge=100.0, le=2000.0)
    force: Literal["tcp", "raw"] = param(
        "tcp",
        "",
        "Source of the wrench: actual_TCP_force, or ft_raw_wrench (PolyScope 5.9 on).",
    )
    silence: Positive = param(
        0.018,
        "s",
        "Time without a package after which the connection counts as lost; after 20 ms the "
        "guardian ends the controller anyway.",
        le=1.0,
    )
    watchdog: float = param(
        10.0, "Hz", "The arm stops by itself if it is commanded less often.", ge=2.0, le=100.0
    )
    drawing: Drawing | None = param(
        None, "", "The hole before the arm; null: none. A real arm knows no scene."
    )
