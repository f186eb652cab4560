"""Replay a motion of the joints from a file."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pliant.api.arm import Arm
from pliant.stages.safety import Clip
from pliant.stages.supervisor import State

_LONGEST_STOP = 5.0


@dataclass(frozen=True, kw_only=True)
class PlaybackResult:
    """How a replay went.

    Attributes:
        joined_s: How long getting to the beginning took, s.
        played_s: How long the replay took, s.
        rms_mrad: How far each joint was off its reference, root mean square, mrad.
        peak_mrad: How far at most, mrad.
        clipped: Ticks in which safety had to act.
        limits: What it kept within its limit in them, such as "tool speed".
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
    """Replay a motion once with a torque arm; afterwards it holds.

    Args:
        arm: A torque arm.
        file: A recording (.mcap), a table (.csv) or the folder of a rosbag2.
        longest: When to give up, s.

    Raises:
        ConfigError: The file cannot be replayed; the message says where it is wrong.
        WaitTimeout: It took too long.
        ArmStopped: The arm stopped by itself.
    """
    if arm.state is not State.INACTIVE:
        arm.deactivate()
        arm.wait_until(lambda tick: tick.state == State.INACTIVE, _LONGEST_STOP)
    arm.set("reference.playback.loop", False)
    arm.set("reference.playback.file", str(Path(file).expanduser().absolute()))
    arm.use_preset("playback")
    start = arm.time
    begun = arm.wait_until(lambda tick: tick.ref_rate > 0.0, longest).time
    errors, clipped, bits = [], 0, 0
    for tick in arm.ticks(longest):
        errors.append(tick.q - tick.q_ref)
        clipped += tick.clipped != 0
        bits |= tick.clipped
        if tick.ref_done:
            break
    off = np.array(errors)
    rms = np.sqrt((off**2).mean(axis=0))
    result = PlaybackResult(
        joined_s=float(begun - start),
        played_s=float(arm.time - begun),
        rms_mrad=tuple(float(1e3 * value) for value in rms),
        peak_mrad=float(1e3 * np.abs(off).max()),
        clipped=int(clipped),
        limits=tuple(_in_words(name) for name, bit in Clip.__members__.items() if bits & bit),
    )
    arm.deactivate()
    return result


def _in_words(name: str) -> str:
    return name.lower().replace("_", " ")
