import numpy as np
import pytest
from mcap_ros2._dynamic import generate_dynamic  # the decoder that other tools use

from pliant.tick import columns, new_rows, tick_dtype
from pliant.tick_message import CDR_HEADER, TICK_MESSAGE, read_definition, tick_definition


@pytest.mark.parametrize("n", [6, 7])
def test_a_definition_describes_the_rows_it_was_made_from(n: int) -> None:
    dtype, described = read_definition(tick_definition(n))
    own = tick_dtype(n)
    assert dtype.itemsize == own.itemsize
    assert {name: (dtype[name], dtype.fields[name][1]) for name in dtype.names} == {
        name: (own[name], own.fields[name][1]) for name in own.names
    }
    for name, declared, _ in columns():
        assert described[name].unit == declared.unit
        assert described[name].stage == declared.stage
        assert described[name].doc == declared.doc


def test_column_names_are_unique_in_lower_case() -> None:
    names = [name.lower() for name, _, _ in columns()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("n", [6, 7])
def test_other_decoders_read_a_row_as_a_message(n: int) -> None:
    row = new_rows(n)
    rng = np.random.default_rng(0)
    for name in row.dtype.names:
        values = rng.integers(0, 200, row[name].shape)
        row[name] = values if row[name].dtype.kind in "iu" else values / 7.0
    decode = generate_dynamic(TICK_MESSAGE, tick_definition(n))[TICK_MESSAGE]
    message = decode(CDR_HEADER + row.tobytes())
    for name in row.dtype.names:
        value = getattr(message, name.lower())
        found = np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.array(value)
        np.testing.assert_array_equal(found.ravel(), row[name].ravel(), name)


def test_an_unreadable_definition_is_refused() -> None:
    with pytest.raises(ValueError, match="float64 x"):
        read_definition("float64 x\n")
