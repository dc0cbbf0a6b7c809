"""A computation that loops for ever ends with an error, in its own thread and in no other."""

import os
import threading
import time
from contextlib import suppress

import pytest

from quizzes.lib.cpu_limit import TookTooLong, run_limited


def loop():
    while True:
        pass


def loop_and_catch():
    """Loop, and catch the first error, as a grader may that catches all."""
    with suppress(Exception):
        loop()
    loop()


@pytest.mark.parametrize("compute", [loop, loop_and_catch])
def test_an_endless_loop_ends_with_an_error(compute):
    with pytest.raises(TookTooLong):
        run_limited(compute, seconds=0.1)
    assert sum(range(2_000_000)) == 1999999000000  # and nothing comes after it


def test_another_thread_computes_on():
    sums = []
    other = threading.Thread(
        target=lambda: sums.append(run_limited(lambda: sum(range(3_000_000)), seconds=60))
    )
    other.start()
    with pytest.raises(TookTooLong):
        run_limited(loop, seconds=0.1)
    other.join(60)
    assert sums == [4499998500000]


def test_waiting_is_not_counted():
    run_limited(lambda: time.sleep(0.6), seconds=0.1)


def test_an_error_of_the_computation_itself_is_passed_on():
    with pytest.raises(ZeroDivisionError):
        run_limited(lambda: 1 / 0, seconds=1)


def test_a_forked_process_has_a_limit_of_its_own():
    with pytest.raises(TookTooLong):
        run_limited(loop, seconds=0.1)
    pid = os.fork()
    if not pid:
        try:
            run_limited(loop, seconds=0.1)
        except TookTooLong:
            os._exit(7)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
