"""Seconds that nobody can set, for waiting and for measuring how long ago something was."""

import time

_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def seconds() -> float:
    """Return the seconds since this machine was started, those that it slept included."""
    return time.clock_gettime(_CLOCK)


def compute_boot_time() -> int:
    """Return when this machine was started, by its own clock, in microseconds since 1970."""
    return round((time.time() - seconds()) * 1_000_000)
