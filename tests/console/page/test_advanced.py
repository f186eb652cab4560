"""Advanced and Sensor in a browser: contact margins, and the weight of the tool."""

import re

import numpy as np
import pytest

from pliant.arms import load_arm
from pliant.config import Config
from pliant.stability import AxisMargin, margins

LAW = "laws.hybrid_admittance"


def by_itself(operator) -> list[AxisMargin]:
    """The margins that the library computes for the configuration and posture of the arm."""
    dt, q = operator.number("dt"), operator.column("q")
    return margins(in_force(operator), load_arm("ur5e"), dt, q)


def in_force(operator) -> Config:
    config = operator.page.request.get(f"{operator.page.url}api/config").json()
    return Config.model_validate(config)


def shown(operator, axis: str) -> list[str]:
    row = operator.page.locator(f'[data-testid="margins"] tr[data-axis="{axis}"] td')
    return row.all_inner_texts()


def agree(operator, expected: list[AxisMargin]) -> bool:
    """Whether the page shows the margins of the library for every axis."""
    for i, margin in enumerate(expected):
        scale = 1e-3 if i < 3 else 1.0
        well_damped, stable, unit, words = shown(operator, margin.axis)
        assert unit == ("N/mm" if i < 3 else "N·m/rad")
        listed = [float(text.replace("any", "inf")) for text in (well_damped, stable)]
        if listed != pytest.approx([scale * margin.well_damped, scale * margin.stable], rel=0.01):
            return False
        if not words.startswith(margin.expected.value if margin.expected else ""):
            return False
    return True


def test_the_margins_are_those_of_the_library_and_follow_the_gains(operator):
    operator.start()
    operator.open("advanced")
    operator.page.get_by_test_id("margins").wait_for()
    assert agree(operator, by_itself(operator))
    assert shown(operator, "z")[3] == ""

    operator.fill("contact.surface_stiffness", 60_000)
    operator.until(lambda: shown(operator, "z")[3] != "")
    expected = by_itself(operator)
    assert agree(operator, expected)
    listed = re.fullmatch(r"rings; needs D ([\d.]+)(?:, M ([\d.]+))?", shown(operator, "z")[3])
    assert listed
    damping = float(listed[1])
    assert damping == pytest.approx(expected[2].damping_needed, rel=0.02)
    inertia = float(listed[2]) if listed[2] else 10 * damping / 800
    assert shown(operator, "rx")[3] == "", "a surface is pushed, not turned"

    # the margins hold for the arm
    operator.fill(f"{LAW}.damping z", 1.03 * damping)
    operator.fill(f"{LAW}.inertia z", 1.03 * inertia)
    operator.until(lambda: in_force(operator).laws.hybrid_admittance.inertia[2] > inertia)
    operator.until(lambda: agree(operator, by_itself(operator)))
    assert shown(operator, "z")[3] == "well damped"
    operator.press("z")
    operator.press("Send axes")
    row = operator.page.locator('[data-testid="margins"] tr[data-axis="z"]')
    operator.until(lambda: "forced" in (row.get_attribute("class") or ""))

    operator.fill("contact.surface_stiffness", "")
    operator.until(lambda: shown(operator, "z")[3] == "")
    # the margins depend on the posture
    operator.press("none")
    operator.press("Send axes")
    operator.fill("delta dx", -0.2)
    operator.press("Move by")
    operator.until(lambda: operator.number("ref_done") and operator.column("X_WT")[0] < 0.26)
    operator.until(lambda: agree(operator, by_itself(operator)))


@pytest.mark.long
def test_the_weight_of_the_tool_can_be_corrected_under_a_law(operator):
    operator.start()
    operator.press("x y z")
    operator.press("Send axes")
    operator.until(lambda: operator.number("n_af") == 3)
    before, place = operator.column("w_T_filtered"), operator.column("X_WT")
    bias = operator.column("w_bias_S")
    operator.fill("tool.mass", 0.8)
    operator.until(lambda: np.abs(operator.column("w_bias_S") - bias).max() > 2.0)
    k = operator.number("k")
    operator.until(lambda: operator.number("k") > k + 250)
    # the correction changes nothing in the posture of the zeroing, and does not move the arm
    np.testing.assert_allclose(operator.column("w_T_filtered")[:3], before[:3], atol=0.4)
    np.testing.assert_allclose(operator.column("X_WT")[:3], place[:3], atol=5e-4)
    operator.until(lambda: operator.page.get_by_label("tool.mass").input_value() == "0.8")
    operator.fill("tool.mass", -1)
    operator.until(lambda: "bad" in (operator.page.locator(".toast").get_attribute("class") or ""))
    operator.until(lambda: operator.page.get_by_label("tool.mass").input_value() == "0.8")
