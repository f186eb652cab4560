"""Pressing on a table from 10 mm above it, and what is asked of it.

As a program it presses in random draws of surface, lag, force and place, and prints every figure
that is out of bounds: `python -m tests.laws.pressing 200`, for a torque arm `… 200 panda`. With
`grid` for a number it prints the table of docs/contact.md.
"""

import sys
from dataclasses import dataclass
from math import exp, inf, log, sqrt

import numpy as np

from pliant import Arm

HEIGHT = 0.01
TOUCH = 0.05
"""Contact force from which the tool touches, N."""

_STIFFEST = 54.5e3
"""Surface of 120 N/mm in series with a position arm, N/m."""
_FILTER = 0.0053
_KNOCKING_SURFACE = 1e5


@dataclass(frozen=True, kw_only=True)
class Case:
    """One pressing.

    Attributes:
        arm: Name of the arm.
        force: N.
        stiffness: Of the table, N/m.
        lag: Of a position arm's servo, s.
        dead: Share of it that is dead time.
        place: Where on the table, m from the start.
        friction: Of a torque arm.
        seed: Of the simulation.
    """

    arm: str = "ur5e"
    force: float = 5.0
    stiffness: float = 1e4
    lag: float = 0.034
    dead: float = 0.25
    place: tuple[float, float] = (0.0, 0.0)
    friction: str = "typical"
    seed: int = 0

    @property
    def law(self) -> str:
        """The law that presses."""
        return "hybrid_admittance" if self.arm == "ur5e" else "hybrid_force"

    @property
    def peak(self) -> float:
        """Largest force that is allowed, N."""
        return max(1.4 * self.force, self.force + 3.0)

    def least_speed(self, inertia: float) -> float:
        """Slowest approach that is allowed, m/s, for the effective mass of a torque arm."""
        if self.arm != "ur5e":
            return 0.7 * min(0.025, self.peak / sqrt(_KNOCKING_SURFACE * inertia))
        delay = self.lag + _FILTER + 2.0 * 0.002
        return 0.7 * min(0.025, (self.peak - 1.0) / (1.15 * _STIFFEST * delay))


@dataclass(frozen=True, kw_only=True)
class Result:
    """How a pressing went.

    Attributes:
        speed: Mean speed of the approach, m/s.
        least_speed: Slowest that is allowed.
        peak: Largest true force, N.
        settling: Time from the touch until the force stays within 10 %, s.
        ripple: Peak to peak in the last second, N.
        alarms: Largest factor of the oscillation observer.
        lag: Estimated lag, s.
        stiffness: Estimated stiffness, N/m.
    """

    speed: float
    least_speed: float
    peak: float
    settling: float
    ripple: float
    alarms: float
    lag: float
    stiffness: float

    def faults(self, case: Case) -> list[str]:
        """What is out of bounds."""
        found = {
            "peak": self.peak <= case.peak,
            "settling": self.settling <= 1.0,
            "speed": self.speed >= self.least_speed,
            "ripple": self.ripple <= 0.5,
            "alarm": self.alarms == 1.0,
        }
        return [name for name, good in found.items() if not good]


def arm_above(case: Case, **law: object) -> Arm:
    """An arm above the table, zeroed, with the law active."""
    actuator = {
        "dead_time": case.dead * case.lag,
        "time_constant": (1.0 - case.dead) * case.lag,
    }
    sim = {
        "scene": {"kind": "table", "stiffness": case.stiffness},
        "actuator": actuator,
        "friction": case.friction,
    }
    if case.law == "hybrid_admittance":
        law = {"damping_mode": "adaptive", **law}
    config = {"sim": sim, "laws": {case.law: law}}
    arm = Arm(f"sim:{case.arm}/table", config=config, seed=case.seed, history=60.0)
    arm.wait(0.05)
    arm.zero()
    arm.activate(case.law)
    x, y = case.place
    arm.move_by([x, y, HEIGHT - 0.05, 0, 0, 0], wait=False)
    arm.wait_until(lambda tick: bool(tick.ref_done))
    arm.wait(0.5)
    return arm


def press(case: Case, seconds: float = 3.0, **law: object) -> Result:
    """Press from above."""
    arm = arm_above(case, **law)
    arm.set_axes("z")
    height = arm.tick.X_WT[2] - 0.1
    start = arm.time
    arm.set_wrench([0, 0, -case.force, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > TOUCH, 60.0)
    touch = arm.time
    arm.wait(seconds)
    rows = arm.history.since(touch)
    force = np.linalg.norm(rows["true_f_fixture_W"], axis=1)
    off = np.flatnonzero(np.abs(force - case.force) > 0.1 * case.force)
    return Result(
        speed=height / (touch - start),
        least_speed=case.least_speed(effective_mass(rows[:1])),
        peak=float(rows["true_f_peak"].max()),
        settling=(off[-1] + 1) * arm.dt if len(off) else 0.0,
        ripple=float(np.ptp(force[-round(1.0 / arm.dt) :])),
        alarms=float(arm.history["swing_gain"].max()),
        lag=float(rows["lag"][0]),
        stiffness=float(rows["k_contact"][-1, 0]),
    )


def effective_mass(row: np.ndarray) -> float:
    """Effective mass of a torque arm along the vertical, kg; infinite for a position arm."""
    M, J = row["M"][0], row["J_W"][0]
    if not M.any():
        return inf
    return float(1.0 / (J[2] @ np.linalg.solve(M, J[2])))


def random_case(rng: np.random.Generator, arm: str = "ur5e") -> Case:
    """A draw over the whole range."""
    return Case(
        arm=arm,
        force=float(rng.choice([5.0, 15.0])),
        stiffness=exp(rng.uniform(log(1e3), log(1e5))),
        lag=rng.uniform(0.002, 0.034),
        dead=rng.uniform(0.0, 0.6),
        place=tuple(rng.uniform(-0.08, 0.08, 2)),
        seed=int(rng.integers(1 << 30)),
    )


def main(count: int, arm: str = "ur5e", seed: int = 1) -> int:
    """Press in many random draws; the number of bad ones."""
    rng, bad, results = np.random.default_rng(seed), 0, []
    for number in range(count):
        case = random_case(rng, arm)
        result = press(case)
        results.append((case, result))
        if faults := result.faults(case):
            bad += 1
            print(number, *faults, case, result, sep="\n    ", flush=True)
    over = [result.peak / case.peak for case, result in results]
    print(
        f"{count - bad} of {count} within bounds; worst peak {max(over):.2f} of the allowed, "
        f"settling {max(r.settling for _, r in results):.2f} s, ripple "
        f"{max(r.ripple for _, r in results):.2f} N, slowest approach "
        f"{min(r.speed / r.least_speed for _, r in results):.2f} of the least"
    )
    return bad


def grid(arm: str = "ur5e") -> None:
    """Print the figures of a grid of cases, as a table in Markdown."""
    for lag in (0.002, 0.01, 0.034) if arm == "ur5e" else (0.0,):
        for stiffness in (1e3, 1e4, 1e5):
            cells = []
            for force in (5.0, 15.0):
                r = press(Case(arm=arm, force=force, stiffness=stiffness, lag=lag))
                cells.append(
                    f"{1e3 * r.speed:.1f} | {r.peak:.1f} | {r.settling:.2f} | {r.ripple:.2f}"
                )
            print(f"| {1e3 * lag:g} | {1e-3 * stiffness:g} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "grid":
        grid(*sys.argv[2:3])
    else:
        sys.exit(main(int(sys.argv[1]), *sys.argv[2:3]) > 0)
