"""Run an arm in real time, obeying lines on standard input and on a local socket."""

import gc
import sys
from typing import Annotated, Any

import tyro

from pliant.controller.options import ControlOptions
from pliant.controller.recorder_start import start_recorder
from pliant.extras import require_linux
from pliant.processes import PROGRAMS, import_program


def control(options: Annotated[ControlOptions, tyro.conf.arg(name="")]) -> None:
    """Run an arm in real time until told to stop.

    Zeroes the force sensor, activates the law with no axis compliant, and obeys lines on standard
    input and on a local socket. `pliant commands` lists what the lines may say.
    """
    if options.print_config:
        print(_program().settled_config(options).to_yaml(), end="")
        return
    require_linux("a controller process")
    # imports make hardly any garbage, and looking for it would take a tenth of the time
    gc.disable()
    # it starts while the controller is imported, which takes longer
    recorder = start_recorder(options)
    program = _program()
    sys.exit(program.run(options, program.settled_config(options), recorder))


def _program() -> Any:
    """The controller program, imported when its options are known."""
    return import_program(PROGRAMS["controller"])


VERB = control
