"""`arm.gripper`: the gripper on an arm, whichever it is."""

from pliant import commands as c
from pliant.api.durations import check_timeout
from pliant.api.joint_move import Runner
from pliant.api.session import Session
from pliant.arms.gripper_state import GripperState
from pliant.errors import GripperFailed, WaitTimeout
from pliant.tick import Tick


class ArmGripper:
    """The gripper. Widths are distances of the fingers, m, speeds m/s, forces N.

    A command waits until it has ended, while the arm goes on, and says whether it succeeded. With
    `wait=False` it only begins; `wait_done` waits then.
    """

    def __init__(self, session: Session, runner: Runner) -> None:
        self._session = session
        self._runner = runner

    def __repr__(self) -> str:
        return f"<Gripper: {self.state.name}, {1e3 * self.width:.1f} mm>"

    @property
    def state(self) -> GripperState:
        """What it does, or how its last command ended; `state.text` says it in words."""
        return GripperState(int(self._tick.gripper_state))

    @property
    def width(self) -> float:
        """Distance of the fingers; NaN without a gripper."""
        return float(self._tick.gripper_width)

    @property
    def max_width(self) -> float:
        """How far they open, as homing found it; 0 before it."""
        return float(self._tick.gripper_max_width)

    @property
    def is_grasped(self) -> bool:
        """Whether an object is held."""
        return bool(self._tick.gripper_grasped)

    def home(self, *, wait: bool = True, timeout: float = 30.0) -> bool:
        """Find out how far the fingers open: they close and open; needed once.

        Raises:
            GripperFailed: It failed, or the gripper was lost.
        """
        return self._do(c.HomeGripper, wait, timeout)

    def move(
        self, width: float, speed: float = 0.05, *, wait: bool = True, timeout: float = 30.0
    ) -> bool:
        """Move the fingers to a width.

        Returns:
            Whether they got there; without waiting, True.

        Raises:
            GripperFailed: It failed, or the gripper was lost.
        """
        return self._do(c.MoveGripper, wait, timeout, width=width, speed=speed)

    def grasp(
        self,
        width: float,
        force: float = 20.0,
        speed: float = 0.05,
        *,
        inner: float = 0.005,
        outer: float = 0.005,
        wait: bool = True,
        timeout: float = 30.0,
    ) -> bool:
        """Close the fingers on an object.

        Args:
            width: Its width.
            force: Force to hold it with.
            speed: Speed of the fingers.
            inner: How much narrower it may be, to count as grasped.
            outer: How much wider it may be.
            wait: Whether to wait until it is held, or missed.
            timeout: How long to wait, s.

        Returns:
            Whether it is held; without waiting, True.

        Raises:
            GripperFailed: It failed, or the gripper was lost.
        """
        fields = {"width": width, "force": force, "speed": speed, "inner": inner, "outer": outer}
        return self._do(c.Grasp, wait, timeout, **fields)

    def stop(self) -> None:
        """Stop the fingers; they let go of what they hold."""
        self._do(c.StopGripper, True, 5.0)

    def wait_done(self, timeout: float = 30.0) -> bool:
        """Let the arm run until the gripper has ended its command; whether it succeeded.

        Raises:
            GripperFailed: It failed, or the gripper was lost.
            WaitTimeout: It still moves.
        """
        return self._wait(0, timeout)

    @property
    def _tick(self) -> Tick:
        return self._session.row[0]

    def _do(
        self, kind: type[c.GripperCommand], wait: bool, timeout: float, **fields: float
    ) -> bool:
        check_timeout(timeout)
        number = self._runner._command(kind, **fields).value
        return self._wait(number, timeout) if wait else True

    def _wait(self, number: int, timeout: float) -> bool:
        """Wait until no command moves it, and the one with this number has begun."""

        def over(tick: Tick) -> bool:
            return tick.gripper_seq >= number and tick.gripper_state != GripperState.MOVING

        try:
            self._runner.wait_until(over, timeout)
        except WaitTimeout:
            raise WaitTimeout(f"the gripper still moves after {timeout:g} s") from None
        state = self.state
        if state in (GripperState.NONE, GripperState.FAILED, GripperState.LOST):
            raise GripperFailed(f"the gripper: {state.text}")
        return state is GripperState.READY
