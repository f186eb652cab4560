"""The two halves of a tick, before and after the law: the only place where the order is code."""

from dataclasses import dataclass

from pliant.arms.chain import Chain
from pliant.arms.links import Links
from pliant.numerics.kernels import Row, kernel
from pliant.params import KernelParams
from pliant.stages.contact.contact_params import ContactParams
from pliant.stages.contact.stage import contact_kernel
from pliant.stages.dynamics import dynamics_kernel
from pliant.stages.joints.stage import JointsParams, joints_kernel
from pliant.stages.model import model_kernel
from pliant.stages.reference.joint_reference import JointReference
from pliant.stages.reference.path_spline import ToolPath
from pliant.stages.reference.stage import ReferenceParams, reference_kernel
from pliant.stages.resolve import ResolveConfig, resolve_kernel
from pliant.stages.safety.stage import SafetyParams, safety_kernel, torque_safety_kernel
from pliant.stages.servo.stage import servo_kernel
from pliant.stages.servo.stiff_servo import ServoParams
from pliant.stages.supervisor.stage import SupervisorParams, supervisor_kernel
from pliant.stages.supervisor.wishes import WishTable
from pliant.stages.wrench.stage import WrenchParams, wrench_kernel
from pliant.tick import Tick


@dataclass(frozen=True, kw_only=True, eq=False)
class Parameters(KernelParams):
    """The parameters of all stages that every arm has, in one row."""

    model: Row[Chain]
    wrench: Row[WrenchParams]
    supervisor: Row[SupervisorParams]
    contact: Row[ContactParams]
    reference: Row[ReferenceParams]
    resolve: Row[ResolveConfig]
    joints: Row[JointsParams]
    safety: Row[SafetyParams]


@kernel
def before_law(
    prev: Row[Tick],
    tick: Row[Tick],
    p: Row[Parameters],
    wishes: Row[WishTable],
    links: Row[Links] | None,
    joints: JointReference | None,
    path: ToolPath,
) -> tuple[int, int]:
    """The stages before the law; what they tell, and the index of the law.

    A position arm passes neither links nor joint references, and then what is of torque arms only
    is not even compiled.

    Args:
        prev: The previous tick.
        tick: This tick, as read from the arm.
        p: The parameters.
        wishes: What the commands since the last tick ask for.
        links: The masses and inertias of a torque arm, else None.
        joints: The joint references of a torque arm, else None.
        path: The timed path of the tool.
    """
    f = p[0]
    if links is not None:
        dynamics_kernel(prev, tick, links)
    model_kernel(prev, tick, f.model[:])
    wrench_kernel(prev, tick, f.wrench[:])
    told = supervisor_kernel(prev, tick, f.supervisor[:], wishes)
    told |= contact_kernel(prev, tick, f.contact[:])
    reference_kernel(prev, tick, f.reference[:], joints, path)
    return told, tick[0].law


@kernel
def after_law(
    prev: Row[Tick], tick: Row[Tick], p: Row[Parameters], servo: Row[ServoParams] | None
) -> None:
    """The stages after the law.

    A position arm passes no servo, and then what is of torque arms only is not even compiled.

    Args:
        prev: The previous tick.
        tick: This tick, with what the law commands.
        p: The parameters.
        servo: The servo of a torque arm, else None.
    """
    f = p[0]
    resolve_kernel(prev, tick, f.resolve[:])
    joints_kernel(prev, tick, f.joints[:])
    if servo is not None:
        servo_kernel(prev, tick, servo)
    safety_kernel(prev, tick, f.safety[:])
    if servo is not None:
        torque_safety_kernel(prev, tick, f.safety[:])
