"""The crew: workers in processes of their own, watched for crashes, hangs and growth."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from .kind import Kind

_MOST_DEATHS = 20
"""After so many crashes and hangs the rest of a kind is given up."""

_COMPILING = 600.0
"""How much longer the first case of a process may take, s: it may compile kernels."""

_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, kw_only=True)
class Failure:
    """A case that failed.

    Attributes:
        kind: The kind's name.
        case: The number of the case.
        cause: What failures are grouped by.
        why: What happened, in one line.
        trace: Where, if known.
    """

    kind: str
    case: int
    cause: str
    why: str
    trace: str = ""


@dataclass
class Result:
    """What the cases of a kind gave.

    Attributes:
        kind: The kind.
        cases: How many were to be run.
        run: How many were run.
        seconds: How long they took.
        accepted: Inputs that were accepted.
        refused: Inputs that were refused.
        peak: The most memory that a case took, MB.
        growth: Memory by which a process grew, MB.
        leaked: Descriptors by which a process grew.
        failures: What went wrong.
        memory: Memory after each case of the present process, MB.
        descriptors: Descriptors after each case of the present process.
        untidy: Whether a case of the present process failed.
    """

    kind: Kind
    cases: int
    run: int = 0
    seconds: float = 0.0
    accepted: int = 0
    refused: int = 0
    peak: float = 0.0
    growth: float = 0.0
    leaked: int = 0
    failures: list[Failure] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)
    untidy: bool = False

    def fail(self, case: int, cause: str, why: str, trace: str = "") -> None:
        """Note a failure."""
        failure = Failure(kind=self.kind.name, case=case, cause=cause, why=why, trace=trace)
        self.failures.append(failure)

    def take(self, report: dict[str, Any]) -> None:
        """Note the end of a case."""
        self.run += 1
        self.accepted += report.get("accepted", 0)
        self.refused += report.get("refused", 0)
        self.peak = max(self.peak, report["peak"])
        self.memory.append(report["memory"])
        self.descriptors.append(report["descriptors"])
        for failure in report["failures"]:
            self.untidy = True
            self.fail(report["end"], **failure)

    def conclude(self, case: int) -> None:
        """At the end of a process: memory and descriptors must have stayed the same."""
        memory, opened = self.memory, self.descriptors
        self.memory, self.descriptors = [], []
        if self.untidy:
            # a case that fails does not tidy up
            self.untidy = False
            return
        if len(memory) >= 10:
            # caches fill in the first cases; medians, as single cases may hold more
            first, last = _median(memory[len(memory) // 4 :][:5]), _median(memory[-5:])
            self.growth = max(self.growth, last - first)
            if last - first > self.kind.most_growth:
                why = f"memory grew from {first:.0f} to {last:.0f} MB over {len(memory)} cases"
                self.fail(case, "memory grew", why)
        if len(opened) >= 3:
            self.leaked = max(self.leaked, opened[-1] - opened[0])
            if opened[-1] > opened[0]:
                why = f"descriptors grew from {opened[0]} to {opened[-1]}"
                self.fail(case, "descriptors grew", why)


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


class Member:
    """One worker process and the range of cases that it runs, one process after another."""

    def __init__(self, result: Result, seed: int, first: int, end: int, until: float) -> None:
        self.result = result
        self._options = {"kind": asdict(result.kind), "seed": seed, "until": until}
        self._case, self._end = first, end
        self._deaths = 0
        self._began = time.monotonic()
        self._start()

    def _start(self) -> None:
        self._folder = tempfile.mkdtemp(prefix="plfuzz", dir="/dev/shm")
        options = self._options | {"first": self._case, "end": self._end, "folder": self._folder}
        self.process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.worker", json.dumps(options)],
            cwd=_ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self.process.stdout
        self.descriptor = self.process.stdout.fileno()
        self._text = b""
        self._done = False
        self._spare = _COMPILING
        self._deadline = time.monotonic() + self.result.kind.patience + self._spare

    def listen(self) -> bool:
        """Take its reports; False at the end of its cases."""
        data = os.read(self.descriptor, 1 << 20)
        *lines, self._text = (self._text + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))
        return bool(data) or self._died("exit")

    def watch(self) -> bool:
        """Kill it if its case hangs; False if no case is left."""
        if time.monotonic() < self._deadline:
            return True
        self._kill()
        return self._died("hang")

    def _take(self, report: dict[str, Any]) -> None:
        self._done = bool(report.get("done") or report.get("broken"))
        if "end" in report:
            self._spare = 0.0
        self._deadline = time.monotonic() + self.result.kind.patience + self._spare
        if "begin" in report:
            self._case = report["begin"]
        elif "broken" in report:
            self.result.fail(self._case, report["cause"], report["why"], report["trace"])
        elif "end" in report:
            self.result.take(report)
            self._case = report["end"] + 1

    def _died(self, how: str) -> bool:
        """After its end: go on with the next case if it ended too early."""
        status = self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()
        # what it started must not outlive it
        self._kill()
        shutil.rmtree(self._folder, ignore_errors=True)
        self.result.conclude(max(0, self._case - 1))
        if not self._done:
            self._note_death(how, status)
        self.result.seconds += time.monotonic() - self._began
        self._began = time.monotonic()
        if self._done or self._case >= self._end or self._deaths > _MOST_DEATHS:
            return False
        self._start()
        return True

    def _note_death(self, how: str, status: int) -> None:
        why = f"it did not end within {self.result.kind.patience:g} s"
        if how == "exit":
            name = signal.Signals(-status).name if status < 0 else f"status {status}"
            why = f"the process died: {name}"
        self.result.fail(self._case, why, why)
        self.result.run += 1
        self._case += 1
        self._deaths += 1

    def _kill(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return

    def abandon(self) -> None:
        """End it at once."""
        self._kill()
        self.process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def run(
    jobs: list[tuple[Result, int, int]],
    seed: int,
    workers: int,
    minutes: float,
    told: Callable[[Result], None] = lambda _: None,
) -> None:
    """Run jobs: a result to fill in, the first case and the one after the last.

    Args:
        jobs: What to run.
        seed: The seed of all cases.
        workers: How many processes at a time.
        minutes: The longest that a job may take; it then ends with the case that runs.
        told: Called when a job has ended.
    """
    waiting, members = deque(jobs), dict[int, Member]()
    try:
        while waiting or members:
            while waiting and len(members) < workers:
                result, first, end = waiting.popleft()
                until = time.time() + 60.0 * minutes
                member = Member(result, seed, first, end, until)
                members[member.descriptor] = member
            ready, _, _ = select.select(list(members), [], [], 1.0)
            for descriptor in list(members):
                member = members.pop(descriptor)
                goes_on = member.listen() if descriptor in ready else member.watch()
                if goes_on:
                    members[member.descriptor] = member
                else:
                    told(member.result)
    finally:
        for member in members.values():
            member.abandon()
