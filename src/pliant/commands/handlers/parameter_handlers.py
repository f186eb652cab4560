"""Handlers of the commands that change parameters: gains, presets, any path."""

from pliant import commands as c
from pliant.commands.handlers.context import HandlerContext
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.commands.handlers.live_parameters import refuse_fixed
from pliant.commands.handlers.no_effect import of_gains
from pliant.commands.handlers.state_handlers import activate, start_reference
from pliant.commands.reply import Reply, numbers
from pliant.errors import Refused
from pliant.laws.hybrid_admittance import preset
from pliant.tick import Rows


def set_parameter(context: HandlerContext, command: c.SetParameter, row: Rows) -> Reply:
    """Change a parameter of the configuration."""
    section, _, _ = command.path.partition(".")
    context.config.get(command.path)
    refuse_fixed(command.path, context.joints.arm)
    asked, seen = context.wishes.now(row, "zero_seq"), row["zero_seen"][0]
    if section in ("wrench", "tool") and (row["zero_left"][0] > 0 or asked != seen):
        raise Refused(f"{section} parameters cannot change while the sensor is being zeroed: wait")
    warning = context.adopt(context.config.replace(command.path, command.value), section, row)
    return Reply(text=f"{command.path} set{warning}", value=context.config.get(command.path))


def set_stiffness(context: HandlerContext, command: c.SetStiffness, row: Rows) -> Reply:
    """Change the stiffness of the hybrid admittance law."""
    return _set_gain(context, "stiffness", command.stiffness, row)


def set_damping(context: HandlerContext, command: c.SetDamping, row: Rows) -> Reply:
    """Change the damping of the hybrid admittance law."""
    return _set_gain(context, "damping", command.damping, row)


def set_inertia(context: HandlerContext, command: c.SetInertia, row: Rows) -> Reply:
    """Change the inertia of the hybrid admittance law."""
    return _set_gain(context, "inertia", command.inertia, row)


def _set_gain(context: HandlerContext, name: str, value: tuple[float, ...], row: Rows) -> Reply:
    path = f"laws.hybrid_admittance.{name}"
    warning = context.adopt(context.config.replace(path, value), "laws", row)
    warning = warning or of_gains(context, row)
    return Reply(text=f"{name} {numbers(value)}{warning}", value=value)


def use_preset(context: HandlerContext, command: c.UsePreset, row: Rows) -> Reply:
    """Take the gains of a preset, or start a whole controller."""
    if command.name in CONTROLLERS:
        return _start_controller(context, command.name, row)
    path = "laws.hybrid_admittance"
    gains = preset(command.name, others=CONTROLLERS)
    warning = context.adopt(context.config.replace(path, gains), "laws", row)
    warning = warning or of_gains(context, row)
    return Reply(text=f"preset {command.name}{warning}", value=context.config.get(path))


def _start_controller(context: HandlerContext, name: str, row: Rows) -> Reply:
    """Set gains, law and motion together."""
    controller = CONTROLLERS[name]
    activate(context, c.Activate(law=controller.law), row)
    path = f"laws.{controller.law}"
    context.adopt(context.config.replace(path, controller.gains), "laws", row)
    text = f"preset {name}: {controller.law} active"
    if controller.reference is not None:
        text += f"; {start_reference(context, controller.reference, row).text}, the arm moves"
    return Reply(text=text, value=controller.gains)


HANDLERS = {
    c.SetParameter: set_parameter,
    c.SetStiffness: set_stiffness,
    c.SetDamping: set_damping,
    c.SetInertia: set_inertia,
    c.UsePreset: use_preset,
}
"""The handlers of the commands that change parameters."""
