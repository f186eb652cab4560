"""The face and the hole that a scan felt, from heights of known places."""

import numpy as np
import pytest

from pliant.tasks.insertion.leaning_peg import LeaningPeg, across, direction
from pliant.tasks.insertion.rim_scan import Scan

ANGLES = np.linspace(0.0, 2.0 * np.pi, 600)


def scan(dip_at: float, depth: float, slope: float = 5e-4) -> Scan:
    face = 1e-3 + slope * np.cos(ANGLES - 1.0)
    away = (ANGLES - dip_at + np.pi) % (2.0 * np.pi) - np.pi
    heights = face - depth * np.exp(-((away / 0.25) ** 2))
    noise = np.random.default_rng(1).normal(scale=1e-5, size=len(ANGLES))
    return Scan(angles=ANGLES, heights=heights + noise)


@pytest.mark.parametrize("depth", [3e-4, 1e-3, 3e-3])
@pytest.mark.parametrize("dip_at", [1.0, 3.0, 5.0])
def test_the_dip_is_found_on_a_face_that_slopes(dip_at, depth):
    felt = scan(dip_at, depth)
    plane = felt.plane()
    angle, deep = felt.dip(plane)
    assert angle == pytest.approx(dip_at, abs=0.05)
    assert deep == pytest.approx(depth, rel=0.15)
    opposite = dip_at + np.pi
    assert plane.height(opposite) == pytest.approx(1e-3 + 5e-4 * np.cos(opposite - 1.0), abs=3e-5)


def test_a_face_without_a_hole_has_no_dip():
    felt = scan(0.0, 0.0)
    assert felt.dip(felt.plane())[1] < 1e-4


@pytest.mark.parametrize("angle", np.linspace(0.0, 6.0, 7))
def test_the_edge_of_a_leaning_peg_is_its_lowest_point(angle):
    """Judged by the orientation itself: every point of the tip's circle, turned."""
    peg = LeaningPeg(radius=0.01, lean=0.2)
    w, *v = peg.orientation(angle)
    v = np.array(v)
    circle = [0.01 * np.array([np.cos(a), np.sin(a), 0.0]) for a in ANGLES]
    turned = [p + 2.0 * np.cross(v, np.cross(v, p) + w * p) for p in circle]
    lowest = min(turned, key=lambda p: p[2])
    np.testing.assert_allclose(peg.edge(angle), lowest, atol=2e-4)
    assert peg.edge(angle) @ direction(angle) > 0.0
    assert peg.edge(angle) @ across(angle) == pytest.approx(0.0, abs=1e-12)


def test_precession_turns_the_peg_as_its_orientations_do():
    peg, step = LeaningPeg(radius=0.01, lean=0.2), 1e-6
    before, after = peg.orientation(0.7), peg.orientation(0.7 + step)
    w0, v0, w1, v1 = before[0], before[1:], after[0], after[1:]
    # twice the vector part of after·before⁻¹ is the rotation vector of a small turn
    turn = 2.0 * (w0 * v1 - w1 * v0 - np.cross(v1, v0))
    np.testing.assert_allclose(peg.turning(0.7, 1.0), turn / step, atol=1e-5)
