"""Processor time of a call, as bounds on it are compared with."""

import gc
import time
from collections.abc import Callable


def measure_cpu(run: Callable[[], object]) -> float:
    """Return the seconds of CPU that this takes, without the collector's: it walks all tests."""
    gc.disable()
    begun = time.process_time()
    try:
        run()
        return time.process_time() - begun
    finally:
        gc.enable()
