"""The simulated arm: MuJoCo behind the same five methods as a real arm."""

from functools import partial
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from pliant.arms.description import ArmDescription, load_arm
from pliant.arms.pinocchio import build_pinocchio, reach
from pliant.arms.tool import Tool
from pliant.errors import ConfigError, PliantError
from pliant.numerics.kernels import Direct, Row, kernel
from pliant.numerics.scratch import scratch
from pliant.numerics.spatial import Array, cross, norm3
from pliant.params import JointVector, Params, param
from pliant.robots.base import Robot
from pliant.sim.actuator import ActuatorConfig
from pliant.sim.drive import Drive, PositionDrive, TorqueDrive
from pliant.sim.external_torque import EstimateConfig
from pliant.sim.fixture import Springs
from pliant.sim.hand import Hand
from pliant.sim.inertia import Excess, mean_torque, new_excess, note_excess, take_excess
from pliant.sim.scenes import AnyScene, scene_class
from pliant.sim.scenes.free import FreeScene
from pliant.sim.sensor import (
    BLOCK,
    Sensor,
    SensorConfig,
    SensorFault,
    add_load,
    new_sensor,
    refill,
    sense,
)
from pliant.sim.spec import parse_place
from pliant.sim.thermal import Thermal, ThermalConfig, new_thermal, warm
from pliant.sim.world import STEP, build_world
from pliant.tick import Rows, Tick


class SimConfig(Params):
    """Parameters of the simulation around the arm."""

    scene: AnyScene | None = param(None, "", "The scene; null: that of the spec.")
    tool: Tool | None = param(
        None, "", "The tool that is mounted in the simulation; null: the configured tool."
    )
    actuator: ActuatorConfig = Field(default_factory=ActuatorConfig)
    friction: Literal["off", "typical"] = param(
        "typical", "", "Friction that a torque arm does not compensate: off or typical."
    )
    friction_scale: float = param(1.0, "1", "Factor on the typical friction.", ge=0.0, le=10.0)
    estimate: EstimateConfig = Field(default_factory=EstimateConfig)
    sensor: SensorConfig = Field(default_factory=SensorConfig)
    thermal: ThermalConfig = Field(default_factory=ThermalConfig)
    seed: int = param(0, "1", "Seed of the random numbers.", ge=0, le=2**63 - 1)
    q_start: JointVector | None = param(
        None, "rad", "Joint positions at start; null: those of the scene."
    )


class SimRobot(Robot):
    """A simulated arm. Each `read` advances the physics by one control period.

    The same configuration, seed and commands give the same numbers bit for bit. Positions and
    velocities are those at the end of the period, the contact force is that of the last physics
    step; torques and the sensor's reading are means over the period.

    Attributes:
        config: The parameters of the simulation.
        tool: The tool that is mounted in the simulation.
        scene: The scene, hidden parameters included.
        hand: A hand that can push the tool.
        world: The physics, for tests and for drawing; strategies must not use it.
    """

    simulated = True
    hand: Hand

    def __init__(
        self, arm: str = "ur5e", config: SimConfig | None = None, rate: float | None = None
    ) -> None:
        """Build the arm and its scene.

        Args:
            arm: Name of the arm.
            config: The scene, the tool, the actuator, the sensor and the seed.
            rate: Control rate, Hz; the arm's own if None.
        """
        self.description = load_arm(arm)
        self.config = config or SimConfig()
        self.tool = self.config.tool or Tool()
        self.scene = self.config.scene or FreeScene()
        self.dt = 1.0 / (rate or self.description.rate)
        self.scene_nominal = self.scene.nominal()
        q_start = self._start_configuration()
        self.world = build_world(
            self.description,
            self.tool,
            self.scene,
            q_start,
            friction=self.config.friction_scale if self.config.friction == "typical" else 0.0,
        )
        self._q_start = q_start
        self._change = self.scene.change()
        self._substeps = _substeps(self.dt)
        self._rng = np.random.default_rng(self.config.seed)
        self._make_rows()
        # not of the robot itself: a cycle of references would keep closed arms in memory
        self.hand = Hand(partial(_time, self._ticks, self.dt))
        self._drive = self._make_drive()
        self._take_views()

    def __repr__(self) -> str:
        name, scene = self.description.name, self.scene.kind
        return f"<{type(self).__name__} {name}, scene {scene}, {1.0 / self.dt:g} Hz>"

    @classmethod
    def settle(cls, place: str, config: Any, seed: int | None) -> Any:
        """The configuration with scene, tool and seed filled in."""
        _, scene = parse_place(place)
        if seed is not None and seed < 0:
            raise ConfigError(f"the seed must be a non-negative integer, not {seed}")
        sim, updates = config.sim, {}
        if sim.scene is None:
            updates["scene"] = scene_class(scene)()
        elif sim.scene.kind != scene:
            raise ConfigError(
                f"sim:{place} asks for the scene {scene}, but the configuration has "
                f"{sim.scene.kind}: change one of them"
            )
        if sim.tool is None:
            updates["tool"] = config.tool
        if seed is not None:
            updates["seed"] = seed
        return config.model_copy(update={"sim": sim.model_copy(update=updates)})

    @classmethod
    def describe(cls, place: str) -> ArmDescription:
        """The simulated arm."""
        return load_arm(parse_place(place)[0])

    @classmethod
    def open(cls, place: str, config: Any, rate: float | None) -> Self:
        """Build the simulated arm and its scene."""
        return cls(parse_place(place)[0], config.sim, rate)

    def _start_configuration(self) -> Array:
        q_start, arm = self.config.q_start, self.description
        if q_start is not None:
            if len(q_start) != arm.n:
                raise ConfigError(f"q_start needs {arm.n} numbers, got {len(q_start)}")
            return np.array(q_start)
        X_WT = self.scene.start()
        if X_WT is None:
            return np.array(arm.home)
        return reach(build_pinocchio(arm, self.tool), X_WT, arm.home)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return _time(self._ticks, self.dt)

    def connect(self) -> None:
        """Do nothing: the simulation is ready after construction."""

    def read(self, tick: Rows) -> None:
        """Advance by one control period with the set points last written, then measure.

        Raises:
            PliantError: The physics diverged.
        """
        self._draw()
        if not self.hand.idle:
            self.hand.apply(self.time, self._R_WT, self._w_hand_W)
        self._change_stiffness()
        self._peaks[:] = 0.0
        for _ in range(self._substeps):
            self._drive.before_step()
            if self.hand.holds:
                self.hand.guide(STEP, self._p_WT, self._w_hand_W)
            self.world.step()
            self._drive.after_step()
            self._observe.call(*self._observed)
        self._measure(tick)
        self._drive.estimate(tick)

    def write(self, tick: Rows) -> None:
        """Take `q_limited`, or `tau_limited`, as the set point for the next period."""
        self._drive.write(tick)

    def stop(self) -> None:
        """Hold the present position of the servos; a torque arm brakes first."""
        self._drive.stop()

    def close(self) -> None:
        """Do nothing: there is no connection."""

    def set_sensor_fault(self, fault: SensorFault) -> None:
        """Inject a fault of the wrist sensor, or clear it."""
        self._sensor["fault"] = int(fault)

    def set_stiffness(self, stiffness: float) -> None:
        """Change the stiffness of the fixture, N/m; the force does not jump.

        Raises:
            ConfigError: There is no fixture.
        """
        if self.world.fixture is None:
            raise ConfigError(f"the scene {self.scene.kind} has no fixture")
        springs = Springs(self.world.model, self.world.data)
        springs.change(self.world.contact.series(stiffness))

    def _change_stiffness(self) -> None:
        """Change the stiffness when the scene says so."""
        if self._change is not None and self.time >= self._change[0]:
            self.set_stiffness(self._change[1])
            self._change = None

    def _draw(self) -> None:
        """Draw a new block of random numbers if the last one is used up."""
        block = self._ticks[0].item() // BLOCK
        if block != self._block:
            refill(self._sensor, self._rng)
            self._drive.redraw(self._rng)
            self._block = block

    def _measure(self, tick: Rows) -> None:
        if not self._fill.call(tick, *self._measurable):
            raise PliantError(f"the simulation diverged at {self.time:.3f} s: q = {self._qpos}")

    def _make_rows(self) -> None:
        config = self.config
        self._sensor = new_sensor(config.sensor, self._rng, self.dt)
        self._excess = new_excess(self.tool, STEP, self.n)
        self._thermal = new_thermal(config.thermal, self.description.tau_max, self.dt)
        self._ticks, self._block = np.zeros(1, np.int64), 0

    def _make_drive(self) -> Drive:
        config, arm = self.config, self.description
        if arm.takes_torque:
            return TorqueDrive(self.world, arm, config.estimate, self.dt, self._rng)
        lag = config.actuator.lag_of(self.description)
        return PositionDrive(self.world, lag, self.dt, self._q_start)

    def _take_views(self) -> None:
        """Make the views into MuJoCo's memory once, because each costs a microsecond."""
        data, n = self.world.data, self.n
        self._qpos, qvel = data.qpos[:n], data.qvel[:n]
        self._p_WT = data.xpos[self.world.tip]
        self._R_WT = data.xmat[self.world.tip].reshape(3, 3)
        self._w_hand_W = data.xfrc_applied[self.world.tip]
        tool, site, fixture = self.world.tool, self.world.site, self.world.fixture
        # MuJoCo puts the torque first
        w_fixture_W = np.zeros(6) if fixture is None else data.cfrc_ext[fixture]
        p_WC = np.zeros(3) if fixture is None else data.subtree_com[fixture]
        self._peaks = np.zeros(3)
        self._observed = (
            self._sensor,
            self._excess,
            data.sensordata,
            data.M,
            data.qacc[:n],
            qvel,
            self._drive.tau,
            w_fixture_W,
            p_WC,
            data.xpos[self.world.tip],
            self.world.contact.side,
            self._peaks,
        )
        self._measurable = (
            self._sensor,
            self._excess,
            self._thermal,
            data.cdof[:n],
            data.subtree_com[self.world.model.body_rootid[tool]],
            data.xipos[tool],
            data.ximat[tool].reshape(3, 3),
            data.site_xpos[site],
            data.site_xmat[site].reshape(3, 3),
            self._qpos,
            qvel,
            w_fixture_W,
            self._peaks,
            self._ticks,
        )
        self._observe, self._fill = Direct(observe), Direct(measure)


def _time(ticks: np.ndarray, dt: float) -> float:
    return ticks[0].item() * dt


@kernel
def observe(
    sensor: Row[Sensor],
    excess: Row[Excess],
    load_S: Array,
    M: Array,
    qacc: Array,
    qvel: Array,
    tau: Array,
    w_fixture_W: Array,
    p_WC: Array,
    p_WT: Array,
    side: Array,
    peaks: Array,
) -> None:
    """After a physics step: add the sensor's load, and update the peaks of the contact.

    Args:
        sensor: The sensor's row.
        excess: The row of inertial corrections.
        load_S: MuJoCo's force sensors.
        M: Mass matrix, lower triangle packed by rows.
        qacc: Joint accelerations of the step.
        qvel: Joint velocities after it.
        tau: Joint torques in it.
        w_fixture_W: Torque about C and force on the fixture.
        p_WC: The point C.
        p_WT: The TCP.
        side: Side force; NaN where it is the net force.
        peaks: In, out: largest net force, side force, and torque about the TCP.
    """
    add_load(sensor, load_S)
    note_excess(excess, M, qacc, qvel, tau)
    f, arm, turned = w_fixture_W[3:], scratch(3), scratch(3)
    for i in range(3):
        arm[i] = p_WC[i] - p_WT[i]
    cross(arm, f, turned)
    for i in range(3):
        turned[i] += w_fixture_W[i]
    net = norm3(f)
    peaks[0] = max(peaks[0], net)
    peaks[1] = max(peaks[1], net if np.isnan(side[0]) else side[0])
    peaks[2] = max(peaks[2], norm3(turned))


@kernel
def measure(
    tick: Row[Tick],
    sensor: Row[Sensor],
    excess: Row[Excess],
    thermal: Row[Thermal],
    cdof: Array,
    p_WC: Array,
    p_WM: Array,
    R_WF: Array,
    p_WS: Array,
    R_WS: Array,
    qpos: Array,
    qvel: Array,
    w_fixture_W: Array,
    peaks: Array,
    ticks: NDArray[np.int64],
) -> bool:
    """Write the robot's columns of the tick; False if the physics is no longer finite."""
    t = tick[0]
    ticks[0] += 1
    finite = True
    for i in range(qpos.size):
        t.q[i] = qpos[i]
        t.qd[i] = qvel[i]
        t.tau_ext[i] = np.nan
        finite = finite and np.isfinite(qpos[i]) and np.isfinite(qvel[i])
    mean_torque(excess, t.tau)
    excess_S = scratch(6)
    take_excess(excess, cdof, p_WC, p_WM, R_WF, p_WS, R_WS, excess_S)
    for i in range(6):
        sensor[0].load_sum[i] -= excess_S[i]
    sense(sensor, tick)
    warm(thermal, tick)
    t.robot_status = 0
    t.w_ext_T[:] = np.nan
    for i in range(3):
        t.true_f_fixture_W[i] = w_fixture_W[3 + i]
    t.true_f_peak, t.true_side_peak, t.true_torque_peak = peaks[0], peaks[1], peaks[2]
    return finite


def _substeps(period: float) -> int:
    count = round(period / STEP)
    if count < 1 or abs(count * STEP - period) > 1e-12:
        raise ConfigError(
            f"a simulated arm runs at {1.0 / STEP:g} Hz or a whole fraction of it (500, 250, 200, "
            f"125, 100 Hz …), not at {1.0 / period:g} Hz: its physics has steps of {STEP:g} s"
        )
    return count
