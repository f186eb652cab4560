"""The declaration of the tick, and the dtype made from it."""

import numpy as np
import pytest

from pliant.errors import ConfigError
from pliant.tick import (
    MOST_JOINTS,
    STAGES,
    Column,
    Tick,
    columns,
    new_rows,
    table_dtype,
    tick_dtype,
)

COLUMNS = list(columns())


@pytest.mark.parametrize(("name", "declared"), [(name, column) for name, column, _ in COLUMNS])
def test_column_is_documented(name: str, declared: Column) -> None:
    assert declared.stage in STAGES
    assert declared.unit or name == "law_state", "only a law knows the units of its state"
    assert declared.doc.endswith(".")


def test_every_attribute_of_the_class_is_a_column() -> None:
    public = [name for name in vars(Tick) if not name.startswith("_")]
    assert public == [name for name, _, _ in COLUMNS]


def test_stages_appear_in_the_order_in_which_they_run() -> None:
    stages = [STAGES.index(declared.stage) for _, declared, _ in COLUMNS]
    assert stages == sorted(stages)


def test_every_stage_has_columns() -> None:
    assert {declared.stage for _, declared, _ in COLUMNS} == set(STAGES)


@pytest.mark.parametrize("n", [6, 7])
def test_dtype_has_the_declared_columns(n: int) -> None:
    dtype = tick_dtype(n)
    assert dtype.names == tuple(name for name, _, _ in COLUMNS)
    assert dtype["q"].shape == (n,)
    assert dtype["J_W"].shape == (6, n)
    assert dtype["X_WT"].shape == (7,)
    assert dtype["k"] == np.int64
    assert dtype["time"] == np.float64
    assert dtype["reason_text"].base == np.uint8


@pytest.mark.parametrize("n", [6, 7])
def test_dtype_is_aligned(n: int) -> None:
    dtype = tick_dtype(n)
    assert dtype.isalignedstruct
    assert dtype.itemsize % 8 == 0
    for name in dtype.names or ():
        field, offset = dtype.fields[name][:2]
        assert offset % field.base.alignment == 0


def test_dtype_is_one_object_per_number_of_joints() -> None:
    assert tick_dtype(6) is tick_dtype(6)
    assert tick_dtype(6) is new_rows(6).dtype
    assert tick_dtype(6) != tick_dtype(7)


def test_rows_have_attributes_as_in_a_kernel() -> None:
    tick = new_rows(6)
    tick[0].q[2] = 0.5
    assert tick["q"][0, 2] == 0.5


def test_table_dtype_takes_any_class_of_columns() -> None:
    assert table_dtype(Tick, 6) == tick_dtype(6)
    assert table_dtype(Tick, 6).type is np.record


def test_new_rows_hold_valid_poses_and_axes() -> None:
    rows = new_rows(6, 3)
    assert rows.shape == (3,)
    for name, declared, _ in COLUMNS:
        if declared.shape == (7,):
            np.testing.assert_array_equal(rows[name], [[0, 0, 0, 1, 0, 0, 0]] * 3)
    np.testing.assert_array_equal(rows["Tr"][1], np.eye(6))
    assert (rows["law"] == -1).all()
    assert (rows["q"] == 0.0).all()


def test_more_joints_than_kernels_are_made_for_are_refused() -> None:
    assert new_rows(MOST_JOINTS)["q"].shape == (1, MOST_JOINTS)
    with pytest.raises(ConfigError, match=str(MOST_JOINTS + 1)):
        new_rows(MOST_JOINTS + 1)
