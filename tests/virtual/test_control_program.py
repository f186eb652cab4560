"""The control program of ur_rtde, played in the test's own process: its watchdog."""

import pytest

from pliant.config import Config
from pliant.robots.registry import settle
from pliant.virtual.ur.ur_arm import PERIOD, UrArm
from pliant.virtual.ur.ur_controller import UrController

PROGRAM = "def rtde_control():\nend\n"
SET_WATCHDOG, SPEED_JOINTS = 35, 9
RATE = 10.0
LIMIT = 1.0 / RATE


@pytest.fixture
def controller() -> UrController:
    arm = UrArm("ur5e", settle("sim:ur5e", Config(), None).sim, 150.0)
    controller = UrController(arm)
    load(controller)
    return controller


def load(controller: UrController) -> None:
    controller.load(PROGRAM)
    while controller.program is None:
        controller.cycle()


def command(controller: UrController, number: int) -> None:
    controller.registers.write_int(0, number)
    controller.cycle()


def watch(controller: UrController) -> None:
    controller.registers.write_float(0, RATE)
    command(controller, SET_WATCHDOG)
    command(controller, 0)
    # a speed and an acceleration of joint 0
    controller.registers.write_float(0, 0.1)
    controller.registers.write_float(6, 1.0)


def run(controller: UrController, seconds: float) -> None:
    for _ in range(round(seconds / PERIOD)):
        controller.cycle()


def test_silence_ends_the_program_and_brakes_the_arm(controller: UrController) -> None:
    watch(controller)
    for _ in range(200):
        command(controller, SPEED_JOINTS)
    assert abs(controller.arm.qd[0]) > 0.05
    run(controller, LIMIT - PERIOD)
    assert controller.program is not None
    run(controller, 2 * PERIOD)
    assert controller.program is None
    run(controller, 0.5)
    assert controller.arm.steady


def test_the_command_that_is_written_again_unchanged_is_no_silence(
    controller: UrController,
) -> None:
    watch(controller)
    for _ in range(10):
        command(controller, SPEED_JOINTS)
        run(controller, 0.9 * LIMIT)
    assert controller.program is not None


def test_another_program_needs_another_watchdog(controller: UrController) -> None:
    watch(controller)
    load(controller)
    run(controller, 3 * LIMIT)
    assert controller.program is not None
