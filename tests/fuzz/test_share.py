"""A share of the hostile suite, with a fixed seed; `make fuzz` runs all of it."""

import pytest

from . import report
from .crew import Result, run
from .kind import SEED, Kind
from .registry import KINDS

SHARED = [kind for kind in KINDS.values() if kind.short]


@pytest.mark.parametrize("kind", SHARED, ids=lambda kind: kind.name)
def test_a_share(kind: Kind):
    result = Result(kind=kind, cases=kind.short)
    run([(result, 0, kind.short)], seed=SEED, workers=1, minutes=30.0)
    assert not result.failures, "\n".join(report.failures([result], SEED, traces=True))
    assert result.run == kind.short
    assert result.accepted > 0
