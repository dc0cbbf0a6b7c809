"""Processor time of a call, as bounds on it are compared with."""

import gc
import sys
import time
from collections.abc import Callable


def measure_cpu(run: Callable[[], object], *, tries: int = 1) -> float:
    """Return the least seconds of CPU of these tries, without the collector's: it walks all tests.

    Nor is that of the measure of coverage counted, which follows each line and doubles the time.

    A process beside this one empties the caches of the processor, which can double what a
    single try takes. The least of several is what the call itself needs: take three where a
    bound is under a second, or a ratio.
    """
    return min(_measure_once(run) for _ in range(tries))


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
