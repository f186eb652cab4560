"""Hostile lines: random bytes and words, commands with extreme numbers, damaged commands."""

import json
import random

from pliant.arms.description import ArmDescription
from pliant.commands.line_protocol import MAX_LINE, WORDS
from pliant.config import Config, plain
from pliant.tick import Rows

from .arm_commands import ArmCommands
from .config_paths import any_value, paths
from .hostile import NO_NUMBERS, TEXTS, damaged, damaged_text, nested, number, number_text

PIECES = (
    *WORDS, *TEXTS, *NO_NUMBERS, "tool", "world", "take", "release", "who", "hybrid_admittance",
    "position", "light", "laws", "laws.hybrid_admittance.stiffness", "wrench.cutoff", "safety",
    "safety.contact_force", "supervisor.wrench_limit", "sim.seed", "tool.mass", ".", "..",
    "[1,1,1,1,1,1]", "[0,0]", "{cutoff: 20}", "[[[[", '{"\\ud800": 1}', "text", "hold", "stiff",
    "0", "1", "-1", "1e-3", "1e308", "-0",
)  # fmt: skip
_ENDING = {"STOP", "WATCHDOG"}
"""Words of commands that end a controller; cases that end give them themselves."""

_FILES = ("/dev/null", "/proc/self/mem", "/", "nowhere.csv", "/etc/passwd", "~/x.mcap", "\0")


class LineMaker:
    """Makes lines for one arm."""

    def __init__(self, arm: ArmDescription, laws: list[str]) -> None:
        self._arm = arm
        self._likely = ArmCommands(arm, laws)

    def line(self, dice: random.Random, row: Rows, config: Config) -> bytes:
        """A line without its end; it may be longer than accepted, but it ends no controller."""
        line = self._any(dice, row, config).replace(b"\n", b" ")
        first = line.split(maxsplit=1)[:1]
        return b"x" + line if first and first[0].decode(errors="replace") in _ENDING else line

    def _any(self, dice: random.Random, row: Rows, config: Config) -> bytes:
        choice = dice.random()
        if choice < 0.08:
            return dice.randbytes(dice.randrange(60))
        if choice < 0.18:
            return _encoded(" ".join(dice.choices(PIECES, k=dice.randrange(9))))
        if choice < 0.48:
            return _encoded(self._nearly_right(dice))
        if choice < 0.64:
            return _encoded(self._set(dice, config))
        likely = self._likely.line(dice, row, config)
        if choice < 0.84:
            return likely.encode()
        if choice < 0.93:
            return _encoded(damaged_text(dice, likely))
        if choice < 0.99:
            return damaged(dice, likely.encode())
        return self._overlong(dice)

    def _nearly_right(self, dice: random.Random) -> str:
        """A command with about as many arguments as it wants, most of them numbers."""
        word = dice.choice(list(WORDS))
        words = [word]
        for field in WORDS[word].model_fields.values():
            extra = field.json_schema_extra
            assert isinstance(extra, dict)
            words += [self._argument(dice, name) for name in str(extra["tokens"]).split()]
        change = dice.random()
        if change < 0.05:
            words.append(number_text(dice))
        elif change < 0.1 and len(words) > 1:
            words.pop()
        elif change < 0.2 and len(words) > 1:
            words[dice.randrange(1, len(words))] = dice.choice(PIECES)
        return " ".join(words)

    def _argument(self, dice: random.Random, name: str) -> str:
        """A value for an argument; most are numbers."""
        fitting = {
            "frame": ("tool", "world"),
            "joints": ("all", "0", "0,1", str(self._arm.n), "31", "-1", "0,0,0", "[0, 1]"),
            "path": paths(),
            "modes": ("idle", "pos", "torq", "vel", "ipwm", "nothing"),
            "action": ("take", "release", "who", "stop", "hold"),
            "form": ("text", "json"),
            "word": tuple(WORDS),
        }
        if name in fitting and dice.random() < 0.9:
            return dice.choice(fitting[name])
        if dice.random() < 0.1:
            return ",".join(number_text(dice) for _ in range(dice.choice((1, 2, self._arm.n, 33))))
        return number_text(dice) if dice.random() < 0.95 else dice.choice(PIECES)

    def _set(self, dice: random.Random, config: Config) -> str:
        path = dice.choice(paths())
        if dice.random() < 0.02:
            return f"SET reference.playback.file {json.dumps(dice.choice(_FILES))}"
        if dice.random() < 0.03:
            return f"SET {path} {nested(dice)}"
        value = any_value(dice, plain(config.get(path)))
        if dice.random() < 0.3:
            # as YAML, a number may be written in more ways
            return f"SET {path} {number_text(dice)}"
        return f"SET {path} {json.dumps(value, default=str)}"

    def _overlong(self, dice: random.Random) -> bytes:
        size = dice.choice((MAX_LINE - 1, MAX_LINE, MAX_LINE + 1, 3 * MAX_LINE))
        start = b"SET wrench.cutoff " if dice.random() < 0.5 else b"WRENCH "
        return (start + str(number(dice)).encode() + b" ").ljust(size, dice.choice((b" ", b"0")))


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")
