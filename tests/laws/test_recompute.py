"""Every law and reference of a torque arm is a function of two ticks, to the last bit."""

from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.laws.task_space_inverse_dynamics.kernel import BOUND
from pliant.tick import Rows, columns

PRESETS = [
    "gravity",
    "snake",
    "snake_simplified",
    "snake_pd",
    "cartesian",
    "impedance",
    "colab",
    "playback",
    "homing",
]
OWN = {
    stage: [name for name, c, _ in columns() if c.stage == stage] for stage in ("reference", "law")
}


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> dict:
    path: Path = tmp_path_factory.mktemp("motion") / "motion.csv"
    q = Arm("sim:panda").tick.q
    rows = [[t, *(q + 0.05 * np.sin(2.0 * t))] for t in np.arange(0.0, 1.0, 0.01)]
    np.savetxt(path, rows, delimiter=",", fmt="%.9g")
    return {"reference": {"playback": {"file": str(path)}}}


@pytest.fixture(scope="module")
def recording(config: dict) -> Rows:
    """The ticks of a run under all presets, with pushes of a hand."""
    arm = Arm("sim:panda", config=config)
    arm.wait(0.05)
    for preset in PRESETS:
        arm.hand.schedule([0, 9, 6, 0, 0, 0], start=arm.time + 0.05, duration=0.1)
        arm.use_preset(preset)
        arm.wait(0.2)
        if preset == "playback":
            arm.wait_until(lambda tick: tick.ref_phase > 0.01)
    return arm.history.since(0.0)


def test_the_run_has_every_law_and_reference(recording: Rows) -> None:
    assert set(recording["law"]) == {-1, 2, 3, 4, 5, 6, 7}
    assert set(recording["ref_kind"]) == {0, 3, 4, 5, 6, 7}
    assert (recording["ref_rate"][recording["ref_kind"] == 6] > 0.0).any()
    assert set(recording["law"][recording["law_limited"] & BOUND > 0]) == {7}


@pytest.mark.parametrize("stage", ["reference", "law"])
def test_a_new_loop_computes_the_same_ticks_backwards(
    stage: str, recording: Rows, config: dict
) -> None:
    update = Arm("sim:panda", config=config)._session._loop.pipeline.stages[stage]
    # backwards, so that hidden state from the previous tick cannot help
    for k in range(len(recording) - 1, 0, -3):
        prev, tick = recording[k - 1 : k].copy(), recording[k : k + 1].copy()
        for name in OWN[stage]:
            tick[name] = np.nan if tick[name].dtype.kind == "f" else 7
        update(prev, tick)
        for name in OWN[stage]:
            assert tick[name].tobytes() == recording[name][k].tobytes(), (name, k)
