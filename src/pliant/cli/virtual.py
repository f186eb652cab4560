"""Run a virtual arm: a vendor's protocol over the contact simulation."""

import signal
from pathlib import Path
from typing import Annotated, Literal

import tyro

from pliant.config import Config
from pliant.virtual.ur.virtual_ur import VirtualUr, VirtualUrOptions


def virtual(
    place: Annotated[str, tyro.conf.Positional],
    host: str = "127.0.0.1",
    clock: Literal["real", "lockstep"] = "real",
    config: Path | None = None,
    seed: int | None = None,
    most_force: float = 150.0,
) -> None:
    """Run a virtual UR that other programs take for a real one.

    Prints `ready` when clients can connect; ends on SIGTERM, or at the end of standard input. Lines
    on standard input provoke protective stops, lost packages and the like; an unknown one is
    answered with the list.

    Args:
        place: Arm and scene: ur5e, ur5e/table, ur5e/wall, ur5e/peg.
        host: Loopback address to listen on; a second arm takes 127.0.0.2.
        clock: real, or lockstep: the arm waits for a client that streams set points.
        config: A YAML file with parameters; the scene, the tool and the sensor are taken.
        seed: Random seed of the simulation.
        most_force: Force at the tool that triggers a protective stop, N.
    """
    options = VirtualUrOptions(
        place=place,
        host=host,
        clock=clock,
        config=Config.from_yaml(config) if config else None,
        seed=seed,
        most_force=most_force,
    )
    arm = VirtualUr(options)
    signal.signal(signal.SIGTERM, lambda *_: arm.stop())
    print("ready", flush=True)
    arm.run()


VERB = virtual
