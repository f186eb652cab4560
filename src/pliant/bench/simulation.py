"""Speed of the simulation, and the cost of an insertion relative to its physics alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from time import perf_counter

import mujoco
import numpy as np

from pliant.api.arm import Arm
from pliant.bench.figure import Figure
from pliant.bench.timing import no_collection
from pliant.errors import PliantError
from pliant.numerics.spatial import Array
from pliant.tasks.insertion import Insertion

INSERTION_BOUND = 2.2

_SPEC = "sim:ur5e/peg"


def measure_insertion(repeats: int) -> dict[str, Figure]:
    """Compare an insertion with the same physics steps, and the same contacts, alone.

    Neither time includes building the model.
    """
    controls, q_end = _record()
    whole, bare = [], []
    with no_collection():
        for _ in range(repeats):
            whole.append(_time_insertion())
            bare.append(_time_bare(controls, q_end))
    ratio = median(w / b for w, b in zip(whole, bare, strict=True))
    step = Figure(
        value=1e6 * median(bare) / len(controls),
        unit="µs",
        meaning="one bare physics step of the insertion",
    )
    meaning = f"insertion, relative to its {len(controls)} bare physics steps"
    return {
        "insertion": Figure(value=ratio, unit="×", meaning=meaning, bound=INSERTION_BOUND),
        "insertion_bare_step": step,
    }


def measure_speed(seconds: float) -> dict[str, Figure]:
    """Measure how much faster than real time the simulation runs."""
    return {
        f"speed_{name}": Figure(value=_speed(spec, seconds), unit="×", meaning=meaning)
        for name, spec, meaning in (
            ("free", "sim:ur5e", "simulated time per real time, free space"),
            ("contact", "sim:ur5e/table", "simulated time per real time, pressing on a table"),
        )
    }


def _speed(spec: str, seconds: float) -> float:
    with Arm(spec) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.set_axes("z")
        if arm.scene.X_WH is not None:
            arm.set_wrench([0.0, 0.0, -5.0, 0.0, 0.0, 0.0])
            arm.wait_until(lambda tick: tick.w_T[2] < -2.0)
        start = perf_counter()
        arm.wait(seconds)
        return seconds / (perf_counter() - start)


def _record() -> tuple[Array, Array]:
    """The servo inputs at every physics step of an insertion, and the final joint positions."""
    arm = Arm(_SPEC)
    controls: list[Array] = []
    with _recording(controls):
        Insertion(arm).run()
    return np.array(controls), arm.simulation.world.data.qpos.copy()


@contextmanager
def _recording(controls: list[Array]) -> Iterator[None]:
    mujoco.set_mjcb_control(lambda model, data: controls.append(data.ctrl.copy()))
    try:
        yield
    finally:
        mujoco.set_mjcb_control(None)


def _time_insertion() -> float:
    arm = Arm(_SPEC)
    start = perf_counter()
    Insertion(arm).run()
    return perf_counter() - start


def _time_bare(controls: Array, q_end: Array) -> float:
    """Replay the physics alone.

    Raises:
        PliantError: The replay did not end like the insertion, so the times are not comparable.
    """
    world = Arm(_SPEC).simulation.world
    data, ctrl = world.data, world.data.ctrl
    start = perf_counter()
    for control in controls:
        ctrl[:] = control
        world.step()
    elapsed = perf_counter() - start
    if not np.array_equal(data.qpos, q_end):
        raise PliantError(f"the replayed physics ended at {data.qpos}, the insertion at {q_end}")
    return elapsed
