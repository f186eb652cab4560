"""The dashboard server: text lines, each answered by one."""

from collections.abc import Callable

from pliant.virtual.byte_channel import ByteChannel
from pliant.virtual.ur.safety_state import RuntimeState, SafetyMode
from pliant.virtual.ur.ur_controller import UrController

PORT = 29999
GREETING = "Connected: Universal Robots Dashboard Server"


class DashboardServer:
    """Answers the commands of the dashboard.

    Attributes:
        version: What `PolyscopeVersion` answers.
        model: What `get robot model` answers.
        serial: The serial number.
    """

    def __init__(self, controller: UrController, version: str, model: str, serial: str) -> None:
        self.version = version
        self.model = model
        self.serial = serial
        self._controller = controller
        self._log: list[str] = []
        self._answers: dict[str, Callable[[], str]] = {
            "polyscopeversion": lambda: f"URSoftware {version} (Feb 10 2023)",
            "version": lambda: version,
            "get robot model": lambda: model,
            "get serial number": lambda: serial,
            "is in remote control": lambda: _word(controller.remote),
            "robotmode": lambda: f"Robotmode: {controller.arm.robot_mode.name}",
            "safetymode": lambda: f"Safetymode: {self._safety()}",
            "safetystatus": lambda: f"Safetystatus: {self._safety()}",
            "running": lambda: f"Program running: {_word(controller.program is not None)}",
            "programstate": self._program_state,
            "get loaded program": lambda: "No program loaded",
            "get operational mode": lambda: "NONE",
            "power on": self._power_on,
            "power off": self._power_off,
            "brake release": self._brake_release,
            "unlock protective stop": self._unlock,
            "close safety popup": lambda: "closing safety popup",
            "close popup": lambda: "closing popup",
            "stop": self._stop,
            "restart safety": self._restart_safety,
        }

    def received(self, channel: ByteChannel) -> bool:
        """Answer all complete lines; False if the client wants to leave."""
        while b"\n" in channel.received:
            line, _, rest = bytes(channel.received).partition(b"\n")
            channel.received[:] = rest
            words = " ".join(line.decode(errors="replace").split())
            if words == "quit":
                channel.send(b"Disconnected\n")
                return False
            channel.send(f"{self.answer(words)}\n".encode())
        return True

    def answer(self, words: str) -> str:
        """The answer to a line."""
        if words.startswith(("popup ", "addToLog ")):
            return "showing popup" if words.startswith("popup") else "Added log message"
        answer = self._answers.get(words.lower())
        return answer() if answer else f"could not understand: '{words}'"

    def _safety(self) -> str:
        return self._controller.arm.safety_mode.name

    def _program_state(self) -> str:
        state = self._controller.runtime_state
        word = {RuntimeState.PLAYING: "PLAYING", RuntimeState.PAUSED: "PAUSED"}.get(state)
        return f"{word or 'STOPPED'} {self._controller.program_name or '<unnamed>'}"

    def _power_on(self) -> str:
        if refusal := self._refusal():
            return refusal
        self._controller.power_on()
        return "Powering on"

    def _power_off(self) -> str:
        if refusal := self._refusal():
            return refusal
        self._controller.power_off()
        return "Powering off"

    def _brake_release(self) -> str:
        if refusal := self._refusal():
            return refusal
        self._controller.release_brakes()
        return "Brake releasing"

    def _unlock(self) -> str:
        if self._controller.unlock():
            return "Protective stop releasing"
        if self._controller.arm.safety_mode != SafetyMode.PROTECTIVE_STOP:
            return "Protective stop releasing"
        return "Cannot unlock protective stop until 5s after occurrence. Always inspect cause"

    def _stop(self) -> str:
        if refusal := self._refusal():
            return refusal
        self._controller.end_program()
        return "Stopped"

    def _restart_safety(self) -> str:
        self._controller.release()
        self._controller.power_off()
        return "Restarting safety"

    def _refusal(self) -> str:
        """Why a command that moves or stops is not obeyed; empty if it is."""
        if self._controller.remote:
            return ""
        return "Command is not allowed due to safety reasons. Robot is not in remote control mode."


def _word(flag: bool) -> str:
    return "true" if flag else "false"
