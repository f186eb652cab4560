"""A new file whose appends are all or nothing."""

import os
from pathlib import Path

from pliant.errors import RecordingError

_NEW_FILE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class AtomicFile:
    """Appends data, and removes an append that did not fit.

    Attributes:
        path: The file.
        size: Its size, bytes.
    """

    def __init__(self, path: Path) -> None:
        """Create the file, which only this user can read.

        Raises:
            RecordingError: The file exists already or cannot be written.
        """
        self.path = path
        self.size = 0
        try:
            self._descriptor = os.open(path, _NEW_FILE, 0o600)
        except FileExistsError:
            raise RecordingError(f"{path} exists: choose another name or remove it") from None
        except OSError as error:
            raise RecordingError(f"cannot write {path}: {error.strerror}") from None

    def append(self, data: bytes) -> None:
        """Write all of the data or none of it.

        Raises:
            RecordingError: The data does not fit; the file is unchanged.
        """
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            self.truncate(self.size)
            raise RecordingError(f"cannot write {self.path}: {error.strerror}") from None
        self.size += len(data)

    def truncate(self, size: int) -> None:
        """Remove everything beyond a size."""
        os.ftruncate(self._descriptor, size)
        self.size = size

    def close(self) -> None:
        """Flush the file to the disk and close it."""
        try:
            os.fsync(self._descriptor)
        finally:
            os.close(self._descriptor)
