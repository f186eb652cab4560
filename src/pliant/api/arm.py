"""`Arm`: a robot arm in a user's program."""

import sys
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from pydantic import ValidationError

from pliant import commands as c
from pliant.api.active_law import ActiveLaw
from pliant.api.arm_force import ArmForce
from pliant.api.arm_gripper import ArmGripper
from pliant.api.arm_joints import Joints
from pliant.api.arm_motion import When
from pliant.api.arm_text import describe_arm
from pliant.api.armed_reaction import ArmedReaction
from pliant.api.condition_watch import watch
from pliant.api.console_process import ConsoleProcess
from pliant.api.durations import check_duration, check_timeout
from pliant.api.open_session import ClockName, open_session
from pliant.api.python_form import no_such_attribute, python_form
from pliant.api.session import Session
from pliant.api.tick_view import TickViews, tick_copy
from pliant.arms.description import ArmDescription
from pliant.commands.reply import Reply
from pliant.config import Config, explain
from pliant.controller.arm_config import ConfigSource
from pliant.errors import ArmStopped, Refused, WaitTimeout, warn_user
from pliant.laws import Law
from pliant.loop.history import History
from pliant.numerics.spatial import Array
from pliant.params import Frame, Params
from pliant.pose import Pose
from pliant.reasons import State
from pliant.robots.base import Robot
from pliant.sim.hand import Hand
from pliant.sim.scenes import SceneNominal
from pliant.stages.supervisor import read_text
from pliant.stages.supervisor.conditions import condition as make_condition
from pliant.stages.wrench import AT_REST
from pliant.stages.wrench.zeroing import Zeroing
from pliant.tick import Rows, Tick

Values = Sequence[float] | Array


class Arm(ArmForce):
    """A robot arm.

    With `clock="fast"` the arm is simulated in this process. Its time advances only inside `wait`,
    `wait_until`, `ticks` and `zero`, as fast as the machine allows; the same program gives the same
    numbers bit for bit.

    A command that cannot be obeyed raises `Refused` and changes nothing. If the arm stops while a
    program waits, the waiting call raises `ArmStopped` with the reason.

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
        motions: Sequence[str | Path] = (),
    ) -> None:
        """Connect to an arm; it holds where it is.

        Args:
            spec: Which arm: `sim:ur5e`, `sim:ur5e/peg`; `attach` for the running controller, or
                `attach:NAME` for one of several.
            clock: `fast` is simulated time in this process, the default for simulated arms;
                `real` is a controller process that ends with this program.
            config: Parameters: a `Config`, nested values, `{"sim.seed": 3}`, or a YAML file.
            laws: Laws of your own, beside Pliant's.
            seed: Seed of everything random in the simulation.
            history: How many seconds `history` remembers.
            flight: Whether the 10 s before a fault are saved to a file.
            motions: With `clock="real"`, the folders of the files that `reference.playback.file`
                may be set to; by default the working directory. In simulated time any file is read.
        """
        self._closed = False
        self._session = open_session(spec, clock, config, laws, seed, history, flight, motions)
        self._saves_flight = flight
        self._fault_seen = -1.0
        self._console: ConsoleProcess | None = None
        self.dt = self._session.dt
        self._reactions: dict[int, ArmedReaction] = {}
        self._law_ends = False
        self._views = TickViews()

    def __enter__(self) -> "Arm":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self._close(failed=kind is not None)

    def __repr__(self) -> str:
        return describe_arm(self)

    if not TYPE_CHECKING:
        # for a type checker every attribute would exist

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)
            raise no_such_attribute(name, (n for n in dir(type(self)) if not n.startswith("_")))

    def close(self) -> None:
        """Disconnect; an arm that this program started stops. Safe to call twice.

        The arm of another program's controller goes on with what it does, unless conditions watch
        it: then it holds. After an exception in a `with` block it comes to rest.
        """
        self._close(failed=False)

    def _close(self, *, failed: bool) -> None:
        if not self._closed:
            self._closed = True
            if self._console is not None:
                self._console.close()
            self._session.close(failed=failed)

    def show(self, port: int = 0, browser: bool = True) -> str:
        """Show this arm in the operator's console, until the arm is closed.

        Simulated time then passes no faster than real time. Only this program can command the arm.

        Args:
            port: Port of the console, on this machine only; 0 takes any free port.
            browser: Whether to open it in the browser.

        Returns:
            Its address.
        """
        if self._console is None:
            self._console = ConsoleProcess(self._session.published(), port=port, browser=browser)
        return self._console.address

    # queries

    @property
    def tick(self) -> Tick:
        """The last tick; every column of `pliant.tick.Tick` is an attribute. A copy."""
        return tick_copy(self._session.row)

    @property
    def pose(self) -> Pose:
        """The measured pose of the tool in the world."""
        return Pose(self._session.row["X_WT"][0])

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
        """Why the arm stopped or holds; empty if there is no reason."""
        return read_text(self._session.row)

    @property
    def description(self) -> ArmDescription:
        """The arm's parameters: joints, limits, typical lag."""
        return self._session.arm

    @property
    def law(self) -> ActiveLaw | None:
        """The active law, with parameters as attributes; it equals its name. None without one."""
        index = self._session.law
        if index < 0:
            return None
        name = self._session.laws[index]
        return ActiveLaw(name, lambda: getattr(self.config.laws, name, Params()), self.set)

    @property
    def laws(self) -> list[str]:
        """The laws that can be activated."""
        return self._session.laws

    @property
    def joints(self) -> Joints:
        """The joints, to command them one by one."""
        # made each time: kept here, it would keep a closed arm in memory
        return Joints(self._session, self)

    @property
    def gripper(self) -> ArmGripper:
        """The gripper on the arm; its commands are refused if there is none."""
        return ArmGripper(self._session, self)

    @property
    def config(self) -> Config:
        """The parameters in force."""
        return self._session.config

    @property
    def session(self) -> Session:
        """The session with the arm, for recorders and tools."""
        return self._session

    @property
    def scene(self) -> SceneNominal:
        """The nominal geometry of the simulated scene.

        Raises:
            Refused: The arm has none.
        """
        if self._session.scene is None:
            raise Refused("this arm has no simulated scene")
        return self._session.scene

    @property
    def hand(self) -> Hand:
        """A hand that can push the simulated tool.

        Raises:
            Refused: The arm has none, or is not in this process.
        """
        if self.robot.hand is None:
            raise Refused("only a simulated arm has a hand")
        return self.robot.hand

    def push(self, wrench: Values, frame: Frame = "world", seconds: float = 0.2) -> None:
        """Push the tool of a simulated arm for a while, whichever process it is in.

        A new push replaces what the hand did before; `hand` can do more.

        Args:
            wrench: Force and torque of the hand on the tool, at the TCP, N and N·m.
            frame: Axes of the wrench.
            seconds: How long it lasts, s.
        """
        self._command(c.Push, wrench=wrench, frame=frame, seconds=seconds)

    @property
    def robot(self) -> Robot:
        """The robot itself, for tests and demonstrations.

        Raises:
            Refused: It is not in this process.
        """
        if self._session.robot is None:
            raise Refused("the robot is in the controller's process; use clock='fast'")
        return self._session.robot

    @property
    def simulation(self) -> Any:
        """The simulated robot itself, with its physics; see `robot`."""
        return self.robot

    # time

    def wait(self, seconds: float) -> None:
        """Let the arm run for a time.

        Raises:
            ArmStopped: The arm went into a fault meanwhile.
        """
        check_duration(seconds)
        last = self._session.row["k"].item() + round(seconds / self.dt)
        while self._session.row["k"].item() < last:
            self._step()

    def wait_until(self, condition: Callable[[Tick], bool] | When, timeout: float = 60.0) -> Tick:
        """Let the arm run until a condition on the tick holds; that tick.

        Args:
            condition: A function of the tick, or a condition such as `pliant.force("z") > 5`, that
                the program judges; `until` and `on` let the arm act in the same tick.
            timeout: How long to wait, s.

        Raises:
            WaitTimeout: It did not hold within the timeout.
            ArmStopped: The arm went into a fault meanwhile.
        """
        check_timeout(timeout)
        holds = condition if callable(condition) else watch(make_condition(condition), self.dt)
        for tick in self.ticks(timeout):
            if holds(tick):
                return self.tick
        raise WaitTimeout(f"the condition did not hold within {timeout:g} s")

    def ticks(self, seconds: float = inf) -> Iterator[Tick]:
        """Run the arm tick by tick; commands given between ticks act at the next one.

        The tick is valid until the next one; copy what you keep.

        Raises:
            ArmStopped: The arm went into a fault meanwhile.
        """
        check_timeout(seconds, "how long to run")
        left = round(seconds / self.dt) if seconds != inf else -1
        while left != 0:
            left -= 1
            yield self._views.of(self._step())

    def _step(self) -> Rows:
        if self._closed:
            raise Refused("the arm is closed")
        row = self._session.advance()
        if row["state"].item() == State.FAULT and row["state_since"].item() != self._fault_seen:
            self._fault_seen = row["state_since"].item()
            saved = self._session.save_flight() if self._saves_flight else ""
            if saved:
                print(f"pliant: {saved}", file=sys.stderr, flush=True)
            raise ArmStopped(read_text(row))
        return row

    # commands

    def zero(self) -> None:
        """Zero the force sensor; the tool must be free. Waits until it rests, for up to 1 s."""
        for _ in range(round(1.0 / self.dt)):
            if np.abs(self._session.row["v_WT_W"][0]).max() < AT_REST:
                break
            self._step()
        zeroing = Zeroing.after(self._session.row, self.config.wrench)
        self._command(c.Zero)
        while not zeroing.is_done(self._step()):
            pass

    def activate(self, law: str, **parameters: Any) -> None:
        """Activate a law; it starts from where the arm is.

        Args:
            law: Its name; `laws` lists them.
            **parameters: Parameters of the law to change first, as in `stiffness=(300, 20)`. If one
                cannot work, or the law cannot be activated, nothing changes.
        """
        self._command(c.Activate, law=law, parameters=parameters)
        self._law_ends = False

    def deactivate(self) -> None:
        """End the active law: force targets ramp to zero, the arm comes to rest and holds.

        It does not wait for that; a move that follows does.
        """
        self._command(c.Deactivate)
        self._law_ends = True

    def reset(self) -> None:
        """Leave a fault whose cause is gone."""
        self._command(c.Reset)

    def use_preset(self, name: str) -> None:
        """Take the gains of a preset, or start a whole controller.

        Args:
            name: Name of the preset; an unknown name raises an error that lists them. There are
                gains of the hybrid admittance law and, on a torque arm, laws with their motion.
        """
        self._command(c.UsePreset, name=name)

    def set(self, path: str, value: Any) -> None:
        """Change any parameter of the configuration by its path, as in `safety.contact_force`."""
        self._command(c.SetParameter, path=path, value=value)

    def get(self, path: str) -> Any:
        """A parameter of the configuration by its path."""
        return self.config.get(path)

    def _command(self, kind: type[c.Command], **fields: Any) -> Reply:
        if self._closed:
            raise Refused("the arm is closed")
        reply = self._session.take(self._checked(kind, **fields))
        if reply.warning:
            warn_user(reply.warning)
        return reply

    def _checked(self, kind: type[c.Command], call: str = "", /, **fields: Any) -> c.Command:
        try:
            return kind(**fields)
        except ValidationError as error:
            form = python_form(kind, type(self), call)
            raise Refused(f"{explain(error)}{f'; expected {form}' if form else ''}") from None
