"""What can do nothing says so, and what acts does not."""

import warnings
from collections.abc import Callable

import pytest

from pliant import Arm, PliantWarning
from pliant.config import Config
from pliant.errors import ConfigError

FZ = [0, 0, -5, 0, 0, 0]
DOWN = [0, 0, -0.05, 0, 0, 0]


def hybrid(axes: str = "", **gains) -> Arm:
    arm = Arm("sim:ur5e")
    arm.zero()
    arm.activate("hybrid_admittance", **gains)
    arm.set_axes(axes)
    arm.wait(0.02)
    return arm


def position() -> Arm:
    arm = Arm("sim:ur5e")
    arm.activate("position")
    arm.wait(0.02)
    return arm


def panda() -> Arm:
    arm = Arm("sim:panda")
    arm.activate("cartesian_impedance")
    arm.wait(0.02)
    return arm


IDLE = [
    (hybrid, lambda a: a.set_wrench(FZ), "no axis is force-controlled"),
    (lambda: hybrid("x"), lambda a: a.set_wrench(FZ), "none of the force-controlled axes"),
    (position, lambda a: a.set_wrench(FZ), "position regulates no force.*hybrid_admittance"),
    (position, lambda a: a.set_axes("z"), "position has no force-controlled axes"),
    (panda, lambda a: a.set_axes("z"), "they act under hybrid_force$"),
    (lambda: hybrid("z"), lambda a: a.move_by(DOWN), r"does nothing along z: .*stiffness 0"),
    (
        lambda: hybrid("x y z rx ry rz"),
        lambda a: a.move_by([0.05, 0, 0, 0, 0, 0]),
        r"does nothing along x: ",
    ),
    (
        lambda: hybrid("x y z rx ry rz"),
        lambda a: a.move_to(a.pose.moved([0.03, 0.04, 0])),
        r"does nothing along x y: ",
    ),
    (lambda: hybrid("rz"), lambda a: a.move_by([0, 0, 0, 0, 0, 0.3]), r"nothing along rz: "),
    (lambda: hybrid("rz"), lambda a: a.move_by([0, 0, 0, 0, 0, 1.0]), r"nothing along rz: "),
    (
        lambda: hybrid("rz"),
        lambda a: a.move_by([0, 0, 0, 0, 0, 6.1]),
        r"the shorter way.* does nothing along rz: ",
    ),
    (position, lambda a: a.use_preset("stiff_surface"), "position is active: these gains are"),
    (hybrid, lambda a: a.law.set(damping_ratio=(0.8, 0.8)), "damping_ratio adds nothing along x y"),
]


@pytest.mark.parametrize(("make", "use", "told"), IDLE)
def test_what_can_do_nothing_is_warned_about(
    make: Callable[[], Arm], use: Callable[[Arm], None], told: str
) -> None:
    arm = make()
    start = arm.pose
    with pytest.warns(PliantWarning, match=told):
        use(arm)
    arm.wait(0.5)
    assert arm.pose.is_close(start, 1e-3, 1e-2)


ACTING = [
    (hybrid, lambda a: a.set_axes("z")),
    (lambda: hybrid("z"), lambda a: a.set_wrench(FZ)),
    (lambda: hybrid("z"), lambda a: a.set_wrench([0, 0, 5, 0, 0, 0], frame="world")),
    (hybrid, lambda a: a.set_wrench([0] * 6)),
    (hybrid, lambda a: a.move_by(DOWN)),
    (lambda: hybrid("z"), lambda a: a.move_by([0.05, 0, 0, 0, 0, 0])),
    (lambda: hybrid("z", stiffness=(200, 10)), lambda a: a.move_by(DOWN)),
    (position, lambda a: a.move_by(DOWN)),
    (position, lambda a: a.set_axes("")),
    (hybrid, lambda a: a.law.set(stiffness=(300, 10), damping_ratio=(0.8, 0.8))),
]


@pytest.mark.parametrize(("make", "use"), ACTING)
def test_what_acts_is_not(make: Callable[[], Arm], use: Callable[[Arm], None]) -> None:
    arm = make()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        use(arm)


@pytest.mark.parametrize(
    ("turn", "told"),
    [
        (7.0, "clipped to 360° about each axis; a turn by 360° ends where one by 0° does"),
        (6.1, "a turn by 350° ends where one by -10° does, and the tool goes the shorter way"),
        (3.3, "a turn by 189° ends where one by -171° does"),
    ],
)
def test_a_turn_that_is_not_made_as_written_is_warned_about(turn: float, told: str) -> None:
    with pytest.warns(PliantWarning, match=told):
        position().move_by([0, 0, 0, 0, 0, turn])


def test_a_large_turn_is_told_in_the_reply() -> None:
    arm = position()
    arm.move_by([0, 0, 0, 0, 0, 0.5])
    arm.move_by([0, 0, 0, 0, 0, 1.0])
    arm.move_to(arm.pose.moved([0, 0, 0, 0, 0, -0.5]))
    arm.move_to(arm.pose.moved([0, 0, 0, 0, 0, -1.0]))
    replies = [line.text for line in arm.history.lines if line.kind == "reply"]
    for small, large in (replies[-4:-2], replies[-2:]):
        assert "turn" not in small
        assert large.endswith("; a large turn, 57°")


@pytest.mark.parametrize(
    ("values", "advised"),
    [
        ({"damping": (0, 20), "damping_ratio": (0.8, 0.8)}, "axis x .* such as 800"),
        ({"damping": (800, 0), "damping_ratio": (0.8, 0.8)}, "axis rx .* such as 20"),
        ({"damping": (0, 20), "inertia": (1, 0.25)}, "axis x .* such as 250"),
    ],
)
def test_a_ratio_without_a_spring_says_what_to_write_instead(values, advised: str) -> None:
    with pytest.raises(ConfigError, match=advised) as refused:
        hybrid(**values)
    # what it says works
    number = float(str(refused.value).rsplit(" ", 1)[1])
    damping = (number, 20) if "axis x" in str(refused.value) else (800, number)
    assert hybrid(**(values | {"damping": damping})).law is not None


@pytest.mark.parametrize(
    "gains",
    [{"damping": (50, 2), "inertia": (2, 0.05)}, {"damping": (2, 0.2), "stiffness": (100, 1)}],
)
def test_gains_that_ring_through_the_lag_are_told_when_chosen(gains) -> None:
    arm = hybrid()
    with pytest.warns(PliantWarning, match=r"unstable on a surface of 10 N/mm with 34 ms of lag"):
        arm.law.set(**gains)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # not again, with every other parameter
        arm.set("safety.contact_force", 50.0)
        # and what the warning advises is enough
        arm.law.set(damping=(680, 20), inertia=(8, 0.25), stiffness=(0, 0))


def test_the_default_gains_are_calm() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hybrid(damping=Config().laws.hybrid_admittance.damping)
