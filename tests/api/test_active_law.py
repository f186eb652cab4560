"""`arm.law` and `arm.activate(name, …)`: any law and its parameters in one's hand."""

import numpy as np
import pytest

from pliant import Arm, PoseLaw, Refused, param
from pliant.errors import ConfigError, UnknownNameError
from pliant.params import Params
from pliant.tick import Rows


class StillConfig(Params):
    calm: float = param(0.25, "1", "Nothing depends on it.", gt=0.0)


class Still(PoseLaw):
    """Holds the pose last sent."""

    name = "still"
    Config = StillConfig

    def update(self, prev: Rows, tick: Rows) -> None:
        tick["X_WT_cmd"] = prev["X_WT_sent"]
        tick["v_cmd_T"] = 0.0


def test_there_is_none_before_one_is_active() -> None:
    with Arm("sim:ur5e") as arm:
        assert arm.law is None
        arm.activate("position")
        # at once, not a tick later
        assert arm.law == "position"
        arm.wait(0.1)
        assert arm.law == "position" != "hybrid_admittance"
        assert str(arm.law) == f"{arm.law}" == "position"
        arm.deactivate()
        arm.wait_until(lambda tick: tick.law < 0)
        assert arm.law is None


def test_its_parameters_are_attributes_and_live() -> None:
    with Arm("sim:ur5e") as arm:
        arm.zero()
        arm.activate("hybrid_admittance", damping=(900, 25), inertia=np.array([12.0, 0.3]))
        law = arm.law
        assert law is not None
        assert law.damping == (900, 900, 900, 25, 25, 25)
        law.stiffness = (300, 10)
        assert arm.get("laws.hybrid_admittance.stiffness") == (300, 300, 300, 10, 10, 10)
        law.set(stiffness=(0, 0), damping=(1000, 30))
        assert (law.stiffness[0], law.damping[3], law.inertia[0]) == (0, 30, 12)
        assert "damping 1000" in repr(law).replace("(", "") and len(repr(law)) < 200
        assert {"stiffness", "set", "name"} <= set(dir(law))


def test_a_parameter_that_is_wrong_changes_nothing() -> None:
    with Arm("sim:ur5e") as arm:
        arm.zero()
        arm.activate("hybrid_admittance")
        before, law = arm.config, arm.law
        assert law is not None
        with pytest.raises(ConfigError, match="no damping"):
            law.damping = (0, 0)
        with pytest.raises(UnknownNameError, match="did you mean stiffness"):
            law.set(stifness=(1, 1), damping=(900, 20))
        with pytest.raises(AttributeError, match="did you mean stiffness"):
            law.stifness = (1, 1)
        with pytest.raises(AttributeError, match="did you mean damping"):
            _ = law.dampin
        assert not hasattr(law, "nothing")
        assert arm.config == before


def test_activation_with_parameters_is_all_or_nothing() -> None:
    with Arm("sim:ur5e") as arm:
        before = arm.config
        # the sensor was never zeroed
        with pytest.raises(Refused, match="never zeroed"):
            arm.activate("hybrid_admittance", damping=(900, 20))
        with pytest.raises(ConfigError, match="-1 is not within"):
            arm.activate("position", max_speed=(-1, 1))
        with pytest.raises(UnknownNameError, match=r"parameter of position 'sped'.*max_speed"):
            arm.activate("position", sped=1)
        arm.wait(0.01)
        assert arm.law is None
        assert arm.config == before


def test_gains_of_a_law_that_is_active_change_without_a_jump() -> None:
    with Arm("sim:panda") as arm, Arm("sim:panda") as twin:
        for each in (arm, twin):
            each.activate("cartesian_impedance", stiffness=(300, 20))
            each.hand.schedule([0, 9, 0, 0, 0, 0])
            each.wait(0.5)
        arm.activate("cartesian_impedance", stiffness=(900, 40))
        arm.wait(0.001)
        twin.wait(0.001)
        assert np.abs(arm.tick.tau_law - twin.tick.tau_law).max() < 0.4  # of 8 N·m
        assert arm.law is not None and arm.law.stiffness[0] == 900
        arm.wait(0.5)
        twin.wait(0.5)
        assert np.abs(arm.tick.X_WT - twin.tick.X_WT)[:3].max() > 5e-3


def test_laws_of_ones_own_are_no_exception() -> None:
    with Arm("sim:ur5e", laws=[Still()]) as arm:
        arm.activate("still", calm=0.5)
        assert arm.law is not None
        assert arm.law.calm == 0.5
        arm.law.calm = 0.75
        assert arm.config.get("laws.still.calm") == 0.75
        assert repr(arm.law) == "<law still: calm 0.75>"
        with pytest.raises(AttributeError, match="did you mean calm"):
            arm.law.clam = 1


def test_a_law_without_parameters_says_so() -> None:
    class Plain(Still):
        name = "plain"
        Config = Params

    with Arm("sim:ur5e", laws=[Plain()]) as arm:
        with pytest.raises(UnknownNameError, match="parameter of plain 'calm'"):
            arm.activate("plain", calm=0.5)
        arm.activate("plain")
        assert repr(arm.law) == "<law plain>"
