"""`Pose`: a value that is accepted wherever a pose is."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import pliant
from pliant import ConfigError, HybridAdmittance, Pose
from pliant.commands import MoveTo
from pliant.config import Config

NUMBERS = st.floats(-3.0, 3.0)
POSES = st.builds(
    Pose.from_rotvec, st.tuples(*[NUMBERS] * 3), st.tuples(*[st.floats(-1.8, 1.8)] * 3)
)


@given(POSES, POSES)
def test_composition_and_inverse_are_those_of_matrices(a: Pose, b: Pose) -> None:
    assert np.allclose((a @ b).matrix, a.matrix @ b.matrix, atol=1e-12)
    assert np.allclose(a.inverse().matrix, np.linalg.inv(a.matrix), atol=1e-12)
    assert (a @ a.inverse()).is_close(Pose(), 1e-12, 1e-7)


@given(POSES)
def test_every_form_leads_back_to_the_same_pose(pose: Pose) -> None:
    rotation = Rotation.from_quat(pose.quaternion, scalar_first=True)
    assert np.allclose(pose.rotvec, rotation.as_rotvec(), atol=1e-9)
    assert Pose.from_matrix(pose.matrix).is_close(pose, 1e-12, 1e-7)
    assert Pose.from_rotvec(pose.position, pose.rotvec).is_close(pose, 1e-12, 1e-7)
    assert Pose.from_rpy(pose.position, pose.rpy).is_close(pose, 1e-12, 2e-6)
    assert Pose(np.asarray(pose)) == pose == Pose(pose) == pickle.loads(pickle.dumps(pose))


def test_roll_pitch_and_yaw_are_about_fixed_axes_in_degrees() -> None:
    pose = Pose.from_rpy([0.4, 0.1, 0.3], [170, -20, 45])
    turn = Rotation.from_euler("xyz", [170, -20, 45], degrees=True)
    assert np.allclose(pose.matrix[:3, :3], turn.as_matrix())
    assert np.allclose(pose.rpy, [170, -20, 45])


def test_it_moves_along_the_axes_of_the_world_or_its_own() -> None:
    pose = Pose.from_rpy([0.4, 0.1, 0.3], [180, 0, 0])
    assert np.allclose(pose.moved([0, 0, 0.05]).position, [0.4, 0.1, 0.35])
    assert np.allclose(pose.moved([0, 0, 0.05], "tool").position, [0.4, 0.1, 0.25])
    turned = pose.moved([0, 0, 0, 0, 0, 0.1])
    assert np.allclose(turned.position, pose.position)
    assert turned.distance(pose) == pytest.approx((0.0, 0.1))


def test_it_prints_as_people_read_it() -> None:
    pose = Pose.from_rpy([0.4, -1e-9, 0.3], [180, 0, 45])
    assert repr(pose) == "<Pose x 0.4 y 0 z 0.3 m, roll 180 pitch 0 yaw 45 °>"


def test_it_is_a_value() -> None:
    pose = Pose()
    assert {pose: 1}[Pose()] == 1
    assert pose != Pose.from_rotvec([0, 0, 1e-9])
    with pytest.raises(AttributeError, match="does not change"):
        pose._numbers = ()
    with pytest.raises(TypeError):
        np.zeros(7) + pose


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Pose([0.4, 0, 0.3, 3.1, 0, 0]), r"7 numbers.*not 6.*Pose.from_rotvec\(\[x"),
        (lambda: Pose([0.4, 0, 0.3]), "not 3"),
        (lambda: Pose([0.4, 0, 0.3, 1, 1, 0, 0]), "norm 1.41421, not 1"),
        (lambda: Pose([0.4, 0, np.nan, 1, 0, 0, 0]), "finite"),
        (lambda: Pose(np.eye(4)), "from_matrix"),
        (lambda: Pose("here"), "7 numbers"),
        (lambda: Pose.from_matrix(2 * np.eye(4)), "a rotation"),
        (lambda: Pose.from_matrix(np.diag([1, 1, -1, 1])), "a rotation"),
        (lambda: Pose.from_rotvec([1, 2]), "three finite numbers"),
    ],
)
def test_what_is_no_pose_is_refused(make, told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        make()


def test_a_few_decimals_of_a_quaternion_are_enough() -> None:
    assert np.linalg.norm(Pose([0, 0, 0, 0.707, 0.707, 0, 0]).quaternion) == pytest.approx(1.0)


def test_it_is_accepted_wherever_a_pose_is() -> None:
    pose = Pose.from_rpy([0.4, 0.1, 0.3], [180, 0, 45])
    assert MoveTo(pose=pose).pose == tuple(pose)
    assert tuple(pose) == Config().replace("tool.X_FT", pose).tool.X_FT
    assert tuple(pose) == Config.from_dict({"tool": {"X_FT": pose}}).tool.X_FT
    stepped = HybridAdmittance().step(pose, np.zeros(6), reference=pose)
    assert pose.is_close(stepped, 1e-12, 1e-7)


def test_six_numbers_for_a_pose_are_told() -> None:
    six = [0.4, 0, 0.3, 0, 0, 0]
    with pytest.raises(ConfigError, match=r"tool.X_FT: a pose has 7 numbers.*from_rotvec"):
        Config().replace("tool.X_FT", six)
    with pytest.raises(ConfigError, match=r"reference: a pose has 7 numbers.*from_rotvec"):
        HybridAdmittance().step(Pose(), np.zeros(6), reference=six)
    with pliant.Arm("sim:ur5e") as arm:
        arm.activate("position")
        with pytest.raises(pliant.Refused, match=r"7 numbers.*not 6.*Pose.from_rotvec"):
            arm.move_to(six)


def test_the_pose_of_the_tool_is_one() -> None:
    with pliant.Arm("sim:ur5e") as arm:
        assert isinstance(arm.pose, Pose)
        assert np.array_equal(np.asarray(arm.pose), arm.tick.X_WT)
        arm.activate("position")
        goal = arm.pose.moved([0, 0.02, 0])
        arm.move_to(goal)
        arm.wait(1.5)
        assert arm.pose.is_close(goal, 2e-4, 1e-3)
