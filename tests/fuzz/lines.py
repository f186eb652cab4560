"""Hostile lines to the parser and supervisor, to a controller, and to one in its own process."""

import contextlib
import json
import os
import random
from pathlib import Path

from pliant.controller.exit_reason import ExitReason
from pliant.controller.startup import Start

from ..controllers import PATIENT, Process, Rig
from .kind import Finding, Tally
from .line_maker import LineMaker
from .line_subject import decide
from .own_folder import runtime_folder_at
from .tick_checks import TickChecks

_SPECS = ("sim:ur5e", "sim:ur5e/table", "sim:panda", "sim:fr3/table")
_AHEAD = 200
"""How many lines may wait for their reply."""

_PROCESS_LINES = 1000


class Lines:
    """One reply to each line, whatever it says; nothing that is sent is ever not finite."""

    def __init__(self, folder: Path) -> None:
        self._folder = runtime_folder_at(folder / "run")
        self._config = folder / "patient.yaml"
        self._config.write_text(json.dumps(PATIENT))

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Most lines go to parser and supervisor, many through a controller's pipes."""
        spec, choice = dice.choice(_SPECS), dice.random()
        if choice < 0.6:
            return decide(spec, dice, count)
        if choice < 0.97:
            return _Piped(Rig(self._folder, Start(stay=True), spec), dice, count).run()
        return self._process(spec, dice, count)

    def _process(self, spec: str, dice: random.Random, count: int) -> Tally:
        """Lines on the standard input of a controller in real time."""
        rig = Rig(self._folder, Start(stay=True), spec)
        maker, row, config = _maker(rig), rig.loop.row, rig.loop.supervisor.config
        lines = [maker.line(dice, row, config) for _ in range(min(count, _PROCESS_LINES))]
        rig.controller._close()
        rig.close()
        process = Process(self._config, "--robot", spec, "--stay")
        try:
            process.ready(self._folder).rewind()
            process.say("LEASE take")
            replies = [process.reply()]
            assert process.popen.stdin
            for line in lines:
                process.popen.stdin.write(line + b"\n")
                process.popen.stdin.flush()
                replies.append(_next_reply(process, line))
            process.say("STOP")
            status, last, error = process.end()
        finally:
            process.popen.kill()
            process.popen.communicate()
        if status != 0 or "Traceback" in error:
            raise Finding(f"a controller ended with {status}: {last[-1:]} {error[-300:]}")
        accepted = sum(_is_ok(reply) for reply in replies[1:])
        return Tally(accepted, len(lines) - accepted)


def _next_reply(process: Process, line: bytes) -> str:
    while (reply := process.reply()).startswith("EVENT"):
        pass
    if not reply or reply.startswith("END"):
        raise Finding(f"a line ended a controller: {reply} after {line[:300]!r}")
    return reply


def _maker(rig: Rig) -> LineMaker:
    return LineMaker(rig.robot.description, rig.loop.supervisor.law_names)


def _is_ok(reply: str) -> bool:
    return reply.startswith(("OK", '{"ok": true'))


class _Piped:
    """A controller in simulated time whose standard input gets a new line whenever it may."""

    def __init__(self, rig: Rig, dice: random.Random, count: int) -> None:
        self._rig, self._dice, self._left = rig, dice, count
        self._count = count
        self._maker = _maker(rig)
        self._answered = 0
        self._unsent = b""
        # half of the cases end in the middle of their lines, as a program that is stopped does
        self._ahead = dice.choice((1, _AHEAD))
        self._stopped = False
        os.set_blocking(rig.stdin, False)
        rig.script.every.append(self._feed)
        speed = rig.loop.supervisor.config.safety.tool_speed
        self._checks = TickChecks(rig.robot.description, speed, overpowered=True)

    def run(self) -> Tally:
        """Run to the end; each line must have had its reply."""
        try:
            ending = self._rig.run(longest=1e9)
        except Exception as error:
            raise Finding(f"{type(error).__name__} {error}: {self._last()}") from error
        finally:
            self._rig.close()
        self._check_ticks()
        replies = [line for line in self._rig.said if not line.startswith(("EVENT", "END"))]
        if ending is not ExitReason.STOPPED:
            said = [line for line in self._rig.said if line.startswith(("EVENT", "END"))][-2:]
            raise Finding(f"a line ended the controller: {ending.name} {said}: {self._last()}")
        if len(replies) != self._count + 1:
            raise Finding(f"{self._count + 1} lines got {len(replies)} replies")
        accepted = sum(map(_is_ok, replies))
        return Tally(accepted, self._count + 1 - accepted)

    def _last(self) -> str:
        """The command that was the last before the controller itself failed."""
        self._rig.reader.rewind()
        command = ""
        for line in self._rig.reader.lines():
            if line.kind == "command":
                command = line.text
            elif line.kind == "event" and "Error" in line.text:
                break
        return f"after {command[-300:]!r}"

    def _feed(self) -> None:
        """Write lines until enough of them wait, and STOP at the end."""
        config = self._rig.loop.supervisor.config
        self._checks.tool_speed = max(self._checks.tool_speed, config.safety.tool_speed)
        self._check_ticks()
        while not self._unsent and self._left and self._waiting < self._ahead:
            line = self._maker.line(self._dice, self._rig.loop.row, config)
            self._unsent = line + b"\n"
            self._left -= 1
            self._write()
        if not self._unsent and not self._left and not self._stopped:
            self._stopped = True
            self._unsent = b"STOP\n"
        self._write()

    @property
    def _waiting(self) -> int:
        return self._count - self._left - self._answered

    def _write(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._unsent = self._unsent[os.write(self._rig.stdin, self._unsent[:4096]) :]

    def _check_ticks(self) -> None:
        """Check the ticks so far, and count the replies."""
        if len(self._rig._rows) >= 256 or self._stopped:
            rows = self._rig.rows
            self._rig._rows.clear()
            self._checks.check(rows)
        said = self._rig._said
        self._answered = said.count(b"\n") - said.count(b"TELEM:") - said.count(b"EVENT ")
