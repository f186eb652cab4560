"""The hostile suite itself: it notices what it is for, and says how to see it again."""

import random

import pytest

from . import report
from .crew import Result, run
from .hostile import damaged, spoiled
from .kind import Kind, dice_of
from .registry import KINDS, chosen


def planted(name: str, cases: int = 6, patience: float = 5.0) -> Result:
    """The result of an attack that misbehaves in a known way."""
    kind = Kind(
        name=f"planted-{name}",
        attack=f"planted:{name}",
        unit="inputs",
        full=cases * 5,
        batch=5,
        short=cases,
        patience=patience,
        most_memory=64.0,
        most_growth=8.0,
    )
    result = Result(kind=kind, cases=kind.cases(1.0))
    run([(result, 0, result.cases)], seed=7, workers=1, minutes=10.0)
    return result


def test_what_behaves_passes():
    result = planted("Planted")
    assert result.failures == []
    assert (result.run, result.accepted, result.refused) == (6, 30, 0)


def test_every_input_that_fails_is_reported_and_the_others_are_used():
    result = planted("Fails", cases=2)
    assert [failure.case for failure in result.failures] == [0, 0, 1, 1]
    assert {failure.cause for failure in result.failures} == {"input # is wrong"}
    told = list(report.failures([result], 7))
    assert told[0].startswith("4 × planted-Fails: input 1 is wrong")
    assert told[1].strip() == "python -m tests.fuzz --kinds planted-Fails --seed 7 --case 0"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Crashes", "the process died: SIGSEGV"),
        ("Exits", "the process died: status 0"),
        ("Hangs", "it did not end within 5 s"),
    ],
)
def test_a_process_that_dies_or_hangs_is_noticed_and_the_next_cases_are_run(name, why):
    # each new process misbehaves in its second case: 1, 3 and 5
    result = planted(name)
    assert [(failure.case, failure.why) for failure in result.failures] == [
        (1, why), (3, why), (5, why)
    ]  # fmt: skip
    assert result.run == 6


def test_a_traceback_on_standard_error_is_noticed():
    result = planted("Mutters")
    assert [failure.case for failure in result.failures] == [1, 4]
    assert result.failures[0].why == "a traceback on stderr: KeyError: 'x'"


def test_memory_that_a_case_takes_is_noticed():
    result = planted("Swallows")
    assert [failure.case for failure in result.failures] == [1, 4]
    assert result.peak > 90.0


def test_memory_and_descriptors_that_grow_are_noticed():
    (memory,) = planted("Grows", cases=20).failures
    assert memory.cause == "memory grew"
    (opened,) = planted("Leaks").failures
    assert opened.cause == "descriptors grew"


def test_an_attack_that_cannot_be_made_is_a_failure():
    (failure,) = planted("Broken").failures
    assert failure.why == "RuntimeError: it cannot be made"


def test_a_case_is_the_same_each_time_and_others_are_different():
    tree = {"a": [1.0, 2.0], "b": {"c": "text"}}

    def made(dice: random.Random) -> tuple[bytes, str]:
        return damaged(dice, bytes(range(200))), repr(spoiled(dice, tree))

    assert made(dice_of("x", 1, 2)) == made(dice_of("x", 1, 2))
    assert len({made(dice_of("x", 1, case)) for case in range(50)}) > 40
    assert tree == {"a": [1.0, 2.0], "b": {"c": "text"}}


def test_kinds_are_chosen_by_the_beginning_of_their_names():
    assert [kind.name for kind in chosen("soak")] == ["soak-ur5e", "soak-panda", "soak-fr3"]
    assert len(chosen("")) == len(KINDS)
    with pytest.raises(ValueError, match="unknown kind 'linen'"):
        chosen("lines,linen")
