"""Every way to end, on a moving arm, in simulated time: judged from the ring's ticks."""

import os
import signal

import numpy as np
import pytest

from pliant.config import Config
from pliant.controller import wakeup
from pliant.controller.controller import Start
from pliant.controller.exit_reason import BY_SIGNAL, ExitReason
from pliant.laws import PoseLaw
from pliant.loop import real_time_clock
from pliant.reasons import Reason, State
from pliant.sim.sensor import SensorFault
from pliant.stages.supervisor import read_text

MOVE = "RELD 0 0.2 0 0 0 0"
CUE = 1.2
"""When something goes wrong, s; the arm moves by then."""


@pytest.fixture
def moving(rig):
    """A controller whose arm moves at the cue."""
    made = rig()
    made.say(0.5, MOVE)
    return made


def last(rig) -> tuple[str, str, Reason]:
    """The last line, the last tick's words, and its reason."""
    row = rig.rows[-1:]
    return rig.said[-1], read_text(row), Reason(row["reason"].item())


def assert_ended(rig, ending, expected, reason, stopped_well):
    assert ending is expected, rig.said
    stopped_well(rig.rows, since=CUE)
    line, words, why = last(rig)
    assert line == f"END {words}"
    assert why is reason
    assert rig.reader.missed == 0
    assert rig.reader.ended
    assert rig.rows["time"][-1] - CUE < 1.0


def test_stop(moving, stopped_well):
    moving.say(CUE, "STOP")
    assert_ended(moving, moving.run(), ExitReason.STOPPED, Reason.STOP_ASKED, stopped_well)
    assert moving.said[-2] == "OK stopping"


def test_standard_input_closed(moving, stopped_well):
    moving.at(CUE, lambda: os.close(moving.stdin))
    assert_ended(moving, moving.run(), ExitReason.STDIN_CLOSED, Reason.STDIN_CLOSED, stopped_well)


def test_a_line_cut_short_does_not_count(moving, stopped_well):
    moving.at(CUE, lambda: os.write(moving.stdin, b"WRENCH 0 0 -1"))
    moving.at(CUE + 0.01, lambda: os.close(moving.stdin))
    assert_ended(moving, moving.run(), ExitReason.STDIN_CLOSED, Reason.STDIN_CLOSED, stopped_well)
    assert not any("wrench" in line for line in moving.said)


@pytest.mark.parametrize("number", BY_SIGNAL, ids=lambda number: number.name)
def test_signals(number, moving, stopped_well):
    moving.at(CUE, lambda: os.kill(os.getpid(), number))
    # who is impatient changes nothing
    moving.at(CUE + 0.01, lambda: os.kill(os.getpid(), number))
    ending = moving.run()
    assert_ended(moving, ending, BY_SIGNAL[number], Reason.SIGNAL, stopped_well)
    assert ending.status == 128 + number


def test_time_over_counts_fractions(rig, stopped_well):
    made = rig(start=Start(duration=1.25))
    made.say(0.5, MOVE)
    assert_ended(made, made.run(), ExitReason.TIME_OVER, Reason.TIME_OVER, stopped_well)
    assert made.rows["time"][-1] >= 1.25


def test_watchdog(moving, stopped_well):
    moving.say(0.6, "WATCHDOG 0.3")
    for k in range(4):
        # a line that is refused feeds it too
        moving.say(0.6 + 0.1 * k, "PING" if k % 2 else "nonsense")
    assert_ended(moving, moving.run(), ExitReason.WATCHDOG, Reason.WATCHDOG, stopped_well)
    assert moving.rows["time"][-1] > 0.9 + 0.3


def test_sensor_frozen(moving, stopped_well):
    moving.at(CUE, lambda: moving.robot.set_sensor_fault(SensorFault.FROZEN))
    assert_ended(moving, moving.run(), ExitReason.FAULT, Reason.SENSOR_STALE, stopped_well)


class Failing(PoseLaw):
    """Goes where it is sent, until it fails."""

    name = "failing"

    def update(self, prev, tick):
        if tick["time"].item() > CUE:
            raise ZeroDivisionError("on cue\nand in two lines")
        tick["X_WT_cmd"] = tick["X_WR"]
        tick["v_cmd_T"] = 0.0


def test_exception_in_a_law(rig, stopped_well):
    made = rig(start=Start(law="failing"), laws=(Failing(),))
    made.say(0.5, MOVE)
    assert made.run() is ExitReason.FAULT
    stopped_well(made.rows, since=CUE)
    line, words, reason = last(made)
    assert reason is Reason.EXCEPTION
    assert words.startswith("law failing: ZeroDivisionError: on cue")
    assert line == "END law failing: ZeroDivisionError: on cue and in two lines"


@pytest.mark.parametrize("method", ["read", "write"])
def test_exception_in_the_backend(method, moving, monkeypatch):
    stops = []
    real_stop = moving.robot.stop
    monkeypatch.setattr(moving.robot, "stop", lambda: (stops.append(1), real_stop()))

    def broken(_):
        raise OSError("the cable is out")

    moving.at(CUE, lambda: monkeypatch.setattr(moving.robot, method, broken))
    with pytest.raises(OSError, match="cable"):
        moving.run()
    assert stops
    assert moving.reader.ended
    assert moving.said[-1] == "END OSError: the cable is out"
    assert sum(line.startswith("END") for line in moving.said) == 1
    assert moving.rows["state"][-1] == State.FAULT


def test_an_error_of_the_controller_itself_still_stops_the_arm_within_limits(
    moving, stopped_well, monkeypatch
):
    def broken(_):
        raise RuntimeError("a bug")

    moving.at(CUE, lambda: monkeypatch.setattr(moving.controller._intake, "look", broken))
    assert moving.run() is ExitReason.FAILED
    stopped_well(moving.rows, since=CUE)
    assert "EVENT RuntimeError: a bug" in moving.said


class StoodStill:
    """The system's clock, which moves only when someone sleeps."""

    def __init__(self) -> None:
        self.now = 1_000_000_000

    def monotonic_ns(self) -> int:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += round(1e9 * seconds)


def test_a_tick_late_by_100_ms(rig, stopped_well, monkeypatch):
    time = StoodStill()
    for module in (real_time_clock, wakeup):
        monkeypatch.setattr(module, "IN_KERNELS", False)
    monkeypatch.setattr(real_time_clock, "time", time)
    config = Config.model_validate({"safety": {"lateness": 0.05}})
    made = rig(make_clock=real_time_clock.RealTimeClock, config=config)
    made.say(0.5, MOVE)
    made.at(CUE, lambda: time.sleep(0.102))
    ending = made.run()
    assert_ended(made, ending, ExitReason.FAULT, Reason.LATE, stopped_well)
    assert np.flatnonzero(made.rows["lateness"]).size == 1
    assert made.rows["lateness"].max() == pytest.approx(0.1)


def test_after_a_fault_it_can_stay_and_be_reset_over_the_socket(rig, connect, stopped_well):
    made = rig(start=Start(stay=True))
    client = connect()
    made.at(0.5, lambda: client.send(f"{MOVE}\n"))
    made.at(CUE, lambda: made.robot.set_sensor_fault(SensorFault.FROZEN))
    made.at(2.0, lambda: client.send("RESET\n"))
    made.at(2.1, lambda: made.robot.set_sensor_fault(SensorFault.NONE))
    made.at(2.5, lambda: client.send("RESET\nZERO\n"))
    made.at(3.0, lambda: client.send("LAW hybrid_admittance\nSTATE\nSTOP\n"))
    made.at(3.0 + 0.1, lambda: None)
    assert made.run() is ExitReason.STOPPED
    replies = [client.reply() for _ in range(7)]
    assert replies[0].startswith("OK moving")
    assert replies[1].startswith("ERR the cause is still there")
    assert replies[2].startswith("OK reset")
    assert replies[3].startswith("OK zeroing")
    # STOP takes effect before its turn: what stood before it is refused
    assert replies[4:] == [
        "ERR the controller is stopping and takes no more commands",
        replies[5],
        "OK stopping",
    ]
    fault = made.rows[made.rows["state"] == State.FAULT]
    assert np.abs(fault["qd_limited"][-1]).max() == 0.0
    assert made.said[-1] == "END stopped as asked"
    stopped_well(made.rows)


def test_stop_after_a_fault_says_both(rig):
    made = rig(start=Start(stay=True))
    made.say(0.5, MOVE)
    made.at(CUE, lambda: made.robot.set_sensor_fault(SensorFault.FROZEN))
    made.say(2.0, "STOP")
    assert made.run() is ExitReason.STOPPED
    assert made.said[-1].startswith("END stopped as asked; it was in fault: the force sensor")


@pytest.fixture
def pressing(rig):
    """A controller whose arm presses on a table at 8 s."""
    made = rig(spec="sim:ur5e/table")
    made.say(0.4, "AXIS 0 0 1 0 0 0")
    made.say(0.5, "WRENCH 0 0 -10 0 0 0")
    return made


def test_a_fault_while_stopping_is_what_is_told(pressing):
    pressing.say(8.0, "STOP")
    pressing.at(8.05, lambda: pressing.robot.set_sensor_fault(SensorFault.NAN))
    assert pressing.run() is ExitReason.FAULT
    assert "not numbers" in pressing.said[-1]


def test_forces_ramp_to_zero_before_the_end(pressing, stopped_well):
    pressing.say(8.0, "STOP")
    assert pressing.run() is ExitReason.STOPPED
    stopped_well(pressing.rows)
    rows = pressing.rows[pressing.rows["time"] > 7.9]
    assert rows["w_T"][0, 2] == pytest.approx(-10.0, abs=1.0)
    steps = np.diff(rows["w_desired_T"][:, 2])
    rate = 50.0 * pressing.robot.dt
    assert np.abs(steps).max() <= rate * 1.001
    assert (rows["state"] == State.STOPPING).sum() * rate > 9.0


# beginning


def test_stop_while_starting(rig):
    made = rig()
    made.say(0.05, "RELD 0 0 0.1 0 0 0\nSTOP")
    assert made.run() is ExitReason.STOPPED
    assert made.rows["time"][-1] < 0.1
    assert (made.rows["law"] == -1).all()
    assert made.said == [
        "ERR the controller is stopping and takes no more commands",
        "OK stopping",
        "END stopped as asked",
    ]


@pytest.mark.parametrize("when", [0.0, 0.002, 0.1, *np.arange(0.240, 0.280, 0.002)])
def test_a_signal_at_any_moment_of_the_start(when, rig):
    made = rig()
    made.at(when, lambda: os.kill(os.getpid(), signal.SIGTERM))
    assert made.run() is ExitReason.TERMINATED
    assert made.rows["time"][-1] < when + 0.2
    assert made.rows["law"][-1] == -1


@pytest.mark.parametrize(("when", "told"), [(0.05, ["stopped as asked"]), (1.0, [])])
def test_an_end_before_it_is_ready_is_told_to_whoever_started_it(when, told, rig):
    heard = []
    made = rig(start=Start(on_early_end=heard.append))
    made.say(when, "STOP")
    made.run()
    assert heard == told


def test_lines_said_while_starting_wait(rig):
    made = rig()
    made.say(0.0, "RELD 0 0 0.01 0 0 0")
    made.say(1.0, "STOP")
    made.run()
    assert made.said[0].startswith("EVENT ready")
    assert made.said[1].startswith("OK moving")


def test_a_sensor_that_fails_at_the_start_is_said_and_the_arm_stays_inactive(rig):
    made = rig()
    made.robot.set_sensor_fault(SensorFault.NAN)
    made.say(2.0, "STOP")
    assert made.run() is ExitReason.STOPPED
    assert made.said[0].startswith("EVENT not started:")
    assert made.said[1].startswith("EVENT ready: state=INACTIVE")
    assert (made.rows["law"] == -1).all()


# standard output


def test_output_never_read_stops_nothing_and_loses_nothing_but_lines(rig, stopped_well):
    made = rig()
    made.reading = False
    for k in range(30):
        made.say(1.0 + k, "PING\n" * 99 + "PING")
    made.say(59.0, MOVE)
    made.say(60.0, "STOP")
    assert made.run(longest=70.0) is ExitReason.STOPPED
    assert made.rows["time"][-1] > 60.0
    stopped_well(made.rows)


def test_output_first_read_after_the_end_still_says_why(rig):
    made = rig()
    made.reading = False
    made.say(30.0, "STOP")
    assert made.run(longest=40.0) is ExitReason.STOPPED
    made.reading = True
    made.look()
    assert made.said[-1] == "END stopped as asked"


def test_output_read_late_says_how_much_was_lost(rig):
    made = rig()
    made.reading = False
    for k in range(30):
        made.say(1.0 + k, "STATE\n" * 99 + "STATE")
    made.at(40.0, lambda: setattr(made, "reading", True))
    made.say(45.0, "STOP")
    made.run(longest=70.0)
    lost = next(line for line in made.said if "were lost" in line)
    replies = sum(line.startswith("OK state=") for line in made.said)
    assert replies + int(lost.split()[1]) == 3000
    assert made.said[-1] == "END stopped as asked"


def test_closed_output_stops_nothing(moving, stopped_well):
    def close():
        moving.reading = False
        os.close(moving.stdout)

    moving.at(0.8, close)
    moving.say(CUE, "STOP")
    assert moving.run() is ExitReason.STOPPED
    stopped_well(moving.rows, since=CUE)
