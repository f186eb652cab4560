"""`pliant status` answers at once: it needs neither kernels nor physics."""

import json
import os
import subprocess
import sys

from pliant import Arm

PROGRAM = """
import sys
from pliant.cli import main
main(["status", "--json"])
heavy = {"numba", "mujoco", "pinocchio", "llvmlite", "pydantic", "scipy"} & set(sys.modules)
assert not heavy, heavy
"""


def status(folder):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=os.environ | {"PLIANT_RUNTIME_DIR": str(folder)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def test_it_imports_nothing_heavy(folder):
    assert status(folder).strip() in ("[]", "no controller is running")


def test_it_describes_a_controller_without_kernels(folder):
    with Arm("sim:ur5e", clock="real", config={"safety": {"lateness": 30.0}}) as arm:
        arm.wait(0.1)
        (row,) = json.loads(status(folder))
    assert row["arm"] == "sim:ur5e"
    assert row["state"] == "INACTIVE"
    assert row["late p50, µs"] >= 0.0
    assert row["in control"] == "nobody"


def test_the_table_fits_80_columns_and_cuts_no_name(folder):
    with Arm("sim:ur5e/peg", clock="real", config={"safety": {"lateness": 30.0}}) as arm:
        arm.wait(0.1)
        printed = subprocess.run(
            [sys.executable, "-m", "pliant.cli", "status"],
            env=os.environ | {"PLIANT_RUNTIME_DIR": str(folder), "COLUMNS": "80"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        ).stdout
        name = next(folder.glob("*.ring")).stem
    assert max(map(len, printed.splitlines())) <= 80
    assert "…" not in printed
    # a name that does not fit goes on in the next line
    head = next(line for line in printed.splitlines() if "guardian" in line)
    first = [line[: head.index("arm")].strip() for line in printed.splitlines()]
    assert "".join(first[first.index("name") + 2 :]) == name
