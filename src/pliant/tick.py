"""The tick: one control period as one row of one table.

`Tick` declares every column once, with the stage that writes it, its shape, unit and meaning. The
NumPy dtype, the message definition, the documentation page and every other description derive from
it.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from pliant.errors import ConfigError
from pliant.tick_column import (
    LAW_STATE_SIZE,
    MOST_JOINTS,
    MOST_REACTIONS,
    REACTION_SIZE,
    TEXT_SIZE,
    Array,
    ByteArray,
    Column,
    IntArray,
    N,
    Rows,
    column,
    declared_columns,
    table_dtype,
)


class Tick:
    """One control period. Poses are (x, y, z, qw, qx, qy, qz); wrenches act on the tool."""

    k: int = column("clock", (), "1", "Number of this tick, from 0.")
    time: float = column("clock", (), "s", "The arm's time: k periods.")
    dt: float = column("clock", (), "s", "The nominal period.")
    lateness: float = column("clock", (), "s", "How long after its deadline the tick started.")
    busy: float = column("clock", (), "s", "How long the previous tick took to compute.")

    q: Array = column("robot", (N,), "rad", "Joint positions, measured.")
    qd: Array = column("robot", (N,), "rad/s", "Joint velocities, measured.")
    tau: Array = column("robot", (N,), "N·m", "Joint torques, measured.")
    temperature: Array = column("robot", (N,), "°C", "Joint temperatures, measured.")
    w_S_raw: Array = column(
        "robot", (6,), "N, N·m", "Reading of the wrist sensor in S: load, bias and tool weight."
    )
    sensor_seq: int = column("robot", (), "1", "Counts new sensor readings.")
    robot_status: int = column("robot", (), "1", "0 while the arm follows; else the vendor's code.")
    true_f_fixture_W: Array = column(
        "robot", (3,), "N", "Contact force on the fixture, of the physics engine; NaN if unknown."
    )
    true_f_peak: float = column(
        "robot", (), "N", "Largest contact force since the last tick; NaN if unknown."
    )
    true_side_peak: float = column(
        "robot", (), "N", "Largest force on one side of an edge, likewise; NaN if unknown."
    )
    true_torque_peak: float = column(
        "robot", (), "N·m", "Largest torque of the contact about the TCP; NaN if unknown."
    )
    tau_ext: Array = column(
        "robot", (N,), "N·m", "External joint torques, estimated by the arm; NaN without estimate."
    )
    w_ext_T: Array = column(
        "robot",
        (6,),
        "N, N·m",
        "Wrench on the tool in T, estimated from tau_ext; NaN without estimate.",
    )
    gripper_state: int = column(
        "robot", (), "1", "0 no gripper, 1 ready, 2 moves, 3 missed, 4 stopped, 5 failed, 6 lost."
    )
    gripper_seq: int = column("robot", (), "1", "Counts commands to the gripper.")
    gripper_width: float = column("robot", (), "m", "Distance of its fingers; NaN without one.")
    gripper_max_width: float = column("robot", (), "m", "The largest; 0 before it is homed.")
    gripper_grasped: int = column("robot", (), "1", "1 while the gripper holds an object.")

    M: Array = column("dynamics", (N, N), "kg·m²", "Mass matrix at q; torque arms only, else zero.")
    c: Array = column("dynamics", (N,), "N·m", "Coriolis and centrifugal torque; torque arms only.")
    g: Array = column(
        "dynamics", (N,), "N·m", "Gravity torque, which the arm compensates; torque arms only."
    )
    a_bias_W: Array = column(
        "dynamics", (6,), "m/s², rad/s²", "J̇·q̇ of the tool at the TCP, in W; torque arms only."
    )

    X_WT: Array = column("model", (7,), "m, 1", "Pose of the tool, measured.")
    v_WT_W: Array = column("model", (6,), "m/s, rad/s", "Velocity of the tool, measured, in W.")
    J_W: Array = column("model", (6, N), "m, 1", "Tool Jacobian at q, in W at the TCP.")
    X_WT_sent: Array = column(
        "model", (7,), "m, 1", "Pose of the tool at the set points last sent."
    )
    v_WT_sent_W: Array = column(
        "model", (6,), "m/s, rad/s", "Velocity of the tool at the set points last sent, in W."
    )
    J_sent_W: Array = column("model", (6, N), "m, 1", "Tool Jacobian at the set points last sent.")

    w_bias_S: Array = column("wrench", (6,), "N, N·m", "Sensor bias, in S.")
    zero_left: int = column(
        "wrench",
        (),
        "1",
        "Samples still to take for zeroing; -1 if it was aborted, -2 if the tool was loaded.",
    )
    zero_sum_S: Array = column("wrench", (6,), "N, N·m", "Sum of the samples taken for zeroing.")
    w_zero_S: Array = column(
        "wrench", (6,), "N, N·m", "Mean reading when zeroed: bias and tool weight."
    )
    g_zero_S: Array = column("wrench", (3,), "m/s²", "Gravity in S when the sensor was zeroed.")
    zero_seen: int = column("wrench", (), "1", "The last zeroing request that was started.")
    zeroed: int = column("wrench", (), "1", "1 once the sensor has been zeroed.")
    sensor_age: float = column("wrench", (), "s", "Time since the last new sensor reading.")
    w_T_raw: Array = column("wrench", (6,), "N, N·m", "Wrench on the tool in T, before the filter.")
    w_T_filtered: Array = column("wrench", (6,), "N, N·m", "Wrench in T, low-pass filtered.")
    w_T: Array = column("wrench", (6,), "N, N·m", "Wrench on the tool in T, after the dead band.")
    verdict: int = column(
        "wrench", (), "1", "0 if the wrench can be trusted, else the code of the reason."
    )

    state: int = column("supervisor", (), "1", "Controller state.")
    state_since: float = column("supervisor", (), "s", "Time at which the state was entered.")
    reason: int = column(
        "supervisor", (), "1", "Code of the reason why the arm stopped or is held."
    )
    reason_text: ByteArray = column("supervisor", (TEXT_SIZE,), "UTF-8", "The reason in words.")
    law: int = column("supervisor", (), "1", "Index of the active law, -1 if none.")
    law_seq: int = column("supervisor", (), "1", "Counts activations.")
    zero_seq: int = column("supervisor", (), "1", "Counts requests to zero the sensor.")
    w_target: Array = column("supervisor", (6,), "N, N·m", "Desired sensed wrench, as commanded.")
    w_target_frame: int = column("supervisor", (), "1", "Its axes: 0 tool, 1 world, 2 task frame.")
    Tr: Array = column(
        "supervisor", (6, 6), "1", "Rows are the axes; the force-controlled ones come first."
    )
    n_af: int = column("supervisor", (), "1", "Number of force-controlled rows of Tr.")
    axes_frame: int = column("supervisor", (), "1", "Axes of Tr and gains, as w_target_frame.")
    X_WF: Array = column("supervisor", (7,), "m, 1", "Task frame, in whose axes these may be.")
    axes_seq: int = column("supervisor", (), "1", "Counts changes of Tr and n_af.")
    ref_kind: int = column(
        "supervisor",
        (),
        "1",
        "Kind of the reference: 0 hold, 1 pose, 2 jog, 3 homing, 4 sinus, 5 follow_hand, "
        "6 playback, 7 circle, 8 brake, 9 retract, 10 path.",
    )
    q_target: Array = column(
        "supervisor", (N,), "rad", "Target of homing, or the middle of the sinus."
    )
    ref_seq: int = column("supervisor", (), "1", "Counts motions that commands started.")
    ref_since: float = column("supervisor", (), "s", "Time at which the reference was started.")
    ref_time: float = column("supervisor", (), "s", "Planned duration of the reference.")
    X_WR_target: Array = column("supervisor", (7,), "m, 1", "Target pose of the reference.")
    ref_speed: Array = column(
        "supervisor", (2,), "m/s, rad/s", "Speed limits of this move; 0 is the configured one."
    )
    v_jog: Array = column("supervisor", (6,), "m/s, rad/s", "Twist commanded by jogging.")
    v_jog_frame: int = column("supervisor", (), "1", "Axes of v_jog: 0 tool, 1 world.")
    jog_until: float = column("supervisor", (), "s", "Time at which the jog command times out.")
    mode_wanted: IntArray = column("supervisor", (N,), "1", "Commanded control mode of each joint.")
    interaction: IntArray = column("supervisor", (N,), "1", "0 stiff, 1 compliant.")
    K_joint: Array = column("supervisor", (N,), "N·m/rad", "Stiffness of a compliant joint.")
    D_joint: Array = column("supervisor", (N,), "N·m·s/rad", "Damping of a compliant joint.")
    tau_offset: Array = column("supervisor", (N,), "N·m", "Torque added in a compliant joint.")
    speed_joint: Array = column("supervisor", (N,), "rad/s", "Mean speed of new trajectories.")
    acceleration_joint: Array = column(
        "supervisor", (N,), "rad/s²", "Acceleration of velocity ramps."
    )
    q_goal: Array = column("supervisor", (N,), "rad", "Commanded position of each joint.")
    q_goal_seq: IntArray = column("supervisor", (N,), "1", "Counts commanded positions.")
    qd_goal: Array = column("supervisor", (N,), "rad/s", "Commanded velocity of each joint.")
    tau_goal: Array = column("supervisor", (N,), "N·m", "Commanded torque of each joint.")
    output_goal: Array = column("supervisor", (N,), "1", "Commanded share of full motor output.")
    stream_seq: IntArray = column(
        "supervisor", (N,), "1", "Counts commanded velocities, torques and outputs."
    )
    stream_until: Array = column(
        "supervisor", (N,), "s", "Time at which the last streamed command times out."
    )
    stop_seq: IntArray = column("supervisor", (N,), "1", "Counts stop commands of a joint.")
    clear_seq: IntArray = column("supervisor", (N,), "1", "Counts force-idle commands.")
    calibrate_seq: IntArray = column("supervisor", (N,), "1", "Counts commanded calibrations.")
    fault_injected: IntArray = column(
        "supervisor", (N,), "1", "Joint fault injected in simulation, 0 if none."
    )
    reactions: Array = column(
        "supervisor", (MOST_REACTIONS * REACTION_SIZE,), "any", "Table of armed conditions."
    )
    reactions_armed: int = column("supervisor", (), "1", "Bit i: condition i + 1 is armed.")
    reaction_k: IntArray = column(
        "supervisor",
        (MOST_REACTIONS,),
        "1",
        "Tick in which each condition held; negative: its wrench was not trusted; 0: not yet.",
    )
    reaction_slot: int = column(
        "supervisor", (), "1", "Number of the reaction that acts in this tick; 0 if none."
    )

    lag: float = column("contact", (), "s", "Lag of the arm behind its set points, estimated.")
    lag_vv: float = column("contact", (), "m²/s", "Sum of v² over the free motion for the lag.")
    lag_vx: float = column("contact", (), "m²", "Sum of v·(x_sent − x) over it.")
    loop_delay: float = column("contact", (), "s", "Lag, wrench filter and two periods.")
    f_row: Array = column("contact", (6,), "N, N·m", "Filtered wrench along force-controlled rows.")
    x_row: Array = column("contact", (6,), "m", "Way of the tool along each of these rows.")
    x_row_filtered: Array = column("contact", (6,), "m", "The same, filtered like the wrench.")
    touching: IntArray = column("contact", (6,), "1", "1 while the tool is in contact along a row.")
    x_anchor: Array = column("contact", (6,), "m", "Slow average of x_row_filtered.")
    f_anchor: Array = column("contact", (6,), "N, N·m", "Slow average of f_row.")
    k_sums: Array = column("contact", (6, 5), "SI", "Weighted sums of 1, δx, δf, δx², δx·δf.")
    k_contact: Array = column("contact", (6,), "N/m", "Estimated stiffness; the stiffest if free.")
    f_slow: Array = column("contact", (6,), "N, N·m", "f_row below the swings that are counted.")
    swing_peak: Array = column("contact", (6,), "N, N·m", "Peak of the half swing under way.")
    swing_before: Array = column("contact", (6,), "N, N·m", "Peak of the half swing before it.")
    swing_range: Array = column("contact", (6,), "N, N·m", "Peak to peak of the last two of them.")
    swing_time: Array = column("contact", (6,), "s", "Duration so far of the half swing under way.")
    swings: IntArray = column("contact", (6,), "1", "Successive half swings that do not die away.")
    swing_gain: float = column("contact", (), "1", "β: factor on damping and inertia of a law.")
    contact_work: float = column("contact", (), "J", "Work of the environment since activation.")

    X_WR: Array = column("reference", (7,), "m, 1", "Reference pose of the tool.")
    v_WR_W: Array = column("reference", (6,), "m/s, rad/s", "Velocity of the reference, in W.")
    ref_done: int = column("reference", (), "1", "1 while the reference is at rest at its target.")
    a_WR_W: Array = column(
        "reference", (6,), "m/s², rad/s²", "Acceleration of the reference, in W."
    )
    q_ref: Array = column("reference", (N,), "rad", "Joint reference.")
    qd_ref: Array = column("reference", (N,), "rad/s", "Velocity of the joint reference.")
    qdd_ref: Array = column("reference", (N,), "rad/s²", "Acceleration of the joint reference.")
    tau_ff: Array = column("reference", (N,), "N·m", "Feed-forward torque of the joint reference.")
    ref_phase: float = column(
        "reference",
        (),
        "s",
        "Phase of playback or path, s, or circle, turns; below 0 on the way to the start.",
    )
    ref_rate: float = column(
        "reference", (), "1", "Rate of the phase; 1 is the recorded or nominal speed."
    )
    ref_stalled: float = column(
        "reference", (), "s", "How long a limit has kept the reference from its target."
    )
    w_hand_T: Array = column(
        "reference", (6,), "N, N·m", "Wrench of the guiding hand, filtered, in T."
    )

    w_desired_T: Array = column("law", (6,), "N, N·m", "Desired sensed wrench now, ramped, in T.")
    e_T: Array = column(
        "law",
        (6,),
        "m, rad",
        "Error from the commanded pose to the reference, in T; torque laws: from the tool.",
    )
    v_cmd_T: Array = column("law", (6,), "m/s, rad/s", "Velocity of the commanded pose, in T.")
    X_WT_cmd: Array = column("law", (7,), "m, 1", "Pose that the law commands.")
    law_limited: int = column(
        "law",
        (),
        "1",
        "Bits: 1 acceleration, 2 speed limit of the law; 4 a joint limit is active, 8 was relaxed; "
        "16 speed limit of a force-controlled row.",
    )
    reseed: int = column("law", (), "1", "1 requests that the reference continue from X_WR_seed.")
    X_WR_seed: Array = column(
        "law", (7,), "m, 1", "Pose from which the reference continues without a jump."
    )
    tau_law: Array = column(
        "law", (N,), "N·m", "Torque that the law commands, without gravity and friction."
    )
    tau_blend: Array = column(
        "law",
        (N,),
        "N·m",
        "Part of tau_law that fades, so that a new law starts with the torque last sent.",
    )
    D_row: Array = column("law", (6,), "N·s/m, N·m·s/rad", "Damping along force-controlled rows.")
    v_row: Array = column("law", (6,), "m/s, rad/s", "Speed limit along these rows; 0: none.")
    law_state: Array = column("law", (LAW_STATE_SIZE,), "", "State of the active law.")

    q_set: Array = column(
        "resolve", (N,), "rad", "Joint set points for the pose that the law commands."
    )
    sigma_min: float = column("resolve", (), "m", "Smallest singular value of J_sent_W.")
    u_min: Array = column("resolve", (6,), "1", "Tool direction of the smallest singular value.")
    dls_damping: float = column("resolve", (), "m", "Damping of the least squares.")

    mode: IntArray = column("joints", (N,), "1", "Control mode or status of each joint.")
    fault: IntArray = column(
        "joints", (N,), "1", "Code of the fault that disabled the joint, 0 if none."
    )
    fault_cause: IntArray = column(
        "joints", (N,), "1", "Code of the fault that is present now, 0 if none."
    )
    fault_for: Array = column(
        "joints", (N,), "s", "How long a joint has lost tracking or exceeded its torque."
    )
    new_fault: int = column("joints", (), "1", "1 in the tick in which a fault disables a joint.")
    calibration_left: Array = column("joints", (N,), "s", "Remaining time of a calibration.")
    q_board: Array = column("joints", (N,), "rad", "Position reference of the joint board.")
    qd_board: Array = column("joints", (N,), "rad/s", "Velocity of q_board.")
    qd_ramp: Array = column(
        "joints", (N,), "rad/s", "Ramped part of qd_board; the rest is the trajectory's."
    )
    motion: IntArray = column(
        "joints", (N,), "1", "0 at rest, 1 moving, 2 braking, 3 braking before a trajectory."
    )
    streaming: IntArray = column("joints", (N,), "1", "1 until a streamed command times out.")
    traj_from: Array = column("joints", (N,), "rad", "Start position of the trajectory.")
    traj_qd: Array = column("joints", (N,), "rad/s", "Start velocity of the trajectory.")
    traj_to: Array = column("joints", (N,), "rad", "End position of the trajectory.")
    traj_time: Array = column("joints", (N,), "s", "Duration of the trajectory.")
    traj_elapsed: Array = column("joints", (N,), "s", "Elapsed time of the trajectory.")
    joint_done: IntArray = column(
        "joints", (N,), "1", "1 while the reference of a joint is at rest."
    )
    q_hold: Array = column(
        "joints", (N,), "rad", "Position to which a joint retreats after a contact stop."
    )
    q_requested: Array = column(
        "joints", (N,), "rad", "Positions that the joints request in their modes."
    )
    tau_board: Array = column(
        "joints", (N,), "N·m", "Commanded torque of a joint in torque or open-loop mode, else zero."
    )
    by_torque: IntArray = column(
        "joints", (N,), "1", "1 if a joint is driven by torque, 0 if by position."
    )

    tau_integral: Array = column(
        "servo", (N,), "N·m", "Integral part of the stiff servo's torque; torque arms only."
    )
    tau_requested: Array = column(
        "servo", (N,), "N·m", "Torques that the joints request: the law's, or the servo's."
    )
    tau_servo_load: Array = column(
        "servo",
        (N,),
        "N·m",
        "Load that the servo compensates: tau_ext, filtered, beyond a dead band.",
    )
    tau_servo_blend: Array = column(
        "servo",
        (N,),
        "N·m",
        "Part of tau_requested that fades, so that a servo takes over without a jump.",
    )

    q_limited: Array = column("safety", (N,), "rad", "Positions within the safety limits.")
    qd_limited: Array = column("safety", (N,), "rad/s", "Velocity of q_limited.")
    qdd_limited: Array = column("safety", (N,), "rad/s²", "Acceleration of q_limited.")
    tau_limited: Array = column("safety", (N,), "N·m", "Torques within the safety limits.")
    clipped: int = column(
        "safety",
        (),
        "1",
        "Bits: 1 position, 2 velocity, 4 acceleration, 8 tool speed, 16 torque, 32 torque rate.",
    )
    trip: int = column("safety", (), "1", "Reason for which safety requires a stop, 0 if none.")

    q_sent: Array = column("write", (N,), "rad", "Positions that were sent to the arm.")
    tau_sent: Array = column("write", (N,), "N·m", "Torques that were sent to the arm.")


def columns(table: type = Tick) -> Iterator[tuple[str, Column, Any]]:
    """Name, declaration and annotated type of every column of a table class, in order."""
    return declared_columns(table)


STAGES = tuple(dict.fromkeys(declared.stage for _, declared, _ in columns()))
"""The stages in the order in which they run; each writes only its own columns."""


@cache
def tick_dtype(n: int) -> np.dtype:
    """The dtype of a tick; one object per n, as Numba compares dtypes by identity first.

    Raises:
        ConfigError: There are more than `MOST_JOINTS` joints.
    """
    if n > MOST_JOINTS:
        raise ConfigError(f"an arm may have at most {MOST_JOINTS} joints, not {n}")
    return table_dtype(Tick, n)


def stage_span(stage: str, n: int) -> tuple[int, int]:
    """First byte of a stage's columns in a row, and the byte after their last one."""
    fields: Any = tick_dtype(n).fields
    places = [fields[name] for name, declared, _ in columns() if declared.stage == stage]
    return min(start for _, start in places), max(start + kind.itemsize for kind, start in places)


def new_rows(n: int, count: int = 1) -> Rows:
    """Rows of zeros; poses and the axis matrix are identity, and no law is active."""
    rows = np.zeros(count, tick_dtype(n))
    for name, declared, _ in columns():
        if declared.shape == (7,):
            rows[name][:, 3] = 1.0
    rows["Tr"] = np.eye(6)
    rows["law"] = -1
    return rows
