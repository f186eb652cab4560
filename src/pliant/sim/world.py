"""The MuJoCo model: the arm from its URDF, sensor, tool, servos or motors, and a scene."""

from dataclasses import dataclass

import mujoco
import numpy as np

from pliant.arms.description import ArmDescription
from pliant.arms.tool import Tool
from pliant.errors import ConfigError
from pliant.numerics.spatial import Array
from pliant.sim.fixture import FIXTURE
from pliant.sim.scenes.scene import Scene
from pliant.sim.tip_contact import Contact

STEP = 0.001
"""Physics step, s. Half of it slowed insertions down without changing their results."""

TOOL, TIP = "tool", "T"
SERVO_DAMPING_RATIO = 1.0

_GRIPPER_RADIUS = 0.035

# Stiff friction: with MuJoCo's default parameters a loaded joint would creep by 16 mrad/s.
_FRICTION_SOLREF = (0.002, 1.0)
_FRICTION_SOLIMP = (0.9999, 0.9999, 0.001, 0.5, 2.0)


@dataclass(frozen=True, kw_only=True, eq=False)
class World:
    """A compiled model with its state, and the numbers of its bodies.

    Attributes:
        model: The compiled model.
        data: Its state, at the start configuration.
        servo_stiffness: Stiffness of the joint servos, N·m/rad; zero on a torque arm.
        servo_damping: Damping of the joint servos, N·m·s/rad; zero on a torque arm.
        tool: Number of the tool's body.
        site: Number of the sensor's frame S.
        tip: Number of the massless body at T; a wrench applied to it acts at the TCP.
        fixture: Number of the fixture's body, None in free space.
        contact: The contact of the tip with the fixture.
    """

    model: mujoco.MjModel
    data: mujoco.MjData
    servo_stiffness: Array
    servo_damping: Array
    tool: int
    site: int
    tip: int
    fixture: int | None
    contact: Contact

    def step(self) -> None:
        """Advance the physics by one step."""
        self.contact.before_step()
        self.contact.step(self.model, self.data)
        self.contact.after_step()


def build_world(
    description: ArmDescription,
    tool: Tool,
    scene: Scene,
    q_start: Array,
    *,
    friction: float = 0.0,
) -> World:
    """Compile arm, tool and scene, and put the arm at its start configuration, at rest.

    Args:
        description: The arm's parameters.
        tool: The mounted tool.
        scene: The scene.
        q_start: Joint positions at start, rad.
        friction: Friction of the joints of a torque arm, relative to the typical one.
    """
    spec = _arm_spec(description)
    tip = _add_tool(spec, description, tool)
    if description.takes_torque:
        _compensate_gravity(spec)
        _add_friction(spec, description, friction)
    scene.build(spec, tip)
    _spare_collisions(spec)
    damping = _servo_damping(spec.copy(), description)
    _add_actuators(spec, description, damping)
    model = spec.compile()
    _require_serial_chain(model, description.n)
    tip_id, data = model.body(TIP).id, mujoco.MjData(model)
    contact = scene.contact(model, data, tip_id)
    data.qpos[: description.n] = q_start
    mujoco.mj_forward(model, data)
    if not description.takes_torque:
        sag = data.qfrc_bias[: description.n] / description.servo_stiffness
        data.ctrl[:] = q_start + sag
        mujoco.mj_forward(model, data)
    return World(
        model=model,
        data=data,
        servo_stiffness=np.array(description.servo_stiffness),
        servo_damping=damping,
        tool=model.body(TOOL).id,
        site=model.site("S").id,
        tip=tip_id,
        fixture=_fixture_of(spec, model),
        contact=contact,
    )


def _fixture_of(spec: mujoco.MjSpec, model: mujoco.MjModel) -> int | None:
    return None if spec.body(FIXTURE) is None else model.body(FIXTURE).id


def _arm_spec(description: ArmDescription) -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_file(str(description.urdf))
    # If fused, the tool would be part of the wrist, and the sensor would measure nothing.
    spec.compiler.fusestatic = False
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    # A simulation that diverges must be detected, not reset.
    spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    for name, armature in zip(description.joint_names, description.armature, strict=True):
        spec.joint(name).armature = armature
    for geom in spec.geoms:
        geom.contype, geom.conaffinity = 1, 0
    return spec


def _add_tool(spec: mujoco.MjSpec, description: ArmDescription, tool: Tool) -> mujoco.MjsBody:
    body = spec.body(description.flange).add_body(name=TOOL)
    body.explicitinertial = True
    body.mass = tool.mass
    body.ipos = tool.com_F
    body.inertia = tool.inertia
    body.add_site(name="S", pos=tool.X_FS[:3], quat=tool.X_FS[3:])
    half_length = 0.25 * tool.X_FT[2]
    if half_length > 0.0:
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[_GRIPPER_RADIUS, half_length, 0.0],
            pos=[0.0, 0.0, half_length],
            contype=1,
            conaffinity=0,
        )
    for kind in (mujoco.mjtSensor.mjSENS_FORCE, mujoco.mjtSensor.mjSENS_TORQUE):
        spec.add_sensor(type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="S")
    tip = body.add_body(name=TIP, pos=tool.X_FT[:3], quat=tool.X_FT[3:])
    tip.explicitinertial = True
    # by default this would be the body's position, and pushes would act there
    tip.ipos = [0.0, 0.0, 0.0]
    return tip


def _compensate_gravity(spec: mujoco.MjSpec) -> None:
    """Gravity compensation by the arm's own controller, for its links and the known tool."""
    for body in spec.bodies:
        body.gravcomp = 1.0


def _add_friction(spec: mujoco.MjSpec, description: ArmDescription, friction: float) -> None:
    for name, torque in zip(description.joint_names, description.friction, strict=True):
        joint = spec.joint(name)
        joint.frictionloss = friction * float(torque)
        joint.solref_friction[:] = _FRICTION_SOLREF
        joint.solimp_friction[:] = _FRICTION_SOLIMP


def _spare_collisions(spec: mujoco.MjSpec) -> None:
    """Disable contact detection in a scene without fixture: it takes a fifth of a step."""
    if spec.body(FIXTURE) is None:
        spec.option.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)


def _servo_damping(spec: mujoco.MjSpec, description: ArmDescription) -> Array:
    """Damping with which each single joint, at home, has the servo's damping ratio."""
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[: description.n] = description.home
    mujoco.mj_forward(model, data)
    inertia = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, inertia)
    stiffness = description.servo_stiffness
    return 2.0 * SERVO_DAMPING_RATIO * np.sqrt(stiffness * np.diag(inertia)[: description.n])


def _add_actuators(spec: mujoco.MjSpec, description: ArmDescription, damping: Array) -> None:
    for i, name in enumerate(description.joint_names):
        stiffness = float(description.servo_stiffness[i])
        tau_max = float(description.tau_max[i])
        actuator = spec.add_actuator(
            name=name,
            target=name,
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            gaintype=mujoco.mjtGain.mjGAIN_FIXED,
            biastype=mujoco.mjtBias.mjBIAS_AFFINE,
            forcelimited=True,
            forcerange=[-tau_max, tau_max],
        )
        # the input of a torque arm is its torque
        actuator.gainprm[0] = 1.0 if description.takes_torque else stiffness
        actuator.biasprm[1] = -stiffness
        actuator.biasprm[2] = -float(damping[i])


def _require_serial_chain(model: mujoco.MjModel, n: int) -> None:
    """The actuator reads the arm's mass matrix as a packed lower triangle, its first n rows."""
    packed = [column for row in range(n) for column in range(row + 1)]
    if list(model.M_colind[: len(packed)]) != packed:
        raise ConfigError("the arm's joints do not form one serial chain from the base")
