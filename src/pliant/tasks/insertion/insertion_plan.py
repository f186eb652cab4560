"""The figures of the insertion strategy."""

from dataclasses import dataclass
from math import radians


@dataclass(frozen=True, kw_only=True)
class InsertionPlan:
    """One set for surfaces of 1 to 100 N/mm, lags of 2 to 34 ms and holes up to `reach` away.

    Attributes:
        reach: How far the hole may be from its nominal position, m.
        lean: Angle at which the peg leans while it searches, rad.
        hover: Height of the tip above the nominal surface before the approach, m.
        press: Force on the surface while searching, N.
        touch: Force that counts as contact, N.
        settle: Time for a contact to come to rest, s.
        hold: Stiffness that holds the peg sideways while it searches, N/m.
        blocked: Sideways force that means that the edge is caught, N.
        peak: Contact peak that the speeds are chosen for, N.
        precession: Largest rate at which the lean goes around in a scan, rad/s.
        dip: Depth below the face that means that a hole was found, m.
        nestle: Force into the far side of the hole, N.
        dither: Force to and fro across it, N.
        dither_time: Time from one side to the other, s.
        down: Force into the hole while nestling, N.
        lean_hold: Rotational stiffness that keeps the peg leaning while it nestles, N·m/rad.
        follow: Rotational stiffness to the reference while turning and inserting, N·m/rad.
        keep: Stiffness that keeps the peg as deep as it is while it turns, N/m.
        turning: Rate at which the peg is turned upright, rad/s.
        insert: Force into the hole, N.
        insert_most: The same if the peg does not move on, N.
        side: Side force from which the peg is pushed less, N.
        attempts: How often to search.
        look: How often the strategy looks at the arm, s.
    """

    reach: float = 0.020
    lean: float = radians(10.0)
    hover: float = 0.004
    press: float = 4.0
    touch: float = 1.5
    settle: float = 0.3
    hold: float = 5000.0
    blocked: float = 4.5
    peak: float = 10.0
    precession: float = 1.7
    dip: float = 0.00015
    nestle: float = 3.5
    dither: float = 1.5
    dither_time: float = 0.35
    down: float = 3.0
    lean_hold: float = 4.0
    follow: float = 2.0
    keep: float = 2000.0
    turning: float = 0.2
    insert: float = 6.0
    insert_most: float = 9.0
    side: float = 12.0
    attempts: int = 6
    look: float = 0.01
