"""A client's connection to a controller's socket: lines out, replies with values back."""

import json
import socket
from pathlib import Path
from typing import Any

from pliant.commands import Command, SetParameter, SetReplies
from pliant.commands.line_protocol import write
from pliant.commands.reply import Reply
from pliant.controller import motion_loader
from pliant.errors import ArmStopped, PliantError, Refused
from pliant.ring.runtime_folder import SOCKET_SUFFIX, runtime_folder


class LineConnection:
    """Sends commands and waits for their replies."""

    def __init__(self, name: str, timeout: float) -> None:
        """Connect to a controller.

        Args:
            name: The controller's name in the runtime folder.
            timeout: How long to wait for a reply, s.

        Raises:
            PliantError: The controller is not there, or does not answer.
        """
        self._timeout = timeout
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(timeout)
        self._replies = self._socket.makefile("rb")
        self._pending = 0
        path: Path = runtime_folder() / f"{name}{SOCKET_SUFFIX}"
        try:
            self._socket.connect(str(path))
            self.ask(SetReplies(form="json"))
        except OSError as error:
            self.close()
            raise PliantError(f"no controller {name}: {error.strerror}") from None
        except BaseException:
            self.close()
            raise

    def ask(self, command: Command) -> Reply:
        """Give a command and wait for its reply.

        Raises:
            Refused: The command was refused.
            ArmStopped: The controller does not answer any more.
        """
        # such a command may name a motion, which the controller reads first
        reads = isinstance(command, SetParameter) and command.section == "reference"
        try:
            self._socket.settimeout(self._timeout + (motion_loader.LONGEST if reads else 0.0))
            self._socket.sendall(write(command).encode() + b"\n")
            self._pending += 1
            line = self._last_reply()
        except OSError as error:
            raise ArmStopped(f"the controller does not answer: {error}") from None
        if not line:
            raise ArmStopped("the controller has ended")
        return _reply(line)

    def send(self, command: Command) -> None:
        """Give a last command without waiting for the reply.

        Raises:
            OSError: The controller has gone.
        """
        self._socket.sendall(write(command).encode() + b"\n")

    def close(self) -> None:
        """Disconnect. Safe to call twice."""
        self._replies.close()
        self._socket.close()

    def _last_reply(self) -> bytes:
        """The reply to the last command; earlier ones are left over if a call was interrupted."""
        line = b""
        while self._pending > 0:
            line = self._replies.readline()
            # an EVENT says that replies were lost, and answers nothing
            self._pending -= not line.startswith(b"EVENT")
        return line


def _reply(line: bytes) -> Reply:
    """The reply in a line; the one to `REPLIES json` itself is in that form already."""
    said: dict[str, Any] = json.loads(line)
    if not said["ok"]:
        raise Refused(said["text"])
    return Reply(text=said["text"], value=said.get("value"))
