"""The commands that concern the controller itself rather than the arm's next tick."""

import json
from collections.abc import Callable
from typing import Any

from pliant import commands as c
from pliant.commands.line_protocol import help_text
from pliant.commands.reply import Reply
from pliant.config import plain
from pliant.controller.intake import Intake
from pliant.controller.lease import Lease
from pliant.controller.line_client import Client
from pliant.loop.gripping import grip
from pliant.loop.loop import Loop
from pliant.loop.push import push
from pliant.reasons import State, Verdict
from pliant.stages.supervisor import read_text


class OwnCommands:
    """Obeys queries, the lease, the watchdog, names, pushes, the gripper's commands and STOP.

    Attributes:
        watchdog_holds: Whether the watchdog lets the arm hold instead of ending the controller.
    """

    def __init__(self, loop: Loop, intake: Intake, lease: Lease, stop: Callable[[], None]) -> None:
        self.watchdog_holds = False
        self._loop, self._intake, self._lease, self._end = loop, intake, lease, stop
        self._handlers = self._own_handlers
        self._now = 0.0

    def obey(self, client: Client, command: c.Command, now: float) -> Reply | None:
        """Obey a command; None if it is for the supervisor.

        Args:
            client: The client that gave it.
            command: The command.
            now: The arm's time, s.

        Raises:
            Refused: It cannot be done.
        """
        self._now = now
        if isinstance(command, c.GripperCommand):
            return grip(self._loop.robot, command)
        handler = self._handlers.get(type(command))
        return None if handler is None else handler(client, command)

    @property
    def _own_handlers(self) -> dict[type[c.Command], Callable[[Client, Any], Reply]]:
        return {
            c.Stop: self._stop,
            c.Lease: self._take_or_release,
            c.Watchdog: self._set_watchdog,
            c.GetParameter: self._get_parameter,
            c.QueryState: lambda _client, _command: self.state(),
            c.QueryJoints: self._describe_joints,
            c.Help: lambda _client, command: Reply(text=help_text(command.about)),
            c.Ping: lambda _client, _command: Reply(text="pong"),
            c.SetName: self._rename,
            c.SetReplies: self._set_replies,
            c.Push: self._push,
        }

    def _stop(self, _client: Client, _command: c.Stop) -> Reply:
        self._end()
        return Reply(text="stopping")

    def _take_or_release(self, client: Client, command: c.Lease) -> Reply:
        holder = self._lease.do(client, command.action, self._now)
        return Reply(text=f"{holder} is in control", value=holder)

    def _set_watchdog(self, _client: Client, command: c.Watchdog) -> Reply:
        self._lease.watch(command.seconds)
        self.watchdog_holds = command.action == "hold"
        return Reply(text=f"watchdog {command.seconds:g} s" if command.seconds else "watchdog off")

    def _get_parameter(self, _client: Client, command: c.GetParameter) -> Reply:
        value = plain(self._loop.supervisor.config.get(command.path))
        return Reply(text=json.dumps(value), value=value)

    def _describe_joints(self, _client: Client, command: c.QueryJoints) -> Reply:
        joints = self._loop.supervisor.joints.describe(self._loop.row, command.joints)
        return Reply(text=json.dumps(joints), value=joints)

    def _set_replies(self, client: Client, command: c.SetReplies) -> Reply:
        client.json = command.form == "json"
        return Reply(text=f"replies are {command.form}")

    def _push(self, _client: Client, command: c.Push) -> Reply:
        return push(self._loop.robot, command)

    def _rename(self, client: Client, command: c.SetName) -> Reply:
        self._intake.rename(client, command.name)
        if client is self._lease.holder:
            self._lease.announce()
        return Reply(text=f"you are {command.name}")

    def state(self) -> Reply:
        """The state, the law, the sensor's verdict, the client in control and the reason."""
        row = self._loop.row
        index = row["law"].item()
        holder = self._lease.holder
        state = {
            "state": State(row["state"].item()).name,
            "law": self._loop.supervisor.law_names[index] if index >= 0 else "none",
            "sensor": Verdict(row["verdict"].item()).name,
            "control": holder.name if holder else "free",
            "reason": read_text(row) or "none",
        }
        return Reply(text=" ".join(f"{name}={value}" for name, value in state.items()), value=state)
