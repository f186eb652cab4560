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
    from pliant.api.recorders import record as record
    from pliant.arms.description import load_arm as load_arm
    from pliant.config import Config as Config
    from pliant.errors import ArmStopped as ArmStopped
    from pliant.errors import ConfigError as ConfigError
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

_HOMES = {
    "Arm": "pliant.api.arm",
    "ArmStopped": "pliant.errors",
    "Config": "pliant.config",
    "ConfigError": "pliant.errors",
    "HybridAdmittance": "pliant.laws",
    "HybridConfig": "pliant.laws",
    "Params": "pliant.params",
    "PliantError": "pliant.errors",
    "PliantWarning": "pliant.errors",
    "Pose": "pliant.pose",
    "PoseLaw": "pliant.laws",
    "Recording": "pliant.recording",
    "Refused": "pliant.errors",
    "Robot": "pliant.robots.base",
    "TorqueLaw": "pliant.laws",
    "WaitTimeout": "pliant.errors",
    "load": "pliant.recording",
    "load_arm": "pliant.arms.description",
    "param": "pliant.params",
    "record": "pliant.api.recorders",
}
__all__ = [
    "Arm",
    "ArmStopped",
    "Config",
    "ConfigError",
    "HybridAdmittance",
    "HybridConfig",
    "Params",
    "PliantError",
    "PliantWarning",
    "Pose",
    "PoseLaw",
    "Recording",
    "Refused",
    "Robot",
    "TorqueLaw",
    "WaitTimeout",
    "__version__",
    "load",
    "load_arm",
    "param",
    "record",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the physics takes most of a second."""
    if name not in _HOMES:
        raise AttributeError(f"module 'pliant' has no attribute {name!r}; {advice(name, _HOMES)}")
    return getattr(import_module(_HOMES[name]), name)
