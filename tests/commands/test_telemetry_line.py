"""The telemetry line says what the tick says, to eight digits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from pliant.commands.telemetry_line import first_numbers, telemetry_line
from pliant.tick import new_rows

DIGITS = 0.5e-7
"""Largest relative error of eight digits."""


def fields(line: str) -> dict[str, list[str]]:
    assert line.startswith("TELEM: ")
    parts = [part.split("=") for part in line.removeprefix("TELEM: ").split(" ")]
    return {name: values.split(",") for name, values in parts}


def written(value: float) -> str:
    tick = new_rows(6)
    tick["q"][0, 0] = value
    return fields(telemetry_line(tick))["q"][0]


@given(st.floats(-1e300, 1e300))
def test_a_number_is_right_to_the_eighth_digit(value):
    text = written(value)
    assert abs(float(text) - value) <= DIGITS * abs(value) * (1 + 1e-9)
    # no zeros at the end
    assert "." not in text or "e" in text or text[-1] not in "0."
    assert len(text) < 16


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (25.0, "25"),
        (-0.5, "-0.5"),
        (0.002, "0.002"),
        (0.999999999, "1"),
        (123.4567891, "123.45679"),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
        (np.nan, "nan"),
    ],
)
def test_numbers_as_one_writes_them(value, text):
    assert written(value) == text


@given(st.integers(0, 10**9))
def test_the_time_is_exact_for_weeks(k):
    tick = new_rows(6)
    tick["time"] = k * 0.001
    assert float(fields(telemetry_line(tick))["t"][0]) == k / 1000


@pytest.mark.parametrize("n", [6, 7])
def test_the_line_holds_the_tick(n):
    rng = np.random.default_rng(3)
    tick = new_rows(n)
    tick["time"] = 12.346
    turn = Rotation.from_rotvec([0.3, -0.4, 0.5])
    tick["X_WT"][0] = [0.4, -0.1, 0.3, *np.roll(turn.as_quat(), 1)]
    tick["X_WR"][0] = [0.4, -0.1, 0.2, 1.0, 0.0, 0.0, 0.0]
    columns = {"ws": "w_T", "wd": "w_desired_T", "q": "q", "T": "temperature"}
    for column in columns.values():
        tick[column][0] = rng.normal(size=tick[column].shape[1])

    line = telemetry_line(tick)
    assert "\n" not in line
    assert line.startswith("TELEM: t=12.346 tcp=0.4,-0.1,0.3,")
    assert list(fields(line)) == ["t", "tcp", "ref", "ws", "wd", "q", "T"]
    read = {name: np.array(values, float) for name, values in fields(line).items()}
    np.testing.assert_allclose(read["tcp"][3:], turn.as_rotvec(), rtol=DIGITS)
    np.testing.assert_allclose(read["ref"], [0.4, -0.1, 0.2, 0.0, 0.0, 0.0], rtol=DIGITS)
    for name, column in columns.items():
        np.testing.assert_allclose(read[name], tick[column][0], rtol=DIGITS)


def told(tick, before) -> np.ndarray:
    return np.array(fields(telemetry_line(tick, before))["tcp"][3:], float)


def turned(rotvec) -> np.ndarray:
    tick = new_rows(6)
    tick["X_WT"][0, 3:] = np.roll(Rotation.from_rotvec(rotvec).as_quat(canonical=True), 1)
    return tick


def test_noise_about_a_half_turn_does_not_flip_the_rotation_vector():
    rng = np.random.default_rng(0)
    before, last = first_numbers(6), None
    for _ in range(300):
        line = told(turned(np.array([np.pi, 0, 0]) + rng.normal(size=3) * 1e-3), before)
        assert last is None or np.linalg.norm(line - last) < 0.02
        last = line


def test_a_turn_through_a_half_turn_is_continuous_and_returns():
    before, last = first_numbers(6), np.zeros(3)
    for angle in [*np.linspace(0.0, 4.5, 200), *np.linspace(4.5, 0.0, 200)]:
        line = told(turned([0.0, angle, 0.0]), before)
        assert line == pytest.approx([0.0, angle, 0.0], abs=1e-6)
        assert np.linalg.norm(line - last) < 0.1
        last = line


@given(st.integers(0, 2**32 - 1))
def test_it_is_always_the_rotation_of_the_tick(seed):
    rng = np.random.default_rng(seed)
    before = first_numbers(6)
    for _ in range(5):
        rotation = Rotation.random(random_state=rng)
        line = told(turned(rotation.as_rotvec()), before)
        assert np.linalg.norm(line) <= 1.5 * np.pi + 1e-6
        assert (Rotation.from_rotvec(line).inv() * rotation).magnitude() < 1e-6
