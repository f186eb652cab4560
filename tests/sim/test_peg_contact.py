"""The contact of peg and hole obeys physics: geometry, stiffness, friction, energy."""

from collections.abc import Callable
from dataclasses import dataclass

import mujoco
import numpy as np
import pytest

from pliant.sim.fixture import FIXTURE, Fixture
from pliant.sim.peg_contact import SLOTS
from pliant.sim.peg_shape import BLOCK, FACE, FLOOR, SIDE, PegShape, gap
from pliant.sim.scenes.peg import PegScene
from pliant.sim.tip_contact import Contact, NoContact
from pliant.sim.world import STEP

DOWN = (0.0, 1.0, 0.0, 0.0)
CENTRED = {"hole": (0.0, 0.0, 0.0), "offset": (0.0, 0.0)}
ANGLES = np.linspace(0.0, 2.0 * np.pi, 23)


@dataclass
class Rig:
    """A peg of 0.5 kg that forces can be applied to, pointing down into a hole at the origin."""

    model: mujoco.MjModel
    data: mujoco.MjData
    contact: Contact
    tip: int
    fixture: int

    def run(self, steps: int) -> np.ndarray:
        """Position of the tip, side force, and force on the fixture, after each step."""
        rows = np.empty((steps, 7))
        for row in rows:
            self.contact.before_step()
            mujoco.mj_step(self.model, self.data)
            mujoco.mj_rnePostConstraint(self.model, self.data)
            self.contact.after_step()
            row[:3] = self.data.xpos[self.tip]
            row[3] = self.contact.side[0]
            row[4:] = self.data.cfrc_ext[self.fixture, 3:]
        return rows


def rig(
    scene: PegScene,
    height: float,
    *,
    hinges: bool = False,
    damping: float = 20.0,
    hold: tuple[float, float] = (0.0, 0.0),
) -> Rig:
    """A peg on slides, and on hinges if it may tilt, held by springs (N/m, N·m/rad) if any."""
    spec, tip = stand(height, damping, hold, hinges=hinges)
    scene.build(spec, tip)
    return complete(spec, scene.contact)


def stand(
    height: float, damping: float, hold: tuple[float, float], *, hinges: bool
) -> tuple[mujoco.MjSpec, mujoco.MjsBody]:
    """A body that points down, without a shape."""
    spec = mujoco.MjSpec()
    spec.option.timestep, spec.option.gravity = STEP, [0.0, 0.0, 0.0]
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    tip = spec.worldbody.add_body(name="T", pos=[0.0, 0.0, height], quat=DOWN)
    tip.explicitinertial = True
    tip.mass, tip.inertia, tip.ipos = 0.5, [1e-3] * 3, [0.0, 0.0, 0.0]
    kinds = [(mujoco.mjtJoint.mjJNT_SLIDE, damping, hold[0])]
    if hinges:
        kinds.append((mujoco.mjtJoint.mjJNT_HINGE, 1e-3 * damping, hold[1]))
    for kind, d, k in kinds:
        for axis in np.eye(3):
            tip.add_joint(type=kind, axis=axis, damping=d, stiffness=k)
    return spec, tip


def complete(spec: mujoco.MjSpec, contact: Callable[..., Contact]) -> Rig:
    model = spec.compile()
    data = mujoco.MjData(model)
    tip = model.body("T").id
    made = contact(model, data, tip)
    mujoco.mj_forward(model, data)
    return Rig(model, data, made, tip, model.body(FIXTURE).id)


def shape(**changes: float) -> PegShape:
    sizes = {"radius": 0.01, "hole_radius": 0.0101, "depth": 0.025}
    sizes |= {"tip_rounding": 2e-4, "rim_rounding": 2e-4} | changes
    return PegShape(**sizes, p_TG=np.zeros(3), R_TG=np.eye(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("rounding", [2e-5, 2e-4, 1e-3])
def test_the_normal_is_the_gradient_of_the_gap(rounding: float) -> None:
    row = shape(tip_rounding=rounding, rim_rounding=rounding).row()
    rng = np.random.default_rng(3)
    normal, other, step = np.empty(3), np.empty(3), 1e-9
    for kind, sign in ((BLOCK, 1.0), (FLOOR, 1.0), (SIDE, -1.0), (FACE, -1.0)):
        for _ in range(300):
            angle, out, z = rng.uniform(0.0, 6.28), rng.uniform(-1, 1), rng.uniform(-1.0, 1.0)
            radius = (0.0101 if kind in (BLOCK, FLOOR) else 0.01) + 1.2e-3 * out
            x = np.array([radius * np.cos(angle), radius * np.sin(angle), 1.5e-3 * z])
            here = gap(kind, x, row, normal)
            if here < -rounding or here == 1.0:
                continue
            for i in range(3):
                ahead = gap(kind, x + step * np.eye(3)[i], row, other)
                back = gap(kind, x - step * np.eye(3)[i], row, other)
                if 1.0 not in (ahead, back):
                    assert sign * normal[i] == pytest.approx((ahead - back) / 2e-9, abs=1e-3)


@pytest.mark.parametrize("clearance", [3e-5, 1e-4, 3e-4])
def test_the_hole_is_round_and_its_wall_hard(clearance: float) -> None:
    scene = PegScene(**CENTRED, clearance=clearance, stiffness=1e5, friction=0.0)
    reached = []
    for angle in ANGLES:
        peg = rig(scene, -0.015)
        # both edges take half of it
        peg.data.xfrc_applied[peg.tip, :2] = 30.0 * np.array([np.cos(angle), np.sin(angle)])
        peg.run(400)
        moved = peg.data.xpos[peg.tip] - peg.data.xpos[peg.fixture]
        reached.append(np.hypot(moved[0], moved[1]))
    assert np.ptp(reached) < 0.05 * clearance
    assert np.max(reached) - clearance < 0.2 * clearance
    assert np.min(reached) > clearance


def test_a_flat_peg_slides_with_friction_and_keeps_in_touch() -> None:
    peg = rig(PegScene(**CENTRED, friction=0.3), 1e-4)
    peg.data.qpos[:2] = (0.03, 0.0)
    peg.data.xfrc_applied[peg.tip] = [4.0, 0.0, -10.0, 0.0, 0.0, 0.0]
    peg.run(500)
    rows = peg.run(300)
    speed = np.diff(rows[:, 0]) / STEP
    assert speed.min() > 0.02
    np.testing.assert_allclose(-rows[:, 6], 10.0, rtol=0.02)
    np.testing.assert_allclose(rows[:, 4] / -rows[:, 6], 0.3, rtol=0.001)


def test_friction_holds_until_it_is_overcome() -> None:
    peg = rig(PegScene(**CENTRED, friction=0.3), 1e-4)
    peg.data.qpos[:2] = (0.03, 0.0)
    peg.data.xfrc_applied[peg.tip] = [2.5, 0.0, -10.0, 0.0, 0.0, 0.0]
    peg.run(500)
    rows = peg.run(1000)
    assert abs(rows[-1, 0] - rows[0, 0]) < 2e-4


@pytest.mark.parametrize("seed", range(6))
def test_no_contact_creates_energy(seed: int) -> None:
    """A peg thrown into the hole, off its centre and tilted, never has more than at first."""
    rng = np.random.default_rng(seed)
    friction, rounding = rng.choice([0.0, 0.3]), rng.choice([0.0, 2e-4])
    scene = PegScene(**CENTRED, clearance=1e-4, friction=friction, rounding=rounding)
    peg = rig(scene, 0.002, hinges=True, damping=0.0)
    peg.data.qpos[:2] = rng.uniform(-3e-4, 3e-4, 2)
    peg.data.qpos[3:5] = rng.uniform(-0.02, 0.02, 2)
    # tool z points down
    peg.data.qvel[:6] = [*rng.uniform(-0.01, 0.01, 2), 0.05, *rng.uniform(-0.1, 0.1, 3)]
    peg.model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    mujoco.mj_forward(peg.model, peg.data)
    first = peg.data.energy.sum()
    assert first > 1e-4
    touched = False
    for _ in range(1500):
        peg.run(1)
        touched = touched or peg.data.ncon > 0
        assert peg.data.energy.sum() <= 1.001 * first
    assert touched


def test_side_force_sees_a_wedge_that_cancels_in_the_net_force() -> None:
    scene = PegScene(**CENTRED, clearance=1e-4, stiffness=1e5)
    peg = rig(scene, -0.02, hinges=True)
    # a couple only
    peg.data.xfrc_applied[peg.tip, 3] = 0.5
    rows = peg.run(800)
    assert np.linalg.norm(rows[-1, 4:]) < 0.5
    # two edges 20 mm apart; rounding and friction shorten the lever a little
    assert rows[-1, 3] == pytest.approx(0.5 / 0.02, rel=0.1)


@pytest.mark.parametrize("lean", [7.6, 8.1, 8.6])
def test_friction_does_not_drive_a_leaning_peg_into_the_hole(lean: float) -> None:
    """At 8° a peg with 0.1 mm of clearance fits only just; 6 N must not become hundreds there."""
    peg = rig(
        PegScene(**CENTRED, clearance=1e-4, stiffness=3e4, friction=0.3),
        0.004,
        hinges=True,
        damping=300.0,
        hold=(0.0, 6000.0),
    )
    peg.model.dof_damping[3:] = 5.0
    peg.model.qpos_spring[4] = peg.data.qpos[4] = np.radians(lean)
    mujoco.mj_forward(peg.model, peg.data)
    ahead = -peg.data.xmat[peg.tip].reshape(3, 3)[:, 2] * (1.0, 1.0, 0.0)
    ahead /= np.linalg.norm(ahead)
    peg.data.qpos[:2] = -0.006 * ahead[0], 0.006 * ahead[1]
    aside = np.array([-ahead[1], ahead[0], 0.0])
    for i in range(9):
        push = 3.5 * ahead + (-1.5) ** (i % 2) * aside
        peg.data.xfrc_applied[peg.tip, :3] = push - (0.0, 0.0, 4.5)
        assert peg.run(350)[:, 3].max() < 40.0
    # the tip is in: its centre is below the face
    assert peg.data.xpos[peg.tip][2] < -1e-3


@pytest.mark.parametrize("angle", ANGLES[1:6])
def test_a_wedge_is_the_same_in_every_direction(angle: float) -> None:
    def wedge(turn: float) -> np.ndarray:
        peg = rig(PegScene(**CENTRED, clearance=1e-4, stiffness=1e5), -0.015, hinges=True)
        peg.data.xfrc_applied[peg.tip] = [
            5.0 * np.cos(turn), 5.0 * np.sin(turn), -3.0,
            -0.3 * np.sin(turn), 0.3 * np.cos(turn), 0.0,
        ]  # fmt: skip
        rows = peg.run(800)
        tilt = np.arccos(-peg.data.xmat[peg.tip].reshape(3, 3)[2, 2])
        return np.array([rows[-1, 3], tilt, np.linalg.norm(rows[-1, 4:])])

    np.testing.assert_allclose(wedge(angle), wedge(0.0), rtol=0.02)


def test_a_plain_cylinder_in_a_plain_hole_agrees() -> None:
    """A tilted peg on springs, against MuJoCo's own cylinder in a hole of 96 flat walls."""
    scene = PegScene(**CENTRED, clearance=3e-4, stiffness=1e5, rounding=0.0, friction=0.0)
    # so soft that the contacts hardly give way: sizes alone matter
    hold = (5e3, 4.0)
    ours = rig(scene, -0.02, hinges=True, hold=hold)
    plain = polygon(scene, -0.02, hold)
    for peg in (ours, plain):
        peg.model.qpos_spring[3:5] = (0.05, 0.02)
        peg.run(3000)
    tilt = [np.arccos(-peg.data.xmat[peg.tip].reshape(3, 3)[2, 2]) for peg in (ours, plain)]
    assert 0.01 < tilt[0] < 0.045
    assert tilt[0] == pytest.approx(tilt[1], rel=0.05)
    # the torque of the springs, which the two edges take
    np.testing.assert_allclose(ours.data.qfrc_passive[3:5], plain.data.qfrc_passive[3:5], rtol=0.05)


def polygon(scene: PegScene, height: float, hold: tuple[float, float], walls: int = 96) -> Rig:
    """The same rig with MuJoCo's cylinder among boxes."""
    spec, tip = stand(height, 20.0, hold, hinges=True)
    tip.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[scene.radius, 0.03, 0.0], pos=[0.0, 0.0, -0.03],
        contype=2, conaffinity=0,
    )  # fmt: skip
    block = Fixture(spec, (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0), stiffness=scene.stiffness).body
    inner = scene.radius + scene.clearance
    for i in range(walls):
        angle = 2.0 * np.pi * i / walls
        block.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=[0.01, 0.02 * np.tan(np.pi / walls), 0.5 * scene.depth],
            pos=[(inner + 0.01) * np.cos(angle), (inner + 0.01) * np.sin(angle), -scene.depth / 2],
            quat=[np.cos(angle / 2), 0.0, 0.0, np.sin(angle / 2)],
            contype=0, conaffinity=2, condim=1, solref=[0.004, 1.0], priority=1,
            solimp=[0.9, 0.999, 5e-5, 0.5, 2.0],
        )  # fmt: skip
    return complete(spec, lambda *_: NoContact())


def test_a_grasp_error_moves_the_peg_and_not_the_tcp() -> None:
    scene = PegScene(**CENTRED, clearance=1e-4, friction=0.0, grasp_shift=(5e-4, 0.0))
    peg = rig(scene, -0.015)
    peg.run(500)
    # tool x is world x while the tool points down; the hole pushes the peg to its own centre
    assert peg.data.xpos[peg.tip][0] == pytest.approx(-5e-4, abs=1.05e-4)


def test_contacts_are_far_fewer_than_there_is_room_for() -> None:
    peg = rig(PegScene(**CENTRED, clearance=1e-4), 1e-4, hinges=True)
    peg.data.qpos[:2] = (0.005, 0.0)
    peg.data.xfrc_applied[peg.tip, 2] = -20.0
    peg.run(300)
    assert 3 <= peg.data.ncon < SLOTS - 8
