"""The disk is full: a save is refused with a time to come back, never acknowledged and lost."""

from tests.faults.conftest import come
from tools.faults import journal
from tools.faults.disk import lift_limit, limit_file_size
from tools.faults.learners import busy


def test_on_a_full_disk_saves_are_refused_and_nothing_acknowledged_is_lost(on_sqlite):
    with on_sqlite.served() as web:
        learners = come(on_sqlite, web)
        limit_file_size(web.processes())
        with busy(learners, web.port) as bustle:
            bustle.wait_for(3 * len(learners), status=503)
            assert not journal.lost(learners, on_sqlite.url)
            # There is room again, and nobody restarts anything.
            lift_limit(web.processes())
            bustle.wait_for(3 * len(learners))
        for learner in learners:
            learner.make_sure(web.port)
    assert set(bustle.heard) == {200, 503}
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in bustle.heard[503])
    assert bustle.heard[503][0].content == b'{"code": "unavailable"}'
    journal.assert_whole(learners, journal.entries(on_sqlite.url))


def test_on_a_full_disk_of_postgresql_saves_are_refused_and_nothing_acknowledged_is_lost(
    cluster, on_postgresql
):
    with on_postgresql.served() as web:
        learners = come(on_postgresql, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            with cluster.on_full_disk():
                bustle.wait_until_all_hear(learners, 503)
                acknowledged = sum(len(learner.acknowledged) for learner in learners)
                bustle.wait_for(len(learners), status=503)
                assert sum(len(learner.acknowledged) for learner in learners) == acknowledged
            # The server has room and was started; nobody restarts anything of the site.
            assert not journal.lost(learners, on_postgresql.url)
            bustle.wait_for(40)
        for learner in learners:
            learner.make_sure(web.port)
    assert set(bustle.heard) == {200, 503}
    journal.assert_whole(learners, journal.entries(on_postgresql.url))
