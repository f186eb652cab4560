"""Whether the tool's weight is compensated in every orientation."""

import numpy as np

from pliant.config import Config
from pliant.doctor.finding import Check, Finding
from pliant.identify import RestPose, ToolFit, fit_tool
from pliant.laws.hybrid_admittance.axes import AXES


def check_tool(poses: list[RestPose], config: Config) -> Check:
    """Judge the compensation by what a free tool reads in several orientations.

    Args:
        poses: The orientations; what is read in the first counts as zero.
        config: Mass, centre of mass and dead band in force.
    """
    band = np.array(config.wrench.dead_band)
    read = np.array([pose.w_T for pose in poses])
    worst = np.abs(read - read[0]).max(axis=0)
    fit = fit_tool(poses, config.tool)
    share = worst / np.maximum(band, 1e-12)
    findings = []
    if share.max() > 1.0:
        findings.append(_finding(int(share.argmax()), float(worst[share.argmax()]), fit, config))
    return Check(
        name="tool",
        summary=f"{fit.mass.value:.3f} kg found; turned about, a free tool reads up to "
        f"{worst[:3].max():.2g} N and {worst[3:].max():.2g} N·m",
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


def _finding(axis: int, read: float, fit: ToolFit, config: Config) -> Finding:
    unit = "N" if axis < 3 else "N·m"
    com = ", ".join(f"{1e3 * c.value:.1f}" for c in fit.com_F)
    set_com = ", ".join(f"{1e3 * c:.1f}" for c in config.tool.com_F)
    wrong = []
    if abs(fit.mass.value - config.tool.mass) > max(4.0 * fit.mass.error, 0.01 * fit.mass.value):
        wrong.append(
            f"tool.mass is {config.tool.mass:.3g} kg, but the tool weighs {fit.mass.value:.3g} kg"
        )
    off = max(abs(c.value - was) for c, was in zip(fit.com_F, config.tool.com_F, strict=True))
    if off > max(4.0 * max(c.error for c in fit.com_F), 2e-3):
        wrong.append(f"tool.com_F is ({set_com}) mm, but its centre of mass is at ({com}) mm")
    return Finding(
        problem=f"the tool's weight is not compensated: turned about, a free tool reads {read:.2g} "
        f"{unit} along {AXES[axis]}" + "".join(f"; {text}" for text in wrong),
        remedy="run `pliant identify tool --write FILE`, and zero the sensor after it"
        if wrong
        else "check how the sensor is mounted (tool.X_FS), and that nothing pulls at the tool",
    )
