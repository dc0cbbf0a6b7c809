"""The disk is full: a save is refused with a time to come back, never acknowledged and lost."""

import resource
from collections.abc import Iterable

from tests.faults import journal
from tests.faults.conftest import come
from tests.faults.learners import busy

ROOM = 100 * 1024
"""Bytes that a file may have: less than SQLite's log grows to before it begins anew."""


def limit(processes: Iterable[int], size: int) -> None:
    """Let no file of these processes grow beyond this size; all further writing fails."""
    for pid in processes:
        _, hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))


def test_on_a_full_disk_saves_are_refused_and_nothing_acknowledged_is_lost(on_sqlite):
    with on_sqlite.served() as web:
        learners = come(on_sqlite, web)
        limit(web.processes(), ROOM)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(3 * len(learners), status=503)
            assert not journal.lost(learners, on_sqlite.url)
            # There is room again, and nobody restarts anything.
            limit(web.processes(), resource.RLIM_INFINITY)
            bustle.wait_for(3 * len(learners))
        for learner in learners:
            learner.make_sure(web.port)
    assert set(bustle.heard) == {200, 503}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in bustle.heard[503])
    assert bustle.heard[503][0].content == b'{"code": "unavailable"}'
    journal.assert_whole(learners, journal.entries(on_sqlite.url))
