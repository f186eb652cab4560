"""The tick: one control period as one row of one table.

`Tick` declares every column once, with the stage that writes it, its shape, unit and meaning. The
NumPy dtype, the documentation page and whatever else describes the data derive from it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pliant.errors import ConfigError

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
ByteArray = NDArray[np.uint8]
Rows = np.ndarray
"""A one-row array of `tick_dtype(n)`."""

N = -1
"""Stands for the number of joints in a column's shape."""

STAGES = (
    "clock",
    "robot",
    "model",
    "wrench",
    "supervisor",
    "reference",
    "law",
    "resolve",
    "joints",
    "safety",
    "write",
)
"""The stages in the order in which they run; each writes only its own columns."""

MOST_JOINTS = 16
"""The largest number of joints of an arm; a constant in `@kernel` functions."""

LAW_STATE_SIZE = 6 * MOST_JOINTS
"""Doubles in the block that holds the state of the active law."""

TEXT_SIZE = 120


@dataclass(frozen=True, kw_only=True)
class Column:
    """What is known of one column beside its name."""

    stage: str
    shape: tuple[int, ...]
    unit: str
    doc: str


def column(stage: str, shape: tuple[int, ...], unit: str, doc: str) -> Any:
    """Declare a column; its scalar type comes from the annotation."""
    return Column(stage=stage, shape=shape, unit=unit, doc=doc)


class Tick:
    """One control period. Poses are (x, y, z, qw, qx, qy, qz); wrenches act on the tool."""

    k: int = column("clock", (), "1", "Number of this tick, from 0.")
    time: float = column("clock", (), "s", "The arm's time: k periods.")
    dt: float = column("clock", (), "s", "The nominal period.")
    lateness: float = column("clock", (), "s", "How long after its deadline the tick began.")
    busy: float = column("clock", (), "s", "How long the previous tick took to compute.")

    q: Array = column("robot", (N,), "rad", "Joint positions, measured.")
    qd: Array = column("robot", (N,), "rad/s", "Joint velocities, measured.")
    tau: Array = column("robot", (N,), "N·m", "Joint torques, measured.")
    temperature: Array = column("robot", (N,), "°C", "Joint temperatures, measured.")
    w_S_raw: Array = column(
        "robot", (6,), "N, N·m", "What the wrist sensor says, in S: load, bias and tool weight."
    )
    sensor_seq: int = column("robot", (), "1", "Counts fresh sensor readings.")
    robot_status: int = column("robot", (), "1", "0 while the arm obeys, else the vendor's code.")
    true_f_fixture_W: Array = column(
        "robot", (3,), "N", "Contact force on the fixture, from the physics engine; NaN elsewhere."
    )
    true_f_peak: float = column(
        "robot", (), "N", "Largest contact force on the fixture since the last tick; NaN elsewhere."
    )
    tau_ext: Array = column(
        "robot",
        (N,),
        "N·m",
        "What the environment does to the joints, as the arm estimates it; NaN where it does not.",
    )
    w_ext_T: Array = column(
        "robot",
        (6,),
        "N, N·m",
        "Wrench on the tool in T, as the arm estimates it from tau_ext; NaN where it does not.",
    )

    X_WT: Array = column("model", (7,), "m, 1", "Pose of the tool, measured.")
    v_WT_W: Array = column("model", (6,), "m/s, rad/s", "Velocity of the tool, measured, in W.")
    J_W: Array = column("model", (6, N), "m, 1", "Tool Jacobian at q, in W at the TCP.")
    X_WT_sent: Array = column(
        "model", (7,), "m, 1", "Pose of the tool at the set points last sent."
    )
    v_WT_sent_W: Array = column(
        "model", (6,), "m/s, rad/s", "Velocity of the tool by the set points last sent, in W."
    )
    J_sent_W: Array = column("model", (6, N), "m, 1", "Tool Jacobian at the set points last sent.")
    M: Array = column("model", (N, N), "kg·m²", "Mass matrix at q; zero on a position arm.")
    c: Array = column("model", (N,), "N·m", "Coriolis and centrifugal torque; zero likewise.")
    g: Array = column(
        "model", (N,), "N·m", "Gravity torque, which the arm compensates itself; zero likewise."
    )
    a_bias_W: Array = column(
        "model", (6,), "m/s², rad/s²", "J̇·q̇ of the tool at the TCP, in W; zero likewise."
    )

    w_bias_S: Array = column("wrench", (6,), "N, N·m", "Sensor bias in force, in S.")
    zero_left: int = column(
        "wrench", (), "1", "Samples still to take for zeroing; -1 if the last one was broken off."
    )
    zero_sum_S: Array = column("wrench", (6,), "N, N·m", "Sum of the samples taken for zeroing.")
    w_zero_S: Array = column(
        "wrench", (6,), "N, N·m", "What the free sensor said when zeroed: bias and tool weight."
    )
    g_zero_S: Array = column("wrench", (3,), "m/s²", "Gravity in S when the sensor was zeroed.")
    zero_seen: int = column("wrench", (), "1", "The last zeroing request taken up.")
    zeroed: int = column("wrench", (), "1", "1 once the sensor has been zeroed.")
    sensor_age: float = column("wrench", (), "s", "Time since the last fresh sensor reading.")
    w_T_raw: Array = column("wrench", (6,), "N, N·m", "Wrench on the tool in T, not yet filtered.")
    w_T_filtered: Array = column("wrench", (6,), "N, N·m", "The same, low-pass filtered.")
    w_T: Array = column("wrench", (6,), "N, N·m", "Wrench on the tool in T, after the dead band.")
    verdict: int = column("wrench", (), "1", "0 if the wrench can be trusted, else why not.")

    state: int = column("supervisor", (), "1", "Controller state.")
    state_since: float = column("supervisor", (), "s", "When that state began.")
    reason: int = column("supervisor", (), "1", "Why the arm stopped or is held.")
    reason_text: ByteArray = column("supervisor", (TEXT_SIZE,), "UTF-8", "The reason in words.")
    law: int = column("supervisor", (), "1", "Index of the active law, -1 if none.")
    law_seq: int = column("supervisor", (), "1", "Counts activations.")
    zero_seq: int = column("supervisor", (), "1", "Counts requests to zero the sensor.")
    w_target: Array = column("supervisor", (6,), "N, N·m", "Wrench to be sensed, as commanded.")
    w_target_frame: int = column("supervisor", (), "1", "Axes of w_target: 0 tool, 1 world.")
    Tr: Array = column("supervisor", (6, 6), "1", "Rows are the axes, force-controlled ones first.")
    n_af: int = column("supervisor", (), "1", "How many rows of Tr are force-controlled.")
    axes_seq: int = column("supervisor", (), "1", "Counts changes of Tr and n_af.")
    ref_kind: int = column(
        "supervisor",
        (),
        "1",
        "What the reference does: 0 hold, 1 pose, 2 jog, 3 homing, 4 sinus, 5 follow_hand, "
        "6 playback, 7 circle.",
    )
    q_target: Array = column(
        "supervisor", (N,), "rad", "Where homing ends, or sinus has its middle."
    )
    ref_since: float = column("supervisor", (), "s", "When the reference began.")
    ref_time: float = column("supervisor", (), "s", "How long it is to take.")
    X_WR_target: Array = column("supervisor", (7,), "m, 1", "Pose the reference is to reach.")
    v_jog: Array = column("supervisor", (6,), "m/s, rad/s", "Twist commanded by jogging.")
    v_jog_frame: int = column("supervisor", (), "1", "Axes of v_jog: 0 tool, 1 world.")
    jog_until: float = column("supervisor", (), "s", "When the jog command goes stale.")
    mode_wanted: IntArray = column("supervisor", (N,), "1", "Control mode asked of each joint.")
    interaction: IntArray = column("supervisor", (N,), "1", "0 stiff, 1 compliant.")
    K_joint: Array = column("supervisor", (N,), "N·m/rad", "Stiffness of a compliant joint.")
    D_joint: Array = column("supervisor", (N,), "N·m·s/rad", "Damping of a compliant joint.")
    tau_offset: Array = column("supervisor", (N,), "N·m", "Torque added in a compliant joint.")
    speed_joint: Array = column("supervisor", (N,), "rad/s", "Mean speed of new trajectories.")
    acceleration_joint: Array = column("supervisor", (N,), "rad/s²", "With which velocities ramp.")
    q_goal: Array = column("supervisor", (N,), "rad", "Position asked of each joint.")
    q_goal_seq: IntArray = column("supervisor", (N,), "1", "Counts positions asked for.")
    qd_goal: Array = column("supervisor", (N,), "rad/s", "Velocity asked of each joint.")
    tau_goal: Array = column("supervisor", (N,), "N·m", "Torque asked of each joint.")
    output_goal: Array = column("supervisor", (N,), "1", "Share of full motor output asked for.")
    stream_seq: IntArray = column(
        "supervisor", (N,), "1", "Counts velocities, torques and outputs asked for."
    )
    stream_until: Array = column("supervisor", (N,), "s", "When the last of them goes stale.")
    stop_seq: IntArray = column("supervisor", (N,), "1", "Counts stops of a joint.")
    clear_seq: IntArray = column("supervisor", (N,), "1", "Counts force idles.")
    calibrate_seq: IntArray = column("supervisor", (N,), "1", "Counts calibrations asked for.")
    fault_injected: IntArray = column(
        "supervisor", (N,), "1", "Joint fault pretended in simulation, 0 if none."
    )

    X_WR: Array = column("reference", (7,), "m, 1", "Reference pose of the tool.")
    v_WR_W: Array = column("reference", (6,), "m/s, rad/s", "Velocity of the reference, in W.")
    ref_done: int = column("reference", (), "1", "1 while the reference rests at its target.")
    a_WR_W: Array = column("reference", (6,), "m/s², rad/s²", "Its acceleration, in W.")
    q_ref: Array = column("reference", (N,), "rad", "Reference of the joints.")
    qd_ref: Array = column("reference", (N,), "rad/s", "Its velocity.")
    qdd_ref: Array = column("reference", (N,), "rad/s²", "Its acceleration.")
    tau_ff: Array = column("reference", (N,), "N·m", "Torque that goes with it.")
    ref_phase: float = column(
        "reference", (), "s", "How far playback or circle have come; below 0 on the way to it."
    )
    ref_rate: float = column("reference", (), "1", "How fast that goes, 1 being as recorded.")
    w_hand_T: Array = column(
        "reference", (6,), "N, N·m", "Wrench of the hand that is followed, filtered, in T."
    )

    w_desired_T: Array = column("law", (6,), "N, N·m", "Wrench to be sensed now, ramped, in T.")
    e_T: Array = column("law", (6,), "m, rad", "From the commanded pose to the reference, in T.")
    v_cmd_T: Array = column("law", (6,), "m/s, rad/s", "Velocity of the commanded pose, in T.")
    X_WT_cmd: Array = column("law", (7,), "m, 1", "Pose that the law asks for.")
    law_limited: int = column(
        "law",
        (),
        "1",
        "Bits: the law's own 1 acceleration, 2 speed limit; 4 a joint's limit binds, 8 gave way.",
    )
    reseed: int = column("law", (), "1", "1 asks the reference to continue from X_WR_seed.")
    X_WR_seed: Array = column("law", (7,), "m, 1", "Where the reference must be to avoid a jump.")
    tau_law: Array = column(
        "law", (N,), "N·m", "Torque that the law asks for, without gravity and friction."
    )
    tau_blend: Array = column(
        "law", (N,), "N·m", "Part of it that fades, so that a law begins with the torque last sent."
    )
    law_state: Array = column("law", (LAW_STATE_SIZE,), "", "What the law remembers.")

    q_set: Array = column("resolve", (N,), "rad", "Joint set points for the pose of the law.")
    sigma_min: float = column("resolve", (), "m", "Smallest singular value of J_sent_W.")
    u_min: Array = column("resolve", (6,), "1", "The tool direction that belongs to it.")
    dls_damping: float = column("resolve", (), "m", "Damping of the least squares in force.")

    mode: IntArray = column("joints", (N,), "1", "Control mode or status of each joint.")
    fault: IntArray = column("joints", (N,), "1", "Why a joint was taken out, 0 if it was not.")
    fault_cause: IntArray = column("joints", (N,), "1", "What is wrong with it now, 0 if nothing.")
    fault_for: Array = column("joints", (N,), "s", "How long it has not followed or been strained.")
    new_fault: int = column("joints", (), "1", "1 in the tick in which a joint is taken out.")
    calibration_left: Array = column("joints", (N,), "s", "What is left of a calibration.")
    q_board: Array = column("joints", (N,), "rad", "Position reference of the board, by commands.")
    qd_board: Array = column("joints", (N,), "rad/s", "Its velocity.")
    qd_ramp: Array = column("joints", (N,), "rad/s", "Its part that is ramped, not a trajectory's.")
    motion: IntArray = column(
        "joints", (N,), "1", "0 rests, 1 under way, 2 braking, 3 braking before it sets out."
    )
    streaming: IntArray = column("joints", (N,), "1", "1 while a streamed command is fresh.")
    traj_from: Array = column("joints", (N,), "rad", "Where the trajectory began.")
    traj_qd: Array = column("joints", (N,), "rad/s", "The velocity that it began with.")
    traj_to: Array = column("joints", (N,), "rad", "Where it ends.")
    traj_time: Array = column("joints", (N,), "s", "How long it takes.")
    traj_elapsed: Array = column("joints", (N,), "s", "How much of that is over.")
    joint_done: IntArray = column("joints", (N,), "1", "1 while a joint's reference rests.")
    q_hold: Array = column(
        "joints", (N,), "rad", "Where a joint goes back to after a contact stop."
    )
    q_requested: Array = column("joints", (N,), "rad", "What the joints ask for in their modes.")
    tau_board: Array = column("joints", (N,), "N·m", "Torque of a joint by command, else zero.")
    tau_integral: Array = column(
        "joints", (N,), "N·m", "What the integral of the stiff servo adds; torque arms only."
    )
    by_torque: IntArray = column(
        "joints", (N,), "1", "1 where a joint is driven by torque, 0 where by position."
    )
    tau_requested: Array = column(
        "joints", (N,), "N·m", "Torque that the joints ask for: the law's, or that of the servo."
    )
    tau_servo_load: Array = column(
        "joints", (N,), "N·m", "What the servo holds against: tau_ext, filtered, without noise."
    )
    tau_servo_blend: Array = column(
        "joints", (N,), "N·m", "Part of it that fades, so that a servo takes over without a jump."
    )

    q_limited: Array = column("safety", (N,), "rad", "What safety lets through.")
    qd_limited: Array = column("safety", (N,), "rad/s", "Velocity of q_limited.")
    qdd_limited: Array = column("safety", (N,), "rad/s²", "Acceleration of q_limited.")
    tau_limited: Array = column("safety", (N,), "N·m", "Torque that safety lets through.")
    clipped: int = column(
        "safety",
        (),
        "1",
        "Bits: 1 position, 2 velocity, 4 acceleration, 8 tool speed, 16 torque, 32 torque rate.",
    )
    trip: int = column("safety", (), "1", "Reason for which safety demands a stop, 0 if none.")

    q_sent: Array = column("write", (N,), "rad", "What the arm was told.")
    tau_sent: Array = column("write", (N,), "N·m", "Torque that the arm was told.")


def columns(table: type = Tick) -> Iterator[tuple[str, Column, Any]]:
    """Name, declaration and annotated type of every column of a table class, in order."""
    for name, annotation in table.__annotations__.items():
        yield name, getattr(table, name), annotation


def table_dtype(table: type, n: int) -> np.dtype:
    """The record dtype of a table class for n joints."""
    scalars = {float: np.float64, int: np.int64, Array: np.float64, IntArray: np.int64}
    scalars[ByteArray] = np.uint8
    fields = []
    for name, declared, annotation in columns(table):
        shape = tuple(n if size == N else size for size in declared.shape)
        fields.append((name, scalars[annotation], shape))
    # np.record, so that rows have attributes when the kernels run as plain Python
    return np.dtype((np.record, np.dtype(fields, align=True)))


@cache
def tick_dtype(n: int) -> np.dtype:
    """The dtype of a tick; one object per n, as Numba compares dtypes by identity first.

    Raises:
        ConfigError: There are more joints than kernels are made for.
    """
    if n > MOST_JOINTS:
        raise ConfigError(f"an arm may have {MOST_JOINTS} joints, not {n}")
    return table_dtype(Tick, n)


def new_rows(n: int, count: int = 1) -> Rows:
    """Rows of zeros, with identity where a pose or an axis matrix is expected."""
    rows = np.zeros(count, tick_dtype(n))
    for name, declared, _ in columns():
        if declared.shape == (7,):
            rows[name][:, 3] = 1.0
    rows["Tr"] = np.eye(6)
    rows["law"] = -1
    return rows
