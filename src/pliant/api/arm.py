"""`Arm`: what a user holds in hand."""

from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import Any, cast

import numpy as np
from pydantic import ValidationError

from pliant import commands as c
from pliant.api.arm_joints import Joints
from pliant.api.console_process import Shown
from pliant.api.open_session import ClockName, ConfigSource, compile_if_need_be, open_session
from pliant.api.session import Session
from pliant.arms.description import ArmDescription
from pliant.commands.line_protocol import usage
from pliant.commands.reply import Reply
from pliant.config import Config, explain
from pliant.errors import ArmStopped, Refused, WaitTimeout
from pliant.laws import Law
from pliant.laws.hybrid_admittance.axes import mask_from_names
from pliant.loop.history import History
from pliant.numerics.spatial import Array
from pliant.params import Frame
from pliant.robots.sim import SimRobot
from pliant.sim.hand import Hand
from pliant.sim.scenes import SceneNominal
from pliant.stages.supervisor import State, read_text
from pliant.tick import Rows, Tick

Values = Sequence[float] | Array

on_fault: list[Callable[["Arm"], None]] = []
"""Called with an arm in this process that went into a fault, before its program is told."""


class Arm:
    """A robot arm.

    With `clock="fast"` the arm is simulated in this process and its time advances only inside
    `wait`, `wait_until` and `ticks` (and in `zero`, which waits for its samples): the same program
    gives the same numbers bit for bit, as fast as the machine allows.

    A command that cannot be done raises `Refused` and changes nothing. If the arm stops by itself
    while a program waits, the waiting call raises `ArmStopped` with the reason.

    Example:
        >>> arm = Arm("sim:ur5e/table")
        >>> arm.zero()
        >>> arm.activate("hybrid_admittance")
        >>> arm.set_axes("z")
        >>> arm.set_wrench([0, 0, -5, 0, 0, 0])
        >>> arm.wait(2.0)
    """

    def __init__(
        self,
        spec: str = "sim:ur5e",
        *,
        clock: ClockName | None = None,
        config: ConfigSource = None,
        laws: Sequence[Law] = (),
        seed: int | None = None,
        history: float = 30.0,
        flight: bool = True,
    ) -> None:
        """Connect to an arm; it holds where it is.

        Args:
            spec: Which arm: `sim:ur5e`, `sim:ur5e/peg`; `attach` for the controller that runs, or
                `attach:NAME` for one of several.
            clock: What paces it: `fast`, simulated time in this process, the default for simulated
                arms; or `real`, a controller process that ends with this program.
            config: Parameters: a `Config`, nested values, or a YAML file.
            laws: Laws of your own, beside Pliant's.
            seed: Seed of everything random in the simulation.
            history: How many seconds `history` remembers.
            flight: Whether what led to a fault is saved: see `pliant.recording.flight`.
        """
        compile_if_need_be(spec)
        self._closed = False
        self._session = open_session(spec, clock, config, laws, seed, history, flight)
        self._on_fault = on_fault if flight and self._session.simulation else []
        self._fault_seen = -1.0
        self._shown: Shown | None = None
        self.dt = self._session.dt
        self.joints = Joints(self._session, self)

    def __enter__(self) -> "Arm":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the arm and let it go. Safe to call twice."""
        if not self._closed:
            self._closed = True
            if self._shown is not None:
                self._shown.close()
            self._session.close()

    def show(self, port: int = 0, browser: bool = True) -> str:
        """Show this arm in the operator's console, until the arm is closed.

        Simulated time then passes no faster than people can watch, and only this program commands.

        Args:
            port: Where the console listens, on this machine only; 0 takes any port that is free.
            browser: Whether to open it in the browser.

        Returns:
            Its address.
        """
        if self._shown is None:
            self._shown = Shown(self._session.published(), port=port, browser=browser)
        return self._shown.address

    # what the arm says

    @property
    def tick(self) -> Tick:
        """The last tick; every column of `pliant.tick.Tick` is an attribute. A copy."""
        return cast(Tick, self._session.row[0].copy())

    @property
    def history(self) -> History:
        """The past, by column name: `arm.history["w_T"]` has one row per tick."""
        return self._session.history

    @property
    def time(self) -> float:
        """The arm's time, s."""
        return float(self._session.row["time"][0])

    @property
    def state(self) -> State:
        """What the controller is doing."""
        return State(int(self._session.row["state"][0]))

    @property
    def reason(self) -> str:
        """Why the arm stopped or is held, empty if it does not."""
        return read_text(self._session.row)

    @property
    def description(self) -> ArmDescription:
        """The arm's figures: joints, limits, usual lag."""
        return self._session.arm

    @property
    def law(self) -> str | None:
        """The active law."""
        index = int(self._session.row["law"][0])
        return self._session.laws[index] if index >= 0 else None

    @property
    def laws(self) -> list[str]:
        """The laws that can be activated."""
        return self._session.laws

    @property
    def config(self) -> Config:
        """The parameters in force."""
        return self._session.config

    @property
    def session(self) -> Session:
        """What this arm talks to, for those who watch it."""
        return self._session

    @property
    def scene(self) -> SceneNominal:
        """What may be known of the simulated scene: its nominal geometry."""
        return self._session.scene

    @property
    def hand(self) -> Hand:
        """The hand that can push the simulated tool."""
        return self.simulation.hand

    @property
    def simulation(self) -> SimRobot:
        """The simulated robot itself, for tests and demonstrations.

        Raises:
            Refused: The arm is not in this process.
        """
        if self._session.simulation is None:
            raise Refused("the simulated robot is in the controller's process; use clock='fast'")
        return self._session.simulation

    # time

    def wait(self, seconds: float) -> None:
        """Let the arm run for a time.

        Raises:
            ArmStopped: The arm went into a fault meanwhile.
        """
        if not seconds >= 0.0:
            raise Refused(f"cannot wait for {seconds:g} s")
        last = self._session.row["k"].item() + round(seconds / self.dt)
        while self._session.row["k"].item() < last:
            self._step()

    def wait_until(self, condition: Callable[[Tick], bool], timeout: float = 60.0) -> Tick:
        """Let the arm run until a condition on the tick holds, and return that tick.

        Raises:
            WaitTimeout: It did not hold within the timeout.
            ArmStopped: The arm went into a fault meanwhile.
        """
        for tick in self.ticks(timeout):
            if condition(tick):
                return cast(Tick, cast(np.record, tick).copy())
        raise WaitTimeout(f"the condition did not hold within {timeout:g} s")

    def ticks(self, seconds: float = inf) -> Iterator[Tick]:
        """Run the arm tick by tick; commands given between ticks act at the next one.

        The tick is valid until the next one; copy what you keep.

        Raises:
            ArmStopped: The arm went into a fault meanwhile.
        """
        left = round(seconds / self.dt) if seconds != inf else -1
        while left != 0:
            left -= 1
            yield cast(Tick, self._step()[0])

    def _step(self) -> Rows:
        if self._closed:
            raise Refused("the arm is closed")
        row = self._session.advance()
        if row["state"].item() == State.FAULT and row["state_since"].item() != self._fault_seen:
            self._fault_seen = row["state_since"].item()
            for hook in self._on_fault:
                hook(self)
            raise ArmStopped(read_text(row))
        return row

    # commands

    def zero(self) -> None:
        """Zero the force sensor; the tool must be free and at rest. Waits for the samples."""
        asked = self._session.row["zero_seq"][0] + 1
        self._command(c.Zero)
        timeout = self.config.wrench.zero_time + 1.0
        done = self.wait_until(lambda t: t.zero_seen == asked and t.zero_left <= 0, timeout)
        if done.zero_left < 0:
            raise Refused("zeroing was broken off: the tool moved, or the sensor failed")

    def activate(self, law: str) -> None:
        """Put a law in charge; it starts from where the arm is."""
        self._command(c.Activate, law=law)

    def deactivate(self) -> None:
        """End the law: force targets ramp to zero, the arm comes to rest and holds."""
        self._command(c.Deactivate)

    def reset(self) -> None:
        """Leave a fault whose cause is gone."""
        self._command(c.Reset)

    def set_wrench(self, wrench: Values, frame: Frame = "tool") -> Array:
        """Set the wrench to be sensed along force-controlled axes.

        Args:
            wrench: Fx Fy Fz Tx Ty Tz that the environment is to exert on the tool, N and N·m. With
                the tool's z axis pointing into a surface, Fz = -5 presses on it with 5 N.
            frame: Axes of the wrench; a world wrench keeps its direction while the tool turns.

        Returns:
            The target after clamping to the limits.
        """
        return self._command(c.SetWrench, wrench=wrench, frame=frame).applied

    def set_axes(
        self, axes: str | Sequence[bool] | Sequence[int] | Array, n_af: int | None = None
    ) -> None:
        """Choose the force-controlled axes of the tool.

        Args:
            axes: Names such as "z" or "x y rz" ("" for none), a mask of six, or, with n_af, an
                orthonormal 6×6 matrix whose first n_af rows are force-controlled.
            n_af: How many rows of a matrix are force-controlled.
        """
        if n_af is not None:
            self._command(c.SetSubspace, Tr=axes, n_af=n_af)
        elif isinstance(axes, str):
            self._command(c.SetAxes, mask=mask_from_names(axes))
        else:
            self._command(c.SetAxes, mask=axes)

    def set_gains(self, **gains: Any) -> None:
        """Change gains of the hybrid admittance law, all at once, without a jump.

        Args:
            **gains: Fields of `HybridConfig`, such as stiffness, damping, inertia.
        """
        path = "laws.hybrid_admittance"
        law = self.config.get(path)
        unknown = [name for name in gains if name not in type(law).model_fields]
        if unknown:
            self.config.get(f"{path}.{unknown[0]}")
        self._command(
            c.SetParameter, path=path, value=law.model_dump(round_trip=True) | _plain(gains)
        )

    def use_preset(self, name: str) -> None:
        """Take the gains of a preset, or start a whole controller.

        Args:
            name: Gains of the hybrid admittance law: default, stiff_surface, hand_guiding,
                force_control_demo, light. On a torque arm a law with its motion: gravity, snake,
                snake_simplified, snake_pd, homing, cartesian, impedance, colab, playback.
        """
        self._command(c.UsePreset, name=name)

    def set(self, path: str, value: Any) -> None:
        """Change any parameter of the configuration by its path, as in `safety.contact_force`."""
        self._command(c.SetParameter, path=path, value=value)

    def get(self, path: str) -> Any:
        """A parameter of the configuration by its path."""
        return self.config.get(path)

    def move_to(self, pose: Values) -> None:
        """Send the reference to a pose x y z qw qx qy qz in the world."""
        self._command(c.MoveTo, pose=pose)

    def move_by(self, delta: Values, frame: Frame = "world") -> None:
        """Move the reference by dx dy dz, m, and a rotation vector, rad, along given axes."""
        self._command(c.MoveBy, delta=delta, frame=frame)

    def jog(self, twist: Values, frame: Frame = "world", timeout: float = 0.2) -> None:
        """Move the reference with a velocity; it stops if no new jog comes within the timeout."""
        self._command(c.Jog, twist=twist, frame=frame, timeout=timeout)

    def home(self, joints: Values | None = None, time: float = 3.0) -> None:
        """Send the joints to a configuration with least jerk, the arm's home if none is given."""
        self._command(c.Home, time=time, joints=joints)

    def sinus(self) -> None:
        """Let the joints swing as `reference.sinus` says."""
        self._command(c.Sinus)

    def follow_hand(self) -> None:
        """Let the tool go where a hand pushes it, as `reference.follow_hand` says."""
        self._command(c.FollowHand)

    def play(self) -> None:
        """Replay the motion of `reference.playback.file`."""
        self._command(c.Playback)

    def circle(self) -> None:
        """Send the tool along a circle, as `reference.circle` says."""
        self._command(c.Circle)

    def hold(self) -> None:
        """Stop the reference where it is."""
        self._command(c.Hold)

    def _command(self, kind: type[c.Command], **fields: Any) -> Reply:
        if self._closed:
            raise Refused("the arm is closed")
        try:
            command = kind(**fields)
        except ValidationError as error:
            raise Refused(f"{explain(error)}; expected {usage(kind)}") from None
        return self._session.take(command)


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    return {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}
