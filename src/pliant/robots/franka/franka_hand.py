"""The Franka Hand on an arm: commands to the processes that talk to it, and what they say of it."""

import time
from math import nan
from typing import Any

from pliant.arms.gripper_state import GripperState
from pliant.errors import PliantError, Refused
from pliant.processes import Child
from pliant.robots.franka.hand_program import CONNECT
from pliant.robots.gripper import Gripper
from pliant.tick import Rows

_CONNECTING = 5.0
"""Longest time to connect at the start, s."""

_LOOK = 0.005
_EVERY = 10
"""Ticks between two looks at what the processes say; the hand tells its state as seldom."""

_ENDING = 1.0
"""Longest time for a process to end, s."""

_AWAY = (GripperState.NONE, GripperState.LOST)


class FrankaHand(Gripper):
    """A hand that may not be there, or may be lost: then only its own commands are refused.

    Its processes start before the arm moves, and stay: starting one takes longer than a tick.
    """

    def __init__(self, host: str) -> None:
        """Make it; it is not yet connected.

        Args:
            host: The arm's address.
        """
        self._host = host
        self._children: tuple[Child, ...] = ()
        self._connecting: set[Child] = set()
        self._waiting: set[Child] = set()
        self._state = GripperState.NONE
        self._why = "it was closed"
        self._width = self._max_width = nan
        self._grasped = 0
        self._number = 0
        self._until_look = 0

    def connect(self) -> None:
        """Start the processes, and wait until they are connected, if a hand answers."""
        self._children = mover, watcher = Child("franka_hand"), Child("franka_hand")
        mover.send({"host": self._host, "moves": True})
        watcher.send({"host": self._host, "moves": False})
        self._why = f"it does not answer for {_CONNECTING:g} s"
        self._connecting = set(self._children)
        deadline = time.monotonic() + _CONNECTING
        while self._connecting and time.monotonic() < deadline:
            self._look()
            time.sleep(_LOOK)

    def home(self) -> int:
        """Close and open the fingers, to find out how far they open."""
        return self._ask("homing")

    def move(self, width: float, speed: float) -> int:
        """Move the fingers to a width."""
        return self._ask("move", width, speed)

    def grasp(self, width: float, force: float, speed: float, inner: float, outer: float) -> int:
        """Grasp an object of about this width."""
        return self._ask("grasp", width, speed, force, inner, outer)

    def stop(self) -> int:
        """Stop the fingers, and let go."""
        self._refuse_unless_connected()
        _, watcher = self._children
        if watcher in self._waiting:
            raise Refused("the hand is being stopped")
        return self._send(watcher, "stop")

    def look(self) -> None:
        """Take what the processes have said, at times; no set point should wait for this."""
        self._until_look -= 1
        if self._until_look < 0:
            self._until_look = _EVERY - 1
            self._look()

    def write(self, tick: Rows) -> None:
        """Write the columns of the gripper."""
        tick["gripper_state"], tick["gripper_seq"] = self._state, self._number
        tick["gripper_width"], tick["gripper_max_width"] = self._width, self._max_width
        tick["gripper_grasped"] = self._grasped

    def close(self) -> None:
        """Stop fingers that move, and hang up."""
        if not self._children:
            return
        (mover, watcher), self._children = self._children, ()
        if self._state is GripperState.MOVING:
            watcher.send({"word": "stop"})
        # it obeys before it sees that nobody is there any more
        watcher.finish(_ENDING)
        # the other one may wait for the fingers
        mover.close()
        mover.kill()
        self._state = GripperState.NONE

    def _ask(self, word: str, *arguments: float) -> int:
        self._refuse_unless_connected()
        if self._state is GripperState.MOVING:
            raise Refused("the hand moves: wait, or stop it first")
        return self._send(self._children[0], word, *arguments)

    def _send(self, child: Child, word: str, *arguments: float) -> int:
        child.send({"word": word, "arguments": arguments})
        self._waiting.add(child)
        self._state = GripperState.MOVING
        self._number += 1
        return self._number

    def _refuse_unless_connected(self) -> None:
        """Refuse a command to a hand that is not there, and have it connected again."""
        if self._state not in _AWAY:
            return
        refusal = f"the hand at {self._host} is not connected: {self._why}"
        if not self._children:
            raise Refused(refusal)
        if not self._connecting:
            self._connecting = set(self._children)
            for child in self._children:
                child.send({"word": CONNECT})
        raise Refused(f"{refusal}; it is tried again, so ask again in a moment")

    def _look(self) -> None:
        """Take what the processes have said."""
        for child in self._children:
            try:
                while (said := child.poll()) is not None:
                    self._take(child, said)
            except PliantError as error:
                self._give_up(str(error))
                return

    def _give_up(self, error: str) -> None:
        """Do without the processes, of which one has died; nobody can wait for their end here."""
        self._lose(f"one of its processes has ended, {error}; start the controller again")
        for child in self._children:
            child.process.kill()
            child.close()
        self._children = ()

    def _take(self, child: Child, said: dict[str, Any]) -> None:
        if "width" in said:
            self._width, self._max_width = said["width"], said["max_width"]
            self._grasped = int(said["grasped"])
        elif "lost" in said:
            self._lose(said["lost"])
            self._connecting.discard(child)
        elif "connected" in said:
            self._note_connected(child)
        elif child in self._waiting:
            self._note_outcome(child, GripperState(said["outcome"]), said["why"])

    def _note_connected(self, child: Child) -> None:
        self._connecting.discard(child)
        self._waiting.discard(child)
        if self._connecting or self._waiting:
            return
        if self._state is GripperState.LOST:
            self.tell("the hand is connected again")
        self._state = GripperState.READY

    def _note_outcome(self, child: Child, outcome: GripperState, why: str) -> None:
        if outcome is GripperState.FAILED:
            self.tell(f"the hand: {why}")
        self._waiting.discard(child)
        if not self._waiting:
            self._state = outcome

    def _lose(self, why: str) -> None:
        """Note that the hand is not there; the arm goes on without it."""
        self._why = why
        if self._state not in _AWAY:
            self._state = GripperState.LOST
            self.tell(f"the hand at {self._host} is lost: {why}")
        # both must connect again
        self._waiting = set(self._children)
        self._width = self._max_width = nan
        self._grasped = 0
