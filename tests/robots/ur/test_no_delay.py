"""Commands leave at once, and so take effect in the arm's next period."""

import os
import socket
import stat
from collections.abc import Iterator

import numpy as np
import pytest

from pliant import commands as c
from pliant.identify import fit_lag
from pliant.loop.history import History
from pliant.robots.ur.no_delay import send_at_once
from pliant.robots.ur.rtde_protocol import PORT
from tests.virtual_arms import virtual_arm

from .ur_loops import run, running


def connections(port: int) -> Iterator[socket.socket]:
    """The connections of this process to a port."""
    for name in os.listdir("/proc/self/fd"):
        try:
            if not stat.S_ISSOCK(os.stat(f"/proc/self/fd/{name}").st_mode):
                continue
            with socket.socket(fileno=os.dup(int(name))) as connection:
                if connection.getpeername()[1:2] == (port,):
                    yield connection
        except OSError:
            continue


def test_only_connections_to_the_port_are_changed() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as two,
    ):
        ends = [socket.create_connection(server.getsockname()) for server in (one, two)]
        assert send_at_once(one.getsockname()[1]) == 1
        values = [end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for end in ends]
        assert values[0] and not values[1]
        for end in ends:
            end.close()


@pytest.mark.alone
def test_a_set_point_acts_in_the_next_period() -> None:
    with virtual_arm("ur5e", "--clock", "lockstep") as arm:
        for loop in running(arm):
            loop.publisher = history = History(loop.robot.n, 2000)
            own = [s.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for s in connections(PORT)]
            assert len(own) == 2 and all(own), "Pliant's and ur_rtde's"
            loop.take(c.Activate(law="position"))
            run(loop, 0.1)
            for sign in (1.0, -1.0, -1.0, 1.0):
                loop.take(c.Jog(twist=(*(sign * 0.05 * np.ones(3)), 0.0, 0.0, 0.0), timeout=0.1))
                run(loop, 0.15)
            fit = fit_lag(history.since(0.0))
            assert fit.dead_time.value == pytest.approx(0.008, abs=5e-4)
            assert fit.lag.value == pytest.approx(0.034, abs=5e-4)
