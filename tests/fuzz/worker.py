"""A worker: runs the cases of one kind in a process of its own, and reports each.

It reports on the standard output that it was started with, one JSON object a line. What the cases
themselves print goes nowhere; what they write to standard error is searched for tracebacks.
"""

import ctypes
import gc
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .footprint import footprint, forget_peak
from .kind import Attack, Finding, Kind, Tally, dice_of

MOST_MEMORY = 4 << 30
"""Bytes of data that a worker may have: the machine is not to suffer."""

_TRACEBACK = "Traceback (most recent call last)"


class Worker:
    """Runs cases and reports them."""

    def __init__(self, kind: Kind, seed: int, until: float) -> None:
        self._kind, self._seed, self._until = kind, seed, until
        self._reports = os.fdopen(os.dup(1), "w", buffering=1)
        self._errors = os.memfd_create("stderr")
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
        os.dup2(self._errors, 2)
        self._seen = 0

    def run(self, first: int, end: int, folder: Path) -> None:
        """Run the cases of a range, unless the time is over before."""
        try:
            attack = self._kind.make(folder)
        except BaseException as error:
            self._say(broken=True, **_failure(error))
            raise
        try:
            for case in range(first, end):
                if time.time() > self._until:
                    break
                self._run(attack, case)
        finally:
            attack.close()
        self._say(done=True)

    def _run(self, attack: Attack, case: int) -> None:
        self._say(begin=case)
        forget_peak()
        before = footprint()
        tally, failures = Tally(), list[dict[str, str]]()
        try:
            dice = dice_of(self._kind.name, self._seed, case)
            tally = attack.run(dice, self._kind.batch)
        except ExceptionGroup as group:
            failures = [_failure(error) for error in group.exceptions]
        except BaseException as error:
            failures = [_failure(error)]
        peak = footprint().peak - before.memory
        gc.collect()
        # what the allocator keeps of a large case is no growth
        ctypes.CDLL(None).malloc_trim(0)
        failures += self._unnoticed(peak)
        after = footprint()
        self._say(
            end=case,
            failures=failures,
            accepted=tally.accepted,
            refused=tally.refused,
            memory=after.memory,
            peak=peak,
            descriptors=after.descriptors,
        )

    def _unnoticed(self, peak: float) -> Iterator[dict[str, str]]:
        """What went wrong without an exception: a traceback on stderr, too much memory."""
        text = self._new_errors()
        if _TRACEBACK in text:
            last = text.strip().splitlines()[-1]
            why = f"a traceback on stderr: {last}"
            yield {"why": why, "cause": last[:80], "trace": text[-4000:]}
        if peak > self._kind.most_memory:
            why = f"it took {peak:.0f} MB, more than {self._kind.most_memory:.0f} MB"
            yield {"why": why, "cause": "memory", "trace": ""}

    def _new_errors(self) -> str:
        size = os.fstat(self._errors).st_size
        data = os.pread(self._errors, min(size - self._seen, 1 << 20), self._seen)
        self._seen = size
        return data.decode(errors="replace")

    def _say(self, **report: Any) -> None:
        self._reports.write(json.dumps(report) + "\n")


def _failure(error: BaseException) -> dict[str, str]:
    trace = "".join(traceback.format_exception(error))[-4000:]
    return {"why": _told(error), "cause": _cause(error), "trace": trace}


def _told(error: BaseException) -> str:
    told = str(error) if isinstance(error, Finding) else f"{type(error).__name__}: {error}"
    return " ".join(told.split())[:600]


def _cause(error: BaseException) -> str:
    """What findings are grouped by: the sentence without its numbers, or where it was raised."""
    if isinstance(error, Finding):
        words = _told(error).split(":")[0]
        return "".join("#" if sign.isdigit() else sign for sign in words)[:100]
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "pliant" in frame.filename] or frames
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
    return f"{type(error).__name__} at {place}"


def main(options: dict[str, Any]) -> None:
    """Run the cases that the options name."""
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    # faults are what this is about: nothing is to be saved
    os.environ["PLIANT_FLIGHT_DIR"] = ""
    worker = Worker(Kind(**options["kind"]), options["seed"], options["until"])
    worker.run(options["first"], options["end"], Path(options["folder"]))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
