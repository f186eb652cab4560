"""Damaged motion files: tables, recordings and bags, read and played, or refused in a sentence."""

import random
import shutil
from pathlib import Path

import numpy as np
from rosbags.rosbag2 import Writer
from rosbags.typesys import Stores, get_typestore

from pliant.arms.description import ArmDescription, load_arm
from pliant.commands.line_protocol import parse
from pliant.controller.arm_config import configure
from pliant.errors import PliantError
from pliant.loop.simulated_loop import SimulatedLoop
from pliant.stages.reference.motion_files import read_motion

from .hostile import NO_NUMBERS, damaged, number
from .kind import Finding, Tally, each
from .recording_damage import damaged_recording
from .recordings import make_recordings
from .tick_checks import TickChecks

_PLAYED = 0.02
"""Share of the readable motions that are played."""

_TICKS = 80
_JOINT_STATE = "sensor_msgs/msg/JointState"


class Motions:
    """Reads damaged motions of a torque arm, and plays some."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._arm = load_arm("panda")
        self._table = _table(self._arm)
        self._recording = make_recordings(folder)[1].read_bytes()
        self._bag = _bag(folder / "bag", self._arm)

    def close(self) -> None:
        """Nothing to release."""

    def run(self, dice: random.Random, count: int) -> Tally:
        """Damage motions, and read each."""
        return each(count, lambda: self._read(self._damaged(dice), dice))

    def _damaged(self, dice: random.Random) -> Path:
        choice = dice.random()
        if choice < 0.6:
            file = self._folder / f"motion{dice.choice(('.csv', '.csv', '.txt', '.CSV', ''))}"
            file.write_bytes(self._damaged_table(dice))
        elif choice < 0.85:
            file = self._folder / "motion.mcap"
            file.write_bytes(damaged_recording(dice, self._recording))
        else:
            file = self._folder / "damaged"
            shutil.rmtree(file, ignore_errors=True)
            shutil.copytree(self._bag, file)
            inside = dice.choice(sorted(file.iterdir()))
            inside.write_bytes(damaged(dice, inside.read_bytes()))
        return file

    def _damaged_table(self, dice: random.Random) -> bytes:
        lines = [line.split(",") for line in self._table.splitlines()]
        if dice.random() < 0.3:
            return damaged(dice, self._table.encode())
        for _ in range(dice.randrange(1, 5)):
            what, row = dice.randrange(6), dice.randrange(len(lines))
            column = dice.randrange(len(lines[row])) if lines[row] else 0
            if what == 0 and lines[row]:
                lines[row][column] = dice.choice((*NO_NUMBERS, repr(number(dice))))
            elif what == 1 and len(lines) > 1:
                del lines[row]
            elif what == 2:
                lines.insert(row, list(lines[dice.randrange(len(lines))]))
            elif what == 3 and lines[0]:
                names = ("q_0", "q_99", "q_" + "9" * 60, "tau_1", "time", "", "q[3]", "\0", '"')
                lines[0][dice.randrange(len(lines[0]))] = dice.choice(names)
            elif what == 4 and lines[row]:
                del lines[row][column]
            else:
                scale = dice.choice((1e-300, 1e-9, 1e9, 1e300))
                for line in lines[1:]:
                    line[:1] = [repr(scale * float(line[0]))] if _is_number(line) else line[:1]
        return "\n".join(",".join(line) for line in lines).encode(errors="replace")

    def _read(self, file: Path, dice: random.Random) -> bool:
        try:
            motion = read_motion(file, self._arm)
            if not (np.isfinite(motion.q).all() and np.isfinite(motion.tau).all()):
                raise Finding("a motion that is not finite was accepted")
            if dice.random() < _PLAYED:
                self._play(file)
        except PliantError as error:
            if not str(error).strip():
                raise Finding(f"{type(error).__name__} says nothing") from error
            return False
        return True

    def _play(self, file: Path) -> None:
        """Play a motion for some ticks."""
        config = {"reference": {"playback": {"file": str(file), "speed": 3.0}}}
        simulated = SimulatedLoop("sim:panda", configure("sim:panda", config, None))
        loop = simulated.loop
        checks = TickChecks(self._arm, loop.supervisor.config.safety.tool_speed, overpowered=True)
        rows = [loop.step().copy()]
        for line in ("LAW inverse_dynamics", "PLAYBACK"):
            simulated.give(parse(line))
            rows += [loop.step().copy() for _ in range(_TICKS // 2)]
        checks.check(np.concatenate(rows))
        simulated.robot.close()


def _is_number(line: list[str]) -> bool:
    try:
        float(line[0])
    except (ValueError, IndexError):
        return False
    return True


def _table(arm: ArmDescription) -> str:
    time = 0.01 * np.arange(30)
    q = arm.home + 0.1 * np.sin(3.0 * time)[:, None]
    names = ["time", *(f"{name}_{j}" for name in ("q", "tau") for j in range(arm.n))]
    rows = np.column_stack([time, q, 2.0 + 0.1 * q])
    return "\n".join([",".join(names), *(",".join(f"{x:.12g}" for x in row) for row in rows)])


def _bag(path: Path, arm: ArmDescription) -> Path:
    types = get_typestore(Stores.LATEST)
    header, state = types.types["std_msgs/msg/Header"], types.types[_JOINT_STATE]
    stamp = types.types["builtin_interfaces/msg/Time"]
    shutil.rmtree(path, ignore_errors=True)
    with Writer(path, version=9) as writer:
        connection = writer.add_connection("/joint_states", _JOINT_STATE, typestore=types)
        for k in range(20):
            message = state(
                header=header(stamp=stamp(sec=1, nanosec=10_000_000 * k), frame_id=""),
                name=list(arm.joint_names),
                position=arm.home + 0.001 * k,
                velocity=np.zeros(0),
                effort=np.ones(arm.n),
            )
            writer.write(connection, 10_000_000 * k, types.serialize_cdr(message, _JOINT_STATE))
    return path
