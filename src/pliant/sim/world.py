"""The MuJoCo model: the arm from its URDF, sensor, tool, servos and a scene."""

from dataclasses import dataclass

import mujoco
import numpy as np

from pliant.arms.description import ArmDescription
from pliant.arms.tool import Tool
from pliant.errors import ConfigError
from pliant.sim.fixture import FIXTURE
from pliant.sim.scenes.base import Scene
from pliant.spatial import Array

STEP = 0.001
"""Physics step, s. Half of it made insertions too slow without changing them."""

TOOL, TIP = "tool", "T"
SERVO_DAMPING_RATIO = 1.0

_GRIPPER_RADIUS = 0.035


@dataclass(frozen=True, kw_only=True, eq=False)
class World:
    """A compiled model with its state, and where to find things in it.

    Attributes:
        model: The compiled model.
        data: Its state, at the start configuration.
        servo_stiffness: Stiffness of the joint servos, N·m/rad.
        servo_damping: Damping of the joint servos, N·m·s/rad.
        tool: Number of the tool's body.
        site: Number of the sensor's frame S.
        tip: Number of the massless body at T; a wrench applied to it acts at the TCP.
        fixture: Number of the fixture's body, None in free space.
    """

    model: mujoco.MjModel
    data: mujoco.MjData
    servo_stiffness: Array
    servo_damping: Array
    tool: int
    site: int
    tip: int
    fixture: int | None


def build_world(description: ArmDescription, tool: Tool, scene: Scene, q_start: Array) -> World:
    """Compile arm, tool and scene, and put the arm at its start configuration, at rest."""
    spec = _arm_spec(description)
    tip = _add_tool(spec, description, tool)
    scene.build(spec, tip)
    damping = _servo_damping(spec.copy(), description)
    _add_servos(spec, description, damping)
    model = spec.compile()
    _require_serial_chain(model, description.n)
    data = mujoco.MjData(model)
    data.qpos[: description.n] = q_start
    mujoco.mj_forward(model, data)
    data.ctrl[:] = q_start + data.qfrc_bias[: description.n] / description.servo_stiffness
    mujoco.mj_forward(model, data)
    return World(
        model=model,
        data=data,
        servo_stiffness=np.array(description.servo_stiffness),
        servo_damping=damping,
        tool=model.body(TOOL).id,
        site=model.site("S").id,
        tip=model.body(TIP).id,
        fixture=None if spec.body(FIXTURE) is None else model.body(FIXTURE).id,
    )


def _arm_spec(description: ArmDescription) -> mujoco.MjSpec:
    spec = mujoco.MjSpec.from_file(str(description.urdf))
    # Fused, the tool would become part of the wrist and the sensor would feel nothing.
    spec.compiler.fusestatic = False
    spec.option.timestep = STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    # A simulation that diverges must be noticed, not begin anew.
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
    # left alone it would be the body's position once more, and pushes would act there
    tip.ipos = [0.0, 0.0, 0.0]
    return tip


def _servo_damping(spec: mujoco.MjSpec, description: ArmDescription) -> Array:
    """Damping that gives each joint, by itself and at home, the servo's damping ratio."""
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[: description.n] = description.home
    mujoco.mj_forward(model, data)
    inertia = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, inertia)
    stiffness = description.servo_stiffness
    return 2.0 * SERVO_DAMPING_RATIO * np.sqrt(stiffness * np.diag(inertia)[: description.n])


def _add_servos(spec: mujoco.MjSpec, description: ArmDescription, damping: Array) -> None:
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
        actuator.gainprm[0] = stiffness
        actuator.biasprm[1] = -stiffness
        actuator.biasprm[2] = -float(damping[i])


def _require_serial_chain(model: mujoco.MjModel, n: int) -> None:
    """The actuator reads the arm's mass matrix as a packed lower triangle, its first n rows."""
    packed = [column for row in range(n) for column in range(row + 1)]
    if list(model.M_colind[: len(packed)]) != packed:
        raise ConfigError("the arm's joints do not form one serial chain from the base")
