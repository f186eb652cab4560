"""Kernels that different processes compiled are never mistaken for each other."""

import os
import subprocess
import sys

import numpy as np
import pytest

from pliant.numerics.kernels import Kernel
from pliant.sim.actuator import drive

PROGRAM = """
import sys
import numpy as np
from pliant.sim.actuator import drive, new_actuator

for n in map(int, sys.argv[1:]):
    row = new_actuator((0.0, 0.0), 0.002, 0.001, np.ones(n), np.zeros(n), np.zeros(n))
    row["q_written"] = 1.0
    for _ in range(10):
        drive(row, np.zeros(n * (n + 1) // 2), np.zeros(n), np.zeros(n))
    print(*row["q_s"][0])
"""


@pytest.mark.skipif(not isinstance(drive, Kernel), reason="plain Python has no machine code")
def test_code_for_two_arms_from_two_processes_is_told_apart_in_a_third(tmp_path):
    """Numba numbers types and functions anew in each process, and names machine code by that."""

    def moved(*joints):
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, *map(str, joints)],
            env=os.environ | {"PLIANT_KERNELS": str(tmp_path)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return [np.array(line.split(), float) for line in done.stdout.splitlines()]

    moved(6)
    moved(1)
    for one, six in (moved(1, 6), reversed(moved(6, 1))):
        np.testing.assert_array_equal(one, np.ones(1))
        np.testing.assert_array_equal(six, np.ones(6))
