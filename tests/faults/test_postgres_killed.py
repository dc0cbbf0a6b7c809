"""kill -9 of PostgreSQL under saves: nothing acknowledged is lost, and nothing is called saved."""

import json

from tests.faults.conftest import come
from tools.faults import journal
from tools.faults.cluster import CARELESS
from tools.faults.learners import busy
from tools.health_probe import status


def test_a_save_that_was_acknowledged_survives_the_death_of_postgresql(cluster, on_postgresql):
    with on_postgresql.served() as web:
        learners = come(on_postgresql, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            cluster.kill()
            bustle.wait_until_all_hear(learners, 503)
            acknowledged = sum(len(learner.acknowledged) for learner in learners)
            bustle.wait_for(len(learners), status=503)
            assert sum(len(learner.acknowledged) for learner in learners) == acknowledged
            cluster.start()
            assert not journal.lost(learners, on_postgresql.url)
            bustle.wait_for(40)
        assert set(bustle.heard) == {200, 503}
        assert all(answer.headers["Retry-After"] for answer in bustle.heard[503])
        for learner in learners:
            learner.make_sure(web.port)
    journal.assert_whole(learners, journal.entries(on_postgresql.url))


def test_without_postgresql_every_door_is_honest_and_needs_no_restart(cluster, on_postgresql):
    with on_postgresql.served() as web:
        (learner,) = come(on_postgresql, web, 1)
        doors = ("/", learner.attempt, f"{learner.attempt}result", "/api/v1/quizzes", "/admin/")
        before = [learner.ask(web.port, "GET", door).status for door in doors]
        cluster.kill()
        answers = [learner.ask(web.port, "GET", door) for door in doors]
        answers.append(learner.ask(web.port, "POST", f"{learner.attempt}submit"))
        probes = [status(f"http://127.0.0.1:{web.port}/{probe}") for probe in ("healthz", "readyz")]
        cluster.start()
        after = [learner.ask(web.port, "GET", door).status for door in doors]
    assert [answer.status for answer in answers] == [503] * len(answers)
    assert all(int(answer.headers["Retry-After"]) > 0 for answer in answers)
    assert json.loads(answers[3].content)["code"] == "unavailable"
    assert b"saved is safe" in answers[1].content
    assert probes == [200, 503]
    assert after == before
    assert max(before) < 500


def test_a_database_that_acknowledges_before_it_writes_is_caught(cluster, on_postgresql):
    cluster.kill()
    cluster.start(*CARELESS)
    with on_postgresql.served() as web:
        learners = come(on_postgresql, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            cluster.kill()
    cluster.start()
    assert journal.lost(learners, on_postgresql.url)
