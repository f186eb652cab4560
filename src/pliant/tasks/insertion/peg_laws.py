"""The laws that can insert a peg, each with what makes the peg yield under it."""

from pliant.api.arm import Arm
from pliant.errors import UnknownNameError
from pliant.tasks.insertion.insertion_plan import InsertionPlan
from pliant.tasks.insertion.peg_compliance import LAW, PegCompliance
from pliant.tasks.insertion.torque_peg_compliance import TORQUE_LAW, TorquePegCompliance

COMPLIANT_LAWS = {LAW: PegCompliance, TORQUE_LAW: TorquePegCompliance}


def peg_compliance(law: str, arm: Arm, plan: InsertionPlan) -> PegCompliance | TorquePegCompliance:
    """What makes the peg yield under a law.

    Raises:
        UnknownNameError: A peg cannot be inserted with this law; the error lists the valid names.
    """
    if law not in COMPLIANT_LAWS:
        raise UnknownNameError("law", law, [*COMPLIANT_LAWS, "position"])
    return COMPLIANT_LAWS[law](arm, plan)
