"""Lateness of a controller process, compared with a loop that only sleeps.

A controller, a recorded controller and a bare loop take turns on one CPU, so that other load on the
machine affects all of them. The turns are short and many, and the controllers are paused in
between, because a shared machine is occasionally disturbed for seconds. The result is the median
over the turns of a quantile within each turn.
"""

import random
import tempfile
import time
from pathlib import Path

import numpy as np

from pliant.bench.bare_loop import last_cpu, run_bare
from pliant.bench.figure import Figure
from pliant.bench.recorder_cost import recorder_figures
from pliant.bench.rig import Rig, running_controller
from pliant.numerics.spatial import Array
from pliant.recording import load

LATENESS_BOUND = 1.15
LATE_FRACTION_BOUND = 0.1
EFFECT_BOUND = 1.5

_RATE = 1000.0
_READERS = 3
_QUANTILES = {"p50": 50.0, "p99": 99.0, "p99.9": 99.9}
_SETTLE = 0.5
_PAUSE = 0.02
_POLL = 2e-5


def measure_realtime(turns: int, seconds: float) -> dict[str, Figure]:
    """Measure a controller with attached readers and arriving commands.

    Args:
        turns: Number of turns of each loop.
        seconds: Duration of a turn.
    """
    bare: list[Array] = []
    cpu = last_cpu()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.mcap"
        with (
            running_controller(_RATE, _READERS, cpu=cpu) as rig,
            running_controller(_RATE, _READERS, file, cpu=cpu) as recorded_rig,
        ):
            measured, recorded = _MeasuredController(rig), _MeasuredController(recorded_rig)
            for _ in range(turns):
                bare.append(_bare_lateness(seconds))
                measured.take_turn(seconds)
                recorded.take_turn(seconds)
            missed = measured.finish()
            recorded.finish()
        lost = load(file).lost
    return {
        **_lateness_figures(measured.turns, bare),
        **recorder_figures(measured.turns, recorded.turns, lost),
        **_command_figures(measured, missed),
    }


class _MeasuredController:
    """A controller that receives commands in its turns and is paused in between.

    Attributes:
        turns: Lateness of each tick in each turn, s.
        effects: Times from sending a command to the tick in the ring that shows its effect, s.
        replies: Times from sending a command to its reply, s.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._late: list[float] = []
        self.turns: list[Array] = []
        self.effects: list[float] = []
        self.replies: list[float] = []
        rig.pause()

    def take_turn(self, seconds: float) -> None:
        """Run for one turn."""
        self._rig.resume()
        time.sleep(_SETTLE)
        self._read(np.nan)
        # discard the ticks before the turn
        self._late.clear()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            # at a random phase of the period
            time.sleep(_PAUSE * random.uniform(0.5, 1.5))
            self._command(-1.0 - 0.001 * len(self.effects))
        self._read(np.nan)
        self._rig.pause()
        self.turns.append(np.array(self._late))

    def finish(self) -> int:
        """End the controller; return how many ticks its readers missed."""
        self._rig.resume()
        return self._rig.finish()

    def _command(self, force: float) -> None:
        """Set a new wrench target, and wait for a tick that shows it."""
        self._read(np.nan)
        start = time.monotonic()
        self._rig.send(f"WRENCH 0 0 {force} 0 0 0")
        while not self._read(force) and time.monotonic() < start + 1.0:
            time.sleep(_POLL)
        self.effects.append(time.monotonic() - start)
        self._rig.receive()
        self.replies.append(time.monotonic() - start)

    def _read(self, force: float) -> bool:
        """Read the available ticks; return whether one of them shows a force as its target."""
        seen = False
        for row in self._rig.ring.ticks():
            self._late.append(row["lateness"].item())
            seen = seen or row["w_target"].item(2) == force
        return seen


def _bare_lateness(seconds: float) -> Array:
    time.sleep(_SETTLE)
    return np.array(run_bare(_RATE, seconds).split(), dtype=float) * 1e-9


def _lateness_figures(controller: list[Array], bare: list[Array]) -> dict[str, Figure]:
    figures: dict[str, Figure] = {}
    for name, percent in _QUANTILES.items():
        ours = 1e6 * float(np.median([np.percentile(late, percent) for late in controller]))
        theirs = 1e6 * float(np.median([np.percentile(late, percent) for late in bare]))
        what = f"lateness at {_RATE:g} Hz, {name}"
        figures[f"lateness_{name}"] = Figure(
            value=ours / theirs,
            unit="×",
            meaning=f"{what}, relative to a bare loop",
            bound=None if name == "p99.9" else LATENESS_BOUND,
            microseconds=ours,
        )
        figures[f"bare_lateness_{name}"] = Figure(
            value=theirs, unit="µs", meaning=f"{what}, bare loop"
        )
    ours, theirs = _late_fraction(controller), _late_fraction(bare)
    figures["late_share"] = Figure(
        value=ours - theirs,
        unit="pp",
        meaning="ticks over half a period late, minus those of a bare loop",
        bound=LATE_FRACTION_BOUND,
    )
    figures["bare_late_share"] = Figure(
        value=theirs, unit="%", meaning="ticks over half a period late, bare loop"
    )
    return figures


def _late_fraction(turns: list[Array]) -> float:
    """Percentage of ticks that started more than half a period late."""
    return 100.0 * float(np.mean(np.concatenate(turns) > 0.5 / _RATE))


def _command_figures(measured: _MeasuredController, missed: int) -> dict[str, Figure]:
    effect, reply = float(np.median(measured.effects)), float(np.median(measured.replies))
    return {
        "command_to_effect": Figure(
            value=effect * _RATE,
            unit="periods",
            meaning="from sending a command to a tick that shows its effect, median",
            bound=EFFECT_BOUND,
            microseconds=1e6 * effect,
        ),
        "command_to_reply": Figure(
            value=1e6 * reply, unit="µs", meaning="from sending a command to its reply, median"
        ),
        "readers_missed": Figure(
            value=float(missed),
            unit="ticks",
            meaning=f"ticks missed by {_READERS} readers",
            bound=0.0,
        ),
    }
