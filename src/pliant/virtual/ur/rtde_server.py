"""The RTDE server: one session per client, each with its recipes and its rate."""

from pliant.robots.ur.rtde_protocol import (
    FLOAT,
    IN_USE,
    NOT_FOUND,
    RATE,
    SOFTWARE_VERSION,
    VERSION,
    WORD,
    Package,
    PackageType,
    ProtocolError,
    Recipe,
    join_names,
    pack_text,
    package,
    split_names,
    take_packages,
)
from pliant.virtual.answer_times import AnswerTimes
from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.ur.rtde_variables import Read, Write, input_variable, output
from pliant.virtual.ur.ur_controller import UrController

_OUTPUT_RECIPE = 1
_MOST_INPUT_RECIPES = 255
_MOST_VARIABLES = 2048


class RtdeServer:
    """All RTDE clients.

    Attributes:
        version: The controller's software version: major, minor, bugfix, build.
        taken: Inputs that a client writes, with that client.
        foreign: Whether a client from outside has all registers, for tests.
        lose: How many more periods no package is sent.
        sessions: The clients.
    """

    def __init__(self, controller: UrController, version: tuple[int, int, int, int]) -> None:
        self.controller = controller
        self.version = version
        self.taken: dict[str, RtdeSession] = {}
        self.foreign = False
        self.lose = 0
        self.sessions: list[RtdeSession] = []
        self.unsent = 0
        self.inputs = 0
        self._input_at = 0.0
        self._answers = AnswerTimes()

    def accept(self, channel: ByteChannel) -> "RtdeSession":
        """A new client."""
        session = RtdeSession(self, channel)
        self.sessions.append(session)
        return session

    def drop(self, session: "RtdeSession") -> None:
        """A client has gone; others may have its inputs."""
        if session in self.sessions:
            self.sessions.remove(session)
        self.taken = {name: owner for name, owner in self.taken.items() if owner is not session}

    def publish(self) -> None:
        """Send this period's packages."""
        if self.lose > 0:
            self.lose -= 1
            self.unsent += 1
            return
        self._answers.sent()
        for session in self.sessions:
            session.publish()

    def noted(self) -> None:
        """A client has written inputs."""
        self.inputs += 1
        self._input_at = self.controller.arm.time
        self._answers.answered()

    def truth(self) -> dict[str, float]:
        """For tests: packages not sent, inputs, when the last came, how soon after a package."""
        told = {"unsent": self.unsent, "inputs": self.inputs, "input_at": self._input_at}
        return told | self._answers.take()

    def tell(self, text: str, level: int) -> None:
        """Send a text message to every client that gets data."""
        message = pack_text(text, "virtual UR", level)
        for session in self.sessions:
            if session.started:
                session.channel.send(message)


class RtdeSession:
    """One client.

    Attributes:
        channel: Its connection.
        started: Whether it gets data.
    """

    def __init__(self, server: RtdeServer, channel: ByteChannel) -> None:
        self.channel = channel
        self.started = False
        self._server = server
        self._outputs: tuple[Recipe, list[Read]] | None = None
        self._inputs: list[tuple[Recipe, list[Write]]] = []
        self._every = 1
        self._answers = {
            PackageType.PROTOCOL_VERSION: self._protocol_version,
            PackageType.SOFTWARE_VERSION: self._software_version,
            PackageType.OUTPUTS: self._set_outputs,
            PackageType.INPUTS: self._add_inputs,
            PackageType.START: self._start,
            PackageType.PAUSE: self._pause,
            PackageType.DATA: self._data,
        }

    def received(self) -> bool:
        """Answer what has come; False if it is not RTDE."""
        try:
            for item in take_packages(self.channel.received):
                self._answer(item)
        except ProtocolError:
            return False
        return True

    def publish(self) -> None:
        """Send the outputs of this period."""
        controller = self._server.controller
        if not self.started or self._outputs is None or controller.arm.cycles % self._every:
            return
        recipe, reads = self._outputs
        values = [value for read in reads for value in read(controller)]
        if not self.channel.send_if_ready(recipe.pack(_OUTPUT_RECIPE, values)):
            self._server.unsent += 1

    def _answer(self, item: Package) -> None:
        try:
            answer = self._answers[PackageType(item.type)]
        except (ValueError, KeyError):
            # the real controller ignores what it does not know
            return
        body = answer(item.body)
        if body is not None:
            self.channel.send(package(item.type, body))

    def _protocol_version(self, body: bytes) -> bytes:
        return bytes([len(body) >= 2 and WORD.unpack_from(body)[0] == VERSION])

    def _software_version(self, body: bytes) -> bytes:
        return SOFTWARE_VERSION.pack(*self._server.version)

    def _set_outputs(self, body: bytes) -> bytes:
        names = split_names(body[FLOAT.size :])[:_MOST_VARIABLES]
        rate = FLOAT.unpack_from(body)[0] if len(body) >= FLOAT.size else RATE
        self._every = max(1, round(RATE / min(max(rate, 1.0), RATE)))
        found = [output(name) for name in names]
        types = [kind for kind, _ in found]
        self._outputs = None
        if NOT_FOUND not in types:
            self._outputs = (Recipe(names, types), [read for _, read in found if read])
        return bytes([_OUTPUT_RECIPE if self._outputs else 0]) + join_names(types)

    def _add_inputs(self, body: bytes) -> bytes:
        names = split_names(body)[:_MOST_VARIABLES]
        found = [input_variable(name) for name in names]
        types = [
            kind if kind == NOT_FOUND or self._may_write(name) else IN_USE
            for name, (kind, _) in zip(names, found, strict=True)
        ]
        full = len(self._inputs) >= _MOST_INPUT_RECIPES
        if NOT_FOUND in types or IN_USE in types or full:
            return b"\0" + join_names(types)
        for name in names:
            self._server.taken[name] = self
        self._inputs.append((Recipe(names, types), [write for _, write in found if write]))
        return bytes([len(self._inputs)]) + join_names(types)

    def _may_write(self, name: str) -> bool:
        if self._server.foreign and "register" in name:
            return False
        return self._server.taken.get(name, self) is self

    def _start(self, body: bytes) -> bytes:
        self.started = self._outputs is not None
        return bytes([self.started])

    def _pause(self, body: bytes) -> bytes:
        self.started = False
        return b"\1"

    def _data(self, body: bytes) -> None:
        """Take inputs; a package that does not fit its recipe is ignored."""
        if not body or not 1 <= body[0] <= len(self._inputs):
            return
        recipe, writes = self._inputs[body[0] - 1]
        try:
            values = recipe.unpack(body)
        except ProtocolError:
            return
        for name, write in zip(recipe.names, writes, strict=True):
            write(self._server.controller, values[recipe.where(name)])
        self._server.noted()
