"""The telemetry line says what the tick says, to the seventh decimal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from pliant.loop.telemetry_line import put_number, write_line
from pliant.tick import new_rows


def written(value: float) -> str:
    out = np.zeros(40, np.uint8)
    return out[: put_number(value, out, 0)].tobytes().decode()


def line_of(tick: np.ndarray) -> bytes:
    out = np.zeros(2000, np.uint8)
    return out[: write_line(tick, out)].tobytes()


@given(st.floats(-1e8, 1e8))
def test_a_number_is_right_to_the_seventh_decimal(value):
    text = written(value)
    assert abs(float(text) - value) <= 0.5e-7 + 4e-16 * abs(value)
    # neither zeros at the end, nor a zero with a sign
    assert "." not in text or text[-1] not in "0."
    assert text != "-0"


@given(st.one_of(st.floats(1e9, 1e300), st.floats(-1e300, -1e9)))
def test_a_number_of_any_size_is_written(value):
    assert float(written(value)) == pytest.approx(value, rel=1e-12)
    assert len(written(value)) < 32


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (-1e-9, "0"),
        (25.0, "25"),
        (-0.5, "-0.5"),
        (0.002, "0.002"),
        (0.99999999, "1"),
        (123.4567891, "123.4567891"),
        (np.inf, "inf"),
        (-np.inf, "-inf"),
        (np.nan, "nan"),
    ],
)
def test_numbers_as_one_writes_them(value, text):
    assert written(value) == text


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

    line = line_of(tick).decode()
    assert line.endswith("\n")

    assert line.startswith("TELEM: t=12.346 tcp=0.4,-0.1,0.3,")
    fields = dict(part.split("=") for part in line.removeprefix("TELEM: ").split(" "))
    assert list(fields) == ["t", "tcp", "ref", "ws", "wd", "q", "T"]
    read = {name: np.array(text.split(","), float) for name, text in fields.items()}
    np.testing.assert_allclose(read["tcp"][3:], turn.as_rotvec(), atol=1e-7)
    np.testing.assert_allclose(read["ref"], [0.4, -0.1, 0.2, 0.0, 0.0, 0.0], atol=1e-7)
    for name, column in columns.items():
        np.testing.assert_allclose(read[name], tick[column][0], atol=1e-7)


def test_nothing_is_written_where_the_line_may_not_fit():
    out = np.zeros(32 * (25 + 2 * 6), np.uint8)
    assert write_line(new_rows(6), out) > 0
    out[:] = 0
    assert write_line(new_rows(7), out) == 0
    assert not out.any()
