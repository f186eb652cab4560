import json
from pathlib import Path

import pliant
from pliant import Arm
from pliant.laws import Position
from pliant.laws.own_laws import load_law
from pliant.loop.metadata import law_files

LAW = """
from pliant import PoseLaw

class Still(PoseLaw):
    name = "still"

    def update(self, prev, tick):
        pass
"""


def test_it_says_what_a_reader_needs_to_know_and_json_can_hold_it() -> None:
    with Arm("sim:ur5e/peg", seed=7) as arm:
        told = json.loads(json.dumps(arm.session.metadata))
    assert told["spec"] == "sim:ur5e/peg"
    assert (told["arm"], told["scene"], told["seed"]) == ("ur5e", "peg", 7)
    assert (told["n"], told["dt"], told["rate"], told["clock"]) == (6, 0.002, 500.0, "fast")
    assert told["laws"] == ["hybrid_admittance", "position"]
    assert told["versions"]["pliant"] == pliant.__version__
    assert set(told["versions"]) == {"pliant", "numpy", "numba", "pinocchio", "mujoco"}


def test_a_law_from_a_file_can_be_found_again(tmp_path: Path) -> None:
    file = tmp_path / "my_law.py"
    file.write_text(LAW)
    places = law_files([load_law(f"{file}:Still")])
    assert places == {"still": f"{file}:Still"}
    assert load_law(places["still"]).name == "still"


def test_a_law_that_was_typed_in_has_no_file() -> None:
    class Local(Position):
        name = "local"

    # nor has one of a program that was read and executed
    names = {"__name__": "nowhere"}
    exec(LAW, names)
    assert law_files([Local(), names["Still"]()]) == {}  # pyright: ignore
