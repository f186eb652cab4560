"""Conditions and reactions as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pliant
from pliant.errors import Refused
from pliant.stages.supervisor.conditions import Condition, Term, code_of, condition, term_of
from pliant.stages.supervisor.reaction import Reaction, reaction

WRITTEN = [
    (pliant.force("z") > 5, "force(z)>5"),
    (pliant.force() >= 2.5, "force>=2.5"),
    (pliant.torque("x") < 0.1, "torque(x)<0.1"),
    (pliant.torque() > 1, "torque>1"),
    (pliant.speed() < 0.01, "speed<0.01"),
    (pliant.position("z") <= -0.1, "position(z)<=-0.1"),
    (pliant.column("q", 3) < 0.1, "q[3]<0.1"),
    (pliant.column("w_T[2]") < -5, "w_T[2]<-5"),
    (pliant.column("ref_done") > 0, "ref_done>0"),
    (pliant.norm("v_WT_W[3:]") > 0.2, "norm(v_WT_W[3:])>0.2"),
    (pliant.norm("tau[1:4]") > 3, "norm(tau[1:4])>3"),
    (pliant.norm("qd") > 3, "norm(qd)>3"),
    (pliant.norm("qd[2]") > 3, "abs(qd[2])>3"),
    ((pliant.force("z") > 5) & (pliant.speed() < 0.01), "force(z)>5&speed<0.01"),
    ((pliant.force("z") > 5).for_ticks(10), "force(z)>5@10"),
    ((pliant.force("z") > 5).held(0.05), "force(z)>5@0.05s"),
]


@pytest.mark.parametrize(("made", "text"), WRITTEN, ids=[text for _, text in WRITTEN])
def test_a_condition_and_its_text_are_the_same(made: Condition, text: str) -> None:
    assert str(made) == text
    assert str(condition(text)) == text


def test_the_time_of_a_condition_is_rounded_up_to_ticks() -> None:
    assert (pliant.force() > 1).held(0.0051).ticks_at(0.001) == 6
    assert (pliant.force() > 1).held(0.05).ticks_at(0.002) == 25
    assert (pliant.force() > 1).for_ticks(3).ticks_at(0.002) == 3
    assert (pliant.force() > 1).ticks_at(0.002) == 1


@given(st.sampled_from(["<", "<=", ">", ">="]), st.floats(allow_nan=False, allow_infinity=False))
def test_a_comparison_survives_its_code(comparison: str, value: float) -> None:
    for made, _ in WRITTEN:
        for term in made.terms:
            term = Term(term.quantity, comparison, value)
            code = code_of(term, 7)
            again = term_of(code, value)
            assert code_of(again, 7) == code
            assert condition(str(term)).terms[0].value == value


def test_a_condition_has_no_truth_outside_the_loop() -> None:
    with pytest.raises(Refused, match="join conditions with &"):
        _ = (pliant.force("z") > 5) and (pliant.speed() < 0.01)
    with pytest.raises(Refused, match="join conditions with &"):
        if pliant.force("z") > 5:
            pass
    with pytest.raises(Refused, match="has no value here"):
        _ = 1 < pliant.force() < 5
    with pytest.raises(Refused, match="equality"):
        _ = pliant.force() == 5
    with pytest.raises(Refused, match="compare it"):
        bool(pliant.force())


WRONG = [
    ("force(z)>", "no comparison"),
    ("force(w)>5", "x, y or z"),
    ("farce>5", "did you mean force"),
    ("zzz>5", "pliant columns"),
    ("q>5", "is a vector"),
    ("q[1:3]>5", "is a vector"),
    ("M[0]>5", "neither a number nor a vector"),
    ("reason_text[0]>5", "neither a number nor a vector"),
    ("force>nan", "finite number"),
    ("force>five", "finite number"),
    ("force>1&force>2&force>3&force>4&force>5", "at most 4"),
    ("force>1@0", "1 to 100000 ticks"),
    ("force>1@1000s", "up to 60 s"),
    ("sin(q[0])>0.5", "norm, abs"),
    ("", "no comparison"),
]


@pytest.mark.parametrize(("text", "why"), WRONG)
def test_what_is_no_condition_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        condition(text)


def test_five_comparisons_and_a_joined_duration_are_refused() -> None:
    one = pliant.force() > 1
    with pytest.raises(Refused, match="at most 4"):
        _ = one & one & one & one & one
    with pytest.raises(Refused, match="join conditions first"):
        _ = one.for_ticks(3) & one


REACTIONS = [
    (Reaction.hold(), "hold"),
    (Reaction.stop(), "stop"),
    (Reaction.retract(0.01), "retract 0.01 0.05"),
    (Reaction.retract(0.01, 0.02), "retract 0.01 0.02"),
    (Reaction.law("position"), "law position"),
    (Reaction.wrench([0, 0, -5, 0, 0, 0.1]), "wrench 0 0 -5 0 0 0.1 tool"),
    (Reaction.wrench([0, 0, -5, 0, 0, 0], "world"), "wrench 0 0 -5 0 0 0 world"),
]


@pytest.mark.parametrize(("made", "text"), REACTIONS, ids=[text for _, text in REACTIONS])
def test_a_reaction_and_its_text_are_the_same(made: Reaction, text: str) -> None:
    assert str(made) == text
    assert reaction(text) == made


@pytest.mark.parametrize(
    "text", ["", "jump", "hold 1", "retract", "retract -1", "retract 1 nan", "wrench 1 2 3", "law"]
)
def test_what_is_no_reaction_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        reaction(text)
