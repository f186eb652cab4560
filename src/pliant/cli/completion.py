"""Completion of the command line by the Tab key."""

import contextlib
from importlib import import_module
from typing import Annotated, Any, Literal

import tyro

from pliant.cli.verbs import CONFIG, VERBS
from pliant.errors import MissingExtra

Shell = Literal["bash", "zsh", "tcsh"]


def completion(shell: Annotated[Shell, tyro.conf.Positional] = "bash") -> None:
    """Print the script that completes verbs, options and files of `pliant` by the Tab key.

    For bash, put `source <(pliant completion bash)` into ~/.bashrc. For zsh, write the script to a
    file `_pliant` in a folder of $fpath.

    Args:
        shell: The shell.
    """
    app = tyro.extras.SubcommandApp()
    for name, (module, doc) in VERBS.items():
        try:
            _add(app, name, import_module(module).VERB, doc)
        except MissingExtra:
            # what is not installed is not completed
            continue
    # tyro exits after printing
    with contextlib.suppress(SystemExit):
        app.cli(prog="pliant", args=["--tyro-print-completion", shell], config=CONFIG)


def _add(app: tyro.extras.SubcommandApp, name: str, verb: Any, doc: str) -> None:
    if not isinstance(verb, dict):
        app.command(name=name, help=doc)(verb)
        return
    nested: Any = tyro.extras.SubcommandApp()
    for sub_name, function in verb.items():
        nested.command(name=sub_name)(function)
    app.command(nested, name=name, help=doc)


VERB = completion
