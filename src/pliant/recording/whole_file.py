"""A new file to which things are appended whole or not at all."""

import os
from pathlib import Path

from pliant.errors import RecordingError

_NEW_FILE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC


class WholeFile:
    """Appends, and takes back what did not fit.

    Attributes:
        path: The file.
        size: How much there is in it, bytes.
    """

    def __init__(self, path: Path) -> None:
        """Create the file.

        Raises:
            RecordingError: It exists already, or cannot be written.
        """
        self.path = path
        self.size = 0
        try:
            self._descriptor = os.open(path, _NEW_FILE, 0o666)
        except FileExistsError:
            raise RecordingError(f"{path} exists: give another name, or remove it") from None
        except OSError as error:
            raise RecordingError(f"cannot write {path}: {error.strerror}") from None

    def append(self, data: bytes) -> None:
        """Write all of it or nothing.

        Raises:
            RecordingError: It does not fit; the file is as it was before.
        """
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._descriptor, left) :]
        except OSError as error:
            self.cut(self.size)
            raise RecordingError(f"cannot write {self.path}: {error.strerror}") from None
        self.size += len(data)

    def cut(self, size: int) -> None:
        """Take back everything beyond a size."""
        os.ftruncate(self._descriptor, size)
        self.size = size

    def close(self) -> None:
        """See that it is on the disk, and let it go."""
        try:
            os.fsync(self._descriptor)
        finally:
            os.close(self._descriptor)
