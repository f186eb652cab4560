"""What the system is asked for, and what happens where it refuses."""

import ctypes
import gc
import os

import pytest

from pliant.controller import real_time
from pliant.controller.real_time import prepare


class Libc:
    """A C library that refuses."""

    def __init__(self, *, refuses: bool) -> None:
        self.calls: list[str] = []
        self.refuses = refuses

    def __getattr__(self, name: str):
        def call(*_arguments: object) -> int:
            self.calls.append(name)
            ctypes.set_errno(1 if self.refuses else 0)
            return -1 if self.refuses else 0

        return call


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch):
    """A system that grants or refuses everything, and changes nothing."""

    def install(*, refuses: bool) -> list[str]:
        libc = Libc(refuses=refuses)

        def ask(name: str):
            def call(*_arguments: object) -> None:
                libc.calls.append(name)
                if refuses:
                    raise PermissionError(1, os.strerror(1))

            return call

        monkeypatch.setattr(real_time.ctypes, "CDLL", lambda *_, **__: libc)
        for name in ("sched_setscheduler", "sched_setaffinity"):
            monkeypatch.setattr(real_time.os, name, ask(name))
        return libc.calls

    yield install
    gc.unfreeze()
    gc.enable()


def test_a_system_that_grants_everything_is_asked_for_it_and_nothing_is_said(system) -> None:
    calls = system(refuses=False)
    assert prepare(cpu=1) == []
    assert calls == ["sched_setscheduler", "mlockall", "prctl", "sched_setaffinity"]
    assert not gc.isenabled()


def test_each_thing_that_is_refused_is_said_once_and_the_rest_still_happens(system) -> None:
    system(refuses=True)
    messages = prepare(cpu=1)
    expected = ("real-time priority", "locked memory", "exact timers", "CPU 1")
    assert messages == [
        f"no {what}: Operation not permitted; ticks may be late" for what in expected
    ]
    assert not gc.isenabled()


def test_no_cpu_is_chosen_unless_asked_for(system) -> None:
    calls = system(refuses=False)
    prepare()
    assert "sched_setaffinity" not in calls


def test_a_system_that_knows_no_priorities_is_a_message_too(system, monkeypatch) -> None:
    system(refuses=False)
    monkeypatch.delattr(real_time.os, "sched_setscheduler")
    (message,) = prepare()
    assert message.startswith("no real-time priority")
