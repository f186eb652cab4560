"""The command line: one module per verb, imported only when that verb is used."""

import os
import signal
import sys
from collections.abc import Callable

import tyro

from pliant.errors import PliantError
from pliant.processes import import_program

_VERBS = {
    "task": ("pliant.cli.task", "Run a task on a simulated arm."),
    "control": ("pliant.cli.control", "Control an arm in real time by lines on standard input."),
    "record": ("pliant.cli.record", "Record a running controller to a file."),
    "joints": ("pliant.cli.joints", "Watch the joints of a running controller."),
    "sequence": ("pliant.cli.sequence", "Move joints through a sequence of postures."),
    "status": ("pliant.cli.status", "List the running controllers."),
    "info": ("pliant.cli.info", "Summarize a recording."),
    "plot": ("pliant.cli.plot", "Plot a recording, or compare two."),
    "export": ("pliant.cli.export", "Export a recording to CSV, Parquet or NumPy."),
    "recompute": ("pliant.cli.recompute", "Recompute a recording and compare bit for bit."),
    "commands": ("pliant.cli.commands", "List the commands of the line protocol."),
    "bench": ("pliant.cli.bench", "Measure the speed of the loop."),
    "config": ("pliant.cli.config", "Print the configuration as YAML, or check a file."),
    "console": ("pliant.cli.console", "Watch and command an arm in the browser."),
    "columns": ("pliant.cli.columns", "List the columns of a tick."),
    "identify": ("pliant.cli.identify", "Measure the tool's weight, the servo lag or a surface."),
    "suggest": ("pliant.cli.suggest", "Suggest stable gains for a lag and a range of surfaces."),
    "doctor": ("pliant.cli.doctor", "Check machine, arm, sensor and gains before a run."),
}


def main(arguments: list[str] | None = None) -> None:
    """Run `pliant`."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given[0] in ("-h", "--help"):
        print(_usage())
        return
    verb, *rest = given
    if verb == "--version":
        from pliant.version import __version__

        print(f"pliant {__version__}")
        return
    if verb not in _VERBS:
        sys.exit(f"pliant: unknown verb {verb!r}; valid: {', '.join(_VERBS)}")
    module = import_program(_VERBS[verb][0])
    try:
        _run(module.VERB, f"pliant {verb}", rest)
        sys.stdout.flush()
    except BrokenPipeError:
        # the reader closed the pipe, as `head` does; Python must not flush into it at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(128 + signal.SIGPIPE)
    except PliantError as error:
        sys.exit(f"pliant: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _run(verb: Callable | dict[str, Callable], name: str, arguments: list[str]) -> None:
    """Call a verb, or one of its sub-verbs, with command-line arguments."""
    config = (tyro.conf.FlagCreatePairsOff,)
    if isinstance(verb, dict):
        subcommands = tyro.extras.SubcommandApp()
        for sub_name, function in verb.items():
            subcommands.command(name=sub_name)(function)
        subcommands.cli(prog=name, args=arguments, config=config)
    else:
        tyro.cli(verb, prog=name, args=arguments, config=config)


def _usage() -> str:
    verbs = "\n".join(f"  {verb:10}{doc}" for verb, (_, doc) in _VERBS.items())
    return (
        "pliant: compliant control of robot arms\n\n"
        f"usage: pliant VERB ...\n\n{verbs}\n\n"
        "`pliant VERB --help` lists the options of a verb. Try: pliant task insertion --compare"
    )
