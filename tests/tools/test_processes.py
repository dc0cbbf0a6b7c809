"""Children are started, waited for and surely ended."""

import os
import signal
import sys
from collections.abc import Callable

import pytest

from tools import processes
from tools.processes import free_port, listening, running, scratch, wait_until

SLEEPER = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "print('up', flush=True); time.sleep(600)"
    ),
]


def up(log):
    return lambda: log.exists() and b"up" in log.read_bytes()


def test_a_child_ends_with_its_block(tmp_path):
    log = tmp_path / "log"
    with running(SLEEPER, log=log) as child:
        assert wait_until(up(log), seconds=20, child=child)
        assert child.poll() is None
    assert child.returncode == -signal.SIGTERM


def test_a_child_that_ignores_the_polite_signal_is_killed(tmp_path):
    log = tmp_path / "log"
    with running(STUBBORN, log=log, patience=0.2) as child:
        assert wait_until(up(log), seconds=20, child=child)
    assert child.returncode == -signal.SIGKILL


def test_a_child_ends_also_when_the_block_fails(tmp_path):
    def fail(child):
        raise LookupError(child.pid)

    with pytest.raises(LookupError) as failed, running(SLEEPER, log=tmp_path / "log") as child:
        fail(child)
    assert child.returncode is not None
    assert failed.value.args == (child.pid,)


def test_waiting_stops_when_the_child_has_ended():
    with running([sys.executable, "-c", ""]) as child:
        child.wait()
        assert not wait_until(lambda: False, seconds=600, child=child)


def test_waiting_stops_when_time_is_over():
    assert not wait_until(lambda: False, seconds=0)


def test_a_scratch_folder_is_private_and_goes_away():
    with scratch("och-try-") as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "deep").mkdir()
    assert not folder.exists()


def test_only_root_steps_down(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert processes.unprivileged() == {}
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    identity = processes.unprivileged()
    assert identity["user"] > 0
    assert identity["extra_groups"] == []


@pytest.mark.enable_socket
def test_a_free_port_has_no_listener():
    assert not listening(free_port())


def test_termination_becomes_an_ordinary_exit(monkeypatch):
    handlers: dict[int, Callable[[int, None], None]] = {}
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    processes.end_on_terminate()
    with pytest.raises(SystemExit) as left:
        handlers[signal.SIGTERM](signal.SIGTERM, None)
    assert left.value.code == 143
