"""SO(3) and SE(3) against SciPy, and their identities."""

from collections.abc import Callable
from math import pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from pliant.numerics import spatial

Array = NDArray[np.float64]

TOLERANCE = 1e-12

coordinates = st.floats(-2.0, 2.0)
angles = st.one_of(
    st.floats(0.0, pi),
    st.floats(1e-14, 1e-6),
    st.floats(1e-14, 1e-6).map(lambda gap: pi - gap),
    st.sampled_from([0.0, 1e-200, 0.99e-8, 1.01e-8, pi]),
)


def vectors(size: int) -> st.SearchStrategy[Array]:
    return st.lists(coordinates, min_size=size, max_size=size).map(np.array)


axes = vectors(3).filter(lambda v: np.linalg.norm(v) > 1e-2).map(lambda v: v / np.linalg.norm(v))
rotation_vectors = st.builds(lambda axis, angle: axis * angle, axes, angles)
quaternions = st.builds(
    lambda r, sign: sign * from_rotation(Rotation.from_rotvec(r)),
    rotation_vectors,
    st.sampled_from([1.0, -1.0]),
)
poses = st.builds(lambda p, q: np.concatenate([p, q]), vectors(3), quaternions)


def from_rotation(rotation: Rotation) -> Array:
    return rotation.as_quat(scalar_first=True)


def rotation_of(q: Array) -> Rotation:
    return Rotation.from_quat(q, scalar_first=True)


def matrix_of(X: Array) -> Array:
    """A pose as a 4×4 matrix."""
    T = np.eye(4)
    T[:3, :3] = rotation_of(X[3:]).as_matrix()
    T[:3, 3] = X[:3]
    return T


def result(function: Callable, shape: int | tuple[int, ...], *inputs: Array) -> Array:
    """The result of a kernel in a new output array."""
    out = np.full(shape, np.nan)
    function(*inputs, out)
    return out


def assert_close(actual: Array, expected: Array, tolerance: float = TOLERANCE) -> None:
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def assert_same_rotation(q: Array, expected: Rotation) -> None:
    assert abs(np.linalg.norm(q) - 1.0) < TOLERANCE
    assert_close(rotation_of(q).as_matrix(), expected.as_matrix())


def assert_same_pose(X: Array, expected: Array) -> None:
    assert_close(matrix_of(X), expected)


@given(vectors(3), vectors(3))
def test_vectors(a: Array, b: Array) -> None:
    assert spatial.norm3(a) == pytest.approx(np.linalg.norm(a), abs=TOLERANCE)
    assert_close(result(spatial.cross, 3, a, b), np.cross(a, b))


@given(quaternions, quaternions)
def test_quaternion_products(a: Array, b: Array) -> None:
    product = rotation_of(a) * rotation_of(b)
    assert_same_rotation(result(spatial.quat_multiply, 4, a, b), product)
    quotient = rotation_of(a).inv() * rotation_of(b)
    assert_same_rotation(result(spatial.quat_inverse_multiply, 4, a, b), quotient)


@given(quaternions, st.floats(0.1, 10.0))
def test_quat_normalize(q: Array, scale: float) -> None:
    assert_close(result(spatial.quat_normalize, 4, scale * q), q)


@given(quaternions, vectors(3))
def test_rotation_of_a_vector(q: Array, v: Array) -> None:
    assert_close(result(spatial.quat_rotate, 3, q, v), rotation_of(q).apply(v))
    assert_close(result(spatial.quat_unrotate, 3, q, v), rotation_of(q).inv().apply(v))


@given(rotation_vectors)
def test_quat_exp(r: Array) -> None:
    assert_close(result(spatial.quat_exp, 4, r), from_rotation(Rotation.from_rotvec(r)))


@given(quaternions)
def test_quat_log(q: Array) -> None:
    r = result(spatial.quat_log, 3, q)
    assert np.linalg.norm(r) <= pi + TOLERANCE
    assert_same_rotation(from_rotation(Rotation.from_rotvec(r)), rotation_of(q))


@given(rotation_vectors)
def test_log_undoes_exp(r: Array) -> None:
    back = result(spatial.quat_log, 3, result(spatial.quat_exp, 4, r))
    # A rotation by 180° has two axes, and rounding decides between them.
    if np.linalg.norm(r) > pi - 1e-14 and back @ r < 0.0:
        back = -back
    np.testing.assert_allclose(back, r, rtol=1e-12, atol=1e-14)


@given(axes, st.floats(pi + 1e-12, 2 * pi))
def test_log_gives_the_shorter_rotation(axis: Array, angle: float) -> None:
    r = result(spatial.quat_log, 3, result(spatial.quat_exp, 4, axis * angle))
    assert_close(r, axis * (angle - 2 * pi))


@given(quaternions)
def test_matrix_of_a_quaternion(q: Array) -> None:
    R = result(spatial.quat_to_matrix, (3, 3), q)
    assert_close(R, rotation_of(q).as_matrix())
    assert_same_rotation(result(spatial.quat_from_matrix, 4, R), rotation_of(q))


@pytest.mark.parametrize("pivot", [0, 1, 2, 3])
@given(disturbance=vectors(3))
def test_quat_from_matrix_in_every_pivot(pivot: int, disturbance: Array) -> None:
    q = np.eye(4)[pivot]
    rotation = rotation_of(q) * Rotation.from_rotvec(0.1 * disturbance)
    R = rotation.as_matrix()
    assert (np.trace(R) > 0.0) == (pivot == 0)
    assert pivot == 0 or np.argmax(np.diag(R)) == pivot - 1
    assert_same_rotation(result(spatial.quat_from_matrix, 4, R), rotation)


@given(quaternions, quaternions)
def test_quat_align(q: Array, like: Array) -> None:
    aligned = q.copy()
    spatial.quat_align(aligned, like)
    assert aligned @ like >= 0.0
    assert_same_rotation(aligned, rotation_of(q))


@given(poses, poses)
def test_pose_products(X_AB: Array, X_BC: Array) -> None:
    X_AC = result(spatial.pose_multiply, 7, X_AB, X_BC)
    assert_same_pose(X_AC, matrix_of(X_AB) @ matrix_of(X_BC))
    assert_same_pose(result(spatial.pose_inverse_multiply, 7, X_AB, X_AC), matrix_of(X_BC))


@given(poses, poses)
def test_pose_error(X_AB: Array, X_AC: Array) -> None:
    T_BC = np.linalg.inv(matrix_of(X_AB)) @ matrix_of(X_AC)
    error = result(spatial.pose_error, 6, X_AB, X_AC)
    assert_close(error[:3], T_BC[:3, 3])
    assert np.linalg.norm(error[3:]) <= pi + TOLERANCE
    assert_close(Rotation.from_rotvec(error[3:]).as_matrix(), T_BC[:3, :3])


@given(poses, vectors(3), rotation_vectors)
def test_pose_step(X_AB: Array, move: Array, r: Array) -> None:
    T = np.eye(4)
    T[:3, :3] = Rotation.from_rotvec(r).as_matrix()
    T[:3, 3] = move
    step_B = np.concatenate([move, r])
    assert_same_pose(result(spatial.pose_step, 7, X_AB, step_B), matrix_of(X_AB) @ T)


@given(poses, poses)
def test_step_by_the_error_arrives(X_AB: Array, X_AC: Array) -> None:
    error = result(spatial.pose_error, 6, X_AB, X_AC)
    assert_same_pose(result(spatial.pose_step, 7, X_AB, error), matrix_of(X_AC))


@given(poses, vectors(3), axes, st.floats(1e-6, 0.1))
def test_first_order_step_agrees_to_second_order(
    X_AB: Array, move: Array, axis: Array, angle: float
) -> None:
    step_B = np.concatenate([move, axis * angle])
    exact = result(spatial.pose_step, 7, X_AB, step_B)
    first_order = result(spatial.pose_step_first_order, 7, X_AB, step_B)
    assert_close(first_order[:3], exact[:3])
    difference = rotation_of(exact[3:]).inv() * rotation_of(first_order[3:])
    assert difference.magnitude() <= angle**2 + TOLERANCE


@given(poses, vectors(6), vectors(6))
def test_wrench_move_keeps_the_power(X_AB: Array, w_B: Array, v_B: Array) -> None:
    w_A = result(spatial.wrench_move, 6, X_AB, w_B)
    linear, angular = rotation_of(X_AB[3:]).apply(v_B.reshape(2, 3))
    v_A = np.concatenate([linear + np.cross(X_AB[:3], angular), angular])
    assert w_A @ v_A == pytest.approx(w_B @ v_B, abs=1e-10)


def test_wrench_move_has_the_lever_arm() -> None:
    X_AB = np.array([0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    w_A = result(spatial.wrench_move, 6, X_AB, np.array([0.0, 0.0, 10.0, 0.0, 0.0, 0.0]))
    assert_close(w_A, np.array([0.0, 0.0, 10.0, 0.0, -5.0, 0.0]))


@given(vectors(6), vectors(6), vectors(6))
def test_power_does_not_depend_on_who_watches(v: Array, m: Array, f: Array) -> None:
    """Seen from a body that moves with v, a twist m and a wrench f change, their power does not."""
    change = spatial.power(result(spatial.motion_cross, 6, v, m), f)
    change += spatial.power(m, result(spatial.force_cross, 6, v, f))
    assert change == pytest.approx(0.0, abs=1e-10)


@given(vectors(6), vectors(6))
def test_the_cross_product_of_twists_is_the_commutator(v: Array, m: Array) -> None:
    def matrix(t: Array) -> Array:
        (vx, vy, vz), (wx, wy, wz) = t[:3], t[3:]
        return np.array([[0, -wz, wy, vx], [wz, 0, -wx, vy], [-wy, wx, 0, vz], [0, 0, 0, 0]])

    expected = matrix(v) @ matrix(m) - matrix(m) @ matrix(v)
    crossed = matrix(result(spatial.motion_cross, 6, v, m))
    np.testing.assert_allclose(crossed, expected, rtol=0, atol=TOLERANCE)


@given(quaternions, vectors(6))
def test_rotation_of_a_pair(q: Array, pair: Array) -> None:
    rotated = result(spatial.rotate_pair, 6, q, pair)
    assert_close(rotated, rotation_of(q).apply(pair.reshape(2, 3)).ravel())
    assert_close(result(spatial.unrotate_pair, 6, q, rotated), pair)


# A kernel, its inputs, and which of them may also be its output.
ALIASES = [
    (spatial.cross, (vectors(3), vectors(3)), (0, 1)),
    (spatial.quat_multiply, (quaternions, quaternions), (0, 1)),
    (spatial.quat_inverse_multiply, (quaternions, quaternions), (0, 1)),
    (spatial.quat_normalize, (quaternions,), (0,)),
    (spatial.quat_rotate, (quaternions, vectors(3)), (1,)),
    (spatial.quat_unrotate, (quaternions, vectors(3)), (1,)),
    (spatial.pose_multiply, (poses, poses), (0, 1)),
    (spatial.pose_inverse_multiply, (poses, poses), (0, 1)),
    (spatial.pose_step, (poses, vectors(6)), (0,)),
    (spatial.pose_step_first_order, (poses, vectors(6)), (0,)),
    (spatial.wrench_move, (poses, vectors(6)), (1,)),
    (spatial.rotate_pair, (quaternions, vectors(6)), (1,)),
    (spatial.unrotate_pair, (quaternions, vectors(6)), (1,)),
    (spatial.motion_cross, (vectors(6), vectors(6)), (0, 1)),
    (spatial.force_cross, (vectors(6), vectors(6)), (0, 1)),
]


@pytest.mark.parametrize(("function", "strategies", "places"), ALIASES)
@given(data=st.data())
def test_output_may_be_an_input(
    function: Callable,
    strategies: tuple[st.SearchStrategy[Array], ...],
    places: tuple[int, ...],
    data: st.DataObject,
) -> None:
    inputs = [data.draw(strategy) for strategy in strategies]
    for place in places:
        expected = result(function, inputs[place].shape, *inputs)
        copies = [a.copy() for a in inputs]
        function(*copies, copies[place])
        np.testing.assert_array_equal(copies[place], expected)


def test_identity_pose_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        spatial.IDENTITY_POSE[0] = 1.0
