"""The reason of a tick in words, as bytes of its row."""

import numpy as np

from pliant.tick import TEXT_SIZE, Rows


def write_text(tick: Rows, text: str) -> None:
    """Write the reason's text into a tick, cut to what fits."""
    data = text.encode()[:TEXT_SIZE]
    while data and data.decode(errors="ignore").encode() != data:
        data = data[:-1]
    tick["reason_text"][0] = 0
    tick["reason_text"][0][: len(data)] = np.frombuffer(data, np.uint8)


def read_text(tick: Rows) -> str:
    """The reason's text of a tick."""
    return bytes(tick["reason_text"][0]).rstrip(b"\0").decode()
