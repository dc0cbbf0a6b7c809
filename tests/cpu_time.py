"""Processor time of a call, as bounds on it are compared with."""

import gc
import re
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial

WORD = re.compile(r"\d+")
REFERENCE_SECONDS = 0.019
"""What `_work` takes on a core of the speed that bounds are written for."""
LONGEST_REFERENCE = 0.3
"""Seconds of it that are enough to know the speed by."""
GROWTH_TURNS = 5


def measure_slowness(seconds: float = 0.0) -> float:
    """Return how many times longer this machine takes now than that core: 1 or more.

    Rented machines differ by a factor of two from one hour to the next, and a neighbour on the
    same core slows every instruction; without this a bound would hold in the morning and fail at
    night. The mean of about as long as the call took, `seconds`: the best of a few
    hundredths may meet a pause of the neighbour that a call of a second does not.
    """
    parts = [_measure_once(_work), _measure_once(_work)]
    while sum(parts) < min(seconds, LONGEST_REFERENCE):
        parts.append(_measure_once(_work))
    return max(1.0, sum(parts) / len(parts) / REFERENCE_SECONDS)


def _work() -> None:
    """Do what readers do: split, match, count and join, over more memory than a cache holds."""
    words = [f"{number}: {number * 7}" for number in range(20_000)]
    counts: dict[str, int] = {}
    for word in WORD.findall("\n".join(words)):
        counts[word] = counts.get(word, 0) + 1
    "".join(sorted(counts))


def measure_cpu(run: Callable[[], object], *, tries: int = 1, enough: float = 0.0) -> float:
    """Return the least seconds of CPU of these tries, as on a core that `REFERENCE_SECONDS` is of.

    A call that took less than `enough` seconds is not compared with the reference: a caller that
    asks only whether it is quicker knows that already.

    Without the collector's, which walks all tests.

    Nor is that of the measure of coverage counted, which follows each line and doubles the time.

    A process beside this one empties the caches of the processor, which can double what a
    single try takes. The least of several is what the call itself needs: take three where a
    bound is under a second, or a ratio.
    """
    return min(_measure_adjusted(run, enough) for _ in range(tries))


def measure_growth(run: Callable[[int], object], sizes: Sequence[int]) -> list[float]:
    """Return the least seconds of CPU of this call for each of these sizes.

    They are tried in turns: a machine that is slower for a second is so for all of them, and what
    is compared is the least that each needed. No speed of the machine is in a ratio.
    """
    turns = [[_measure_once(partial(run, size)) for size in sizes] for _ in range(GROWTH_TURNS)]
    return [min(seconds) for seconds in zip(*turns, strict=True)]


def _measure_adjusted(run: Callable[[], object], enough: float) -> float:
    """Return the seconds of one try, divided by the speed of the machine right after it."""
    seconds = _measure_once(run)
    if seconds < enough:
        return seconds
    return seconds / measure_slowness(seconds)


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
