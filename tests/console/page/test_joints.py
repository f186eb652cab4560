"""The motor page in a browser: modes, interaction, faults, sequences, as the ticks tell."""

import numpy as np
import pytest
import yaml

from pliant import commands, joints

pytestmark = pytest.mark.skipif(
    not any(kind.word == "MODE" for kind in commands.COMMANDS), reason="no joint board here"
)

MODES = ("position", "position direct", "velocity", "mixed", "torque", "open loop", "idle")
ELBOW = 3


def code(title):
    """The number of a mode in the tick."""
    return joints.JointMode[title.upper().replace(" ", "_")].value


@pytest.fixture
def motors(console, visit):
    """The motor page of a torque arm that rests without a law."""
    operator = visit(console("--robot", "sim:panda"))
    operator.start()
    operator.tab("Joints")
    operator.press("End law")
    operator.until(lambda: operator.number("law") == -1 and operator.number("state") == 0)
    yield operator
    assert operator.errors == []


def card(operator, joint):
    return operator.page.locator(f'[data-joint="{joint}"]')


def select(operator, joint, title):
    operator.page.get_by_label(f"Mode of joint {joint}", exact=True).select_option(label=title)


def test_every_mode_stiff_and_compliant(motors):
    elbow = card(motors, ELBOW)
    for interaction in ("stiff", "compliant"):
        label = "compl." if interaction == "compliant" else "stiff"
        elbow.get_by_role("radio", name=label).click()
        wanted = int(interaction == "compliant")
        motors.until(lambda w=wanted: motors.column("interaction")[ELBOW] == w)
        for title in MODES:
            select(motors, ELBOW, title)
            motors.until(lambda t=title: motors.column("mode")[ELBOW] == code(t))
            name = title.replace(" ", "_")
            motors.until(lambda n=name: elbow.get_attribute("data-mode") == n)
            assert (np.delete(motors.column("mode"), ELBOW) == code("idle")).all()
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    motors.press("All stiff")
    motors.until(lambda: not motors.column("interaction").any())
    motors.press("Idle all")
    motors.until(lambda: (motors.column("mode") == code("idle")).all())


def test_targets_speeds_and_streams(motors):
    motors.press("Run", card(motors, ELBOW))
    motors.until(lambda: motors.column("mode")[ELBOW] == code("position"))
    goal = np.degrees(motors.column("q")[ELBOW]) + 10.0
    motors.fill(f"Target value of joint {ELBOW}", f"{goal:.3f}")
    motors.until(lambda: abs(np.degrees(motors.column("q")[ELBOW]) - goal) < 0.3)

    # the streamed modes are driven only if allowed
    select(motors, ELBOW, "velocity")
    motors.until(lambda: motors.column("mode")[ELBOW] == code("velocity"))
    value = motors.page.get_by_label(f"Target value of joint {ELBOW}", exact=True)
    motors.until(value.is_disabled)
    motors.page.get_by_label("Streaming sliders").check()
    motors.until(value.is_enabled)
    motors.fill(f"Target value of joint {ELBOW}", 6)
    motors.until(lambda: abs(np.degrees(motors.column("qd")[ELBOW]) - 6.0) < 1.0)
    motors.page.get_by_label("Streaming sliders").uncheck()
    motors.until(lambda: abs(motors.column("qd")[ELBOW]) < 1e-3)
    assert motors.column("mode")[ELBOW] == code("velocity")


def test_a_fault_is_told_and_cleared_by_force_idle(motors):
    motors.press("Run all")
    motors.until(lambda: (motors.column("mode") == code("position")).all())
    fault = joints.ReportedMode.HARDWARE_FAULT.value
    inject(motors, "over_torque")
    motors.until(lambda: motors.column("mode")[ELBOW] == fault)
    banner = card(motors, ELBOW).get_by_role("alert")
    motors.until(lambda: "too much torque" in banner.inner_text().lower())
    select(motors, ELBOW, "position")
    motors.until(lambda: "bad" in (motors.page.locator(".toast").get_attribute("class") or ""))
    assert motors.column("mode")[ELBOW] == fault

    inject(motors, "none")
    motors.press("Force idle", card(motors, ELBOW))
    motors.until(lambda: motors.column("mode")[ELBOW] == code("idle"))
    motors.until(lambda: not banner.is_visible())


def inject(operator, fault):
    """Pretend a fault of the elbow, or that its cause is gone."""
    form = operator.open("pretend")
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
