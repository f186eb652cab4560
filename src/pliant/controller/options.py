"""What a controller is started with.

What may be left out is written as a `Union` that begins with `None`: of `float | None` and of
tuples tyro asks typeguard, whose import takes as long as tyro and its parsing together.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, Union

T = TypeVar("T")
Maybe = Union[None, T]  # noqa: UP007
Six = tuple[float, float, float, float, float, float]


@dataclass
class ControlOptions:
    """Options of `pliant control`."""

    robot: str = "sim:ur5e"
    """Which arm: sim:ur5e, sim:panda, sim:fr3, or with a scene: sim:ur5e/table, sim:panda/peg, …;
    ur:HOST for a real UR, franka:HOST for a real FR3."""
    rate: Maybe[float] = None
    """Control rate, Hz; the arm's own if not given."""
    time: float = 0.0
    """How long to run, s; 0 runs until STOP."""
    config: Maybe[Path] = None
    """A YAML file with parameters."""
    print_config: bool = False
    """Print the configuration in force and exit."""
    law: str = "hybrid_admittance"
    """The law to activate at the start: a name, or ./my_law.py:MyLaw for one of your own."""
    laws: Maybe[tuple[str, ...]] = None
    """More laws of your own to offer beside Pliant's: ./my_law.py:MyLaw …"""
    preset: Maybe[str] = None
    """A preset by name: gains of the hybrid admittance law, or on a torque arm a whole controller
    (law, gains and motion). An unknown name is answered with the list of them."""
    wrench: Maybe[Six] = None
    """Wrench target at the start: Fx Fy Fz Tx Ty Tz, N and N·m, tool axes."""
    pose: Maybe[Six] = None
    """Pose to move to at the start: x y z rx ry rz, m and a rotation vector, rad."""
    strict: bool = False
    """Refuse gains that would be unstable on the surface of contact.surface_stiffness."""
    fast: bool = False
    """Run in simulated time, as fast as the machine allows."""
    inactive: bool = False
    """Activate no law at the start."""
    stay: bool = False
    """After a fault hold the arm and wait for RESET, instead of exiting."""
    name: Maybe[str] = None
    """Name under which other programs find this controller."""
    cpu: Maybe[int] = None
    """The CPU to run on."""
    robot_ip: Maybe[str] = None
    """Address of a real arm; ignored by simulated arms."""
    record: Maybe[Path] = None
    """Record every tick and every command to this file: .mcap, or .csv for a table of ticks."""
    motions: Maybe[tuple[Path, ...]] = None
    """Folders that reference.playback.file may be set to by clients; by default the working
    directory at the start and the folders of recordings (of --record, and of flights)."""
    no_flight: bool = False
    """Do not save the last 10 s before a fault."""
    no_guardian: bool = False
    """Run without a guardian, as for a debugger; simulated arms only."""
    ft_ip: Maybe[str] = None
    """Address of a real force sensor; ignored by simulated arms."""
