"""Pliant makes robot arms compliant.

import pliant

arm = pliant.Arm("sim:ur5e/table")
arm.zero()
arm.activate("hybrid_admittance")
arm.set_axes("z")
arm.set_wrench([0, 0, -5, 0, 0, 0])
arm.wait(2.0)
print(arm.tick.w_T)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pliant.errors import advice
from pliant.version import __version__ as __version__

if TYPE_CHECKING:
    from pliant.api.arm import Arm as Arm
    from pliant.api.move_result import Moved as Moved
    from pliant.api.recorders import record as record
    from pliant.arms.description import load_arm as load_arm
    from pliant.config import Config as Config
    from pliant.errors import ArmStopped as ArmStopped
    from pliant.errors import ConfigError as ConfigError
    from pliant.errors import GripperFailed as GripperFailed
    from pliant.errors import MoveEnded as MoveEnded
    from pliant.errors import PliantError as PliantError
    from pliant.errors import PliantWarning as PliantWarning
    from pliant.errors import Refused as Refused
    from pliant.errors import WaitTimeout as WaitTimeout
    from pliant.laws import HybridAdmittance as HybridAdmittance
    from pliant.laws import HybridConfig as HybridConfig
    from pliant.laws import PoseLaw as PoseLaw
    from pliant.laws import TorqueLaw as TorqueLaw
    from pliant.params import Params as Params
    from pliant.params import param as param
    from pliant.pose import Pose as Pose
    from pliant.recording import Recording as Recording
    from pliant.recording import load as load
    from pliant.robots.base import Robot as Robot
    from pliant.stages.supervisor.conditions import Condition as Condition
    from pliant.stages.supervisor.conditions import column as column
    from pliant.stages.supervisor.conditions import force as force
    from pliant.stages.supervisor.conditions import norm as norm
    from pliant.stages.supervisor.conditions import position as position
    from pliant.stages.supervisor.conditions import speed as speed
    from pliant.stages.supervisor.conditions import torque as torque
    from pliant.stages.supervisor.reaction import Reaction as Reaction
    from pliant.sweeps.run_sweep import sweep as sweep
    from pliant.sweeps.run_tune import tune as tune
    from pliant.tasks.pressing import Pressed as Pressed

_HOMES = {
    "Arm": "pliant.api.arm",
    "ArmStopped": "pliant.errors",
    "Condition": "pliant.stages.supervisor.conditions",
    "Config": "pliant.config",
    "ConfigError": "pliant.errors",
    "GripperFailed": "pliant.errors",
    "HybridAdmittance": "pliant.laws",
    "HybridConfig": "pliant.laws",
    "MoveEnded": "pliant.errors",
    "Moved": "pliant.api.move_result",
    "Params": "pliant.params",
    "PliantError": "pliant.errors",
    "PliantWarning": "pliant.errors",
    "Pose": "pliant.pose",
    "Pressed": "pliant.tasks.pressing",
    "PoseLaw": "pliant.laws",
    "Reaction": "pliant.stages.supervisor.reaction",
    "Recording": "pliant.recording",
    "Refused": "pliant.errors",
    "Robot": "pliant.robots.base",
    "TorqueLaw": "pliant.laws",
    "WaitTimeout": "pliant.errors",
    "column": "pliant.stages.supervisor.conditions",
    "force": "pliant.stages.supervisor.conditions",
    "load": "pliant.recording",
    "load_arm": "pliant.arms.description",
    "norm": "pliant.stages.supervisor.conditions",
    "param": "pliant.params",
    "position": "pliant.stages.supervisor.conditions",
    "record": "pliant.api.recorders",
    "speed": "pliant.stages.supervisor.conditions",
    "sweep": "pliant.sweeps.run_sweep",
    "tune": "pliant.sweeps.run_tune",
    "torque": "pliant.stages.supervisor.conditions",
}
__all__ = [
    "Arm",
    "ArmStopped",
    "Condition",
    "Config",
    "ConfigError",
    "HybridAdmittance",
    "HybridConfig",
    "MoveEnded",
    "Moved",
    "Params",
    "PliantError",
    "PliantWarning",
    "Pose",
    "PoseLaw",
    "Pressed",
    "Reaction",
    "Recording",
    "Refused",
    "Robot",
    "TorqueLaw",
    "WaitTimeout",
    "__version__",
    "column",
    "force",
    "load",
    "load_arm",
    "norm",
    "param",
    "position",
    "record",
    "speed",
    "sweep",
    "torque",
    "tune",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the physics takes most of a second."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pliant' has no attribute {name!r}; {advice(name, _HOMES)}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The names that are exported: what a shell completes."""
    return __all__
