"""A program that only speaks the protocol of the force-control demo.

Its arm is a point that follows the reference at once. Along force-controlled axes the sensed wrench
equals the desired one. It was written from the text of the protocol and uses nothing of Pliant.
"""

import select
import sys
import time

tcp = [0.4, 0.1, 0.3, 0.0, 3.0, 0.0]
desired = [0.0] * 6
mask = [0.0] * 6


def execute(line: str) -> bool:
    word, *rest = line.split() or [""]
    values = [float(value) for value in rest]
    if values and len(values) != 6:
        raise SystemExit(f"stand-in: six numbers, not {line}")
    if word == "STOP":
        return False
    if word == "WRENCH":
        desired[:] = values
    elif word == "AXIS":
        mask[:] = values
    elif word == "RELD":
        tcp[:] = [a + b for a, b in zip(tcp, values, strict=True)]
    elif word == "REFA":
        tcp[:] = values
    return True


def group(values: list[float]) -> str:
    return ",".join(f"{value:.6f}" for value in values)


def main() -> None:
    start, running = time.monotonic(), True
    print("stand-in: connected to", sys.argv[1:], flush=True)
    while running:
        ready, _, _ = select.select([sys.stdin], [], [], 0.02)
        if ready:
            line = sys.stdin.readline()
            running = bool(line) and execute(line)
        sensed = [d * m for d, m in zip(desired, mask, strict=True)]
        print(
            f"TELEM: t={time.monotonic() - start:.3f} tcp={group(tcp)} ref={group(tcp)} "
            f"ws={group(sensed)} wd={group(desired)} q={group([0.1] * 6)} T={group([31.0] * 6)}",
            flush=True,
        )


main()
