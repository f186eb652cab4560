"""Checks whether the tool's weight is compensated in every orientation."""

import numpy as np

from pliant.config import Config
from pliant.doctor.finding import Check, Finding
from pliant.identify import RestPose, ToolFit, fit_tool
from pliant.laws.hybrid_admittance.axes import AXES


def check_tool(poses: list[RestPose], config: Config) -> Check:
    """Check the compensation by the readings of a free tool in several orientations.

    Args:
        poses: The orientations; readings count relative to the first.
        config: The configuration with mass, centre of mass and dead band.
    """
    band = np.array(config.wrench.dead_band)
    readings = np.array([pose.w_T for pose in poses])
    worst = np.abs(readings - readings[0]).max(axis=0)
    fit = fit_tool(poses, config.tool)
    ratio = worst / np.maximum(band, 1e-12)
    findings = []
    if ratio.max() > 1.0:
        findings.append(_finding(int(ratio.argmax()), float(worst[ratio.argmax()]), fit, config))
    return Check(
        name="tool",
        summary=f"measured mass {fit.mass.value:.3f} kg; the free tool reads up to "
        f"{worst[:3].max():.2g} N and {worst[3:].max():.2g} N·m when rotated",
        findings=tuple(findings),
        figures={
            "mass": fit.mass.value,
            "mass_error": fit.mass.error,
            "com_F": [c.value for c in fit.com_F],
            "com_F_error": [c.error for c in fit.com_F],
            "bias": [b.value for b in fit.bias],
            "largest_reading": worst.tolist(),
        },
    )


def _finding(axis: int, reading: float, fit: ToolFit, config: Config) -> Finding:
    unit = "N" if axis < 3 else "N·m"
    com = ", ".join(f"{1e3 * c.value:.1f}" for c in fit.com_F)
    set_com = ", ".join(f"{1e3 * c:.1f}" for c in config.tool.com_F)
    wrong = []
    if abs(fit.mass.value - config.tool.mass) > max(4.0 * fit.mass.error, 0.01 * fit.mass.value):
        wrong.append(
            f"tool.mass is {config.tool.mass:.3g} kg, but the tool weighs {fit.mass.value:.3g} kg"
        )
    com_error = max(abs(c.value - x) for c, x in zip(fit.com_F, config.tool.com_F, strict=True))
    if com_error > max(4.0 * max(c.error for c in fit.com_F), 2e-3):
        wrong.append(f"tool.com_F is ({set_com}) mm, but the centre of mass is at ({com}) mm")
    return Finding(
        problem="the tool's weight is not compensated: when rotated, the free tool reads "
        f"{reading:.2g} {unit} along {AXES[axis]}" + "".join(f"; {text}" for text in wrong),
        remedy="run `pliant identify tool --write FILE`, then zero the sensor"
        if wrong
        else "check the mounting of the sensor (tool.X_FS), and that nothing pulls on the tool",
    )
