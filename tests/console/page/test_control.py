"""The Control tab in a browser, from start to stop; the results are read from the ticks."""

import csv
import re

import numpy as np
import pytest
from playwright.sync_api import Error as PlaywrightError
from scipy.spatial.transform import Rotation

from pliant.laws.hybrid_admittance import PRESETS
from pliant.reasons import State
from pliant.sim.scenes.peg import PegScene
from tests.virtual_arms import TooBusyError, is_busy, with_virtual_arm


def rotation(pose):
    """The rotation of a pose x y z qw qx qy qz."""
    return Rotation.from_quat(np.roll(pose[3:], -1))


def fill_six(operator, of, names, values):
    for name, value in zip(names, values, strict=True):
        operator.fill(f"{of} {name}", value)


DELTA = ("dx", "dy", "dz", "rx", "ry", "rz")
POSE = ("x", "y", "z", "rx", "ry", "rz")


def test_commands_reach_the_arm_as_entered(operator):
    operator.sees("state", "Not started")
    operator.start()
    assert operator.number("state") == State.ACTIVE

    # frames, and the warning about a rare combination
    warning = operator.page.get_by_test_id("frame-warning")
    operator.choose("Wrench frame", "World")
    assert not warning.is_visible()
    operator.choose("Position frame", "Tool")
    operator.until(lambda: "rarely what you want" in warning.inner_text())
    operator.choose("Position frame", "World")

    # a wrench in world axes, and one beyond the limits, which is clamped
    operator.fill("Fx", 2)
    operator.press("Send wrench")
    operator.until(lambda: operator.column("w_target")[0] == 2.0)
    assert operator.number("w_target_frame") == 1
    operator.choose("Wrench frame", "Tool")
    operator.fill("Fx", 0)
    operator.fill("Fz", -50)
    operator.press("Send wrench")
    operator.until(lambda: operator.column("w_target")[2] == -20.0)
    assert operator.number("w_target_frame") == 0
    field = operator.page.get_by_label("Fz", exact=True)
    operator.until(lambda: field.input_value() == "-20")
    operator.until(lambda: "clamped" in (field.get_attribute("class") or ""))
    operator.until(operator.page.get_by_test_id("clamped").is_visible)
    operator.press("Zero", operator.page.locator("#section-wrench"))
    operator.until(lambda: not operator.column("w_target").any())

    # the page shows the force-controlled axes of the tick
    operator.sees("axes-now", "all rigid")
    for axis in ("x", "rz"):
        operator.page.get_by_label(f"force-controlled {axis}", exact=True).check()
    assert operator.number("n_af") == 0
    operator.press("Send axes")
    operator.until(lambda: operator.number("n_af") == 2)
    assert np.abs(operator.column("Tr")[:2]).sum(axis=0).tolist() == [1, 0, 0, 0, 0, 1]
    operator.sees("axes-now", "by force: x rz")
    operator.press("none")
    operator.press("Send axes")
    operator.until(lambda: operator.number("n_af") == 0)


@pytest.mark.long
def test_poses_are_correct_in_both_frames(operator):
    operator.start()
    for frame in ("World", "Tool"):
        operator.choose("Position frame", frame)
        move_by(operator, frame)
    operator.press("Hold")

    # absolute poses are in world axes
    operator.choose("Pose mode", "Absolute")
    pose = [0.45, 0.1, 0.2, 170, 15, -25]
    fill_six(operator, "pose", POSE, pose)
    operator.press("Move to")
    operator.until(lambda: abs(operator.column("X_WR_target")[2] - 0.2) < 1e-9)
    after = operator.column("X_WR_target")
    np.testing.assert_allclose(after[:3], pose[:3], atol=1e-9)
    expected = Rotation.from_euler("xyz", pose[3:], degrees=True)
    assert (rotation(after) * expected.inv()).magnitude() < 1e-9


def move_by(operator, frame):
    """Enter deltas in a frame one after the other, and check the reference of the arm."""
    deltas = ([0.01, -0.02, 0.015, 10, -20, 30], [0, 0, 0.01, 0, 0, 400], [0, 0, 0, 30, 89.9, -40])
    for values in deltas:
        before = operator.column("X_WR_target")
        fill_six(operator, "delta", DELTA, values)
        warning = operator.page.get_by_test_id("turn-warning")
        clipped = np.clip(values[3:], -360, 360)
        turn = Rotation.from_euler("xyz", clipped, degrees=True)
        large = max(np.degrees(turn.magnitude()), np.abs(clipped).max()) > 45
        operator.until(lambda shown=warning, expected=large: shown.is_visible() == expected)
        operator.press("Move by")
        operator.until(lambda old=before: (operator.column("X_WR_target") != old).any())
        after = operator.column("X_WR_target")
        R = rotation(before)
        step = R.apply(values[:3]) if frame == "Tool" else np.array(values[:3])
        expected = R * turn if frame == "Tool" else turn * R
        np.testing.assert_allclose(after[:3], before[:3] + step, atol=1e-9)
        assert (rotation(after) * expected.inv()).magnitude() < 1e-9


def test_parameters_are_live_and_refusals_change_nothing(operator):
    operator.start()
    law = "laws.hybrid_admittance"
    operator.open("advanced")
    operator.fill(f"{law}.stiffness x", 250)
    operator.sees("message", "stiffness")
    row = operator.page.locator(f'[data-path="{law}.stiffness"] input').first
    operator.until(lambda: row.input_value() == "250")

    # the controller's own values, through its socket
    ask = operator.page.request.get
    address = operator.page.url
    stiffness = ask(f"{address}api/config").json()["laws"]["hybrid_admittance"]["stiffness"]
    assert stiffness == [250, 0, 0, 0, 0, 0]

    operator.fill(f"{law}.inertia x", -1)
    operator.until(lambda: "bad" in (operator.page.locator(".toast").get_attribute("class") or ""))
    inertia = operator.page.locator(f'[data-path="{law}.inertia"] input').first
    operator.until(lambda: inertia.input_value() == "10")

    operator.press("stiff surface")
    expected = f"{PRESETS['stiff_surface'].damping[0]:g}"
    damping = operator.page.locator(f'[data-path="{law}.damping"] input').first
    operator.until(lambda: damping.input_value() == expected)

    # a smaller limit clamps at once
    operator.fill("supervisor.wrench_limit z", 4)
    limit = operator.page.locator('[data-path="supervisor.wrench_limit"] input').nth(2)
    operator.until(lambda: limit.input_value() == "4")
    operator.fill("Fz", -9)
    operator.press("Send wrench")
    operator.until(lambda: operator.column("w_target")[2] == -4.0)


def refuse_busy(operator):
    """Begin anew if the machine has ended the controller."""
    if is_busy(operator.shown("why")):
        raise TooBusyError


def is_done(operator, tour):
    """Whether a step is done; one that ran out of time on a busy machine is done again."""
    refuse_busy(operator)
    state = operator.shown("tour-state")
    do_it = tour.get_by_role("button", name="Do it", exact=True)
    if state == "to do" and do_it.is_enabled():
        do_it.click()
    return state == "done"


def take_tour(operator, force):
    """Take all steps of the tour.

    Args:
        operator: Of a console with an arm above a hole.
        force: The force on the fixture, N, upwards.
    """
    operator.press("Tour")
    tour = operator.page.get_by_role("dialog")
    depth = 0.0
    for step in range(1, 10):
        tour.get_by_text(f"Step {step} of 9").wait_for()
        operator.press("Do it", tour)
        operator.until(lambda: is_done(operator, tour), longest=300.0)
        if step == 5:
            operator.until(lambda: refuse_busy(operator) or abs(force() + 3.0) < 0.7)
        if step == 7:
            depth = 0.1 - operator.column("X_WT")[2]
        if step == 8:
            assert operator.number("n_af") == 0
        operator.press("Next" if step < 9 else "Finish", tour)
    assert depth > 0.95 * 0.025, f"the peg is {1e3 * depth:.1f} mm deep"
    operator.sees("state", "Stopped")
    operator.sees("why", "stopped as asked")


@pytest.mark.long
def test_nine_steps_to_the_seated_peg(operator):
    take_tour(operator, lambda: operator.column("true_f_fixture_W")[2])


@pytest.mark.long
@pytest.mark.alone
def test_nine_steps_to_the_seated_peg_of_a_ur(console, visit):
    hole = PegScene().nominal()
    drawing = f"ur: {{drawing: {{X_WH: {list(hole.X_WH)}, hole_depth: {hole.hole_depth}, "
    drawing += f"peg_radius: {hole.peg_radius}}}}}\n"

    def guided(arm):
        served = console("--robot", f"ur:{arm.host}", settings=drawing)
        operator = visit(served)
        try:
            # only then the page has the drawing
            operator.start()
            take_tour(operator, lambda: arm.truth()["fixture"][2])
        except (PlaywrightError, AssertionError, OSError):
            # the page learns of the end of a controller later than its ring
            operator.page.wait_for_timeout(5000)
            if is_busy(operator.shown("why")):
                raise TooBusyError from None
            raise
        finally:
            # what is left of an attempt would keep the machine busy
            operator.page.context.close()
            served.close()
        assert operator.errors == []

    with_virtual_arm(guided, "ur5e/peg")


def test_pulling_the_tool_moves_a_compliant_arm(operator):
    operator.start()
    operator.press("x y z")
    operator.press("Send axes")
    operator.until(lambda: operator.number("n_af") == 3)
    operator.press("Tool", operator.page.get_by_test_id("view3d"))
    canvas = operator.page.get_by_test_id("view3d").locator("canvas")
    canvas.wait_for()
    box = canvas.bounding_box()
    assert box
    # the close-up has the tool in its centre
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = operator.column("X_WT")[:3]
    mouse = operator.page.mouse

    def pulls():
        """Take the tool and pull; the close-up may not be there yet."""
        mouse.up()
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 60, y - 90, steps=4)
        operator.page.wait_for_timeout(500)
        return np.abs(operator.column("w_T")[:3]).max() > 2.0

    operator.until(pulls)
    operator.until(lambda: operator.column("X_WT")[2] > before[2] + 0.005)
    mouse.up()
    operator.until(lambda: np.abs(operator.column("w_T")[:3]).max() < 1.0)
    assert operator.number("state") == State.ACTIVE


@pytest.mark.long
def test_plots_read_zoom_pause_and_save(operator, tmp_path):
    operator.start()
    operator.page.get_by_label("6 axes").check()
    plots = operator.page.locator(".chart canvas")
    operator.until(lambda: plots.count() == 6)
    operator.until(lambda: operator.page.evaluate("pliantStats.ticks") > 1500)

    reading = operator.page.locator(".chart .readout .desired").nth(2)
    operator.press("Pause")
    operator.page.get_by_label("force-controlled z", exact=True).check()
    operator.press("Send axes")
    operator.fill("Fz", -2)
    operator.press("Send wrench")
    operator.until(lambda: operator.column("w_desired_T")[2] == -2.0)
    assert reading.inner_text() == "0.00"

    box = operator.page.locator(".u-over").nth(2).bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    operator.page.mouse.move(box["x"] + 0.7 * box["width"], middle)
    operator.page.mouse.down()
    operator.page.mouse.move(box["x"] + 0.9 * box["width"], middle, steps=3)
    operator.page.mouse.up()

    with operator.page.expect_download() as table:
        operator.press("CSV")
    table.value.save_as(tmp_path / "shown.csv")
    rows = list(csv.DictReader((tmp_path / "shown.csv").open()))
    times = np.array([float(row["time_s"]) for row in rows])
    assert list(rows[0])[:4] == ["time_s", "Fx_s", "Fy_s", "Fz_s"]
    assert times[-1] - times[0] == pytest.approx(2.0, abs=0.3), "a fifth of the ten seconds shown"
    np.testing.assert_allclose(np.diff(times), 0.002, atol=1e-6)

    with operator.page.expect_download() as picture:
        operator.press("PNG")
    picture.value.save_as(tmp_path / "shown.png")
    assert (tmp_path / "shown.png").read_bytes()[:4] == b"\x89PNG"
    operator.press("Back to now")
    operator.until(lambda: reading.inner_text() == "−2.00")


SEED_COLUMNS = [
    "epoch_s",
    *(f"{axis}_{kind}" for kind in "sd" for axis in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")),
    *(f"{of}_{axis}" for of in ("tcp", "ref") for axis in ("x", "y", "z", "rx", "ry", "rz")),
    *(f"q{j}" for j in range(6)),
    *(f"T{j}" for j in range(6)),
]


@pytest.mark.long
def test_a_run_is_logged_with_the_documented_columns(operator, tmp_path):
    operator.start()
    panel = operator.open("logging")
    operator.fill("File name", "run")
    operator.press("Record", panel)
    panel.get_by_text(re.compile(r"run\.csv · [1-9]")).wait_for()
    operator.press("z")
    operator.press("Send axes")
    operator.fill("Fz", -3)
    operator.press("Send wrench")
    operator.until(lambda: operator.column("w_desired_T")[2] == -3.0)
    operator.page.wait_for_timeout(500)
    operator.press("Stop recording", panel)
    with operator.page.expect_download() as saved:
        operator.page.get_by_test_id("recordings").get_by_role("link", name="Download").click()
    saved.value.save_as(tmp_path / "run.csv")
    rows = list(csv.DictReader((tmp_path / "run.csv").open()))
    assert list(rows[0]) == SEED_COLUMNS
    desired = [float(row["Fz_d"]) for row in rows]
    assert min(desired) == pytest.approx(-3.0) and max(desired) == 0.0

    # a recording with every column of every tick, and its plot
    operator.choose("Format", "MCAP")
    operator.press("Record", panel)
    panel.get_by_text(re.compile(r"run\.mcap · [1-9]")).wait_for()
    operator.page.wait_for_timeout(1500)
    operator.press("Stop recording", panel)
    operator.press("Plot", panel)
    picture = panel.get_by_role("img")
    operator.until(lambda: picture.evaluate("image => image.naturalWidth") > 100)


@pytest.mark.long
def test_temperatures_replace_the_view_of_the_arm(operator):
    operator.start()
    operator.page.get_by_label("Joint temperatures").check()
    bars = operator.page.get_by_test_id("temperatures")
    measured = operator.column("temperature")
    readings = bars.locator(".reading").all_inner_texts()
    assert [float(text.removesuffix(" °C")) for text in readings] == pytest.approx(
        measured, abs=0.2
    )
    assert not operator.page.get_by_test_id("view3d").is_visible()
    assert bars.get_by_role("alert").count() == 0
