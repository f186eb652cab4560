"""Every example, recorded as it runs and recomputed: equal bit for bit."""

import runpy
import tempfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pliant
from pliant.laws import Law
from pliant.recording.recomputation import recompute

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
WITHOUT_AN_ARM = "05_law_in_your_own_loop.py"


class RecordedArm(pliant.Arm):
    """An arm that records itself, unless it attaches to another program's arm."""

    files: list[Path]

    def __init__(self, spec: str, **options: Any) -> None:
        if options.get("clock") == "real":
            # a busy machine is no fault of the example's
            options.setdefault("config", {"safety": {"lateness": 60.0}})
        super().__init__(spec, **options)
        self._recorder = None
        if not spec.startswith("attach"):
            file = self.files[0].with_stem(str(len(self.files)))
            self.files.append(file)
            self._recorder = pliant.record(self, file)

    def close(self) -> None:
        if self._recorder is not None:
            self._recorder.close()
        super().close()


def own_laws(namespace: dict[str, Any]) -> list[Law]:
    """The laws that an example defines."""
    kinds = (value for value in namespace.values() if isinstance(value, type))
    return [kind() for kind in kinds if issubclass(kind, Law) and kind.__module__ == "__main__"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_recomputing_an_example_from_its_first_or_any_other_row_is_equal(
    example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    RecordedArm.files = [tmp_path / "none.mcap"]
    monkeypatch.setattr(pliant, "Arm", RecordedArm, raising=False)
    monkeypatch.setenv("PLIANT_RUNTIME_DIR", str(tmp_path / "run"))
    # recomputing reads the replayed motion again, so its file must stay
    monkeypatch.setattr(tempfile, "TemporaryDirectory", lambda: nullcontext(str(tmp_path)))
    namespace = runpy.run_path(str(example), run_name="__main__")
    files = RecordedArm.files[1:]
    assert bool(files) == (example.name != WITHOUT_AN_ARM)
    for file in files:
        recording = pliant.load(file)
        assert recording.lost == 0
        middle = int(np.random.default_rng(7).integers(2, len(recording)))
        for start in (None, recording["k"][middle].item()):
            result = recompute(recording, start, laws=own_laws(namespace))
            assert result.difference is None, start
            assert result.ticks > 0
