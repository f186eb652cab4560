"""State of the hybrid admittance law."""

from pliant.numerics.spatial import Array
from pliant.tick import column, table_dtype


class State:
    """State of the law."""

    K: Array = column("law", (6,), "N/m, N·m/rad", "Stiffness now.")
    D: Array = column("law", (6,), "N·s/m, N·m·s/rad", "Damping now.")
    M: Array = column("law", (6,), "kg, kg·m²", "Inertia now.")
    G: Array = column("law", (6,), "1", "Share of the reference's velocity fed forward.")
    w_ramped: Array = column(
        "law", (6,), "N, N·m", "Wrench target now, ramped, in the axes of w_target."
    )
    V_W: Array = column(
        "law", (6,), "m/s, rad/s", "Spatial velocity; only first-order integration uses it."
    )
    adaptive: float = column("law", (), "1", "Share of adaptive damping now, ramped.")
    spring_T: Array = column(
        "law", (6,), "N, N·m", "Spring wrench after its caps, in the axes of Tr."
    )
    error_T: Array = column("law", (6,), "N, N·m", "Sensed minus desired wrench, likewise.")
    integral_T: Array = column("law", (6,), "N·s, N·m·s", "Integral of the force error.")


STATE = table_dtype(State, 0)
STATE_SIZE = STATE.itemsize // 8
"""Doubles of the state block that the law uses."""
