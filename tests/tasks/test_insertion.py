"""Pegs inserted, judged by the physics engine's force on the fixture."""

import numpy as np
import pytest

import pliant
from pliant.errors import ConfigError, UnknownNameError
from pliant.sweeps.sweep_plan import SweepPlan
from pliant.tasks.insertion import Insertion, Phase
from pliant.tasks.insertion.insertion_trial import HISTORY, insertion_config, insertion_trial


def insert(law="hybrid_admittance", *, name="ur5e", seed=0, offset=0.001, **scene):
    """Insert with the hole off by `offset` in a direction drawn from the seed."""
    angle = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi)
    scene = {
        "kind": "peg",
        "offset": (offset * np.cos(angle), offset * np.sin(angle)),
        "clearance": 3e-4,
        "stiffness": 1e4,
        **scene,
    }
    arm = pliant.Arm(f"sim:{name}/peg", config={"sim": {"scene": scene}}, seed=seed)
    insertion = Insertion(arm)
    return insertion, insertion.run(law)


def some(seeds: int, in_suite: int) -> list:
    """The first seeds run in the suite, the others in the long one."""
    return [
        seed if seed < in_suite else pytest.param(seed, marks=pytest.mark.long)
        for seed in range(seeds)
    ]


@pytest.mark.parametrize("offset", [0.0005, 0.001], ids=["0.5 mm", "1 mm"])
@pytest.mark.parametrize("seed", some(20, 3))
def test_seats_gently_and_soon_near_the_nominal_position(seed, offset):
    _, result = insert(seed=seed, offset=offset)
    assert result.seated
    assert result.peak_force_n < 15.0
    assert result.depth_mm == pytest.approx(25.0, abs=0.3)
    assert result.time_s <= 10.5


@pytest.mark.parametrize("seed", some(40, 4))
def test_finds_a_tight_hole_up_to_20_mm_away(seed):
    """On any fixture, through any lag, with errors of height, tilt and grasp."""
    dice = np.random.default_rng(2000 + seed)
    low_high = {
        "stiffness": (10.0, 100.0), "lag": (2.0, 34.0), "friction": (0.1, 0.4),
        "height": (-2.0, 2.0),
    }  # fmt: skip
    params = {name: dice.uniform(*ends) for name, ends in low_high.items()}
    discs = {"offset": 20.0, "tilt": 2.0, "grasp": 0.5, "grasp_tilt": 1.0}
    params |= {name: radius * np.sqrt(dice.uniform()) for name, radius in discs.items()}
    config = insertion_config(params | {"clearance": 0.1}, seed)
    with pliant.Arm("sim:ur5e/peg", config=config, history=HISTORY) as arm:
        result = Insertion(arm).run()
    assert result.seated
    assert result.depth_mm + params["height"] == pytest.approx(25.0, abs=0.6)
    assert result.peak_force_n < 15.0
    assert result.side_force_n < 40.0
    assert result.peak_torque_nm < 0.4


@pytest.mark.parametrize(
    "params",
    [
        {"offset": 1.24, "height": 1.83, "stiffness": 53.3, "lag": 12.3, "friction": 0.36},
        {"offset": 4.76, "height": 0.94, "stiffness": 96.3, "lag": 4.9, "friction": 0.14},
    ],
    ids=["turning", "slippery"],
)
def test_no_wedge_where_hole_and_grasp_are_tilted(params):
    """No circle on the face has felt the tilt before the peg is in the hole."""
    tilted = {"tilt": 1.8, "grasp": 0.4, "grasp_tilt": 0.8, "clearance": 0.1}
    config = insertion_config(params | tilted, 61467734)
    with pliant.Arm("sim:ur5e/peg", config=config, history=HISTORY) as arm:
        result = Insertion(arm).run()
    assert result.seated
    assert result.side_force_n < 25.0
    assert result.peak_torque_nm < 0.4


def test_an_edge_that_drops_in_is_not_held_stiffly():
    """What swung in the search had raised β to 20, and the edge pushed the wall with 21 N."""
    params = {
        "offset": 12.627081838264164, "height": 0.7800060838929164,
        "tilt": 1.162567309546434, "grasp": 0.3645638794224532, "grasp_tilt": 0.6497363511827939,
        "clearance": 0.1, "stiffness": 66.05178946792799, "lag": 9.627416252538065,
        "friction": 0.19623510343532813,
    }  # fmt: skip
    config = insertion_config(params, 1515083810)
    with pliant.Arm("sim:ur5e/peg", config=config, history=HISTORY) as arm:
        result = Insertion(arm).run()
        assert arm.history["swing_gain"].max() > 10.0
    assert result.seated
    assert result.peak_force_n < 15.0


@pytest.mark.parametrize("name", ["panda", "fr3"])
@pytest.mark.parametrize("stiffness", [1e4, 1e5])
def test_seats_gently_on_a_torque_arm(name, stiffness):
    scene = {"kind": "peg", "stiffness": stiffness}
    arm = pliant.Arm(f"sim:{name}/peg", config={"sim": {"scene": scene}})
    result = Insertion(arm).run("hybrid_admittance")
    assert result.seated
    assert result.peak_force_n < 15.0
    assert result.depth_mm == pytest.approx(25.0, abs=0.3)


@pytest.mark.parametrize("friction", [0.0, 1.0], ids=["without friction", "typical friction"])
@pytest.mark.parametrize("seed", some(20, 2))
def test_a_torque_arm_finds_a_tight_hole_by_its_torques(seed, friction):
    """On any fixture, with errors of height, tilt and grasp, whatever the joints' friction."""
    values = {
        "offset": "0..20", "height": "-2..2", "tilt": "0..2", "grasp": "0..0.5",
        "grasp_tilt": "0..1", "clearance": 0.1, "stiffness": "10..100", "friction": "0.1..0.4",
        "joint_friction": friction,
    }  # fmt: skip
    trial = SweepPlan.make("insertion", seed=3000, robot="sim:panda/peg", values=values).trial(seed)
    result = insertion_trial(trial.params, trial.seed, "sim:panda/peg", law="hybrid_force")
    assert result["seated"]
    assert result["depth_mm"] + trial.params["height"] == pytest.approx(25.0, abs=0.6)
    assert result["peak_force_n"] < 15.0
    assert result["side_force_n"] < 40.0
    assert result["peak_torque_nm"] < 0.4
    assert result["time_s"] < 60.0


def test_another_law_is_refused_with_those_that_can():
    with pytest.raises(UnknownNameError, match="hybrid_force"):
        Insertion(pliant.Arm("sim:panda/peg")).run("gravity")


def test_position_control_does_not():
    _, result = insert("position")
    assert not result.seated
    assert result.peak_force_n > 80.0


@pytest.mark.parametrize(
    "scene",
    [
        {"clearance": 1e-4},
        {"clearance": 1e-4, "offset": 0.0015},
        {"tilt": (0.03, 0.02)},
        {"offset": 0.0},
    ],
    ids=["narrow", "narrow and far", "tilted by 2°", "straight in"],
)
def test_seats_in_harder_holes(scene):
    _, result = insert(seed=3, **scene)
    assert result.seated
    assert result.peak_force_n < 15.0


def test_says_when_there_is_no_hole_within_reach():
    insertion, result = insert(offset=0.035)
    assert not result.seated
    assert result.note == "no hole within reach"
    assert Phase.SEATED not in insertion.phases


def test_phases_follow_each_other():
    insertion, _ = insert()
    assert list(insertion.phases) == list(Phase)
    assert sorted(insertion.phases.values()) == list(insertion.phases.values())


def test_same_seed_same_forces():
    first, _ = insert(seed=5)
    second, _ = insert(seed=5)
    for name in ("true_f_fixture_W", "q_sent", "w_T"):
        assert np.array_equal(first.arm.history[name], second.arm.history[name])


def test_a_peak_that_was_forgotten_is_not_left_out():
    insertion = Insertion(pliant.Arm("sim:ur5e/peg", history=2.0))
    with pytest.raises(ConfigError, match="history holds only 2 s"):
        insertion.run()


def test_needs_a_hole():
    with pytest.raises(ConfigError, match="hole"):
        Insertion(pliant.Arm("sim:ur5e/table")).run()


def test_the_search_is_as_fast_where_every_look_takes_longer(monkeypatch):
    """As in real time, where a command takes its way to the controller."""
    times, peaks = [], []
    wait = pliant.Arm.wait
    for delay in (0.0, 0.004):
        monkeypatch.setattr(
            pliant.Arm, "wait", lambda arm, seconds, delay=delay: wait(arm, seconds + delay)
        )
        insertion, result = insert(seed=1)
        times.append(insertion.phases[Phase.NESTLE] - insertion.phases[Phase.SEARCH])
        peaks.append(result.peak_force_n)
    assert times[1] == pytest.approx(times[0], rel=0.05)
    assert peaks[1] == pytest.approx(peaks[0], abs=1.0)


def test_strategy_does_not_read_the_truth():
    """Blind to what only the physics engine knows, it does exactly the same."""
    insertion, expected = insert(seed=2)
    blind, _ = _prepare_blind(seed=2)
    result = blind.run()
    assert result.seated == expected.seated
    assert np.array_equal(blind.arm.history["q_sent"], insertion.arm.history["q_sent"])


def _prepare_blind(seed):
    angle = np.random.default_rng(seed).uniform(0.0, 2.0 * np.pi)
    scene = {
        "kind": "peg",
        "offset": (0.001 * np.cos(angle), 0.001 * np.sin(angle)),
        "clearance": 3e-4,
        "stiffness": 1e4,
    }
    arm = pliant.Arm("sim:ur5e/peg", config={"sim": {"scene": scene}}, seed=seed)
    read = arm.simulation.read

    def read_without_truth(tick):
        read(tick)
        for name in ("f_fixture_W", "f_peak", "side_peak", "torque_peak"):
            tick[f"true_{name}"] = np.nan

    arm.simulation.read = read_without_truth
    return Insertion(arm), arm
