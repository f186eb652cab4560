"""`pliant control`."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from pliant.cli import main
from pliant.controller.controller_program import _leave_when_told
from pliant.laws.own_laws import load_law
from pliant.ring.ring import RingWriter

LAW = """
from pliant.laws import PoseLaw

class MyLaw(PoseLaw):
    name = "my_law"

    def update(self, prev, tick):
        tick["X_WT_cmd"] = tick["X_WR"]
        if tick["time"].item() > {fails}:
            raise ValueError("too late")

class Other:
    pass
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(tmp_path / "r"))
    return tmp_path / "r"


@pytest.fixture
def restored():
    """Restores the descriptors, streams and signal handlers that the verb changes."""
    numbers = (signal.SIGTERM, signal.SIGHUP)
    handlers = [signal.getsignal(number) for number in numbers]
    streams, descriptors = (sys.stdout, sys.stderr), (os.dup(1), os.dup(2))
    yield
    sys.stdout, sys.stderr = streams
    for target, saved in zip((1, 2), descriptors, strict=True):
        os.dup2(saved, target)
        os.close(saved)
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


def control(*arguments, lines="", **options):
    """Run a controller in simulated time to its end; return exit status, output lines, errors."""
    done = subprocess.run(
        [sys.executable, "-m", "pliant.cli", "control", "--fast", *arguments],
        input=lines.encode(),
        capture_output=True,
        timeout=120,
        check=False,
        **options,
    )
    output = [x for x in done.stdout.decode().splitlines() if not x.startswith("TELEM")]
    return done.returncode, output, done.stderr.decode()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--robot", "sim:nonsense"], "nonsense"),
        (["--law", "nonsense"], "unknown law 'nonsense'; valid: hybrid_admittance, position"),
        (["--law", "./missing.py:MyLaw"], "there is no file ./missing.py"),
        (["--preset", "nonsense"], "force_control_demo"),
        (["--config", "missing.yaml"], "cannot read"),
        (["--time", "-1"], "--time is a number of seconds"),
        (["--time", "nan"], "--time is a number of seconds"),
        (["--rate", "0"], "--rate is"),
        (["--rate", "333"], "1000 Hz or a whole fraction of it"),
        (["--wrench", "0", "0", "nan", "0", "0", "0"], "not a finite number"),
        (["--name", "../evil"], "cannot name a controller"),
        (["--name", "a/b"], "cannot name a controller"),
    ],
)
def test_mistakes_are_reported_in_one_sentence(arguments, message, folder, restored):
    with pytest.raises(SystemExit) as stopped:
        main(["control", "--time", "0.01", "--fast", *arguments])
    assert message in str(stopped.value)
    assert not folder.exists() or not list(folder.iterdir())


def test_a_robot_that_is_not_simulated_is_not_run_as_fast_as_possible(folder, restored, tmp_path):
    example = (Path(__file__).parents[2] / "examples/19_your_own_robot.py").read_text()
    robot = tmp_path / "real_robot.py"
    robot.write_text(example.replace("simulated = True", "simulated = False"))
    with pytest.raises(SystemExit) as stopped:
        main(["control", "--time", "0.01", "--fast", "--robot", f"{robot}:MyRobot"])
    assert "not simulated" in str(stopped.value)


def test_a_robot_is_closed_if_the_controller_does_not_start(folder, restored, tmp_path):
    example = (Path(__file__).parents[2] / "examples/19_your_own_robot.py").read_text()
    robot, closed = tmp_path / "closing_robot.py", tmp_path / "closed"
    leaving = f"    def close(self):\n        open(r'{closed}', 'w').close()\n\n    def stop(self):"
    robot.write_text(example.replace("    def stop(self):", leaving))
    with pytest.raises(SystemExit, match="unknown law"):
        main(["control", "--fast", "--robot", f"{robot}:MyRobot", "--law", "nonsense"])
    assert closed.exists()


def test_bad_flags_are_refused(folder, capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["control", "--wrench", "1", "2"])
    assert stopped.value.code == 2


def test_print_config_prints_the_configuration_in_force(folder, capsys):
    main(
        ["control", "--robot", "sim:ur5e/table", "--preset", "force_control_demo", "--print-config"]
    )
    config = yaml.safe_load(capsys.readouterr().out)
    assert config["laws"]["hybrid_admittance"]["inertia"][0] == 5.0
    assert config["sim"]["scene"]["kind"] == "table"


def test_start_options_are_applied_and_reported(folder):
    with subprocess.Popen(["sleep", "60"], stdout=subprocess.PIPE) as silent:
        done = subprocess.run(
            [sys.executable, "-m", "pliant.cli", "control", "--fast", "--time", "0.5",
             "--wrench", "0", "0", "-50", "0", "0", "0",
             "--pose", "0.4", "0.1", "0.4", "3.1", "0", "0"],
            stdin=silent.stdout, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        silent.kill()
    lines = done.stdout.splitlines()
    events = [line for line in lines if line.startswith("EVENT")]
    assert done.returncode == 0, done.stderr
    assert "Fz clamped to -20; warning: no axis is force-controlled" in events[0]
    assert events[1].startswith("EVENT moving to 0.4 0.1 0.4")
    assert "state=ACTIVE" in events[2]
    assert lines[-1] == "END the time is over"
    assert float(lines[-2].split()[1].removeprefix("t=")) >= 0.49
    assert not list(folder.iterdir())


def test_a_controller_in_real_time_ends_without_library_warnings(folder):
    done = subprocess.run(
        [sys.executable, "-m", "pliant.cli", "control", "--robot", "sim:panda",
         "--preset", "cartesian"],
        input=b"", capture_output=True, timeout=120, check=False,
    )  # fmt: skip
    assert b"EVENT preset cartesian: task_space_inverse_dynamics active" in done.stdout
    assert b"\nEND " in done.stdout
    assert b"leaked" not in done.stderr


def test_commands_from_a_file_are_executed_and_its_end_stops_the_controller(folder, tmp_path):
    script = tmp_path / "lines.txt"
    script.write_text("PING\nGET wrench.cutoff\nLAW position\n")
    with script.open() as stdin, (tmp_path / "out.txt").open("wb") as out:
        out.write(b"kept\n")
        out.flush()
        status = subprocess.call(
            [sys.executable, "-m", "pliant.cli", "control", "--fast", "--inactive"],
            stdin=stdin, stdout=out,
        )  # fmt: skip
    lines = (tmp_path / "out.txt").read_text().splitlines()
    assert status == 3
    assert [x for x in lines if x[:5] != "TELEM"] == [
        "kept",
        "EVENT ready: state=INACTIVE law=none sensor=READY control=free reason=none",
        "OK pong",
        "OK 30.0",
        "OK position active",
        "END standard input was closed",
    ]


def test_closed_standard_streams_do_no_harm(folder):
    command = f"exec {sys.executable} -m pliant.cli control --fast <&- >&- 2>&-"
    assert subprocess.call(["sh", "-c", command], timeout=120) == 3
    assert not list(folder.iterdir())


def test_a_name_in_use_is_refused(folder):
    folder.mkdir()
    ring = RingWriter(folder / "c.ring", 6, 10, {})
    status, _, errors = control("--name", "c")
    ring.close()
    assert status == 1
    assert "a controller named c is already running; give another --name" in errors


@pytest.mark.parametrize("case", ["long", "file"])
def test_an_unusable_runtime_folder_is_reported(case, tmp_path, monkeypatch):
    path = tmp_path / ("x" * 120) if case == "long" else tmp_path / "file"
    if case == "file":
        path.write_text("")
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(path))
    status, _, errors = control()
    assert status == 1
    assert ("PLIANT_RUNTIME_DIR" if case == "long" else "no runtime folder") in errors
    assert "Traceback" not in errors
    assert case == "file" or not list(path.iterdir())


def test_a_user_defined_law_runs(folder, tmp_path):
    file = tmp_path / "my_law.py"
    file.write_text(LAW.format(fails=1e9))
    status, output, _ = control("--law", f"{file}:MyLaw", lines="PING\n" * 60)
    assert output[0].startswith("EVENT ready: state=ACTIVE law=my_law")
    assert status == 3
    with pytest.raises(Exception, match=r"has no law 'Nonsense'; those in it: MyLaw"):
        load_law(f"{file}:Nonsense")
    with pytest.raises(Exception, match="has no law 'Other'"):
        load_law(f"{file}:Other")
    file.write_text("1 / 0")
    with pytest.raises(Exception, match="ZeroDivisionError"):
        load_law(f"{file}:MyLaw")


def test_a_law_may_print_without_disturbing_the_protocol(folder, tmp_path):
    file = tmp_path / "my_law.py"
    file.write_text(LAW.format(fails=1e9).replace("if tick", "print('hello')\n        if tick"))
    _, output, errors = control("--law", f"{file}:MyLaw", lines="PING\n" * 20)
    assert output[1:21] == ["OK pong"] * 20
    assert errors.count("hello") > 20


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_law_that_prints_to_an_unread_pipe_does_not_block(unbuffered, folder, tmp_path):
    file = tmp_path / "my_law.py"
    file.write_text(LAW.format(fails=1e9).replace("if tick", "print('x' * 200)\n        if tick"))
    unread, noisy = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-m", "pliant.cli", "control", "--fast", "--time", "5",
         "--law", f"{file}:MyLaw"],
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=noisy,
        env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    os.close(noisy)
    try:
        assert process.wait(120) == 0
    finally:
        process.kill()
        process.communicate()
        os.close(unread)


def test_a_law_that_fails_immediately_does_not_start(folder, tmp_path, restored):
    file = tmp_path / "my_law.py"
    file.write_text(LAW.format(fails=0.0))
    with pytest.raises(SystemExit) as stopped:
        main(["control", "--fast", "--law", f"{file}:MyLaw"])
    assert "tried in simulation: the arm stopped: law my_law: ValueError: too late" in str(
        stopped.value
    )


def test_commands_and_status_print(folder, capsys):
    main(["commands"])
    assert "[frame]" in capsys.readouterr().out
    main(["commands", "--json-schema"])
    assert "SET_WRENCH" in json.loads(capsys.readouterr().out)
    main(["status"])
    assert capsys.readouterr().out == "no controller is running\n"
    main(["status", "--json"])
    assert json.loads(capsys.readouterr().out) == []


def test_a_signal_swallowed_by_a_library_still_takes_effect():
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        leave_if_told = _leave_when_told()
        leave_if_told()
        with contextlib.suppress(SystemExit):
            signal.raise_signal(signal.SIGTERM)
        with pytest.raises(SystemExit) as left:
            leave_if_told()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert left.value.code == 143


def test_a_controller_imports_nothing_that_only_others_need() -> None:
    others = {"mcap", "matplotlib", "pliant.recording.reader"}
    program = f"import sys, pliant.cli.control; print(*{others} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert (done.returncode, done.stdout.split()) == (0, [])
