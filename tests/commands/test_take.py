"""A command that fails while it is decided on leaves wishes and configuration as they were."""

import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from pliant import Arm
from pliant import commands as c
from pliant.commands import supervisor as module
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.handlers.joint_handlers import JointHandlers
from pliant.config import Config
from pliant.errors import ConfigError, Refused
from pliant.tick import Rows

OTHER = {
    "laws.hybrid_admittance.stiffness": (900.0, 40.0),
    "reference.max_speed": (0.01, 0.1),
    "safety.tool_speed": 0.02,
    "joints.velocity_timeout": 0.02,
}


def moving() -> Arm:
    arm = Arm("sim:ur5e")
    arm.zero()
    arm.activate("hybrid_admittance")
    arm.set_axes("z")
    arm.jog([0.1, 0, 0, 0, 0, 0], timeout=1.0)
    arm.wait(0.1)
    return arm


def fail_late(context: HandlerContext, _command: c.Command, _row: Rows) -> NoReturn:
    """A handler that raises when it has done all it can."""
    context.wishes["law"] = -1
    context.wishes["w_target"] = 99.0
    context.wishes.judge_again()
    config = context.config
    for path, value in OTHER.items():
        config = config.replace(path, value)
    context.put_in_force(config)
    raise ERRORS[0]


ERRORS: list[BaseException] = [ZeroDivisionError()]
"""What the handler raises."""


@pytest.mark.parametrize("wished", [False, True])
def test_an_error_in_a_handler_restores_wishes_and_configuration(
    monkeypatch: pytest.MonkeyPatch, wished: bool
) -> None:
    monkeypatch.setitem(module._HANDLERS, c.Hold, fail_late)
    arm, spared = moving(), moving()
    if wished:
        for one in (arm, spared):
            one.set_wrench([0, 0, 3, 0, 0, 0])
    supervisor = arm._session._loop.supervisor
    wishes, config = supervisor.wishes.copy(), supervisor.config
    with pytest.raises(Refused, match="ZeroDivisionError"):
        supervisor.take(c.Hold(), arm._session._loop.row)
    assert supervisor.wishes.copy().tobytes() == wishes.tobytes()
    assert ("w_target" in supervisor.wishes) == wished
    assert supervisor.config is config
    # the stages, the laws and the joints have their old parameters too
    for one in (arm, spared):
        one.wait(0.2)
        one.deactivate()
        one.wait(0.5)
        one.joints.set_modes(0, "vel")
        one.joints.velocity_move(0, 0.1)
        one.wait(0.2)
    rows, expected = arm.history.since(0.0), spared.history.since(0.0)
    for name in rows.dtype.names or ():
        assert rows[name].tobytes() == expected[name].tobytes(), name


def test_a_parameter_that_only_a_stage_refuses_is_not_in_force() -> None:
    arm = moving()
    arm.deactivate()
    arm.wait(0.5)
    supervisor = arm._session._loop.supervisor
    config = supervisor.config
    refused = c.SetParameter(path="reference.playback.file", value="/nowhere.csv")
    with pytest.raises(ConfigError, match="nowhere"):
        supervisor.read_and_take(refused, arm._session._loop.row)
    assert supervisor.config is config
    assert supervisor.reference.config is config.reference


@pytest.mark.parametrize(
    "error",
    [
        np.linalg.LinAlgError("Array must not contain infs or NaNs"),
        FloatingPointError("overflow"),
        RecursionError("too deep"),
        MemoryError(),
        SystemExit("a law of a user's own"),
        KeyError("x"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_handler_raises_is_refused(
    error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(module._HANDLERS, c.Hold, fail_late)
    monkeypatch.setattr(sys.modules[__name__], "ERRORS", [error])
    arm = moving()
    config = arm.config
    with pytest.raises(Refused, match=f"^{type(error).__name__}: "):
        arm.hold()
    assert arm.config is config
    arm.wait(0.1)


def test_the_motion_in_force_comes_back_after_a_command_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = Arm("sim:panda")
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for k, file in enumerate(files):
        rows = [[t, *(arm.tick.q + 0.01 * (k + 1) * t)] for t in (0.0, 0.5, 1.0)]
        np.savetxt(file, rows, delimiter=",", fmt="%.9g")
    arm.set("reference.playback.file", str(files[0]))
    reference = arm._session._loop.supervisor.reference
    before = reference.motion
    # it is not read again, so it may be gone
    files[0].unlink()
    configure = JointHandlers.configure

    def fail(self: JointHandlers, config: Config) -> None:
        configure(self, config)
        if config.reference.playback.file == str(files[1]):
            raise MemoryError("late")

    monkeypatch.setattr(JointHandlers, "configure", fail)
    with pytest.raises(Refused, match="MemoryError: late"):
        arm.set("reference.playback.file", str(files[1]))
    assert reference.motion is before
    assert arm.get("reference.playback.file") == str(files[0])
    assert reference.joints.motion is before.table
