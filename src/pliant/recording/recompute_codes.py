"""Checks the codes of recorded ticks before the stages run on them: they index tables."""

import numpy as np

from pliant.errors import RecordingError
from pliant.reasons import Reason, State, Verdict
from pliant.recording.recording import Recording
from pliant.stages.joints import Interaction, JointFault, JointMode, ReportedMode
from pliant.stages.reference.kinds import RefKind

_CODES = {
    "state": list(State),
    "reason": list(Reason),
    "verdict": list(Verdict),
    "ref_kind": list(RefKind),
    "mode_wanted": list(JointMode),
    "mode": list(ReportedMode),
    "interaction": list(Interaction),
    "fault": list(JointFault),
    "fault_cause": list(JointFault),
    "fault_injected": list(JointFault),
    "w_target_frame": [0, 1, 2],
    "axes_frame": [0, 1, 2],
    "v_jog_frame": [0, 1],
    "n_af": list(range(7)),
}


def check_codes(recording: Recording) -> None:
    """Check that every code in the ticks has a meaning here.

    Raises:
        RecordingError: One has none; the message names its tick.
    """
    codes = _CODES | {"law": list(range(-1, len(recording.header["laws"])))}
    for column, known in codes.items():
        # the rows have all columns; those that an older recording lacks are zero
        values = recording.rows[column].reshape(len(recording), -1)
        wrong = np.argwhere(~np.isin(values, known))
        if len(wrong):
            row, element = wrong[0]
            raise RecordingError(
                f"{recording.path} cannot be recomputed: tick {recording['k'][row]} has "
                f"{column} {values[row, element]}, which has no meaning in this version"
            )
