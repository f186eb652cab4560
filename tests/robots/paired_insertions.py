"""The same insertion twice: in simulated time, and on a virtual arm over the wire."""

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

import pliant
from pliant.config import Config
from pliant.robots.ur.ur_config import UrConfig
from pliant.sim.actuator import ActuatorConfig
from pliant.sim.scenes import SceneNominal
from pliant.tasks.insertion import Insertion, InsertionResult
from pliant.tasks.insertion.insertion_trial import HISTORY, insertion_config
from pliant.virtual.ur.motions.servo_joints import DEAD_TIME, time_constant
from tests.virtual_arms import is_busy, virtual_arm

_LAG = ActuatorConfig(
    dead_time=DEAD_TIME, time_constant=time_constant(UrConfig().lookahead, UrConfig().gain)
)
"""That of the virtual UR's servoj."""


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Which arm inserts, and how.

    Attributes:
        place: Arm and scene.
        section: The prefix of its spec over the wire, and its section of the configuration.
        law: The law.
        actuator: The lag of its set points; None is the arm's own.
    """

    place: str
    section: str
    law: str
    actuator: ActuatorConfig | None = None


UR = Kind(place="ur5e/peg", section="ur", law="hybrid_admittance", actuator=_LAG)
FRANKA = Kind(place="fr3/peg", section="franka", law="hybrid_force")

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


def insert_both(seed: int, kind: Kind) -> Pair:
    """Insert with a hole 1 mm off, in a direction drawn from the seed."""
    config = Config.model_validate(insertion_config({}, seed))
    if kind.actuator is not None:
        config = config.replace("sim.actuator", kind.actuator)
    with pliant.Arm(f"sim:{kind.place}", config=config, history=HISTORY) as arm:
        nominal, result = arm.scene, Insertion(arm).run(kind.law)
    sim = _outcome(result, result.peak_force_n)
    for _ in range(_ATTEMPTS):
        wire = _over_the_wire(config, nominal, kind)
        if wire.seated or not is_busy(wire.note):
            return Pair(sim=sim, wire=wire)
        print(f"again: {wire.note}")
    raise AssertionError(f"this machine is too busy for a real arm: {wire.note}")


def _over_the_wire(config: Config, nominal: SceneNominal, kind: Kind) -> Outcome:
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        Path(file.name).write_text(config.to_yaml())
        with virtual_arm(kind.place, "--clock", "lockstep", "--config", file.name) as virtual:
            try:
                result = _insert_at(virtual.host, nominal, kind)
            except pliant.PliantError as error:
                return Outcome(seated=False, peak=0.0, time=0.0, note=str(error))
            return _outcome(result, virtual.truth()["peak"])


def _insert_at(host: str, nominal: SceneNominal, kind: Kind) -> InsertionResult:
    # a real arm knows no scene: the drawing is the operator's
    drawing = asdict(nominal)
    drawing.pop("name")
    config = {kind.section: {"drawing": drawing}}
    spec = f"{kind.section}:{host}"
    with pliant.Arm(spec, clock="real", config=config, history=HISTORY) as arm:
        return Insertion(arm).run(kind.law)


def _outcome(result: InsertionResult, peak: float) -> Outcome:
    return Outcome(seated=result.seated, peak=peak, time=result.time_s, note=result.note)


def compare_peaks(pairs: list[Pair], most: float) -> None:
    """All seated, peaks bounded, and none over the wire far from those in simulation."""
    print(pairs)
    assert all(pair.sim.seated and pair.wire.seated for pair in pairs), pairs
    sim, wire = [[getattr(pair, way).peak for pair in pairs] for way in ("sim", "wire")]
    assert max(wire) < most, pairs
    assert min(sim) - 1.0 < min(wire) and max(wire) < max(sim) + 1.0, pairs


def compare_medians(pairs: list[Pair]) -> None:
    """The medians of the peaks are near each other."""
    peaks = np.array([(pair.sim.peak, pair.wire.peak) for pair in pairs])
    sim, wire = np.median(peaks, axis=0)
    assert abs(wire - sim) < 1.0, pairs
