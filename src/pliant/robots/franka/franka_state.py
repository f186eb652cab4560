"""What the state of a Franka arm means: whether it follows torques, or why not."""

from typing import Any

from pliant.arms.franka_status import ERRORS, FrankaStatus

_IDLE, _MOVE, _REFLEX = 1, 2, 4
_OBSTACLES = {
    0: FrankaStatus.NOT_READY,
    _IDLE: FrankaStatus.FOLLOWS,
    _MOVE: FrankaStatus.FOLLOWS,
    3: FrankaStatus.GUIDING,
    5: FrankaStatus.USER_STOP,
    6: FrankaStatus.RECOVERING,
}
"""libfranka's robot modes, in their order."""


def obstacle(state: Any) -> FrankaStatus:
    """Why no torque control could run now; `FOLLOWS` if one could."""
    mode = int(state.robot_mode)
    if mode == _REFLEX:
        return error_of(state)
    return _OBSTACLES.get(mode, FrankaStatus.OTHER_ERROR)


def is_idle(state: Any) -> bool:
    """Whether a torque control could be started."""
    return int(state.robot_mode) == _IDLE


def error_of(state: Any) -> FrankaStatus:
    """The error of an arm in reflex: the present one, else that which ended its motion."""
    for errors in (state.current_errors, state.last_motion_errors):
        for name, status in ERRORS.items():
            if getattr(errors, name):
                return status
    return FrankaStatus.OTHER_ERROR
