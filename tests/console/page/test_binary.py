"""The page with a program that only speaks the protocol of the force-control demo."""

import sys
from pathlib import Path

import numpy as np
import pytest


@pytest.mark.long
def test_known_commands_work_and_others_are_not_available(console, visit, tmp_path, until):
    program = tmp_path / "stand_in"
    source = Path(__file__).parents[1] / "stand_in.py"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {source} "$@"\n')
    program.chmod(0o755)
    served = console("--binary", str(program))
    operator, watcher = visit(served), served.page()
    operator.press("Start")
    operator.sees("state", "Running")
    watcher.subscribe("w_T", "w_desired_T", "X_WT", "n_af")

    operator.press("z")
    operator.press("Send axes")
    operator.fill("Fz", -50)
    operator.press("Send wrench")
    until(lambda: "w_T" in watcher.last and watcher.last["w_T"][2] == -20.0)
    field = operator.page.get_by_label("Fz", exact=True)
    operator.until(lambda: field.input_value() == "-20")
    operator.fill("delta dx", 0.01)
    operator.press("Move by")
    until(lambda: abs(watcher.last["X_WT"][0] - 0.41) < 1e-9)

    # the program has commands for stiffness and damping, but for no other parameter
    operator.open("advanced")
    stiffness = operator.page.locator('[data-path="laws.hybrid_admittance.stiffness"] input')
    operator.fill("laws.hybrid_admittance.stiffness x", 70)
    until(lambda: watcher.said("SET_STIFFNESS 70 100 100 1 1 1"))
    operator.until(lambda: stiffness.first.input_value() == "70")
    for unknown in ("wrench.cutoff", "supervisor.wrench_limit", "laws.hybrid_admittance.inertia"):
        operator.until(operator.page.locator(f'[data-path="{unknown}"] input').first.is_disabled)
    sensor = operator.page.locator("#section-sensor")
    operator.until(sensor.get_by_role("button", name="Zero").is_disabled)
    operator.until(lambda: "not available with this program" in sensor.inner_text())
    logging = operator.open("logging")
    operator.until(lambda: "cannot be recorded" in logging.inner_text())
    operator.tab("Joints")
    operator.until(operator.page.get_by_role("button", name="Run all").is_disabled)
    operator.page.keyboard.press("Escape")
    operator.sees("state", "Stopped")
    assert np.isfinite(watcher.last["w_T"]).all()
    assert operator.errors == []
