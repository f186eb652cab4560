"""Starts the recorder of a controller before the controller itself is imported."""

from pliant.controller.options import ControlOptions
from pliant.recording.flight_folder import flight_folder
from pliant.recording.recorder_process import RecorderProcess


def start_recorder(options: ControlOptions) -> RecorderProcess | None:
    """Start a recorder, which then waits for a ring; None if the options want none."""
    recording = options.record is not None and not options.fast
    if not recording and (options.no_flight or flight_folder() is None):
        return None
    return RecorderProcess()
