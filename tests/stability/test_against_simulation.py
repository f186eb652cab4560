"""Predictions compared with the simulation, whose fixture has 1 kg and a damping ratio of 0.3."""

from dataclasses import dataclass

import numpy as np
import pytest

from pliant import Arm
from pliant.arms.panda import DESCRIPTION as PANDA
from pliant.arms.tool import Tool
from pliant.arms.ur5e import DESCRIPTION as UR5E
from pliant.stability import (
    Axis,
    Contact,
    ContactTarget,
    Gains,
    Press,
    Servo,
    Surface,
    TipImpedance,
    judge,
    stiff_tip,
    suggest,
    tip_impedances,
)
from pliant.stability.margin import total_overshoot

QUIET = {"noise_force": 0.0, "noise_torque": 0.0, "drift_force": 0.0, "drift_torque": 0.0}
OVER_TABLE = 0.045
RINGING = 0.4
"""Total overshoot, as a fraction of the step, that counts as ringing: a damping ratio of 0.37."""


@dataclass(frozen=True)
class Case:
    """One axis and one surface."""

    lag: float
    dead_fraction: float
    stiffness: float
    cutoff: float
    damping: float
    inertia: float
    torque_arm: bool = False

    @property
    def servo(self) -> Servo:
        return Servo(
            dead_time=self.dead_fraction * self.lag,
            time_constant=(1.0 - self.dead_fraction) * self.lag,
        )

    @property
    def surface(self) -> Surface:
        return Surface(stiffness=self.stiffness, damping=0.6 * np.sqrt(self.stiffness), mass=1.0)

    def axis(self, tip: TipImpedance) -> Axis:
        gains = Gains(inertia=self.inertia, damping=self.damping)
        dt = 0.001 if self.torque_arm else 0.002
        return Axis(gains=gains, cutoff=self.cutoff, servo=self.servo, arm=tip, dt=dt)

    def arm(self) -> Arm:
        """An arm just above the table, zeroed, with the hybrid law active."""
        arm = Arm(
            "sim:panda/table" if self.torque_arm else "sim:ur5e/table",
            config={
                "sim": {
                    "scene": {"kind": "table", "stiffness": self.stiffness},
                    "actuator": vars(self.servo),
                    "sensor": QUIET,
                    "friction": "off",
                },
                "safety": {"contact_force": np.inf, "contact_torque": np.inf},
                # what is predicted is the law with its own damping
                "contact": {"observe_oscillation": False},
            },
        )
        arm.wait(0.05)
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.move_by([0, 0, -OVER_TABLE, 0, 0, 0], wait=False)
        arm.wait_until(lambda tick: bool(tick.ref_done))
        return arm

    def gains(self) -> dict:
        return {"inertia": (self.inertia, 0.25), "damping": (self.damping, 20.0)}


def random_case(rng: np.random.Generator) -> Case:
    """A case around the limit of stability, from far below to far above."""
    lag = rng.uniform(0.002, 0.05)
    share = rng.uniform(0.0, 1.0)
    stiffness = np.exp(rng.uniform(np.log(1e3), np.log(1e5)))
    cutoff = np.exp(rng.uniform(np.log(10.0), np.log(100.0)))
    contact = 1.0 / (1.0 / stiffness + 1e-5)
    scale = contact * (lag + 1.0 / (2.0 * np.pi * cutoff))
    damping = max(20.0, scale * np.exp(rng.uniform(np.log(0.2), np.log(4.0))))
    inertia = damping * np.exp(rng.uniform(np.log(0.002), np.log(0.06)))
    return Case(lag, share, stiffness, cutoff, damping, inertia)


def random_torque_case(rng: np.random.Generator) -> Case:
    """The same for a torque-controlled arm, whose only lag is that of Pliant's joint servo."""
    stiffness = np.exp(rng.uniform(np.log(1e3), np.log(1e5)))
    cutoff = np.exp(rng.uniform(np.log(10.0), np.log(100.0)))
    scale = (0.004 + 1.0 / (2.0 * np.pi * cutoff)) / (1.0 / stiffness + 1.25e-5)
    damping = max(20.0, scale * np.exp(rng.uniform(np.log(0.2), np.log(8.0))))
    inertia = max(0.5, damping * np.exp(rng.uniform(np.log(0.002), np.log(0.06))))
    return Case(0.0, 0.0, stiffness, cutoff, damping, inertia, torque_arm=True)


def step_in_contact(case: Case, target: float = 9.0) -> np.ndarray:
    """True force for 3 s after the target steps from 10 N, with the gains of the case."""
    arm = case.arm()
    # make contact with gains that settle on any surface, in about the same time
    calm = 4.0 * case.stiffness / (1.0 + 1e-5 * case.stiffness) * (case.lag + 0.02)
    arm.law.set(inertia=(max(2.0, 0.02 * calm), 0.25), damping=(calm, 20.0), gain_ramp=0.0)
    arm.set_axes("z")
    arm.set_wrench([0, 0, -10, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 8.0)
    arm.wait(2.5)
    arm.set("wrench.cutoff", case.cutoff)
    arm.law.set(**case.gains(), gain_ramp=0.02)
    arm.wait(0.1)
    start = arm.time
    arm.set_wrench([0, 0, -target, 0, 0, 0])
    arm.wait(3.0)
    return np.linalg.norm(arm.history.since(start)["true_f_fixture_W"], axis=1)


def is_stable(force: np.ndarray) -> bool:
    """Whether the oscillation in the last 0.7 s is smaller than in an early 0.7 s."""
    rate = len(force) / 3.0
    early, late = (
        np.ptp(force[round(0.3 * rate) : round(rate)]),
        np.ptp(force[-round(0.7 * rate) :]),
    )
    return bool(late < max(0.1, 0.8 * early))


def overshoot(force: np.ndarray) -> float:
    """Total overshoot as a fraction of the step of 1 N."""
    return 0.5 * (float(np.abs(np.diff(force)).sum()) - abs(float(force[-1] - force[0])))


def press_in_simulation(case: Case, force: float, speed: float, seconds: float) -> Press:
    """Make contact with the table from free space under a force target."""
    arm = case.arm()
    arm.set("wrench.cutoff", case.cutoff)
    arm.law.set(**case.gains(), gain_ramp=0.0, max_speed=(speed, 1.0))
    return pressed(arm, force, seconds)


def pressed(arm: Arm, force: float, seconds: float) -> Press:
    """Make contact with the present gains, and return the measured force."""
    arm.set_axes("z")
    arm.set_wrench([0, 0, -force, 0, 0, 0])
    arm.wait_until(lambda tick: tick.true_f_peak > 0.05)
    start = arm.time
    arm.wait(seconds)
    rows = arm.history.since(start)
    measured = rows["true_f_peak"].copy()
    return Press(time=rows["time"] - start, force=measured, target=force)


@pytest.fixture(scope="module")
def table_tip() -> TipImpedance:
    """Impedance of the arm along z above the simulated table."""
    arm = Arm("sim:ur5e/table")
    return tip_impedances(UR5E, Tool(), np.array(arm.tick.q))[2]


def test_stability_is_predicted(table_tip):
    rng = np.random.default_rng(5)
    right, seen = 0, set()
    for _ in range(10):
        case = random_case(rng)
        force = step_in_contact(case)
        verdict = judge(case.axis(table_tip), case.surface)
        stable = is_stable(force)
        right += stable == (verdict is not Contact.UNSTABLE)
        seen.add(stable)
        assert not (verdict is Contact.WELL_DAMPED and overshoot(force) > RINGING), case
    assert seen == {True, False}
    assert right >= 9


def test_stability_is_predicted_on_a_torque_arm_with_a_noisy_load_estimate():
    tip = tip_impedances(PANDA, Tool(), np.array(Arm("sim:panda/table").tick.q))[2]
    rng = np.random.default_rng(13)
    right, seen = 0, set()
    for _ in range(8):
        case = random_torque_case(rng)
        axis = case.axis(tip)
        # subtract a run without the step, which has the same noise
        force = step_in_contact(case) - step_in_contact(case, target=10.0)
        verdict, stable = judge(axis, case.surface), is_stable(force)
        right += stable == (verdict is not Contact.UNSTABLE)
        seen.add((stable, verdict))
        if verdict is Contact.WELL_DAMPED:
            assert overshoot(force) < total_overshoot(axis, case.surface) + 0.1, case
    assert {(False, Contact.UNSTABLE), (True, Contact.WELL_DAMPED)} <= seen
    assert right >= 7


@pytest.mark.parametrize("lag", [0.01, 0.034])
@pytest.mark.parametrize("stiffness", [3e3, 1e5])
def test_suggested_gains_press_as_predicted(lag, stiffness, table_tip):
    servo = Servo(dead_time=0.25 * lag, time_constant=0.75 * lag)
    target = ContactTarget(softest=stiffness, stiffest=stiffness, force=5.0, peak=6.0)
    found = suggest(target, servo, table_tip, dt=0.002)
    gains = found.gains
    case = Case(lag, 0.25, stiffness, 30.0, gains.damping, gains.inertia)
    measured = press_in_simulation(case, 5.0, found.speed, 1.0)
    predicted = found.contacts[stiffness]
    assert measured.peak == pytest.approx(predicted.peak, rel=0.2)
    assert measured.settling == pytest.approx(predicted.settling, abs=0.06)
    assert not measured.rings


@pytest.mark.parametrize("lag", [0.01, 0.034])
def test_gains_for_a_stiff_posture_meet_the_requirements_in_a_softer_one(lag):
    servo = Servo(dead_time=0.25 * lag, time_constant=0.75 * lag)
    target = ContactTarget(softest=1e5, stiffest=1e5, force=5.0, peak=6.0)
    found = suggest(target, servo, stiff_tip(UR5E, Tool()), dt=0.002)
    case = Case(lag, 0.25, 1e5, 30.0, found.gains.damping, found.gains.inertia)
    measured = press_in_simulation(case, 5.0, found.speed, 1.0)
    assert 0.8 * found.peak < measured.peak < target.peak
    assert measured.settling < found.settling + 0.02
    assert not measured.rings


@pytest.mark.parametrize("stiffness", [1e4, 1e5])
def test_a_torque_arm_with_friction_presses_as_predicted(stiffness):
    target = ContactTarget(softest=stiffness, stiffest=stiffness, force=5.0, peak=6.0)
    servo = Servo(dead_time=0.0, time_constant=0.0)
    found = suggest(target, servo, stiff_tip(PANDA, Tool()), dt=0.001)
    scene = {"kind": "table", "stiffness": stiffness}
    arm = Arm("sim:panda/table", config={"sim": {"scene": scene, "friction": "typical"}})
    arm.wait(0.05)
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0, -OVER_TABLE, 0, 0, 0], wait=False)
    arm.wait_until(lambda tick: bool(tick.ref_done))
    gains = {"inertia": (found.gains.inertia, 0.25), "damping": (found.gains.damping, 20.0)}
    arm.law.set(**gains, gain_ramp=0.0, max_speed=(found.speed, 1.0))
    measured = pressed(arm, 5.0, 1.0)
    assert measured.peak == pytest.approx(found.peak, rel=0.1)
    assert measured.settling == pytest.approx(found.settling, abs=0.1)
    assert not measured.rings
