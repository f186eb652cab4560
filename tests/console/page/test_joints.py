"""The motor page in a browser: modes, interaction, faults, sequences."""

import re

import numpy as np
import pytest
import yaml

from pliant.arms import load_arm
from pliant.stages import joints

MODES = ("position", "position direct", "velocity", "mixed", "torque", "open loop", "idle")
ELBOW = 3


def code(title):
    """The code of a mode in the tick."""
    return joints.JointMode[title.upper().replace(" ", "_")].value


@pytest.fixture(scope="module")
def panda(console_for_module):
    """A console with a running torque arm."""
    return console_for_module("--robot", "sim:panda", "--start")


@pytest.fixture
def motors(panda, visit):
    """The motor page of that arm, at home, idle and without a law."""
    operator = visit(panda)
    operator.page.get_by_test_id("state").filter(has_text=re.compile("Active|Holding")).wait_for()
    operator.tab("Joints")
    operator.until(lambda: operator.column("X_WT").any())
    if operator.number("law") >= 0:
        operator.press("End law")
    operator.until(lambda: operator.number("law") == -1 and operator.number("state") == 0)
    operator.press("All stiff")
    operator.press("Run all")
    operator.until(lambda: (operator.column("mode") == code("position")).all())
    home = load_arm("panda").home
    operator.press("Home all")
    operator.until(lambda: np.abs(operator.column("q") - home).max() < 2e-3)
    operator.press("Idle all")
    operator.until(lambda: (operator.column("mode") == code("idle")).all())
    yield operator
    assert operator.errors == []


def card(operator, joint):
    return operator.page.locator(f'[data-joint="{joint}"]')


def select(operator, joint, title):
    operator.page.get_by_label(f"Mode of joint {joint}", exact=True).select_option(label=title)


def enter(operator, joint, title):
    """Select a mode, and wait until tick and page show it."""
    select(operator, joint, title)
    operator.until(lambda: operator.column("mode")[joint] == code(title))
    shown = card(operator, joint)
    operator.until(lambda: shown.get_attribute("data-mode") == title.replace(" ", "_"))


@pytest.mark.long
def test_every_mode_stiff_and_compliant(motors):
    elbow = card(motors, ELBOW)
    for interaction in ("stiff", "compliant"):
        label = "compl." if interaction == "compliant" else "stiff"
        elbow.get_by_role("radio", name=label).click()
        wanted = int(interaction == "compliant")
        motors.until(lambda w=wanted: motors.column("interaction")[ELBOW] == w)
        for title in MODES:
            enter(motors, ELBOW, title)
            assert (np.delete(motors.column("mode"), ELBOW) == code("idle")).all()
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    motors.press("All stiff")
    motors.until(lambda: not motors.column("interaction").any())
    motors.press("Idle all")
    motors.until(lambda: (motors.column("mode") == code("idle")).all())


def test_targets_and_speeds(motors):
    motors.press("Run", card(motors, ELBOW))
    motors.until(lambda: motors.column("mode")[ELBOW] == code("position"))
    goal = np.degrees(motors.column("q")[ELBOW]) + 10.0
    motors.fill(f"Target value of joint {ELBOW}", f"{goal:.3f}")
    motors.until(lambda: abs(np.degrees(motors.column("q")[ELBOW]) - goal) < 0.3)

    # the same with the slider, at the speed that was set
    motors.page.get_by_label(f"Speed of joint {ELBOW}", exact=True).fill(f"{np.radians(20):.4f}")
    motors.until(lambda: motors.column("speed_joint")[ELBOW] == pytest.approx(0.35, abs=0.01))
    slider = motors.page.get_by_label(f"Target of joint {ELBOW}", exact=True)
    slider.fill(f"{np.radians(goal - 10.0):.4f}")
    motors.until(lambda: abs(np.degrees(motors.column("q")[ELBOW]) - goal + 10.0) < 0.3)
    assert motors.column("mode")[ELBOW] == code("position")
    assert not motors.column("fault").any()


def test_streaming_sliders_drive_only_if_allowed(motors):
    """Every streamed mode, by its slider."""
    slider = motors.page.get_by_label(f"Target of joint {ELBOW}", exact=True)
    allowed = motors.page.get_by_label("Streaming sliders")
    enter(motors, ELBOW, "position direct")
    motors.until(slider.is_disabled)
    allowed.check()
    motors.until(slider.is_enabled)
    there = motors.column("q")[ELBOW] + np.radians(4.0)
    slider.fill(f"{there:.4f}")
    motors.until(lambda: abs(motors.column("q")[ELBOW] - there) < 2e-3)

    enter(motors, ELBOW, "velocity")
    slider.fill(f"{np.radians(6.0):.4f}")
    motors.until(lambda: abs(np.degrees(motors.column("qd")[ELBOW]) - 6.0) < 1.0)
    allowed.uncheck()
    motors.until(lambda: abs(motors.column("qd")[ELBOW]) < 1e-3)
    assert motors.column("mode")[ELBOW] == code("velocity")

    for title, value, torque in (("torque", 1.5, 1.5), ("open loop", 0.02, None)):
        allowed.check()
        enter(motors, ELBOW, title)
        before = motors.column("q")[ELBOW]
        slider.fill(str(value))
        motors.until(lambda q=before: motors.column("q")[ELBOW] > q + 0.01)
        if torque:
            assert motors.column("tau_board")[ELBOW] == pytest.approx(torque, abs=0.1)
        # such a joint would fault without its stream, so the page makes it idle
        allowed.uncheck()
        motors.until(lambda: motors.column("mode")[ELBOW] == code("idle"))
        motors.until(lambda: abs(motors.column("qd")[ELBOW]) < 1e-3)
    assert not motors.column("fault").any()


@pytest.mark.long
def test_home_and_calibration(motors):
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    home = load_arm("panda").home
    for joint in (0, ELBOW):
        motors.fill(f"Target value of joint {joint}", f"{np.degrees(home[joint]) + 6.0:.3f}")
    motors.until(lambda: (motors.column("q") - home)[[0, ELBOW]].min() > np.radians(5.7))
    motors.press("Home", card(motors, ELBOW))
    motors.until(lambda: abs(motors.column("q")[ELBOW] - home[ELBOW]) < 2e-3)
    assert motors.column("q")[0] - home[0] > np.radians(5.0)
    motors.press("Home all")
    motors.until(lambda: np.abs(motors.column("q") - home).max() < 2e-3)

    # calibration needs an idle joint, and a confirmation
    motors.press("Idle", card(motors, ELBOW))
    motors.until(lambda: motors.column("mode")[ELBOW] == code("idle"))
    counted = motors.column("calibrate_seq")[ELBOW]
    motors.page.once("dialog", lambda dialog: dialog.dismiss())
    motors.press("Calib", card(motors, ELBOW))
    k = motors.number("k")
    motors.until(lambda: motors.number("k") > k + 200)
    assert motors.column("calibrate_seq")[ELBOW] == counted
    seen = motors.modes_of(ELBOW)
    motors.page.once("dialog", lambda dialog: dialog.accept())
    motors.press("Calib", card(motors, ELBOW))
    motors.until(lambda: motors.column("calibrate_seq")[ELBOW] == counted + 1)
    motors.until(lambda: {"CALIBRATING", "CALIBRATION_DONE", "IDLE"} <= seen())
    motors.until(lambda: motors.column("mode")[ELBOW] == code("idle"))


def test_a_fault_is_shown_and_cleared_by_force_idle(motors):
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    fault = joints.ReportedMode.HARDWARE_FAULT.value
    inject(motors, "over_torque")
    motors.until(lambda: motors.column("mode")[ELBOW] == fault)
    banner = card(motors, ELBOW).get_by_role("alert")
    motors.until(lambda: "too much torque" in banner.inner_text().lower())
    motors.sees("state", "Fault")
    # the bar shows it on every tab
    motors.sees("why", "too much torque")
    select(motors, ELBOW, "position")
    motors.until(lambda: "bad" in (motors.page.locator(".toast").get_attribute("class") or ""))
    assert motors.column("mode")[ELBOW] == fault

    inject(motors, "none")
    motors.press("Force idle", card(motors, ELBOW))
    motors.until(lambda: motors.column("mode")[ELBOW] == code("idle"))
    motors.until(lambda: not banner.is_visible())
    motors.sees("state", "Holding")


def inject(operator, fault):
    """Inject a fault into the elbow, or remove its cause."""
    form = operator.open("inject")
    form.get_by_label("joints").fill(str(ELBOW))
    form.get_by_label("faults").fill(fault)
    form.get_by_role("button", name="Send").click()


def test_a_sequence_is_saved_reopened_and_cycled(motors, tmp_path):
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    motors.open("sequence")
    home = motors.column("q")
    for _ in range(2):
        motors.press("Add where it is")
    there = np.degrees(home[ELBOW]) + 8.0
    motors.fill(f"step 2 joint {ELBOW}", f"{there:.2f}")
    for step in (1, 2):
        motors.fill(f"step {step} speed", 10)
    with motors.page.expect_download() as saved:
        motors.press("Save")
    path = tmp_path / "sequence.yaml"
    saved.value.save_as(path)
    book = yaml.safe_load(path.read_text())
    (steps,) = book["sequences"].values()
    assert [step["speed"] for step in steps] == [10, 10]
    assert book["unit"] == "deg"
    saved_at = book["postures"][steps[1]["posture"]]
    assert saved_at[ELBOW] == pytest.approx(there, abs=0.01)

    motors.press("Remove step 1")
    motors.press("Remove step 1")
    motors.page.get_by_label("Open sequence").set_input_files(path)
    motors.until(lambda: motors.page.get_by_label(f"step 2 joint {ELBOW}").count() == 1)
    motors.press("Cycle")
    for goal in (there, np.degrees(home[ELBOW]), there):
        motors.until(lambda g=goal: abs(np.degrees(motors.column("q")[ELBOW]) - g) < 0.5)
    motors.press("Stop", motors.page.locator("#section-sequence"))
    motors.until(lambda: np.abs(motors.column("qd")).max() < 1e-2)


@pytest.mark.long
def test_a_timed_sequence_keeps_its_durations(motors):
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    motors.open("sequence")
    home = motors.column("q")
    for _ in range(2):
        motors.press("Add where it is")
    there = np.degrees(home[ELBOW]) + 4.0
    motors.fill(f"step 1 joint {ELBOW}", f"{there:.2f}")
    # typed key by key into an empty field
    motors.page.get_by_label("step 1 speed", exact=True).press_sequentially("12")
    motors.page.keyboard.press("Enter")
    motors.press("Timed")
    motors.sees("message", "every step needs a duration")
    motors.fill("step 1 duration", 1.5)
    motors.fill("step 2 duration", 1)
    said = motors.lines()
    motors.press("Timed")
    moves = motors.until(lambda: len(found := said("POSITION_MOVE")) == 2 and found)
    motors.until(lambda: abs(motors.column("q")[ELBOW] - home[ELBOW]) < 1e-3)
    stop = motors.page.locator("#section-sequence").get_by_role("button", name="Stop")
    motors.until(stop.is_disabled)
    # by the arm's clock; the joints arrive just when the second step begins
    waited = (moves[1].tick - moves[0].tick) * motors.number("dt")
    assert 1.5 <= waited < 2.5
    assert len(said("POSITION_MOVE")) == 2, "once, not in a cycle"
