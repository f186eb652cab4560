"""Workers of a sweep."""

import os
import subprocess
import sys
import time

PROGRAM = """
import os, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pliant.sweeps.trial_worker import prepare

if __name__ == "__main__":
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=prepare)
    print(pool.submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_a_worker_ends_with_a_sweep_that_is_killed(tmp_path):
    file = tmp_path / "sweep.py"
    file.write_text(PROGRAM)
    with subprocess.Popen([sys.executable, str(file)], stdout=subprocess.PIPE, text=True) as sweep:
        assert sweep.stdout
        worker = int(sweep.stdout.readline())
        assert os.path.exists(f"/proc/{worker}")
        sweep.kill()
    deadline = time.monotonic() + 60.0
    while os.path.exists(f"/proc/{worker}"):
        assert time.monotonic() < deadline, "the worker goes on"
        time.sleep(0.01)
