"""The tables that the page shares with Python, written into its TypeScript."""

import struct
from typing import Any, get_args

from pliant import commands as c
from pliant.commands.parameter_commands import GainCommand
from pliant.console.server.facts import JointModeInfo, MotionInfo
from pliant.console.server.frames import CELL
from pliant.console.server.messages import FRAME_HEADER, StartRequest
from pliant.laws import HybridAdmittance
from pliant.laws.hybrid_admittance.axes import AXES
from pliant.laws.hybrid_admittance.config import HybridConfig
from pliant.params import Frame
from pliant.reasons import Verdict
from pliant.sim.spec import PREFIX
from pliant.stages.joints import Interaction, JointFault, JointMode, ReportedMode
from pliant.stages.joints.joint_modes import (
    COMMANDS_OF,
    FIRST_STATUS,
    FORCE_IDLE,
    NEEDS_TORQUE,
)

_JOINT_COMMANDS = {kind.name: kind for kind in c.COMMANDS if issubclass(kind, c.JointCommand)}


def page_constants() -> dict[str, tuple[str, Any]]:
    """The constants of the page by name: their descriptions and values."""
    return {
        "FRAME_HEADER_BYTES": ("Bytes of a binary frame's header.", struct.calcsize(FRAME_HEADER)),
        "CELL_BYTES": ("Bytes of a number in a binary frame.", CELL),
        "AXES": ("The axes of a pose or of the tool.", AXES),
        "WRENCH_AXES": (
            "The components of a wrench.",
            _extra(c.SetWrench, "wrench")["tokens"].split(),
        ),
        "FRAMES": ("Frames of a command, by their code in a tick.", get_args(Frame)),
        "VERDICTS": (
            "The verdicts on the force sensor, by their code in a tick.",
            {verdict.value: verdict.text for verdict in Verdict},
        ),
        "VERDICT_READY": ("The verdict on a sensor that can be trusted.", Verdict.READY.value),
        "COMPLIANCE_LAW": ("The law that makes axes compliant.", HybridAdmittance.name),
        "GAIN_COMMANDS": (
            "The commands that change one parameter, by its path.",
            _gain_commands(),
        ),
        "SIM_PREFIX": ("How the name of a simulated arm begins.", PREFIX),
        "DEFAULT_ROBOT": ("The arm that is started by default.", _default_robot()),
        "JOINT_MODES": (
            "The control modes and statuses of a joint; those that can be selected come first.",
            [_joint_mode(mode) for mode in _listed_modes()],
        ),
        "FORCE_IDLE": ("The word that forces a joint idle.", FORCE_IDLE),
        "JOINT_FAULTS": (
            "The faults of a joint, by their code in a tick.",
            {fault.value: fault.text for fault in JointFault},
        ),
        "INTERACTIONS": (
            "The interaction modes of a joint, by their code in a tick.",
            [interaction.name.lower() for interaction in Interaction],
        ),
    }


def _gain_commands() -> dict[str, str]:
    fields = [
        (field, kind.word)
        for kind in c.COMMANDS
        if issubclass(kind, GainCommand)
        for field in kind.model_fields
    ]
    known = HybridConfig.model_fields
    return {f"laws.{HybridAdmittance.name}.{f}": word for f, word in fields if f in known}


def _default_robot() -> str:
    return StartRequest.model_fields["robot"].default


def _listed_modes() -> list[ReportedMode]:
    selectable = [ReportedMode(mode) for mode in COMMANDS_OF]
    return selectable + [mode for mode in ReportedMode if mode >= FIRST_STATUS]


def _joint_mode(mode: ReportedMode) -> JointModeInfo:
    selectable = mode < FIRST_STATUS
    return JointModeInfo(
        code=mode.value,
        word=mode.name.lower(),
        title=mode.title,
        colour=f"rgb({' '.join(map(str, mode.colour))})",
        selectable=selectable,
        needs_torque=selectable and JointMode(mode) in NEEDS_TORQUE,
        motions=_motions(JointMode(mode)) if selectable else [],
    )


def _motions(mode: JointMode) -> list[MotionInfo]:
    kinds = [_JOINT_COMMANDS[name] for name in COMMANDS_OF[mode]]
    kinds.sort(key=lambda kind: (kind.streams, kind.word))
    return [
        MotionInfo(word=kind.word, unit=_extra(kind, "values")["unit"], streams=kind.streams)
        for kind in kinds
    ]


def _extra(kind: type[c.Command], field: str) -> dict[str, Any]:
    extra: Any = kind.model_fields[field].json_schema_extra
    return extra
