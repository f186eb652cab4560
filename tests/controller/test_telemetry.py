"""Telemetry: every tenth tick on standard output, and never at the cost of anything else."""

from pliant.commands.telemetry_line import first_numbers, telemetry_line
from pliant.controller.controller import Start
from pliant.controller.exit_reason import ExitReason


def test_every_tenth_tick_is_told(rig):
    made = rig(start=Start(duration=1.0))
    assert made.run() is ExitReason.TIME_OVER
    rows = made.rows
    told = rows[(rows["k"] % 10 == 0) & (rows["k"] > 0)]
    assert len(told) >= 50
    before = first_numbers(6)
    assert made.telemetry == [telemetry_line(row.reshape(1), before) for row in told]


def test_who_does_not_read_gets_less_telemetry_and_the_end(rig):
    made = rig(start=Start(duration=4.0))
    made.reading = False
    assert made.run(longest=30.0) is ExitReason.TIME_OVER
    made.reading = True
    made.look()
    size = len(made.telemetry[0]) + 1
    unread = sum(len(line) + 1 for line in made.telemetry)
    assert len(made.telemetry) < made.rows["k"][-1] // 10
    assert 32768 - size < unread <= 32768 + 2 * size
    assert made.said[0].startswith("EVENT ready")
    assert made.said[-1].startswith("END")
