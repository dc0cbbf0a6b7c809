"""A limit of CPU time for a computation in a thread: one that loops for ever ends with an error.

Signals reach the main thread alone, and a time-out on the clock would hit whoever works beside a
busy neighbour or was frozen. Here one thread of the process reads the CPU time of the others, and
raises TookTooLong in the one that has used too much. It reaches Python code; a loop inside a
function written in C goes on until that returns.
"""

import ctypes
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from quizzes.lib import steady_clock

POLL: Final = 0.2
"""Seconds between two looks at the threads that compute."""
AGAIN: Final = 0.5
"""Seconds of CPU after which the error is raised anew in code that has caught it."""

Outcome = TypeVar("Outcome")


class TookTooLong(Exception):
    """A computation used more CPU time than it may."""


@dataclass(slots=True, eq=False)
class _Computation:
    """A thread that computes, and the second of its CPU time at which that is too long."""

    thread: int
    read_seconds: Callable[[], float]
    until: float
    is_stopped: bool = False


class _Monitor:
    """The computations of this process, and the thread that looks at them."""

    def __init__(self) -> None:
        self._start_anew()
        os.register_at_fork(after_in_child=self._start_anew)

    def _start_anew(self) -> None:
        """Forget all: a child process has none of its parent's threads."""
        self._lock = threading.Lock()
        self._computations: set[_Computation] = set()
        self._is_needed = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, computation: _Computation) -> None:
        with self._lock:
            self._computations.add(computation)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cpu limit", daemon=True)
                self._thread.start()
        self._is_needed.set()

    def remove(self, computation: _Computation) -> None:
        """Stop looking at a computation; may be repeated. An error on its way is taken back."""
        with self._lock:
            self._computations.discard(computation)
            if computation.is_stopped:
                _raise_in(computation.thread, None)

    def _run(self) -> None:
        while self._is_needed.wait():
            time.sleep(POLL)
            with self._lock:
                for computation in self._computations:
                    _stop_if_too_long(computation)
                if not self._computations:
                    self._is_needed.clear()


def run_limited(compute: Callable[[], Outcome], *, seconds: float) -> Outcome:
    """Return what `compute` returns; TookTooLong when it uses more than these seconds of CPU."""
    read_seconds = _choose_clock(threading.get_ident())
    computation = _Computation(threading.get_ident(), read_seconds, read_seconds() + seconds)
    _monitor.add(computation)
    # The error may come at any moment, that of the first clean-up included; a second one comes
    # only after AGAIN.
    try:
        try:
            return compute()
        finally:
            _monitor.remove(computation)
    except TookTooLong:
        _monitor.remove(computation)
        raise


def _choose_clock(thread: int) -> Callable[[], float]:
    """Return what reads the CPU time of a thread; the steady clock where the system has none."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return steady_clock.seconds
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


def _stop_if_too_long(computation: _Computation) -> None:
    used = computation.read_seconds()
    if used > computation.until:
        computation.is_stopped, computation.until = True, used + AGAIN
        _raise_in(computation.thread, TookTooLong)


def _raise_in(thread: int, error: type[Exception] | None) -> None:
    """Have a thread raise an error at its next step in Python; None takes back what is pending."""
    pending = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), pending)


_monitor = _Monitor()
