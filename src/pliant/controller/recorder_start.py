"""Starts the recorder of a controller: early if it writes every tick, else when there is a ring."""

from pathlib import Path

from pliant.controller.options import ControlOptions
from pliant.recording.flight_folder import flight_folder
from pliant.recording.recorder_process import RecorderProcess


def start_recorder(options: ControlOptions) -> RecorderProcess | None:
    """Start a recorder that waits for a ring; None if no file is wanted.

    It is started before the controller is imported, because it takes as long to start.
    """
    recording = options.record is not None and not options.fast
    return RecorderProcess() if recording else None


def start_flight_recorder(options: ControlOptions, ring: Path) -> RecorderProcess | None:
    """Start a recorder of flights alone; None if none is wanted.

    Nobody waits for it: the ring has the past that it missed.
    """
    flights = None if options.no_flight else flight_folder()
    if flights is None:
        return None
    recorder = RecorderProcess()
    recorder.begin(ring, flights=flights)
    return recorder
