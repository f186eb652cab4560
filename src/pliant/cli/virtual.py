"""Run a virtual arm: a vendor's protocol over the contact simulation."""

import signal
from pathlib import Path
from typing import Annotated, Literal

import tyro

from pliant.arms.description import load_arm
from pliant.config import Config
from pliant.errors import ConfigError
from pliant.sim.spec import parse_place
from pliant.virtual.franka.virtual_fr3 import VirtualFr3, VirtualFr3Options
from pliant.virtual.ur.virtual_ur import VirtualUr, VirtualUrOptions

_MOST_FORCE = 150.0


def virtual(
    place: Annotated[str, tyro.conf.Positional],
    host: str = "127.0.0.1",
    clock: Literal["real", "lockstep"] = "real",
    config: Path | None = None,
    seed: int | None = None,
    most_force: float | None = None,
) -> None:
    """Run a virtual UR or Franka FR3 that other programs take for a real one.

    Prints `ready` when clients can connect; ends on SIGTERM, or at the end of standard input. Lines
    on standard input provoke protective stops, reflexes, lost packages and the like; an unknown one
    is answered with the list.

    Args:
        place: Arm and scene: ur5e, ur5e/table, ur5e/wall, ur5e/peg; fr3, fr3/table, ….
        host: Loopback address to listen on; a second arm takes 127.0.0.2.
        clock: real, or lockstep: the arm waits for a client that streams set points.
        config: A YAML file with parameters; the scene, the tool and the sensor are taken.
        seed: Random seed of the simulation.
        most_force: Force at the tool that triggers a protective stop of a UR, N; 150 by default.
    """
    parameters = Config.from_yaml(config) if config else None
    name, _ = parse_place(place)
    if load_arm(name).takes_torque:
        if most_force is not None:
            raise ConfigError("--most-force is for a UR; a Franka has thresholds that clients set")
        arm = VirtualFr3(
            VirtualFr3Options(place=place, host=host, clock=clock, config=parameters, seed=seed)
        )
    else:
        arm = VirtualUr(
            VirtualUrOptions(
                place=place,
                host=host,
                clock=clock,
                config=parameters,
                seed=seed,
                most_force=most_force or _MOST_FORCE,
            )
        )
    signal.signal(signal.SIGTERM, lambda *_: arm.stop())
    print("ready", flush=True)
    arm.run()


VERB = virtual
