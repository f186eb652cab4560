import json
import os
from pathlib import Path

import numpy as np
import pytest

from pliant import Arm
from pliant.config import Config
from pliant.errors import ArmStopped
from pliant.reasons import State
from pliant.recording import Recording, load
from pliant.recording.flight import AFTER, BEFORE, KEPT, FlightRecorder
from pliant.recording.flight_folder import flight_folder
from pliant.recording.follow import drain
from pliant.recording.recomputation import recompute
from pliant.ring.ring import RING_SECONDS, RingReader, RingWriter
from pliant.sim.sensor import SensorFault
from pliant.stages.supervisor import read_text, write_text
from pliant.tick import new_rows

DT = 0.002


def drive_into_the_table(arm: Arm) -> None:
    """Move down until the contact-force limit stops the arm in motion."""
    arm.wait(1.0)
    arm.zero()
    arm.set("safety.contact_force", 25.0)
    arm.wait(12.0)
    arm.activate("position")
    arm.move_by([0, 0, -0.08, 0, 0, 0])
    with pytest.raises(ArmStopped, match="contact force"):
        arm.wait(5.0)


@pytest.fixture(scope="module")
def flight(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """The flight recording of an arm in this process."""
    folder = tmp_path_factory.mktemp("flights")
    os.environ["PLIANT_FLIGHT_DIR"] = str(folder)
    try:
        with Arm("sim:ur5e/table", history=60.0) as arm:
            drive_into_the_table(arm)
            arm.wait(0.1)
    finally:
        os.environ["PLIANT_FLIGHT_DIR"] = ""
    (file,) = folder.iterdir()
    return load(file)


def test_a_flight_recording_shows_the_cause_of_the_fault(flight: Recording) -> None:
    last = flight.rows[-1:]
    assert last["state"] == State.FAULT
    assert flight.header["fault"] == read_text(last)
    assert flight.header["fault_tick"] == last["k"][0]
    assert "contact force" in flight.header["fault"]
    # the tick before the fault shows its cause
    force = np.linalg.norm(flight["w_T_raw"][-2, :3])
    assert force > 25.0
    assert np.abs(flight["qd"][-2]).max() > 1e-3
    assert [x.text[:4] for x in flight.lines if x.kind == "input"] == ["LAW ", "RELD"]


def test_a_flight_recording_covers_ten_seconds_from_a_known_configuration(
    flight: Recording,
) -> None:
    span = flight.time[-1] - flight.time[0]
    assert 10.0 <= span <= 11.0
    assert flight.lost == 0
    assert flight.config.safety.contact_force == 25.0


def test_a_flight_recording_can_be_recomputed(flight: Recording) -> None:
    assert recompute(flight).difference is None


def test_an_empty_folder_name_disables_flight_recordings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLIANT_FLIGHT_DIR", "")
    assert flight_folder() is None
    monkeypatch.delenv("PLIANT_FLIGHT_DIR")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert flight_folder() == tmp_path / "pliant" / "flights"


def test_an_arm_can_disable_flight_recordings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PLIANT_FLIGHT_DIR", str(tmp_path))
    with Arm("sim:ur5e", flight=False) as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        arm.simulation.set_sensor_fault(SensorFault.NAN)
        with pytest.raises(ArmStopped):
            arm.wait(1.0)
    assert list(tmp_path.iterdir()) == []


class Watched:
    """A ring, and the flight recorder that watches it."""

    def __init__(self, folder: Path, flights: Path) -> None:
        about = {"n": 6, "dt": DT, "spec": "sim:ur5e", "arm": "ur5e"}
        header = {"about": about, "dt": DT, "pid": os.getpid(), "started": 0}
        self.messages: list[str] = []
        self.ring = RingWriter(folder / "a.ring", 6, round(12.0 / DT), header)
        self._reader = RingReader(self.ring.path)
        self._reader.rewind()
        watched = RingReader(self.ring.path)
        self.recorder = FlightRecorder(watched, flights, "arm", self.messages.append)
        self.row = new_rows(6)
        self.config = Config()

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / DT)):
            k = self.row["k"].item() + 1
            self.row["k"], self.row["time"], self.row["dt"] = k, k * DT, DT
            if k % 500 == 0:
                self.ring.write_line("config", k, self.config.model_dump_json(round_trip=True))
            self.ring.publish(self.row)
            if k % 100 == 0:
                drain(self._reader, 0, [self.recorder])
        drain(self._reader, 0, [self.recorder])

    def fail(self, reason: str) -> None:
        self.row["state"] = State.FAULT
        self.row["state_since"] = self.row["time"] + DT
        write_text(self.row, reason)

    def recover(self) -> None:
        self.row["state"] = State.INACTIVE


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path, tmp_path / "flights")


def test_a_fault_in_a_ring_is_saved_with_the_half_second_after_it(
    watched: Watched, tmp_path: Path
) -> None:
    watched.run(15.0)
    watched.config = Config.from_dict({"safety": {"contact_force": 33.0}})
    watched.run(11.5)
    watched.fail("ouch")
    watched.run(2.0)
    (path,) = (tmp_path / "flights").iterdir()
    assert watched.messages == [f"fault: ouch; flight recording: {path}"]
    flight = load(path)
    fault = flight.header["fault_tick"]
    assert flight.rows[flight["k"] == fault]["state"] == State.FAULT
    assert flight.rows[flight["k"] == fault - 1]["state"] == State.INACTIVE
    before = (fault - flight["k"][0]) * DT
    assert 10.0 <= before <= 11.1
    assert flight["k"][-1] == fault + 250
    assert flight.config.safety.contact_force == 33.0
    assert json.loads(flight.lines[0].text)["safety"]["contact_force"] == 33.0


def test_a_fault_that_ends_the_controller_is_saved(watched: Watched, tmp_path: Path) -> None:
    watched.run(1.0)
    watched.fail("the end")
    watched.run(0.1)
    assert watched.messages == []
    watched.recorder.close()
    (path,) = (tmp_path / "flights").iterdir()
    flight = load(path)
    assert flight.header["fault"] == "the end"
    # starts at the first configuration in the ring
    assert (flight["k"][0], flight["k"][-1]) == (500, 550)


def test_every_fault_is_saved_and_the_oldest_are_deleted(watched: Watched, tmp_path: Path) -> None:
    watched.run(1.2)
    for i in range(KEPT + 3):
        watched.fail(f"fault {i}")
        watched.run(0.6)
        watched.recover()
        watched.run(0.1)
    (tmp_path / "flights" / "mine.mcap").touch()
    watched.fail("one more")
    watched.run(0.6)
    faults = {load(f).header["fault"] for f in (tmp_path / "flights").iterdir() if f.stat().st_size}
    assert faults == {"one more", *(f"fault {i}" for i in range(4, KEPT + 3))}
    assert (tmp_path / "flights" / "mine.mcap").exists()


def test_an_unwritable_folder_is_reported(watched: Watched, tmp_path: Path) -> None:
    (tmp_path / "flights").write_text("a file")
    watched.run(1.2)
    watched.fail("ouch")
    watched.run(1.0)
    assert len(watched.messages) == 1
    assert watched.messages[0].startswith("fault: ouch; no flight recording: cannot write")


def test_a_ring_holds_what_a_flight_recording_needs() -> None:
    assert RING_SECONDS > BEFORE + AFTER + 1.0
