"""Parameters of the safety stage."""

from pydantic import model_validator

from pliant.params import Limit, NonNegative, Params, Positive, Vector3, param

LATENESS = 0.05
"""Lateness at which a real arm stops, s."""

SIMULATED_LATENESS = 1.0
"""Lateness at which a simulated arm stops, s."""


class SafetyConfig(Params):
    """Limits within those of the arm itself; they hold under every law."""

    joint_margin: NonNegative = param(0.02, "rad", "Distance kept from each joint limit.", le=1.0)
    joint_speed_share: float = param(
        0.8, "1", "Share of the arm's joint speed limits that motion may use.", ge=0.01, le=1.0
    )
    joint_acceleration_share: float = param(
        1.0,
        "1",
        "Share of the arm's joint acceleration limits that motion may use to speed up; stops use "
        "all of it.",
        ge=0.05,
        le=1.0,
    )
    tool_speed: float = param(
        0.5,
        "m/s",
        "Speed of the TCP. An arm driven by torque is braked at it, and stops at three times that, "
        "or at 0.25 m/s more if that is faster.",
        ge=0.001,
        le=3.0,
    )
    workspace_min: Vector3 = param(
        (-1.2, -1.2, -0.5), "m", "Lower corner of the workspace box of the TCP, in W."
    )
    workspace_max: Vector3 = param((1.2, 1.2, 1.5), "m", "Upper corner of the workspace box.")
    contact_force: Limit = param(
        60.0,
        "N",
        "Force on the tool at which the arm stops, once the sensor is zeroed; .inf is off.",
    )
    contact_torque: Limit = param(
        8.0, "N·m", "Torque on the tool at which the arm stops, likewise; .inf is off."
    )
    lateness: Positive | None = param(
        None,
        "s",
        f"Lateness of a tick at which the arm stops; null: {LATENESS:g} s, or from the start of a "
        f"simulated arm, whose physics waits for the loop, {SIMULATED_LATENESS:g} s.",
        le=60.0,
    )

    @property
    def highest_tool_speed(self) -> float:
        """The tool speed at which an arm driven by torque stops, m/s."""
        return self.tool_speed + max(2.0 * self.tool_speed, 0.25)

    @model_validator(mode="after")
    def _box(self) -> "SafetyConfig":
        for axis, low, high in zip("xyz", self.workspace_min, self.workspace_max, strict=True):
            if low >= high:
                raise ValueError(f"workspace: {axis} min {low} must be below max {high}")
        return self

    def lateness_of(self, *, simulated: bool) -> float:
        """The lateness at which an arm stops, s: as given, or that of its kind."""
        if self.lateness is not None:
            return self.lateness
        return SIMULATED_LATENESS if simulated else LATENESS

    def settled(self, *, simulated: bool) -> "SafetyConfig":
        """The same with the lateness of the kind of arm, unless it was given."""
        return self.model_copy(update={"lateness": self.lateness_of(simulated=simulated)})
