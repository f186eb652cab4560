"""The controller process: how it keeps its deadlines beside a loop that only sleeps.

They take turns, and so does a controller that is recorded, so that what else the machine does falls
on all alike: on one CPU, and in many short turns between which they stand still, because a machine
with others on it is now and then disturbed for seconds. A quantile is taken in every turn, and the
median of the turns is what counts.
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

LATENESS_BOUND = 1.3
LATE_SHARE_BOUND = 0.1
EFFECT_BOUND = 2.0

_RATE = 1000.0
_READERS = 3
_QUANTILES = {"p50": 50.0, "p99": 99.0, "p99.9": 99.9}
_SETTLE = 0.5
_PAUSE = 0.02
_LOOK = 2e-5


def measure_realtime(turns: int, seconds: float) -> dict[str, Figure]:
    """The figures of a controller with readers attached and commands arriving.

    Args:
        turns: How often the controller and the bare loop take their turn.
        seconds: How long a turn is.
    """
    bare: list[Array] = []
    cpu = last_cpu()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bench.mcap"
        with (
            running_controller(_RATE, _READERS, cpu=cpu) as rig,
            running_controller(_RATE, _READERS, file, cpu=cpu) as recorded_rig,
        ):
            watched, recorded = _Watched(rig), _Watched(recorded_rig)
            for _ in range(turns):
                bare.append(_bare_lateness(seconds))
                watched.take_turn(seconds)
                recorded.take_turn(seconds)
            missed = watched.finish()
            recorded.finish()
        lost = load(file).lost
    return {
        **_lateness_figures(watched.turns, bare),
        **recorder_figures(watched.turns, recorded.turns, lost),
        **_command_figures(watched, missed),
    }


class _Watched:
    """A controller that runs in its turns, commanded, and stands still in between.

    Attributes:
        turns: Lateness of each tick in each turn, s.
        effects: From sending a command to a tick in the ring that shows it, s.
        replies: From sending a command to its reply, s.
    """

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._late: list[float] = []
        self.turns: list[Array] = []
        self.effects: list[float] = []
        self.replies: list[float] = []
        rig.pause()

    def take_turn(self, seconds: float) -> None:
        """Run for a while."""
        self._rig.resume()
        time.sleep(_SETTLE)
        self._look(np.nan)
        # what happened before the turn does not count
        self._late.clear()
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            # at any phase of the period
            time.sleep(_PAUSE * random.uniform(0.5, 1.5))
            self._command(-1.0 - 0.001 * len(self.effects))
        self._look(np.nan)
        self._rig.pause()
        self.turns.append(np.array(self._late))

    def finish(self) -> int:
        """Let it end; how many ticks its readers missed."""
        self._rig.resume()
        return self._rig.finish() + self._rig.ring.missed

    def _command(self, force: float) -> None:
        """Set a wrench target that no tick has shown yet, and wait for one that does."""
        self._look(np.nan)
        start = time.monotonic()
        self._rig.send(f"WRENCH 0 0 {force} 0 0 0")
        while not self._look(force) and time.monotonic() < start + 1.0:
            time.sleep(_LOOK)
        self.effects.append(time.monotonic() - start)
        self._rig.receive()
        self.replies.append(time.monotonic() - start)

    def _look(self, force: float) -> bool:
        """Take in the ticks that are there; whether one of them shows a force as target."""
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
            meaning=f"{what}, to a bare loop's",
            bound=None if name == "p99.9" else LATENESS_BOUND,
            microseconds=ours,
        )
        figures[f"bare_lateness_{name}"] = Figure(value=theirs, unit="µs", meaning=f"bare {what}")
    ours, theirs = _late_share(controller), _late_share(bare)
    figures["late_share"] = Figure(
        value=ours - theirs,
        unit="pp",
        meaning="ticks over half a period late, beyond a bare loop's",
        bound=LATE_SHARE_BOUND,
    )
    figures["bare_late_share"] = Figure(value=theirs, unit="%", meaning="the bare loop's")
    return figures


def _late_share(turns: list[Array]) -> float:
    """Percent of ticks that began more than half a period late."""
    return 100.0 * float(np.mean(np.concatenate(turns) > 0.5 / _RATE))


def _command_figures(watched: _Watched, missed: int) -> dict[str, Figure]:
    effect, reply = float(np.median(watched.effects)), float(np.median(watched.replies))
    return {
        "command_to_effect": Figure(
            value=effect * _RATE,
            unit="periods",
            meaning="from sending a command to a tick that shows it, median",
            bound=EFFECT_BOUND,
            microseconds=1e6 * effect,
        ),
        "command_to_reply": Figure(
            value=1e6 * reply, unit="µs", meaning="from sending a command to its reply, median"
        ),
        "readers_missed": Figure(
            value=float(missed),
            unit="ticks",
            meaning=f"ticks that {_READERS} readers missed",
            bound=0.0,
        ),
    }
