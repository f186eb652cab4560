"""Teach a motion by hand, and replay one."""

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

# What the scripted hand does in simulation: N along x y z of the world, and for how long, s.
_HAND = (((0.0, 5.0, 0.0), 1.0), ((0.0, 0.0, 5.0), 1.0), ((2.0, -6.0, -3.0), 1.2))


@dataclass
class TeachOptions:
    """What can be set for teaching."""

    file: tyro.conf.Positional[Path]
    """Where the motion is written to, a .csv."""
    robot: str = "sim:panda"
    """Which arm; it must take torques."""
    time: float = 4.0
    """How long to record at most, s."""
    real: bool = False
    """Run in real time, until Enter is pressed, instead of a scripted hand in simulated time."""


def run_teach(options: Annotated[TeachOptions, tyro.conf.arg(name="")]) -> None:
    """Let the arm float and record what it is led through."""
    if not options.time > 0.0:
        raise ConfigError(f"--time is a number of seconds above 0, not {options.time:g}")
    with Arm(options.robot, clock="real" if options.real else "fast") as arm:
        arm.wait(0.1)
        if options.real:
            print("lead the arm by hand; Enter ends the recording", file=sys.stderr)
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
    """What can be set for a replay."""

    file: tyro.conf.Positional[Path]
    """A recording (.mcap), a table (.csv) or the folder of a rosbag2 with joint states."""
    robot: str = "sim:panda"
    """Which arm; it must take torques."""
    speed: float = 1.0
    """How fast, 1 being as recorded."""
    real: bool = False
    """Run in real time."""
    json: bool = False
    """Print one JSON object instead of a sentence."""


def run_playback(options: Annotated[PlaybackOptions, tyro.conf.arg(name="")]) -> None:
    """Replay a motion of the joints."""
    config = {"reference": {"playback": {"speed": options.speed}}}
    with Arm(options.robot, clock="real" if options.real else "fast", config=config) as arm:
        arm.wait(0.1)
        result = playback(arm, options.file)
    if options.json:
        print(json.dumps(result.as_dict()))
        return
    held = f"; held back in {result.clipped} ticks by the limits of {', '.join(result.limits)}"
    Console().print(
        f"joined in {result.joined_s:.1f} s, replayed in {result.played_s:.1f} s; "
        f"off by {max(result.rms_mrad):.1f} mrad RMS, {result.peak_mrad:.1f} mrad at most"
        + (held if result.clipped else "")
    )
