"""Processor time of a call, as bounds on it are compared with."""

import gc
import sys
import time
from collections.abc import Callable

REFERENCE_SECONDS = 0.016
"""What half a million additions take on a core of the speed that bounds are written for."""


def measure_slowness() -> float:
    """Return how many times longer this machine takes now than that core: 1 or more.

    Rented machines differ by a factor of two from one hour to the next; without this a bound would
    hold in the morning and fail at night.
    """
    return max(1.0, min(_measure_once(_add_up) for _ in range(2)) / REFERENCE_SECONDS)


def _add_up() -> None:
    total = 0
    for number in range(500_000):
        total += number


def measure_cpu(run: Callable[[], object], *, tries: int = 1) -> float:
    """Return the least seconds of CPU of these tries, as on a core that `REFERENCE_SECONDS` is of.

    Without the collector's, which walks all tests.

    Nor is that of the measure of coverage counted, which follows each line and doubles the time.

    A process beside this one empties the caches of the processor, which can double what a
    single try takes. The least of several is what the call itself needs: take three where a
    bound is under a second, or a ratio.
    """
    seconds = min(_measure_once(run) for _ in range(tries))
    return seconds / measure_slowness()


def _measure_once(run: Callable[[], object]) -> float:
    tracer = sys.gettrace()
    gc.disable()
    sys.settrace(None)
    begun = time.process_time()
    try:
        run()
        return time.process_time() - begun
    finally:
        sys.settrace(tracer)
        gc.enable()
