"""Cost of a tick without physics: the law's kernel, the whole tick, and each stage."""

import numpy as np

from pliant.bench.figure import Figure
from pliant.bench.null_robot import compliant_loop
from pliant.bench.timing import Batch, calls, in_turns, time_each
from pliant.bench.yardstick import yardstick
from pliant.laws.hybrid_admittance.axes import axes_from_mask
from pliant.laws.hybrid_admittance.kernel import hybrid_kernel
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.numerics.kernels import direct
from pliant.params import params_row
from pliant.tick import Rows

LAW_BOUND = 1.0
ADAPTIVE_BOUND = 1.3
TICK_BOUND = 5.0


def measure_ticks(rounds: int) -> tuple[dict[str, Figure], dict[str, Figure]]:
    """Measure law and tick, and each stage.

    Args:
        rounds: Number of turns of each measurement.
    """
    loop = compliant_loop()
    prev, tick = loop.row.copy(), loop.step().copy()
    ticks: list[float] = []
    batches: dict[str, Batch] = {
        "R": yardstick(),
        "kernel": _law_kernel(loop, prev, tick, [True] * 6),
        "kernel, mixed": _law_kernel(loop, prev, tick, [True] * 3 + [False] * 3),
        "adaptive": _law_kernel(loop, prev, tick, [True] * 6, "adaptive"),
        "adaptive, mixed": _law_kernel(loop, prev, tick, [True] * 3 + [False] * 3, "adaptive"),
        "tick": time_each(loop.step, ticks),
    }
    stages = {
        "clock": calls(FastClock(loop.robot.dt).wait, prev, tick),
        "robot": calls(loop.robot.read, tick.copy()),
        **{name: calls(stage, prev, tick) for name, stage in loop.pipeline.stages.items()},
        "write": calls(loop.robot.write, tick),
        "publish": calls(History(loop.robot.n, 500).publish, tick),
    }
    times = in_turns(batches | stages, rounds)
    R = times["R"]
    kernel = max(times["kernel"], times["kernel, mixed"])
    adaptive = max(times["adaptive"], times["adaptive, mixed"])
    p50, p99 = np.percentile(ticks, [50, 99])
    figures = {
        "yardstick": Figure(value=R, unit="µs", meaning="R: Pinocchio's FK and frame Jacobian"),
        "law_kernel": _in_R(kernel, R, "kernel of hybrid_admittance", LAW_BOUND),
        "law_kernel_adaptive": _in_R(
            adaptive, R, "kernel of hybrid_admittance, adaptive damping", ADAPTIVE_BOUND
        ),
        "tick_p50": _in_R(float(p50), R, "whole tick without physics, median", TICK_BOUND),
        "tick_p99": _in_R(float(p99), R, "whole tick without physics, p99"),
    }
    return figures, {name: _in_R(times[name], R, f"stage {name}") for name in stages}


def _in_R(microseconds: float, R: float, meaning: str, bound: float | None = None) -> Figure:
    return Figure(
        value=microseconds / R, unit="R", meaning=meaning, bound=bound, microseconds=microseconds
    )


def _law_kernel(loop: Loop, prev: Rows, tick: Rows, mask: list[bool], mode: str = "fixed") -> Batch:
    """The law's kernel on copied rows, in contact; rigid axes take a separate path through it."""
    prev, tick = prev.copy(), tick.copy()
    Tr, n_af = axes_from_mask(mask)
    for row in (prev, tick):
        row["Tr"], row["n_af"] = Tr, n_af
        row["touching"], row["k_contact"], row["loop_delay"] = 1, 1e4, 0.04
    gains = loop.supervisor.config.laws.hybrid_admittance
    params = params_row(gains.model_copy(update={"damping_mode": mode}))
    # as the loop calls it
    call = direct(hybrid_kernel, prev, tick, params)

    def batch(count: int) -> None:
        for _ in range(count):
            call(prev, tick, params)

    return batch
