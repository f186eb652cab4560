"""A loop with pylibfranka alone, in plain Python, as its examples have it: readOnce, writeOnce.

As a program it prints a line when it runs, commands no torque, and runs until SIGTERM:
`python -m pliant.bench.pylibfranka_loop <host>`.
"""

import signal
import sys

_FIRST = 100


def run(host: str) -> None:
    """Float where the arm is."""
    from pylibfranka import RealtimeConfig, Robot, Torques

    robot = Robot(host, RealtimeConfig.kIgnore)
    control = robot.start_torque_control()
    ended: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _frame: ended.append(number))
    count = 0
    while not ended:
        control.readOnce()
        control.writeOnce(Torques([0.0] * 7))
        count += 1
        if count == _FIRST:
            print("runs", flush=True)
    control.readOnce()
    last = Torques([0.0] * 7)
    last.motion_finished = True
    control.writeOnce(last)


if __name__ == "__main__":
    run(sys.argv[1])
