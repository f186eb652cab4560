"""The controller's general-purpose registers: 48 integers and 48 floats in each direction."""

COUNT = 48


class Registers:
    """Inputs, written by RTDE clients, and outputs, written by the program.

    Attributes:
        input_int: Integers that clients wrote.
        input_float: Floats that clients wrote.
        output_int: Integers that the program wrote.
        output_float: Floats that the program wrote.
        writes: How often clients have written each input integer.
    """

    def __init__(self) -> None:
        self.input_int = [0] * COUNT
        self.input_float = [0.0] * COUNT
        self.output_int = [0] * COUNT
        self.output_float = [0.0] * COUNT
        self.writes = [0] * COUNT

    def write_int(self, number: int, value: int) -> None:
        """A client writes an integer."""
        self.input_int[number] = value
        self.writes[number] += 1

    def write_float(self, number: int, value: float) -> None:
        """A client writes a float."""
        self.input_float[number] = value


class ProgramRegisters:
    """The registers as the control program sees them: with an offset of 0 or 24."""

    def __init__(self, registers: Registers, offset: int) -> None:
        self._registers = registers
        self.offset = offset

    def get_int(self, number: int) -> int:
        """An input integer."""
        return self._registers.input_int[number + self.offset]

    def get_float(self, number: int) -> float:
        """An input float."""
        return self._registers.input_float[number + self.offset]

    def six(self, number: int) -> list[float]:
        """Six input floats in a row: joints, a pose or a twist."""
        start = number + self.offset
        return self._registers.input_float[start : start + 6]

    def put_int(self, number: int, value: int) -> None:
        """Write an output integer."""
        self._registers.output_int[number + self.offset] = value

    def put_floats(self, values: list[float]) -> None:
        """Write output floats, from number 0 on."""
        for i, value in enumerate(values):
            self._registers.output_float[i + self.offset] = float(value)
