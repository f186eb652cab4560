"""The surface under a sliding tool: a known shape is found, and what is no shape is not."""

import numpy as np
import pytest

from pliant.tasks.surface_estimate import SurfaceEstimate

UP, ALONG = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
STIFFNESS = 1e4


def slide_over(height, force, ways, sideways=0.0) -> SurfaceEstimate:
    """Tell an estimate of a tool on a surface of some height that presses with some force."""
    surface = SurfaceEstimate(UP, ALONG, STIFFNESS)
    for s in ways:
        f = np.array([sideways, -0.3 * force(s), force(s)])
        # the surface gives way to the force on it
        on_surface = np.array([0.0, s, height(s)])
        surface.add(on_surface - f / STIFFNESS, f)
    return surface


@pytest.mark.parametrize("radius", [0.2, -0.3, 1.0, np.inf])
@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_slope_and_curvature_are_found_and_read_ahead(radius, slope):
    surface = slide_over(
        lambda s: slope * s - 0.5 * s * s / radius, lambda s: 5.0, np.arange(0.0, 0.04, 1e-4)
    )
    assert surface.way == pytest.approx(0.0399, abs=1e-4)
    ahead = surface.way + 0.002
    assert surface.slope(ahead) == pytest.approx(slope - ahead / radius, abs=3e-3)
    assert abs(surface.normal(ahead) @ surface.tangent(ahead)) < 1e-12


def test_a_force_that_changes_is_no_slope():
    surface = slide_over(
        lambda s: 0.0, lambda s: 5.0 + np.sin(s / 0.001), np.arange(0.0, 0.03, 1e-4)
    )
    # only the part that is taken for surely there more than once
    assert abs(surface.slope(surface.way)) < 0.02


def test_a_tool_that_sticks_stands_still_on_the_surface():
    surface = SurfaceEstimate(UP, ALONG, STIFFNESS)
    for x in np.linspace(0.0, 4e-4, 50):
        # dragged along, it feels what the surface gives way
        surface.add(np.array([0.0, x, 0.0]), np.array([0.0, -STIFFNESS * x, 5.0]))
    assert surface.way < 1e-9
    assert surface.slope(0.0) == 0.0


def test_the_force_shows_the_slope_across_whatever_the_friction():
    tilt = 0.2
    surface = SurfaceEstimate(UP, ALONG, STIFFNESS)
    normal = np.array([-tilt, 0.0, 1.0]) / np.hypot(1.0, tilt)
    for s in np.arange(0.0, 0.03, 1e-4):
        surface.add(np.array([0.0, s, 0.0]), 5.0 * normal - 1.5 * ALONG)
    np.testing.assert_allclose(surface.normal(surface.way), normal, atol=0.01)


def test_another_direction_starts_from_what_is_known():
    surface = slide_over(lambda s: 0.2 * s, lambda s: 5.0, np.arange(0.0, 0.03, 1e-4))
    aside = SurfaceEstimate(UP, np.array([1.0, 0.0, 0.0]), STIFFNESS)
    aside.take_over(surface)
    np.testing.assert_allclose(
        aside.normal(0.0), surface.normal(surface.way), atol=1e-9, err_msg="the same surface"
    )
