"""A backend that forgets something is told what, in its own words."""

from pathlib import Path

import pytest

from pliant import Arm, Refused
from pliant.errors import PliantError

EXAMPLE = Path(__file__).parents[2] / "examples" / "19_your_own_robot.py"


def mistaken(folder: Path, right: str, wrong: str) -> Arm:
    """An arm whose backend is the example's with one mistake."""
    source = EXAMPLE.read_text()
    assert right in source
    file = folder / "mistaken.py"
    file.write_text(source.replace(right, wrong))
    return Arm(f"{file}:MyRobot", flight=False)


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (', tick["temperature"] = self.q, self.qd, 30.0', " = self.q, self.qd", "temperature"),
        ('tick["q"], tick["qd"]', 'tick["tau"], tick["qd"]', r"q \(rad\)"),
        ("= self.q, self.qd, 30.0", "= self.q, np.nan, 30.0", r"qd \(rad/s\)"),
    ],
)
def test_a_column_that_read_leaves_out_is_named(
    right: str, wrong: str, told: str, tmp_path: Path
) -> None:
    with pytest.raises(PliantError, match=rf"MyRobot\.read wrote no numbers to {told}"):
        mistaken(tmp_path, right, wrong)


def test_a_write_that_does_not_say_what_it_sent_is_named(tmp_path: Path) -> None:
    arm = mistaken(tmp_path, 'tick["q_sent"], tick["tau_sent"] = self.q, 0.0', "pass")
    with pytest.raises(PliantError, match=r"MyRobot\.write did not write q_sent: it has to say"):
        arm.wait(0.1)


NOISE = "self.random.normal(0.0, [0.3] * 3 + [0.01] * 3)"
LATER = "if self.readings > 60 else"


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ('tick["sensor_seq"] = self.readings', "pass", "interrupted: .*sensor_seq has stood at 0"),
        (NOISE, "np.nan", "values that are not numbers"),
        (NOISE, f"np.nan {LATER} 0.0", "interrupted: .*not numbers: w_S_raw is nan nan nan"),
        (NOISE, "[0, 0, 9000, 0, 0, 0]", "the end of its range"),
        (NOISE, f"[9000] * 6 {LATER} 0.0", r"interrupted: .*sensor_range: w_S_raw is 9e\+03"),
        ("self.qd, 30.0", "0.01, 30.0", "cannot zero while the tool moves"),
        ("self.qd, 30.0", f"0.01 {LATER} 0.0, 30.0", "interrupted: the tool moved, at .* mm/s"),
    ],
)
def test_zeroing_says_what_is_wrong_with_the_backend(
    right: str, wrong: str, told: str, tmp_path: Path
) -> None:
    arm = mistaken(tmp_path, right, wrong)
    with pytest.raises(Refused, match=told):
        arm.zero()
