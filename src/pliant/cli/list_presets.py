"""List the presets."""

from rich.console import Console
from rich.table import Table

from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.laws.hybrid_admittance import PRESET_DOCS


def list_presets() -> None:
    """Print the presets: gains of the hybrid admittance law, and whole controllers."""
    gains = Table("gains", "for what", title="Gains: they do not move the arm", **_STYLE)
    for name, doc in PRESET_DOCS.items():
        gains.add_row(name, doc)
    whole = Table(
        *("controller", "law", "moves", "what it does"),
        title="Whole controllers of torque arms: law, gains and motion",
        **_STYLE,
    )
    for name, preset in CONTROLLERS.items():
        whole.add_row(name, preset.law, "yes" if preset.moves else "no", preset.doc)
    console = Console()
    console.print(gains)
    console.print(whole)


_STYLE = {"title_justify": "left", "box": None, "padding": (0, 2, 0, 0)}

VERB = list_presets
