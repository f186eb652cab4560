"""Ticks that run in one kernel are those that Python would have run, and end where it must act."""

import threading
import time

import numpy as np
import pytest

from pliant import commands as c
from pliant.config import Config
from pliant.errors import PliantError
from pliant.loop.clock import FastClock
from pliant.loop.history import History
from pliant.loop.loop import Loop
from pliant.loop.real_time_clock import RealTimeClock
from pliant.loop.system_clock import IN_KERNELS
from pliant.loop.telemetry_line import new_state
from pliant.reasons import Reason
from pliant.ring.ring import RingReader, RingWriter
from pliant.robots.sim import SimConfig, SimRobot
from pliant.sim.scenes.table import TableScene
from pliant.stages.supervisor import State

needs_kernels = pytest.mark.skipif(not IN_KERNELS, reason="kernels cannot wait here")

SCENARIO = {
    10: c.Zero(),
    300: c.Activate(law="hybrid_admittance"),
    301: c.SetAxes(mask=(False, False, True, False, False, False)),
    302: c.SetWrench(wrench=(0.0, 0.0, -5.0, 0.0, 0.0, 0.0)),
    400: c.SetParameter(path="wrench.cutoff", value=60.0),
    500: c.UsePreset(name="stiff_surface"),
    900: c.Activate(law="position"),
    901: c.MoveBy(delta=(0.02, -0.01, 0.0, 0.0, 0.0, 0.1)),
    1100: c.Deactivate(),
    1400: c.Activate(law="position"),
    1401: c.SetParameter(path="safety.contact_force", value=20.0),
    1402: c.MoveBy(delta=(0.0, 0.0, -0.1, 0.0, 0.0, 0.0)),
}
TICKS = 2000


class Linked:
    """An arm at a table whose ticks run in one kernel, without pauses between them.

    Attributes:
        reads: How often Python read the arm.
    """

    def __init__(self, path, monkeypatch) -> None:
        self.robot = SimRobot(config=SimConfig(scene=TableScene()))
        self.flag = bytearray([False])
        clock = RealTimeClock(self.robot.dt)
        clock.watch(self.flag, new_state())
        # deadlines closer to each other than any tick can keep up with
        clock.own[1]["period"] = 1000
        # every tick is later than its deadline, which is not the subject here
        config = Config().replace("safety.lateness", 1000.0)
        ring = RingWriter(path, self.robot.n, TICKS, {})
        self.reader = RingReader(path)
        self.loop = Loop(self.robot, self.robot.description, clock, config, publisher=ring)
        self.loop.link()
        self.reads = 0
        read = self.robot.read

        def counted(tick):
            self.reads += 1
            read(tick)

        monkeypatch.setattr(self.robot, "read", counted)

    @property
    def rows(self) -> np.ndarray:
        return np.concatenate([row.copy() for row in self.reader.ticks()])


@pytest.fixture
def linked(tmp_path, monkeypatch) -> Linked:
    # MuJoCo writes its log file wherever it happens to be
    monkeypatch.chdir(tmp_path)
    return Linked(tmp_path / "a.ring", monkeypatch)


def by_python(each_stage: bool) -> History:
    """Every tick of an arm that presses, moves, rests, and then is stopped as it hits a table."""
    robot = SimRobot(config=SimConfig(scene=TableScene()))
    history = History(robot.n, TICKS)
    loop = Loop(robot, robot.description, FastClock(robot.dt), Config(), publisher=history)
    if each_stage:
        loop._can_fuse = False
    for k in range(TICKS):
        if k in SCENARIO:
            loop.take(SCENARIO[k])
        loop.step()
    return history


@pytest.fixture(scope="module")
def called() -> History:
    """The scenario, each stage called by itself."""
    return by_python(each_stage=True)


def test_the_fused_tick_equals_the_stages_called_one_by_one_bit_for_bit(called):
    swept = by_python(each_stage=False)
    assert (swept["law"] == 0).sum() > 500
    assert (swept["law"] == 1).sum() > 200
    assert swept["state"][-1] == State.FAULT
    assert swept["reason"][-1] == Reason.CONTACT_FORCE
    for name in swept.columns:
        assert swept[name].tobytes() == called[name].tobytes(), name


@needs_kernels
def test_running_in_one_kernel_is_calling_each_stage_bit_for_bit(linked, called):
    for k, end in zip([0, *SCENARIO], [*SCENARIO, TICKS], strict=True):
        if k in SCENARIO:
            linked.loop.take(SCENARIO[k])
        while (now := linked.loop.row["k"].item()) < end:
            linked.loop.step(most=end - now)
    rows = linked.rows
    assert linked.reads < 3 * len(SCENARIO), "most ticks were Python's"
    for name in set(called.columns) - {"lateness", "busy"}:
        assert rows[name].tobytes() == called[name].tobytes(), name


@needs_kernels
def test_a_run_ends_at_the_tick_with_input(linked):
    linked.loop.step()
    calls = []

    def ring():
        # by the arm's ticks, and while it runs
        while linked.reader.published < 100:
            time.sleep(0.001)
        linked.flag[0] = True

    thread = threading.Thread(target=ring)
    thread.start()
    while not calls:
        linked.loop.step(lambda: calls.append(linked.loop.row["k"].item()), 100)
    thread.join()
    assert linked.loop.row["k"].item() == calls[0] + 1, "what came acts at this tick"
    assert calls[0] > 50
    assert (np.diff(linked.rows["k"]) == 1).all()
    linked.flag[0] = False
    # one step may end at once, where the configuration or new noise of the sensor is due
    k = linked.loop.row["k"].item()
    for _ in range(2):
        linked.loop.step(lambda: calls.append(0), 100)
    assert linked.loop.row["k"].item() > k + 2
    assert len(calls) == 1


@needs_kernels
def test_physics_that_diverges_ends_the_run_with_the_arms_own_words(linked):
    linked.loop.step()
    linked.loop.step(most=50)
    linked.robot.world.data.qvel[:] = np.nan
    with pytest.raises(PliantError, match="diverged"):
        linked.loop.step(most=50)
    rows = linked.rows
    assert rows["state"][-1] == State.FAULT
    assert (np.diff(rows["k"]) == 1).all()


@needs_kernels
def test_a_hand_that_pushes_is_pythons_to_move(linked):
    linked.loop.step()
    linked.loop.step(most=100)
    before = linked.reads
    linked.robot.hand.schedule([10.0, 0, 0, 0, 0, 0], start=linked.robot.time, duration=0.05)
    start = linked.loop.row["k"].item()
    while linked.loop.row["k"].item() < start + 100:
        linked.loop.step(most=20)
    assert 25 <= linked.reads - before <= 60


@needs_kernels
def test_the_ring_has_every_tick_of_a_run(linked):
    while linked.loop.row["k"].item() < 900:
        linked.loop.step(most=300)
    assert linked.rows["k"].tolist() == list(range(1, linked.loop.row["k"].item() + 1))
