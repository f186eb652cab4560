"""Every law and reference of a torque arm is a function of two ticks, to the last bit."""

from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.laws.task_space_inverse_dynamics.kernel import BOUND
from pliant.tick import Rows, columns

from .pressing import Case, arm_above

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


@pytest.mark.parametrize("arm_name", ["ur5e", "panda"])
def test_estimates_and_adaptive_laws_are_functions_of_two_ticks(arm_name: str) -> None:
    arm = arm_above(Case(arm=arm_name, stiffness=5e4, lag=0.02))
    arm.set_task_frame([0.4, 0.0, 0.1, 0.0, 1.0, 0.0, 0.0])
    arm.set_axes("z", frame="task")
    arm.set_wrench([0, 0, -6, 0, 0, 0], frame="task")
    arm.wait_until(lambda tick: tick.true_f_peak > 5.0, 30.0)
    arm.wait(0.2)
    rows = arm.history.since(arm.time - 1.0)
    assert rows["touching"].any()
    stages = Arm(f"sim:{arm_name}/table", config=arm.config)._session._loop.pipeline.stages
    for stage in ("contact", "law"):
        own = [name for name, c, _ in columns() if c.stage == stage]
        for k in range(len(rows) - 1, 0, -1):
            prev, tick = rows[k - 1 : k].copy(), rows[k : k + 1].copy()
            for name in own:
                tick[name] = np.nan if tick[name].dtype.kind == "f" else 7
            stages[stage](prev, tick)
            for name in own:
                assert tick[name].tobytes() == rows[name][k].tobytes(), (name, k)
