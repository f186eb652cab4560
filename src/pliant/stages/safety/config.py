"""Parameters of the safety stage."""

from pydantic import model_validator

from pliant.params import Limit, NonNegative, Params, Positive, Vector3, param


class SafetyConfig(Params):
    """Limits within those of the arm itself; they hold under every law."""

    joint_margin: NonNegative = param(0.02, "rad", "Distance kept from each joint limit.", le=1.0)
    joint_speed_share: Positive = param(
        0.8, "1", "Share of the arm's joint speed limits that may be used.", le=1.0
    )
    joint_acceleration_share: Positive = param(
        1.0, "1", "Share of the arm's joint acceleration limits that may be used.", le=1.0
    )
    tool_speed: Positive = param(0.5, "m/s", "Speed of the TCP.", le=3.0)
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
    lateness: Positive = param(0.05, "s", "Lateness of a tick at which the arm stops.")

    @model_validator(mode="after")
    def _box(self) -> "SafetyConfig":
        for axis, low, high in zip("xyz", self.workspace_min, self.workspace_max, strict=True):
            if low >= high:
                raise ValueError(f"workspace: {axis} min {low} must be below max {high}")
        return self
