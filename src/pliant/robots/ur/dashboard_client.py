"""A client of the dashboard: one line asked, one line answered."""

import socket

from pliant.robots.arm_lost import ArmLost

PORT = 29999
_TIMEOUT = 2.0
_LONGEST = 4096


class DashboardClient:
    """A connection to port 29999 of an arm.

    Attributes:
        host: The arm's address.
    """

    def __init__(self, host: str) -> None:
        """Connect, and take the greeting.

        Raises:
            ArmLost: Nobody answers there.
        """
        self.host = host
        try:
            self._socket = socket.create_connection((host, PORT), _TIMEOUT)
        except OSError as error:
            raise ArmLost(f"no dashboard answers at {host}, port {PORT}: {error}") from None
        self._data = b""
        self._line()

    @property
    def is_open(self) -> bool:
        """Whether the arm has not hung up; answers that nobody asked for are thrown away."""
        return is_open(self._socket)

    def ask(self, words: str) -> str:
        """The answer to a command.

        Raises:
            ArmLost: There is none.
        """
        self.send(words)
        return self._line()

    def send(self, words: str) -> None:
        """Send a command without waiting for its answer.

        Raises:
            ArmLost: The connection is lost.
        """
        try:
            self._socket.sendall(f"{words}\n".encode())
        except OSError as error:
            raise ArmLost(f"the dashboard of {self.host} is lost: {error}") from None

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _line(self) -> str:
        try:
            while b"\n" not in self._data:
                data = self._socket.recv(_LONGEST)
                if not data or len(self._data) > _LONGEST:
                    raise ArmLost(f"the dashboard of {self.host} hangs up")
                self._data += data
        except OSError as error:
            raise ArmLost(f"the dashboard of {self.host} does not answer: {error}") from None
        line, _, self._data = self._data.partition(b"\n")
        return line.decode(errors="replace").strip()


def is_open(connection: socket.socket) -> bool:
    """Whether the other end has not hung up; what it said meanwhile is thrown away."""
    timeout = connection.gettimeout()
    connection.setblocking(False)
    try:
        while connection.recv(_LONGEST):
            pass
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        connection.settimeout(timeout)
    return False
