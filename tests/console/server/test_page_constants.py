"""The tables of the page agree with the joint board and the commands."""

from pliant.commands import COMMANDS
from pliant.console.server.describe import command_infos
from pliant.console.server.facts import JointModeInfo
from pliant.console.server.page_constants import page_constants
from pliant.stages.joints import JointMode, ReportedMode
from pliant.stages.joints.joint_modes import is_available


def modes() -> dict[str, JointModeInfo]:
    return {mode.word: mode for mode in page_constants()["JOINT_MODES"][1]}


def test_every_mode_and_status_is_listed_once() -> None:
    assert sorted(mode.code for mode in modes().values()) == sorted(ReportedMode)
    selectable = {mode.code for mode in modes().values() if mode.selectable}
    assert selectable == set(JointMode)
    for mode in JointMode:
        listed = modes()[mode.name.lower()]
        assert listed.needs_torque == (not is_available(mode, "position"))


def test_the_slider_of_a_mode_gives_its_first_motion() -> None:
    first = {word: mode.motions[0] for word, mode in modes().items() if mode.motions}
    assert {word: (motion.word, motion.streams) for word, motion in first.items()} == {
        "position": ("POSITION_MOVE", False),
        "position_direct": ("SET_POSITION", True),
        "velocity": ("VELOCITY_MOVE", True),
        "mixed": ("POSITION_MOVE", False),
        "torque": ("SET_TORQUE", True),
        "open_loop": ("SET_OUTPUT", True),
    }
    assert {motion.unit for motion in first.values()} == {"rad", "rad/s", "N·m", "1"}


def test_commands_have_the_attributes_of_their_classes() -> None:
    infos = {info.word: info for info in command_infos()}
    for kind in COMMANDS:
        info = infos[kind.word]
        for name in ("anyone", "asks", "moves", "streams", "changes_config"):
            assert getattr(info, name) == getattr(kind, name)
    subjects = {info.subject for info in infos.values()}
    assert subjects == {
        "tool", "reference", "reaction", "parameter", "state", "joint", "gripper", "session"
    }  # fmt: skip
