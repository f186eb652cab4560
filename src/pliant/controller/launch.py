"""Starts controllers as processes of their own, and ends them."""

import json
import os
import re
import secrets
import subprocess
from dataclasses import asdict
from typing import Any

from pliant.config import Config
from pliant.controller.options import ControlOptions
from pliant.processes import Child
from pliant.ring.runtime_folder import clean_up

_STOP_TIMEOUT = 6.0


def launch_controller(options: ControlOptions, config: Config, **popen: Any) -> Child:
    """Start a controller; `wait_ready` or `poll` of the child tells when it obeys commands.

    Args:
        options: How it runs; the configuration is given apart.
        config: The configuration, complete.
        **popen: Arguments of `subprocess.Popen`.
    """
    child = Child("controller", **popen)
    given = asdict(options) | {
        "record": str(options.record) if options.record else None,
        "motions": [str(folder) for folder in options.motions or ()],
    }
    child.send({"options": given, "config": json.loads(config.model_dump_json(round_trip=True))})
    return child


def unique_name(spec: str) -> str:
    """A name for a controller of an arm that no other controller has."""
    words = re.sub(r"[^a-z0-9]+", "-", spec.lower()).strip("-")[-32:].strip("-")
    return f"{words}-{os.getpid()}-{secrets.token_hex(3)}"


def end_controller(process: subprocess.Popen[bytes]) -> None:
    """Close a controller's standard input, which stops the arm, and wait until it has ended."""
    if process.stdin:
        process.stdin.close()
    try:
        process.wait(_STOP_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.returncode < 0:
        clean_up()
