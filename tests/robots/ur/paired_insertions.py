"""The same insertion twice: in simulated time, and on a virtual UR over the wire."""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import pliant
from pliant.config import Config
from pliant.robots.ur.ur_config import UrConfig
from pliant.sim.actuator import ActuatorConfig
from pliant.sim.scenes import SceneNominal
from pliant.tasks.insertion import Insertion, InsertionResult
from pliant.tasks.insertion.insertion_trial import HISTORY, insertion_config
from pliant.virtual.ur.motions.servo_joints import DEAD_TIME, time_constant
from tests.virtual_arms import is_busy, virtual_arm

LAG = ActuatorConfig(
    dead_time=DEAD_TIME, time_constant=time_constant(UrConfig().lookahead, UrConfig().gain)
)
"""That of the virtual UR's servoj."""

_ATTEMPTS = 10


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """One insertion.

    Attributes:
        seated: Whether the peg reached the bottom.
        peak: Largest force on the fixture, of the physics engine, N.
        time: From the first motion to the end, s of the arm.
        note: Why it ended as it did.
    """

    seated: bool
    peak: float
    time: float
    note: str


@dataclass(frozen=True, kw_only=True)
class Pair:
    """The same insertion on both.

    Attributes:
        sim: In simulated time.
        wire: Over the wire.
    """

    sim: Outcome
    wire: Outcome


def insert_both(seed: int) -> Pair:
    """Insert with a hole 1 mm off, in a direction drawn from the seed, through the lag of a UR."""
    config = Config.model_validate(insertion_config({}, seed)).replace("sim.actuator", LAG)
    with pliant.Arm("sim:ur5e/peg", config=config, history=HISTORY) as arm:
        nominal, result = arm.scene, Insertion(arm).run()
    sim = _outcome(result, result.peak_force_n)
    for _ in range(_ATTEMPTS):
        wire = _over_the_wire(config, nominal)
        if wire.seated or not is_busy(wire.note):
            return Pair(sim=sim, wire=wire)
    raise AssertionError(f"this machine is too busy for a real arm: {wire.note}")


def _over_the_wire(config: Config, nominal: SceneNominal) -> Outcome:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        Path(file.name).write_text(config.to_yaml())
        with virtual_arm("ur5e/peg", "--clock", "lockstep", "--config", file.name) as virtual:
            try:
                result = _insert_at(virtual.host, nominal)
            except pliant.PliantError as error:
                return Outcome(seated=False, peak=0.0, time=0.0, note=str(error))
            return _outcome(result, virtual.truth()["peak"])


def _insert_at(host: str, nominal: SceneNominal) -> InsertionResult:
    # a real arm knows no scene: the drawing is the operator's
    drawing = asdict(nominal)
    drawing.pop("name")
    config = {"ur": {"drawing": drawing}}
    with pliant.Arm(f"ur:{host}", clock="real", config=config, history=HISTORY) as arm:
        return Insertion(arm).run()


def _outcome(result: InsertionResult, peak: float) -> Outcome:
    return Outcome(seated=result.seated, peak=peak, time=result.time_s, note=result.note)
