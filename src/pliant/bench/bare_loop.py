"""A loop that does nothing but sleep: what the machine itself does to a deadline.

Run as a program it prints how late it woke, one line of nanoseconds:
`python -m pliant.bench.bare_loop <rate> <seconds>`.
"""

import sys
import time

from pliant.runtime.realtime import prepare


def lateness_ns(rate: float, seconds: float) -> list[int]:
    """How late each tick of a bare loop began, ns."""
    period = round(1e9 / rate)
    late = [0] * round(seconds * rate)
    deadline = time.monotonic_ns() + period
    for i in range(len(late)):
        ahead = deadline - time.monotonic_ns()
        if ahead > 0:
            time.sleep(ahead * 1e-9)
        late[i] = max(0, time.monotonic_ns() - deadline)
        deadline += period * (1 + late[i] // period)
    return late


if __name__ == "__main__":
    # the same set-up as the controller's, so that only what the controller does differs
    prepare()
    print(*lateness_ns(float(sys.argv[1]), float(sys.argv[2])))
