"""Teach a motion by hand, or play one back."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Annotated

import tyro
from rich.console import Console

from pliant.api.arm import Arm
from pliant.errors import ConfigError
from pliant.tasks.playback import playback
from pliant.tasks.teach import teach
from pliant.tick import Tick

_LARGE_ERROR = 50.0
"""Tracking error above which playing more slowly is advised, mrad."""

# Forces of the scripted hand in simulation: x y z in the world frame, N, and duration, s.
_HAND = (((0.0, 5.0, 0.0), 1.0), ((0.0, 0.0, 5.0), 1.0), ((2.0, -6.0, -3.0), 1.2))


@dataclass
class TeachOptions:
    """Options of `pliant task teach`."""

    file: tyro.conf.Positional[Path]
    """The .csv file to write the motion to."""
    robot: str = "sim:panda"
    """The arm; it must be torque-controlled."""
    time: float = 4.0
    """Longest recording time, s."""
    real: bool = False
    """Run in real time until Enter is pressed, instead of a scripted hand in simulated time."""


def run_teach(options: Annotated[TeachOptions, tyro.conf.arg(name="")]) -> None:
    """Let the arm float and record the motion while it is guided by hand."""
    if not options.time > 0.0:
        raise ConfigError(f"--time must be above 0 s, not {options.time:g}")
    with Arm(options.robot, clock="real" if options.real else "fast") as arm:
        arm.wait(0.1)
        if options.real:
            print("guide the arm by hand; Enter ends the recording", file=sys.stderr)
            count = teach(arm, options.file, _enter_pressed, options.time)
        else:
            start = arm.time + 0.2
            for force, duration in _HAND:
                arm.hand.schedule([*force, 0, 0, 0], start=start, duration=duration)
                start += duration
            count = teach(arm, options.file, lambda _: False, options.time)
    print(f"{count} samples in {options.file}")


def _enter_pressed(tick: Tick) -> bool:
    del tick
    ready, _, _ = select([sys.stdin], [], [], 0.0)
    return bool(ready)


@dataclass
class PlaybackOptions:
    """Options of `pliant task playback`."""

    file: tyro.conf.Positional[Path]
    """A recording (.mcap), a table (.csv) or a rosbag2 folder with joint states."""
    robot: str = "sim:panda"
    """The arm; it must be torque-controlled."""
    speed: float = 1.0
    """Playback speed; 1 is the recorded speed."""
    real: bool = False
    """Run in real time."""
    json: bool = False
    """Print one JSON object instead of a sentence."""


def run_playback(options: Annotated[PlaybackOptions, tyro.conf.arg(name="")]) -> None:
    """Play back a recorded joint motion."""
    config = {"reference": {"playback": {"speed": options.speed}}}
    clock = "real" if options.real else "fast"
    with Arm(options.robot, clock=clock, config=config, motions=[options.file.parent]) as arm:
        arm.wait(0.1)
        result = playback(arm, options.file)
    if options.json:
        print(json.dumps(result.as_dict()))
        return
    slower = f"; it tracks better played more slowly: --speed {0.5 * options.speed:g}"
    limited = f"; limited in {result.clipped} ticks by {', '.join(result.limits)}"
    Console().print(
        f"moved to the start in {result.joined_s:.1f} s, played in {result.played_s:.1f} s; "
        f"tracking error {max(result.rms_mrad):.1f} mrad RMS, {result.peak_mrad:.1f} mrad peak"
        + (limited if result.clipped else "")
        + (slower if result.peak_mrad > _LARGE_ERROR else "")
    )
