"""Margins of a configuration, and the guard that checks them."""

import json
import re

import pytest

from pliant import Arm, Config, Refused
from pliant.arms.tool import Tool
from pliant.arms.ur5e import DESCRIPTION as UR5E
from pliant.errors import ConfigError
from pliant.stability import Contact, ContactGuard, margins

GUARD = ContactGuard(UR5E, Tool(), 0.002)
LIGHT_GAINS = {"laws": {"hybrid_admittance": {"damping": (50.0, 20.0), "inertia": (2.0, 0.25)}}}


def expecting(stiffness: float, strict: bool = False, **values) -> Config:
    contact = {"surface_stiffness": stiffness, "refuse_unstable": strict}
    return Config.from_dict({"contact": contact | values})


def test_the_margins_of_all_axes_convert_to_json():
    axes = margins(expecting(1e4), UR5E, 0.002)
    assert [axis.axis for axis in axes] == ["x", "y", "z", "rx", "ry", "rz"]
    assert all(axis.expected is Contact.WELL_DAMPED for axis in axes[:3])
    assert all(axis.expected is None for axis in axes[3:])
    assert all(0.0 < axis.well_damped < axis.stable for axis in axes)
    assert json.loads(json.dumps(axes[0].as_dict()))["expected"] == "well damped"


def test_the_required_gains_are_well_damped():
    z = margins(expecting(1e5), UR5E, 0.002)[2]
    assert z.expected is not Contact.WELL_DAMPED
    assert z.damping_needed
    assert z.inertia_needed
    law = {"damping": (z.damping_needed, 20.0), "inertia": (z.inertia_needed, 0.25)}
    better = Config.from_dict(
        {"contact": {"surface_stiffness": 1e5}, "laws": {"hybrid_admittance": law}}
    )
    assert margins(better, UR5E, 0.002)[2].expected is Contact.WELL_DAMPED


def test_a_longer_identified_lag_lowers_the_margin():
    slow = expecting(1e4, dead_time=0.03, time_constant=0.06)
    z, default = margins(slow, UR5E, 0.002)[2], margins(expecting(1e4), UR5E, 0.002)[2]
    assert z.stable < 0.5 * default.stable


def test_the_guard_warns_about_an_expected_surface():
    light = Config.from_dict(LIGHT_GAINS)
    assert GUARD(expecting(1e4, strict=True)) == ""
    warning = GUARD(light.replace("contact.surface_stiffness", 1e4))
    assert "unstable on the expected surface of 10 N/mm with 34 ms of lag" in warning
    assert re.search(r"; use damping \d+ and inertia [\d.]+$", warning)
    with pytest.raises(ConfigError, match="along x, y, z would be unstable"):
        GUARD(Config.from_dict(LIGHT_GAINS | {"contact": expecting(1e4, True).contact}))


def test_without_an_expected_surface_it_tells_of_a_usual_one_and_refuses_nothing():
    light = Config.from_dict(LIGHT_GAINS | {"contact": {"refuse_unstable": True}})
    told = GUARD(light)
    assert "unstable on a surface of 10 N/mm with 34 ms of lag, damping 50 and inertia 2" in told
    assert "damping 680 is enough; contact.surface_stiffness says how stiff yours is" in told
    enough = light.replace("laws.hybrid_admittance.damping", (680.0, 20.0))
    assert GUARD(enough) == GUARD(Config()) == ""
    # what it calls enough is well damped, whatever the inertia of the default gains
    for inertia in (2.0, 8.0):
        law = {"damping": (680.0, 20.0), "inertia": (inertia, 0.25)}
        config = Config.from_dict(
            {"contact": {"surface_stiffness": 1e4}, "laws": {"hybrid_admittance": law}}
        )
        assert margins(config, UR5E, 0.002)[2].expected is Contact.WELL_DAMPED


def test_a_running_arm_refuses_unstable_gains_if_configured():
    arm = Arm("sim:ur5e", config=expecting(1e4, strict=True))
    with pytest.raises(Refused, match="would be unstable"):
        arm.use_preset("light")
    with pytest.raises(Refused, match="would be unstable"):
        arm.set("contact.surface_stiffness", 1e7)
    assert arm.get("laws.hybrid_admittance.damping")[0] == 800.0
    arm.set("contact.refuse_unstable", False)
    arm.use_preset("light")
    assert arm.get("laws.hybrid_admittance.damping")[0] == 50.0


def test_an_arm_refuses_to_start_with_unstable_gains_if_configured():
    config = LIGHT_GAINS | {"contact": {"surface_stiffness": 1e4, "refuse_unstable": True}}
    with pytest.raises(ConfigError, match="would be unstable"):
        Arm("sim:ur5e", config=config)
