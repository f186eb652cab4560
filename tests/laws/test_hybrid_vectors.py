"""The law against recorded inputs and outputs of force_control_demo, a C++ controller."""

from pathlib import Path

import numpy as np
import pytest

from pliant.laws import HybridAdmittance
from pliant.laws.hybrid_admittance import preset

VECTORS = Path(__file__).parent / "hybrid_vectors"


def replay(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Poses that the law commands for a file of inputs, and those of force_control_demo."""
    law = HybridAdmittance("force_control_demo")
    pose = reference = wrench = axes = None
    commanded = []
    for line in (VECTORS / f"{name}.txt").read_text().splitlines():
        word, *rest = line.split() or ["#"]
        if word == "#":
            continue
        values = np.array(rest, dtype=float)
        if word == "INIT":
            pose = reference = values
        elif word == "AXIS":
            axes = values
        elif word == "WRENCH":
            # the target of force_control_demo is the wrench that the tool applies
            wrench = -values
        elif word == "REF":
            reference = values
        elif word == "STIFF":
            law.configure(law.config.model_copy(update={"stiffness": tuple(values)}))
        elif word == "DAMP":
            law.configure(law.config.model_copy(update={"damping": tuple(values)}))
        else:
            feedback, sensed = (pose, values) if word == "STEPF" else (values[:7], values[7:])
            pose = law.step(feedback, sensed, reference=reference, desired=wrench, axes=axes)
            commanded.append(pose)
    expected = np.loadtxt(VECTORS / f"{name}.default.out")[:, 2:]
    return np.array(commanded), expected


@pytest.mark.parametrize("name", ["ex1_all6", "ex3_openloop"])
def test_reproduces_the_original(name):
    commanded, expected = replay(name)
    assert len(commanded) == len(expected)
    same_sign = np.sign(np.sum(commanded[:, 3:] * expected[:, 3:], axis=1))
    expected[:, 3:] *= same_sign[:, None]
    assert np.abs(commanded - expected).max() < 1e-6


def test_preset_is_the_documented_one():
    gains = preset("force_control_demo")
    assert gains.stiffness == (100.0,) * 3 + (1.0,) * 3
    assert gains.total_damping == (2.0,) * 3 + (0.2,) * 3
    assert gains.inertia == (5.0,) * 3 + (0.005,) * 3
