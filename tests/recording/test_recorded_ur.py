"""A recording of a real arm: what came over the wire is recomputed bit for bit."""

from pathlib import Path

import numpy as np
import pytest

import pliant
from pliant.api.recorders import record
from pliant.recording.recomputation import recompute
from tests.virtual_arms import on_virtual_arm

pytestmark = pytest.mark.alone


def test_a_recorded_ur_is_recomputed(tmp_path: Path) -> None:
    file = tmp_path / "ur.mcap"
    on_virtual_arm(lambda spec: press(spec, file), "ur5e/table")
    recording = pliant.load(file)
    assert recording.header["spec"].startswith("ur:")
    assert recording["w_T"][:, 2].min() < -4.0
    # a real arm knows no true forces
    assert np.isnan(recording["true_f_peak"]).all()
    assert recompute(recording).difference is None


def press(spec: str, file: Path) -> None:
    """Press on the table, and record it."""
    file.unlink(missing_ok=True)
    with pliant.Arm(spec, clock="real") as arm, record(arm, file):
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.move_by([0, 0, -0.045, 0, 0, 0], speed=0.1)
        arm.set_axes("z")
        arm.set_wrench([0, 0, -5, 0, 0, 0])
        arm.wait_until(lambda tick: tick.w_T[2] < -4.5)
