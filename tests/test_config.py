"""The configuration: paths, YAML, and files of the controller that Pliant grew from."""

from collections.abc import Iterator
from math import inf, nan
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from pliant.config import Config, config_of_run
from pliant.errors import ConfigError, UnknownNameError


def test_yaml_round_trip():
    config = Config().replace("laws.hybrid_admittance.stiffness", [300, 2])
    config = config.replace("safety.contact_force", inf)
    assert Config.from_yaml(config.to_yaml()) == config


@given(damping=st.floats(1.0, 4000.0), cutoff=st.floats(1.0, 200.0), speed=st.floats(0.001, 0.5))
def test_any_valid_values_survive_yaml(damping, cutoff, speed):
    config = Config.from_dict(
        {
            "laws": {"hybrid_admittance": {"damping": [damping, 20.0]}},
            "wrench": {"cutoff": cutoff},
            "reference": {"max_speed": [speed, 0.5]},
        }
    )
    assert Config.from_yaml(config.to_yaml()) == config


def test_a_pair_is_translation_and_rotation():
    config = Config().replace("laws.hybrid_admittance.damping", (700, 9))
    assert config.get("laws.hybrid_admittance.damping") == (700, 700, 700, 9, 9, 9)


def test_replace_leaves_the_original_alone():
    config = Config()
    config.replace("wrench.cutoff", 10.0)
    assert config.get("wrench.cutoff") == 30.0


def test_unknown_path_lists_what_there_is():
    with pytest.raises(UnknownNameError, match=r"stifness.*stiffness") as caught:
        Config().get("laws.hybrid_admittance.stifness")
    assert "damping" in caught.value.valid


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("wrench.cutoff", -1.0),
        ("wrench.cutoff", "fast"),
        ("laws.hybrid_admittance.inertia", [0.0, 1.0]),
        ("laws.hybrid_admittance.stiffness", [1.0, 2.0, 3.0]),
        ("laws.hybrid_admittance.stiffness", [float("nan")] * 6),
        ("laws.hybrid_admittance.rigid_axes", "loose"),
        ("safety.workspace_min", [2.0, 2.0, 2.0]),
        ("tool.X_FT", [0, 0, 0.1, 1, 1, 0, 0]),
        ("tool.inertia", [1e-4, 1e-4, 3e-4]),
        ("tool.inertia", [1e-4, -1e-4, 1e-4]),
    ],
)
def test_bad_values_are_refused_by_name(path, value):
    with pytest.raises(ConfigError, match=path.split(".")[-1].split("_")[0]):
        Config().replace(path, value)


OFF = {
    "safety.contact_force",
    "safety.contact_torque",
    "laws.hybrid_admittance.max_spring_force",
    "laws.hybrid_admittance.max_spring_torque",
    "laws.hybrid_admittance.wrench_rate",
    "laws.hybrid_admittance.max_speed",
    "laws.hybrid_admittance.max_acceleration",
}


def numbers(model: BaseModel, prefix: str = "") -> Iterator[tuple[str, float | tuple]]:
    """Path and value of every parameter that is a number or several."""
    for name in type(model).model_fields:
        value = getattr(model, name)
        if isinstance(value, BaseModel):
            yield from numbers(value, f"{prefix}{name}.")
        elif isinstance(value, float) or (isinstance(value, tuple) and value):
            yield prefix + name, value


@pytest.mark.parametrize("scene", ["table", "wall", "peg"])
@pytest.mark.parametrize("bad", [nan, inf, -inf])
def test_no_parameter_takes_what_is_no_number(bad, scene):
    """Nor infinity, but for the limits that it turns off."""
    config = Config.from_dict({"sim": {"scene": {"kind": scene}}})
    for path, value in numbers(config):
        broken = (bad, *value[1:]) if isinstance(value, tuple) else bad
        if bad == inf and path in OFF:
            config.replace(path, broken)
            continue
        with pytest.raises(ConfigError):
            config.replace(path, broken)
            pytest.fail(f"{path} takes {bad}")


def test_stiction_and_pid_exclude_each_other():
    with pytest.raises(ConfigError, match="stiction and PID"):
        Config.from_dict({"laws": {"hybrid_admittance": {"stiction": [1, 1], "pid_p": [1, 1]}}})


DEMO = """
dt: 0.002
compliance6d:
  stiffness: [200, 200, 300, 2, 2, 2]
  damping: [30, 30, 40, 0.3, 0.3, 0.3]
  inertia: [5, 5, 5, 0.005, 0.005, 0.005]
  stiction: [0, 0, 0, 0, 0, 0]
max_spring_force_magnitude: 40
max_spring_torque_magnitude: -1
direct_force_control_gains:
  {P_trans: 0.5, I_trans: 0.01, D_trans: 0.2, P_rot: 0, I_rot: 0, D_rot: 0}
direct_force_control_I_limit: [10, 10, 10, 1, 1, 1]
"""


@pytest.mark.parametrize("wrapped", [False, True])
def test_file_of_the_force_control_demo(wrapped):
    text = DEMO
    if wrapped:
        text = "admittance_controller:\n" + DEMO.replace("\n", "\n  ")
    law = Config.from_yaml(text).laws.hybrid_admittance
    assert law.stiffness == (200, 200, 300, 2, 2, 2)
    assert law.damping == (30, 30, 40, 0.3, 0.3, 0.3)
    assert law.max_spring_force == 40
    assert law.max_spring_torque == inf
    # per tick there, per second here
    assert law.pid_p[0] == 0.5
    assert law.pid_i[0] == pytest.approx(0.01 / 0.002)
    assert law.pid_d[0] == pytest.approx(0.2 * 0.002)
    assert law.pid_i_limit[:4] == pytest.approx((0.02, 0.02, 0.02, 0.002))


def test_unknown_key_in_such_a_file_is_named():
    with pytest.raises(ConfigError, match=r"compliance6d\.stifness"):
        Config.from_yaml("compliance6d:\n  stifness: [1, 1, 1, 1, 1, 1]\n")


@pytest.mark.parametrize(
    "text",
    [
        "dt: 0\n",
        "dt: soon\n",
        "admittance_controller: 3\n",
        "compliance6d: 3\n",
        "max_spring_force_magnitude: strong\n",
        "direct_force_control_gains: {I_trans: much}\n",
        "direct_force_control_I_limit: 3\n",
    ],
)
def test_nonsense_in_such_a_file_is_refused(text):
    with pytest.raises(ConfigError):
        Config.from_yaml(text)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    file = tmp_path / "picture.yaml"
    file.write_bytes(b"\xff\xd8\xff")
    with pytest.raises(ConfigError, match="cannot read"):
        Config.from_yaml(file)


@pytest.mark.parametrize("text", ["[1, 2]\n", "a: b: c\n", "laws: {hybrid_admittance: 3}\n"])
def test_nonsense_files(text):
    with pytest.raises(ConfigError):
        Config.from_yaml(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: " + "[" * 3000 + "]" * 3000, "it is nested more than"),
        ("{a: " * 3000 + "1" + "}" * 3000, "it is nested more than"),
        ("wrench: {cutoff: 2001-13-45}", "cannot read the configuration"),
        ("wrench: {cutoff: " + "9" * 5000 + "}", "cannot read the configuration"),
        ("sim: {seed: " + "9" * 4000 + "}", "sim.seed"),
        ("? [a]\n: 1\n", "cannot read the configuration"),
        ("- a: 1\n", "is a mapping of names to values"),
        ("laws: {pd_gravity: {stiffness: [" + "x, " * 3000 + "]}}", "laws.pd_gravity.stiffness"),
        ("laws: 7\n", "laws"),
        ("1: 2\n", "Keys should be strings"),
    ],
    ids=lambda text: text[:16],
)
def test_hostile_yaml_is_refused_with_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    file = tmp_path / "hostile.yaml"
    file.write_text(text)
    for source in (file, f"{text}\n"):
        with pytest.raises(ConfigError) as refused:
            Config.from_yaml(source)
        assert said in str(refused.value)
        assert len(str(refused.value)) < 2000
    with pytest.raises(ConfigError):
        config_of_run(f"{text}\n")


@pytest.mark.parametrize("name", ["_x", "model_config", "a b", "", "7", "x" * 5000 + "-"])
def test_the_laws_of_a_run_have_names(name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be the name of a law"):
        config_of_run({"laws": {name: {}}})
