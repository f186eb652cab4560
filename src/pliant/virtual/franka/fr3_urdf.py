"""The robot model that the arm gives to its clients."""

from xml.etree import ElementTree

from pliant.arms.description import ArmDescription
from pliant.virtual.franka.fr3_limits import DECELERATION, VELOCITY_OFFSET


def client_urdf(arm: ArmDescription) -> str:
    """The arm's URDF with what libfranka looks for.

    Those are the flange by the name link8, and the constants of the speed limits that depend on
    the position. Shapes are left out.
    """
    root = ElementTree.parse(arm.urdf).getroot()
    prefix = arm.flange.removesuffix("link8")
    for link in root.iter("link"):
        link.set("name", link.get("name", "").removeprefix(prefix))
        for shape in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shape)
    for end in [*root.iter("parent"), *root.iter("child")]:
        end.set("link", end.get("link", "").removeprefix(prefix))
    numbers = dict(
        zip(arm.joint_names, zip(VELOCITY_OFFSET, DECELERATION, strict=True), strict=True)
    )
    for joint in root.iter("joint"):
        if joint.get("name") in numbers:
            offset, deceleration = numbers[joint.get("name", "")]
            ElementTree.SubElement(
                joint,
                "position_based_velocity_limits",
                velocity_offset=str(offset),
                deceleration_limit=str(deceleration),
            )
    return ElementTree.tostring(root, encoding="unicode")
