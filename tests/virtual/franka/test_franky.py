"""franky takes the virtual FR3 for a real one."""

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.virtual_arms import virtual_arm

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(
        find_spec("franky") is None, reason="NOT TESTED: the virtual FR3 against franky"
    ),
]
PROGRAM = Path(__file__).parent / "franky_program.py"


def test_motions_and_a_reaction_to_contact() -> None:
    with virtual_arm("fr3/table", "--clock", "lockstep") as arm:
        command = [sys.executable, str(PROGRAM), arm.host]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        told = {name: np.array(value) for name, value in json.loads(done.stdout).items()}
        truth = arm.truth()
    np.testing.assert_allclose(told["shifted"] - told["start"], 0.1, atol=1e-3)
    # the tool points down: its y axis is the base's −y
    np.testing.assert_allclose(told["moved"] - told["before"], [0.0, -0.05, 0.0], atol=1e-3)
    # it would have gone 50 mm into the table
    assert told["after"][2] == pytest.approx(0.1, abs=2e-3)
    assert truth["peak"] > 5.0
    # without the reaction it would be a collision, at 100 N
    assert truth["reflexes"] == {}
