"""Where things are in a ring's memory. Needs the standard library alone.

page 0..15   magic, length, header as JSON: schema, arm, process
page 16      counters of the writer, and what its guardian says
then         the lane of ticks: `depth` rows, tick number i at i modulo depth
then         the lane of lines: a ring of 8-byte words
"""

PRODUCT = b"PLIANT"
MAGIC = PRODUCT + b"05"
HEADER_SIZE = 65536
PAGE = 4096

GUARDIAN_AT = 2048
"""Where on its page the guardian writes."""

LONGEST_WORD = 1024
"""Most bytes of the guardian's last word."""

RUNNING, STOPPING, RELEASED = range(3)
"""Values of `Counters.release`."""


class Counters:
    """Counters of the writer.

    Attributes:
        begun: Ticks begun.
        ticks: Ticks finished.
        oldest: Start of the oldest complete line, in words since the beginning.
        words: Start of the next line, in words since the beginning.
        ended: 1 once the ring is closed.
        release: `RUNNING` while the loop drives the arm; `STOPPING` while its backend brings it to
            rest, at the end; `RELEASED` after that.
        stamp: When the last tick was finished, by the system's monotonic clock, ns.
    """

    begun: int
    ticks: int
    oldest: int
    words: int
    ended: int
    release: int
    stamp: int


class GuardianWords:
    """What the guardian writes, before the text of its last word.

    Attributes:
        pid: Its process id; 0 if there is none.
        size: Bytes of its last word; 0 until it has stopped the arm.
    """

    pid: int
    size: int


COUNTER_NAMES = tuple(Counters.__annotations__)
