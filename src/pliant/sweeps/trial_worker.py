"""Runs one trial, in whatever process it is called."""

import os
import signal
import threading
from multiprocessing import parent_process
from time import process_time
from typing import Any

OUTCOMES = ("error", "cpu_s")
"""What is noted of a trial besides its figures: why it raised, and its cost."""


def prepare() -> None:
    """In a new worker: one core, and interrupts are the parent's business; it ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[name] = "1"


def _end_with_parent() -> None:
    """A parent that is killed ends nobody, and its workers would wait for trials for ever."""
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(1)


def run_trial(
    task: str, params: dict[str, float], seed: int, robot: str, law: str | None = None
) -> dict[str, Any]:
    """The figures of a trial; one that raises has only its error."""
    # imported here, so that a worker does it once and its parent never
    from pliant.tasks.trial_tasks import trial_task

    begin = process_time()
    try:
        figures = {**trial_task(task).under(law)(params, seed, robot), "error": ""}
    except Exception as error:
        figures = {"error": f"{type(error).__name__}: {error}"}
    return {**figures, "cpu_s": process_time() - begin}
