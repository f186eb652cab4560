"""Performance of the console: every tick of an arm plotted in a browser.

A headless Chromium shows the page with six plots, and the joint temperatures instead of the 3D
view. Commands are sent, and their effects observed, in that browser.
"""

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.bench.console_rig import ConsoleRig, console_rig, open_page, watchers
from pliant.bench.figure import Figure
from pliant.errors import PliantError
from pliant.ring.ring import RingReader

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAME_BOUND = 1000.0 / 30.0
LATENESS_BOUND = 1.3

_SETTLE = 1.0
_VIEWERS = 20

# Sends a new wrench target and waits for a frame that shows it.
_COMMANDS = """
async ([count, pause]) => {
  const socket = new WebSocket(`ws://${location.host}/ws`);
  socket.binaryType = "arraybuffer";
  await new Promise((opened) => (socket.onopen = opened));
  const send = (message) => socket.send(JSON.stringify(message));
  let wanted = 0, sent = 0, refused = "", done = () => {}, replied = [], times = [];
  socket.onmessage = ({ data }) => {
    if (typeof data === "string") {
      const message = JSON.parse(data);
      if (message.type === "reply" && message.ok) replied.push(performance.now() - sent);
      if (message.type === "reply" && !message.ok) refused = message.text;
      return;
    }
    const cells = new Float64Array(data, 24);
    if (cells.length && Math.abs(cells[cells.length - 4] - wanted) < 1e-9) done();
  };
  const heartbeat = setInterval(() => send({ type: "ping", t: 0 }), 100);
  send({ type: "subscribe", columns: ["w_target"] });
  for (let i = 0; i < count && !refused; i++) {
    await new Promise((later) => setTimeout(later, pause * (0.5 + Math.random())));
    wanted = -1 - 0.001 * (i + 1);
    const seen = new Promise((resolve) => (done = resolve));
    sent = performance.now();
    send({ type: "line", id: i, text: `WRENCH 0 0 ${wanted} 0 0 0` });
    await Promise.race([seen, new Promise((late) => setTimeout(late, 2000))]);
    times.push(performance.now() - sent);
  }
  clearInterval(heartbeat);
  socket.close();
  return { times, replied, refused };
}
"""


def measure_console(*, quick: bool = False) -> dict[str, Figure]:
    """Measure a console with a browser, and with twenty viewers.

    Args:
        quick: Take only a few seconds; the figures are less precise.

    Raises:
        PliantError: There is no browser.
    """
    seconds, commands = (3.0, 20) if quick else (20.0, 200)
    with console_rig() as rig:
        figures = _lateness_figures(rig, turns=1 if quick else 4, seconds=1.0 if quick else 3.0)
        with open_page(rig) as page:
            page.get_by_label("6 axes").check()
            page.get_by_label("Joint temperatures").check()
            time.sleep(_SETTLE)
            figures |= _stream_figures(rig, page, seconds)
            figures |= _command_figures(page, commands)
    return figures


def _stream_figures(rig: ConsoleRig, page: "Page", seconds: float) -> dict[str, Figure]:
    before, cpu, start = _stats(page), rig.cpu_seconds(), time.monotonic()
    time.sleep(seconds)
    after, elapsed = _stats(page), time.monotonic() - start
    percent = 100.0 * (rig.cpu_seconds() - cpu) / elapsed
    ticks, frames = (after[name] - before[name] for name in ("ticks", "frames"))
    missing = sum(after[name] - before[name] for name in ("gaps", "missed"))
    expected = after["lastK"] - before["lastK"]
    return {
        "console_ticks_missing": Figure(
            value=float(max(missing, expected - ticks)),
            unit="ticks",
            meaning=f"of {expected} ticks, missing in the browser's decoded stream",
            bound=0.0,
        ),
        "console_tick_rate": Figure(
            value=ticks / elapsed, unit="1/s", meaning="ticks decoded by the browser"
        ),
        "console_frame_time": Figure(
            value=1000.0 * elapsed / max(frames, 1),
            unit="ms",
            meaning=f"time between redraws of the six plots ({frames / elapsed:.0f}/s)",
            bound=FRAME_BOUND,
        ),
        "console_server_cpu": Figure(
            value=percent, unit="% of a core", meaning="processor time of the server, one viewer"
        ),
    }


def _stats(page: "Page") -> dict[str, int]:
    return page.evaluate("() => ({...window.pliantStats})")


def _command_figures(page: "Page", count: int) -> dict[str, Figure]:
    """Time from a command in the browser to the frame that shows its effect."""
    measured: dict[str, Any] = page.evaluate(_COMMANDS, [count, 40])
    if measured["refused"]:
        raise PliantError(f"a command of the benchmark was refused: {measured['refused']}")
    p50, p99 = np.percentile(measured["times"], (50, 99))
    reply = float(np.median(measured["replied"]))
    what = "from a command in the browser to a received tick that shows its effect"
    return {
        "console_effect_p50": Figure(value=float(p50), unit="ms", meaning=f"{what}, median"),
        "console_effect_p99": Figure(value=float(p99), unit="ms", meaning=f"{what}, p99"),
        "console_reply_p50": Figure(
            value=reply, unit="ms", meaning="from a command in the browser to its reply, median"
        ),
    }


def _lateness_figures(rig: ConsoleRig, turns: int, seconds: float) -> dict[str, Figure]:
    """Lateness of the loop with twenty viewers, compared in turns with no viewers."""
    alone, watched = [], []
    for _ in range(turns):
        alone.append(_lateness(rig, seconds))
        with watchers(rig, _VIEWERS):
            watched.append(_lateness(rig, seconds))
    figures = {}
    for name, percent in (("p50", 50.0), ("p99", 99.0)):
        ours = 1e6 * float(np.median([np.percentile(late, percent) for late in watched]))
        bare = 1e6 * float(np.median([np.percentile(late, percent) for late in alone]))
        figures[f"console_lateness_{name}"] = Figure(
            value=ours / bare,
            unit="×",
            meaning=f"lateness of the loop with {_VIEWERS} viewers, relative to none, {name}",
            bound=LATENESS_BOUND if name == "p50" else None,
            microseconds=ours,
        )
    return figures


def _lateness(rig: ConsoleRig, seconds: float) -> np.ndarray:
    time.sleep(_SETTLE)
    ring = RingReader(rig.ring)
    time.sleep(seconds)
    return np.array([row["lateness"].item() for row in ring.ticks()])
