"""Plays back a joint motion from a file."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.api.arm import Arm
from pliant.reasons import State
from pliant.stages.safety import Clip

_STOP_TIMEOUT = 5.0


@dataclass(frozen=True, kw_only=True)
class PlaybackResult:
    """Result of a playback.

    Attributes:
        joined_s: Time to move to the start of the motion, s.
        played_s: Duration of the playback, s.
        rms_mrad: Root mean square tracking error of each joint, mrad.
        peak_mrad: Largest tracking error of any joint, mrad.
        clipped: Number of ticks in which the safety stage limited the command.
        limits: The limits that it enforced, such as "tool speed".
    """

    joined_s: float
    played_s: float
    rms_mrad: tuple[float, ...]
    peak_mrad: float
    clipped: int
    limits: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values."""
        return asdict(self)


def playback(arm: Arm, file: str | Path, longest: float = 600.0) -> PlaybackResult:
    """Play back a motion once on a torque-controlled arm, which then holds.

    Args:
        arm: A torque-controlled arm.
        file: A recording (.mcap), a table (.csv) or a rosbag2 folder.
        longest: Timeout, s.

    Raises:
        ConfigError: The file cannot be played back; the message says what is wrong, and where.
        WaitTimeout: The playback exceeded the timeout.
        ArmStopped: The arm stopped because of a fault.
    """
    if arm.state is not State.INACTIVE:
        arm.deactivate()
        arm.wait_until(lambda tick: tick.state == State.INACTIVE, _STOP_TIMEOUT)
    arm.set("reference.playback.loop", False)
    arm.set("reference.playback.file", str(Path(file).expanduser().absolute()))
    arm.use_preset("playback")
    start = arm.time
    joined = arm.wait_until(lambda tick: tick.ref_rate > 0.0, longest).time
    errors, clipped, bits = [], 0, 0
    for tick in arm.ticks(longest):
        errors.append(tick.q - tick.q_ref)
        clipped += tick.clipped != 0
        bits |= tick.clipped
        if tick.ref_done:
            break
    error = np.array(errors)
    rms = np.sqrt((error**2).mean(axis=0))
    result = PlaybackResult(
        joined_s=float(joined - start),
        played_s=float(arm.time - joined),
        rms_mrad=tuple(float(1e3 * value) for value in rms),
        peak_mrad=float(1e3 * np.abs(error).max()),
        clipped=int(clipped),
        limits=tuple(_readable(name) for name, bit in Clip.__members__.items() if bits & bit),
    )
    arm.deactivate()
    return result


def _readable(name: str) -> str:
    return name.lower().replace("_", " ")
