"""A law of a user's own runs in the controller's process, with live parameters."""

from pathlib import Path

import pytest

from pliant import Arm
from pliant.errors import Refused
from pliant.laws.own_laws import load_law

EXAMPLE = Path(__file__).parents[2] / "examples" / "07_your_own_law.py"


def test_its_parameters_are_live(folder):
    law = load_law(f"{EXAMPLE}:Shy")
    config = {"laws": {"shy": {"retreat": 0.004}}, "safety": {"lateness": 30.0}}
    with Arm("sim:ur5e", clock="real", laws=[law], config=config) as arm:
        assert "shy" in arm.laws
        assert arm.config.get("laws.shy.retreat") == 0.004
        arm.zero()
        arm.activate("shy")
        arm.set("laws.shy.retreat", 0.006)
        assert arm.config.get("laws.shy.retreat") == 0.006
        with pytest.raises(Refused, match=r"laws\.shy\.retreat"):
            arm.set("laws.shy.retreat", -1.0)
        assert arm.law == "shy"
