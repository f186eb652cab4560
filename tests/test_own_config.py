"""Laws of a user's own have parameters in the configuration, like Pliant's."""

import pytest

from pliant import Arm, Params, PoseLaw, param
from pliant.config import Config, config_class, config_of_run, with_laws
from pliant.errors import ConfigError, Refused, UnknownNameError


class ShyConfig(Params):
    """Parameters of the law."""

    retreat: float = param(0.002, "m/s/N", "Retreat speed per force.", gt=0)


class Shy(PoseLaw):
    """Remembers the parameters it ran with."""

    name = "shy"
    Config = ShyConfig

    def update(self, prev, tick):
        """Move up at the retreat speed."""
        tick["X_WT_cmd"] = tick["X_WT_sent"]
        tick["v_cmd_T"][0, 2] = self.config.retreat


class Plain(PoseLaw):
    """A law without parameters."""

    name = "plain"

    def update(self, prev, tick):
        """Do nothing."""


def test_they_are_read_checked_and_written():
    kind = config_class([Shy()])
    config = kind.from_yaml("laws: {shy: {retreat: 0.01}}")
    assert config.get("laws.shy.retreat") == 0.01
    assert isinstance(config, Config)
    assert kind.from_yaml(config.to_yaml()) == config
    with pytest.raises(ConfigError, match=r"laws\.shy\.retreat"):
        config.replace("laws.shy.retreat", -1.0)
    assert config.replace("laws.position.max_speed", (0.1, 0.1)).get("laws.shy.retreat") == 0.01


def test_a_law_that_nobody_brings_is_a_mistake():
    with pytest.raises(ConfigError, match="shy: there is no such parameter"):
        Config.from_yaml("laws: {shy: {retreat: 0.01}}")
    with pytest.raises(UnknownNameError):
        Config().get("laws.shy.retreat")


def test_a_law_without_parameters_adds_nothing():
    assert config_class([Plain()]) is Config


def test_a_reader_of_a_run_need_not_know_its_laws():
    values = with_laws(Config(), [Shy()]).model_dump(round_trip=True)
    values["laws"]["shy"]["retreat"] = 0.03
    config = config_of_run(values)
    assert config.get("laws.shy.retreat") == 0.03
    # one who brings the law checks it again, one who does not leaves it out
    assert with_laws(config, [Shy()]).get("laws.shy.retreat") == 0.03
    assert with_laws(config, []) == Config()
    values["laws"]["shy"]["retreat"] = -1.0
    with pytest.raises(ConfigError):
        with_laws(config_of_run(values), [Shy()])


def test_a_law_begins_with_its_configuration_and_follows_it():
    with Arm("sim:ur5e", laws=[Shy()], config={"laws": {"shy": {"retreat": 0.01}}}) as arm:
        arm.zero()
        arm.activate("shy")
        arm.wait(0.01)
        assert arm.tick.v_cmd_T[2] == 0.01
        arm.set("laws.shy.retreat", 0.02)
        arm.wait(0.01)
        assert arm.tick.v_cmd_T[2] == 0.02
        with pytest.raises((Refused, ConfigError)):
            arm.set("laws.shy.retreat", -1.0)
        arm.wait(0.01)
        assert arm.tick.v_cmd_T[2] == 0.02


def test_a_law_in_the_program_itself_is_refused_in_real_time():
    class Local(Shy):
        name = "local"

    with pytest.raises(ConfigError, match="it must be in a module"):
        Arm("sim:ur5e", clock="real", laws=[Local()])
