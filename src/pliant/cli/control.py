"""Run an arm in real time, obeying lines on standard input and on a local socket."""

import sys
from typing import Annotated

import tyro

from pliant.controller.controller_program import run, settled_config
from pliant.controller.options import ControlOptions
from pliant.extras import require_linux


def control(options: Annotated[ControlOptions, tyro.conf.arg(name="")]) -> None:
    """Run an arm in real time until told to stop.

    Zeroes the force sensor, activates the law with no axis compliant, and obeys lines on standard
    input and on a local socket. `pliant commands` lists what the lines may say.
    """
    config = settled_config(options)
    if options.print_config:
        print(config.to_yaml(), end="")
        return
    require_linux("a controller process")
    sys.exit(run(options, config))


VERB = control
