"""A recording of a short run that covers every situation once."""

from pathlib import Path

import pytest

import pliant
from pliant import Arm, Refused
from pliant.errors import ArmStopped
from pliant.laws import PoseLaw
from pliant.recording import Recording
from pliant.sim.sensor import SensorFault
from pliant.tick import Rows

CONFIG = {
    "wrench": {"zero_time": 0.05},
    "reference": {"max_speed": (0.25, 1.0), "max_acceleration": (5.0, 10.0)},
    "laws": {"hybrid_admittance": {"max_acceleration": (5.0, 20.0)}},
}


class Fragile(PoseLaw):
    """A user-defined law that holds still, and raises when it is touched."""

    name = "fragile"

    def update(self, prev: Rows, tick: Rows) -> None:
        tick["X_WT_cmd"] = tick["X_WT_sent"] if prev["law"][0] < 0 else prev["X_WT_cmd"]
        tick["v_cmd_T"] = 0.0
        if abs(tick["w_T"][0, 1]) > 3.0:
            raise ValueError("it broke")


def press_and_move(arm: Arm) -> None:
    """Contact, a change of gains in contact, a jog, a pose, limits, and a change of law."""
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.move_by([0, 0, -0.0505, 0, 0, 0], wait=False)
    arm.wait(0.5)
    arm.set_axes("z")
    arm.set_wrench([0, 0, 5, 0, 0, 0], frame="world")
    arm.wait(0.2)
    arm.law.set(stiffness=(200, 200, 0, 5, 5, 5), damping=(900, 20))
    arm.jog([0.05, 0.02, 0, 0, 0, 0.2], frame="tool", timeout=0.05)
    arm.wait(0.1)
    arm.set_wrench([0, 0, 0, 0, 0, 0])
    arm.activate("position")
    arm.move_to([*arm.tick.X_WR[:2], arm.tick.X_WR[2] + 0.03, *arm.tick.X_WT[3:]], wait=False)
    arm.set("safety.contact_force", float("inf"))
    arm.wait(0.3)
    with pytest.raises(Refused):
        arm.move_by([0, 0, -9, 0, 0, 0], wait=False)


def stop_and_fail(arm: Arm) -> None:
    """A stop, a sensor failure in motion, a reset, and a law that raises."""
    arm.deactivate()
    arm.wait(0.3)
    arm.use_preset("hand_guiding")
    arm.activate("hybrid_admittance")
    arm.jog([0, 0, 0.05, 0, 0, 0])
    arm.wait(0.05)
    arm.simulation.set_sensor_fault(SensorFault.NAN)
    with pytest.raises(ArmStopped):
        arm.wait(0.1)
    arm.simulation.set_sensor_fault(SensorFault.NONE)
    arm.wait(0.1)
    arm.reset()
    arm.activate(Fragile.name)
    arm.wait(0.1)
    arm.hand.schedule([0, 20, 0, 0, 0, 0], start=arm.time, duration=0.2)
    with pytest.raises(ArmStopped, match="it broke"):
        arm.wait(0.3)
    arm.wait(0.1)


@pytest.fixture(scope="session")
def eventful_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording as a file."""
    file = tmp_path_factory.mktemp("eventful") / "eventful.mcap"
    arm = Arm("sim:ur5e/table", config=CONFIG, laws=[Fragile()], seed=3)
    with arm, pliant.record(arm, file):
        press_and_move(arm)
        stop_and_fail(arm)
    return file


@pytest.fixture(scope="session")
def eventful(eventful_file: Path) -> Recording:
    """The recording, read back."""
    return pliant.load(eventful_file)


@pytest.fixture
def own_laws() -> list[PoseLaw]:
    """The user-defined laws that the recording was made with."""
    return [Fragile()]
