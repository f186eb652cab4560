"""Records a ring from within the process that writes it, for simulated time."""

from collections.abc import Callable
from pathlib import Path

from pliant.recording.follow import header
from pliant.recording.guarded import Guarded
from pliant.recording.writer import RecordingWriter
from pliant.ring.ring import RingReader, RingWriter


def record_ring(ring: RingWriter, file: Path, report: Callable[[str], None]) -> Guarded:
    """A recorder of all ticks from now on.

    Args:
        ring: The ring that the ticks are published to.
        file: The file to write, in MCAP.
        report: Called with messages for the user.
    """
    reader = RingReader(ring.path)
    return Guarded(RecordingWriter(file, header(reader), reader.header["config"]), report)
