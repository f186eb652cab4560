"""Limits that hold whatever a law asks for."""

from pydantic import model_validator

from pliant.params import Limit, NonNegative, Params, Positive, Vector3, param


class SafetyConfig(Params):
    """Limits beside those of the arm itself."""

    joint_margin: NonNegative = param(0.02, "rad", "Kept free before each joint limit.", le=1.0)
    joint_speed_share: Positive = param(
        0.8, "1", "Share of the arm's joint speed limits that may be used.", le=1.0
    )
    joint_acceleration_share: Positive = param(
        1.0, "1", "Share of the arm's joint acceleration limits that may be used.", le=1.0
    )
    tool_speed: Positive = param(0.5, "m/s", "Speed of the TCP.", le=3.0)
    workspace_min: Vector3 = param(
        (-1.2, -1.2, -0.5), "m", "Lower corner of the box that the TCP may not leave, in W."
    )
    workspace_max: Vector3 = param((1.2, 1.2, 1.5), "m", "Upper corner of that box.")
    contact_force: Limit = param(
        60.0,
        "N",
        "Once zeroed, the arm stops when the force on the tool exceeds this; .inf is off.",
    )
    contact_torque: Limit = param(
        8.0, "N·m", "Once zeroed, the arm stops when the torque exceeds this; .inf is off."
    )
    lateness: Positive = param(0.05, "s", "The arm stops when a tick begins this late.")

    @model_validator(mode="after")
    def _box(self) -> "SafetyConfig":
        for axis, low, high in zip("xyz", self.workspace_min, self.workspace_max, strict=True):
            if low >= high:
                raise ValueError(f"workspace: {axis} min {low} must be below max {high}")
        return self
