"""Lines that an operator could well send: every command, with values that can work."""

import json
import random
from collections.abc import Callable

import numpy as np

from pliant.arms.description import ArmDescription
from pliant.commands.handlers.controller_presets import CONTROLLERS
from pliant.config import Config, plain
from pliant.laws.hybrid_admittance.presets import PRESETS
from pliant.numerics.spatial import quat_exp
from pliant.reasons import State
from pliant.stages.joints.joint_modes import fault_name
from pliant.tick import Rows

from .config_paths import leaves, likely

_MODES = ("idle", "pos", "posd", "vel", "mix", "torq", "ipwm", "fidl")
_FAULTS = [
    fault_name(name)
    for name in ("none", "over_torque", "over_temperature", "tracking", "encoder", "hard_limit")
]
_LIVE = ("wrench", "reference", "laws", "contact", "resolve", "joints", "safety", "supervisor")
_WORDS = ("HOLD", "ZERO", "OFF", "RESET", "SINUS", "FOLLOW", "CIRCLE", "PLAYBACK")


class ArmCommands:
    """Makes lines for one arm."""

    def __init__(self, arm: ArmDescription, laws: list[str], *, gentle: bool = False) -> None:
        """Make lines.

        Args:
            arm: The arm.
            laws: Names of its laws.
            gentle: Whether pushes are such that the motors can resist them.
        """
        self._arm, self._laws = arm, laws
        self._push_forces = (5.0, 30.0) if gentle else (5.0, 30.0, 100.0)
        self._paths = [path for path in leaves() if path.partition(".")[0] in _LIVE]
        self._makers: list[tuple[Callable[[random.Random, Rows, Config], str], float]] = [
            (self._word, 8), (self._law, 6), (self._wrench, 6), (self._axes, 3),
            (self._subspace, 1), (self._move_by, 6), (self._move_to, 4), (self._jog, 8),
            (self._home, 3), (self._push, 6), (self._gains, 3), (self._preset, 2),
            (self._mode, 6), (self._interaction, 2), (self._impedance, 2), (self._motion, 10),
            (self._joint_settings, 3), (self._joint_word, 3), (self._inject, 1), (self._set, 6),
        ]  # fmt: skip

    def line(self, dice: random.Random, row: Rows, config: Config) -> str:
        """A line that makes sense after a tick: what is in fault is reset, what rests is moved."""
        state, choice = row["state"].item(), dice.random()
        if state == State.FAULT and choice < 0.5:
            return dice.choice(("RESET", "RESET", "MODE all fidl", "INJECT all none"))
        if state == State.INACTIVE and choice < 0.25:
            return self._law(dice, row, config)
        makers, weights = zip(*self._makers, strict=True)
        return dice.choices(makers, weights)[0](dice, row, config)

    def _word(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return dice.choice(_WORDS)

    def _law(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"LAW {dice.choice(self._laws)}"

    def _wrench(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"WRENCH {_six(dice, 20.0, 2.0)} {_frame(dice)}"

    def _axes(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return "AXIS " + " ".join(dice.choice("01") for _ in range(6))

    def _subspace(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        rng = np.random.default_rng(dice.getrandbits(32))
        Tr, _ = np.linalg.qr(rng.standard_normal((6, 6)))
        return f"SUBSPACE {dice.randrange(7)} " + " ".join(repr(float(x)) for x in Tr.ravel())

    def _move_by(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        size = dice.choice((0.01, 0.05, 0.2, 0.5))
        return f"RELD {_six(dice, size, 3.0 * size)} {_frame(dice)}"

    def _move_to(self, dice: random.Random, row: Rows, _config: Config) -> str:
        p = row["X_WT"][0, :3] + [dice.gauss(0.0, 0.1) for _ in range(3)]
        turned = np.empty(4)
        quat_exp(
            np.array([dice.gauss(0.0, 0.5) + dice.choice((0.0, 3.0)) for _ in range(3)]), turned
        )
        return "REFA " + " ".join(repr(float(x)) for x in (*p, *turned))

    def _jog(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        speed = dice.choice((0.02, 0.1, 0.5))
        timeout = dice.choice((0.02, 0.2, 1.0, 2.0))
        return f"JOG {_six(dice, speed, 3.0 * speed)} {_frame(dice)} {timeout}"

    def _home(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        time = dice.choice((0.1, 1.0, 3.0))
        if dice.random() < 0.5:
            return f"HOME {time}"
        q = self._arm.home + [dice.gauss(0.0, 0.4) for _ in range(self._arm.n)]
        return f"HOME {time} {json.dumps(q.tolist())}"

    def _push(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        size = dice.choice(self._push_forces)
        seconds = dice.choice((0.02, 0.2, 1.0))
        return f"PUSH {_six(dice, size, size / 20.0)} {_frame(dice)} {seconds}"

    def _gains(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        word, force, torque = dice.choice(
            (("STIFF", 1e3, 30.0), ("DAMP", 1e3, 30.0), ("INERT", 10.0, 0.3))
        )
        six = [size * 10.0 ** dice.uniform(-2, 1) for size in [force] * 3 + [torque] * 3]
        return f"{word} " + " ".join(map(repr, six))

    def _preset(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"PRESET {dice.choice([*PRESETS, *CONTROLLERS])}"

    def _mode(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"MODE {self._joints(dice)} {dice.choice(_MODES)}"

    def _interaction(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"INTERACTION {self._joints(dice)} {dice.choice(('stiff', 'compliant'))}"

    def _impedance(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        K, D = 10.0 ** dice.uniform(0, 3), 10.0 ** dice.uniform(-1, 1.5)
        return f"IMPEDANCE {self._joints(dice)} {K!r} {D!r} {dice.uniform(-2, 2)!r}"

    def _motion(self, dice: random.Random, row: Rows, _config: Config) -> str:
        joint = dice.randrange(self._arm.n)
        word = dice.choice(("PMOVE", "PDIRECT", "VMOVE", "TORQUE", "OUTPUT"))
        near = float(row["q"][0, joint]) + dice.gauss(0.0, 0.3 if word == "PMOVE" else 0.01)
        size = {"VMOVE": 1.0, "TORQUE": 10.0, "OUTPUT": 0.3}.get(word, 0.0)
        number = dice.uniform(-size, size) if size else near
        joints = joint if size == 0.0 or dice.random() < 0.5 else self._joints(dice)
        return f"{word} {joints} {number!r}"

    def _joint_settings(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"{dice.choice(('SPEED', 'ACCEL'))} {self._joints(dice)} {dice.uniform(0.01, 4)!r}"

    def _joint_word(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"{dice.choice(('JSTOP', 'JSTOP', 'CALIBRATE'))} {self._joints(dice)}"

    def _inject(self, dice: random.Random, _row: Rows, _config: Config) -> str:
        return f"INJECT {self._joints(dice)} {dice.choice(_FAULTS)}"

    def _set(self, dice: random.Random, _row: Rows, config: Config) -> str:
        path = dice.choice(self._paths)
        return f"SET {path} {json.dumps(likely(dice, plain(config.get(path))))}"

    def _joints(self, dice: random.Random) -> str:
        if dice.random() < 0.4:
            return "all"
        count = dice.randrange(1, self._arm.n + 1)
        return ",".join(map(str, dice.sample(range(self._arm.n), count)))


def _six(dice: random.Random, force: float, torque: float) -> str:
    one = dice.random() < 0.4
    sizes = [force] * 3 + [torque] * 3
    if one:
        kept = dice.randrange(6)
        sizes = [size if k == kept else 0.0 for k, size in enumerate(sizes)]
    return " ".join(repr(dice.uniform(-size, size)) for size in sizes)


def _frame(dice: random.Random) -> str:
    return dice.choice(("tool", "world"))
