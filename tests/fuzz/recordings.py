"""Damaged recordings: read, described, exported, drawn and recomputed, or refused in a sentence."""

import contextlib
import io
import random
from collections.abc import Callable
from pathlib import Path

import pliant
from pliant import Arm
from pliant.cli.info import InfoOptions, info
from pliant.cli.recompute import RecomputeOptions
from pliant.cli.recompute import run as run_recompute
from pliant.errors import PliantError
from pliant.recording import Recording, load
from pliant.recording.formats import FORMATS, export
from pliant.recording.plot_file import plot

from .kind import Finding, Tally, each
from .recording_damage import damaged_recording

_LARGEST_OUTPUT = 64 << 20


class Recordings:
    """Reads damaged recordings through everything that reads them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files = [path.read_bytes() for path in make_recordings(folder)]
        # matplotlib and the kernels are loaded once, not in a case
        _use(folder / "ur5e.mcap", folder, lambda: 0.0)

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Damage recordings, and use each in some ways."""
        file = self._folder / "damaged.mcap"

        def use() -> bool:
            file.write_bytes(damaged_recording(dice, dice.choice(self._files)))
            return _use(file, self._folder, dice.random)

        return each(count, use)


def make_recordings(folder: Path) -> list[Path]:
    """Small recordings: of a position arm, of a torque arm, and without a tick."""
    files = []
    for spec, ticks in (("sim:ur5e", 40), ("sim:panda", 12), ("sim:ur5e/table", 0)):
        files.append(folder / f"{spec[4:].replace('/', '-')}.mcap")
        files[-1].unlink(missing_ok=True)
        arm = Arm(spec)
        with arm, pliant.record(arm, files[-1]):
            if ticks:
                arm.activate("position")
                arm.move_by([0, 0, 0.01, 0, 0, 0])
            for _ in range(ticks):
                arm._session.advance()
    return files


def _use(file: Path, folder: Path, chance: Callable[[], float]) -> bool:
    """Use a recording; False if it was refused in a sentence."""
    try:
        recording = load(file)
        with contextlib.redirect_stdout(io.StringIO()):
            info(InfoOptions(file=file))
            _use_in_part(recording, folder, chance)
    except PliantError as error:
        if not str(error).strip():
            raise Finding(f"{type(error).__name__} says nothing") from error
        return False
    return True


def _use_in_part(recording: Recording, folder: Path, chance: Callable[[], float]) -> None:
    """Export, draw and recompute: not all of them each time, as they take long."""
    if chance() < 0.3:
        out = folder / f"out{FORMATS[int(chance() * len(FORMATS))]}"
        export(recording, out)
        if out.stat().st_size > _LARGEST_OUTPUT:
            raise Finding(f"{out.name} has {out.stat().st_size} bytes")
    if chance() < 0.03:
        plot([recording], folder / f"out{'.png' if chance() < 0.5 else '.html'}")
    if chance() < 0.25:
        # it exits with status 1 if the recording differs, as a damaged one may
        with contextlib.suppress(SystemExit):
            run_recompute(RecomputeOptions(file=recording.path))
