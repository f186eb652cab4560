"""The command line: one module per verb, imported only when that verb is used."""

import os
import signal
import sys
from collections.abc import Callable

import tyro

from pliant.cli.verbs import CONFIG, VERBS
from pliant.errors import PliantError, UnknownNameError
from pliant.processes import import_program


def main(arguments: list[str] | None = None) -> None:
    """Run `pliant`."""
    given = sys.argv[1:] if arguments is None else arguments
    if not given or given[0] in ("-h", "--help"):
        print(_usage())
        return
    verb, *rest = given
    if verb == "help":
        return main([*rest, "--help"])
    if verb == "--version":
        from pliant.version import __version__

        print(f"pliant {__version__}")
        return
    if verb not in VERBS:
        sys.exit(f"pliant: {UnknownNameError('verb', verb, list(VERBS))}")
    try:
        _run(import_program(VERBS[verb][0]).VERB, f"pliant {verb}", rest)
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
    if isinstance(verb, dict):
        subcommands = tyro.extras.SubcommandApp()
        for sub_name, function in verb.items():
            subcommands.command(name=sub_name)(function)
        subcommands.cli(prog=name, args=arguments, config=CONFIG)
    else:
        tyro.cli(verb, prog=name, args=arguments, config=CONFIG)


def _usage() -> str:
    verbs = "\n".join(f"  {verb:11}{doc}" for verb, (_, doc) in VERBS.items())
    return (
        "pliant: compliant control of robot arms\n\n"
        f"usage: pliant VERB ...\n\n{verbs}\n\n"
        "`pliant VERB --help` lists the options of a verb. Try: pliant task insertion --compare"
    )
