"""A loop with ur_rtde alone, in plain Python, as its documentation has it: receive, then servoJ.

As a program it prints a line when it runs, moves nothing, and runs until it is ended:
`python -m pliant.bench.ur_rtde_loop <host>`.
"""

import sys

_RATE = 500.0
_LOOKAHEAD, _GAIN = 0.03, 300.0


def run(host: str) -> None:
    """Hold the arm where it is."""
    from rtde_control import RTDEControlInterface
    from rtde_receive import RTDEReceiveInterface

    control = RTDEControlInterface(host, _RATE)
    receive = RTDEReceiveInterface(host, _RATE)
    q = receive.getActualQ()
    print("runs", flush=True)
    while True:
        begin = control.initPeriod()
        receive.getActualQ()
        receive.getActualTCPForce()
        control.servoJ(q, 0.0, 0.0, 1.0 / _RATE, _LOOKAHEAD, _GAIN)
        control.waitPeriod(begin)


if __name__ == "__main__":
    run(sys.argv[1])
