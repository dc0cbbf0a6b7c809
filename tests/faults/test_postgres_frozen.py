"""PostgreSQL is stopped, not dead: it takes every call and answers none. Nobody waits for it."""

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from tests.faults.conftest import come
from tests.faults.sites import Web
from tools.faults import journal
from tools.faults.learners import Answer, Learner, busy
from tools.health_probe import status
from tools.processes import wait_until

LONGEST_WAIT = 3.0
"""Seconds after which everybody must have an answer."""
CLIENTS = 32
"""Four times as many as there are threads."""
OPEN_ATTEMPTS = "SELECT id FROM attempts_attempt FOR UPDATE"
LOCK_WAITS = """
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def ask_at_once(
    learners: Sequence[Learner], web: Web, paths: Sequence[str]
) -> list[tuple[str, Answer]]:
    """Ask for a path each, all at the same time, from as many clients as there are paths."""
    with ThreadPoolExecutor(len(paths)) as clients:
        requests = [
            (path, clients.submit(learners[number % len(learners)].ask, web.port, "GET", path))
            for number, path in enumerate(paths)
        ]
        return [(path, request.result()) for path, request in requests]


def probe(web: Web, path: str) -> int:
    return status(f"http://127.0.0.1:{web.port}/{path}")


def test_in_a_freeze_everybody_hears_503_soon_and_no_answer_is_lost(cluster, on_postgresql):
    with on_postgresql.served() as web:
        learners = come(on_postgresql, web)
        with busy(learners, web.port) as bustle:
            bustle.wait_for(40)
            with cluster.frozen():
                bustle.wait_until_all_hear(learners, 503)
                acknowledged = sum(len(learner.acknowledged) for learner in learners)
                bustle.wait_for(3 * len(learners), status=503)
                assert sum(len(learner.acknowledged) for learner in learners) == acknowledged
            bustle.wait_for(5 * len(learners))
        assert set(bustle.heard) == {200, 503}
        assert max(answer.seconds for answer in bustle.heard[503]) < LONGEST_WAIT
        assert all(int(answer.headers["Retry-After"]) > 0 for answer in bustle.heard[503])
        for learner in learners:
            learner.make_sure(web.port)
    journal.assert_whole(learners, journal.entries(on_postgresql.url))


def test_in_a_freeze_every_page_and_route_answers_and_the_probes_too(cluster, on_postgresql):
    with on_postgresql.served() as web:
        learners = come(on_postgresql, web)
        first = learners[0].attempt
        paths = ["/", "/history", f"{first}result", "/admin/", "/accounts/login/"]
        paths += ["/api/v1/quizzes", "/api/v1/me", first]
        before = dict(ask_at_once(learners[:1], web, paths))
        with cluster.frozen(), ThreadPoolExecutor(1) as clients:
            waiting = clients.submit(ask_at_once, learners[:1], web, paths * (CLIENTS // 8))
            # All threads wait, but the probes need none of them.
            assert probe(web, "healthz") == 200
            assert not waiting.done()
            assert probe(web, "readyz") == 503
            answers = waiting.result()
            again = ask_at_once(learners[:1], web, paths)
        assert wait_until(lambda: probe(web, "readyz") == 200, seconds=LONGEST_WAIT)
        after = dict(ask_at_once(learners[:1], web, paths))
    for path, answer in [*answers, *again]:
        assert (path, answer.status) == (path, before[path].status) or (
            answer.status == 503 and int(answer.headers["Retry-After"]) > 0
        ), path
        assert answer.seconds < LONGEST_WAIT, path
    problems = [answer for path, answer in answers if path.startswith("/api/")]
    assert {answer.headers["Content-Type"] for answer in problems} == {"application/problem+json"}
    assert {json.loads(answer.content)["code"] for answer in problems} == {"unavailable"}
    assert {path: answer.status for path, answer in after.items()} == {
        path: answer.status for path, answer in before.items()
    }


def test_a_freeze_in_the_middle_of_a_transaction_saves_nothing(cluster, on_postgresql):
    url = on_postgresql.url
    with on_postgresql.served() as web:
        (learner,) = come(on_postgresql, web, 1)
        operation = learner.choose()
        with ThreadPoolExecutor(1) as clients:
            with journal.holding(url, OPEN_ATTEMPTS):
                request = clients.submit(learner.save, web.port, operation)
                assert wait_until(lambda: bool(journal.rows(url, LOCK_WAITS)), seconds=4)
                with cluster.frozen():
                    answer = request.result()
            assert (answer.status, answer.headers["Retry-After"]) == (503, "5")
            assert answer.seconds < 2 * LONGEST_WAIT
        assert wait_until(lambda: not journal.rows(url, LOCK_WAITS), seconds=20)
        assert not journal.entries(url)
        assert wait_until(lambda: probe(web, "readyz") == 200, seconds=LONGEST_WAIT)
        learner.make_sure(web.port)
    journal.assert_whole([learner], journal.entries(url))


def test_the_clock_outlives_a_freeze_and_makes_good_what_it_missed(cluster, on_postgresql):
    left = on_postgresql.call("tests.faults.overdue")
    with cluster.frozen():
        on_postgresql.call("tests.faults.clockwork", "once")
    on_postgresql.call("tests.faults.clockwork")
    states = journal.rows(on_postgresql.url, "SELECT state FROM attempts_attempt")
    assert states == [("graded",)] * left


def test_a_site_that_waits_for_a_frozen_database_is_caught(cluster, on_postgresql, monkeypatch):
    monkeypatch.setattr("tools.faults.learners.PATIENCE", 2 * LONGEST_WAIT)
    usual = {"GUNICORN_CMD_ARGS": "--preload --worker-class gthread"}
    with replace(on_postgresql, settings=usual).served("tests.faults.patient") as web:
        learners = come(on_postgresql, web)
        with cluster.frozen(), ThreadPoolExecutor(CLIENTS) as clients:
            waiting = [
                clients.submit(learner.ask, web.port, "GET", "/")
                for learner in learners * (CLIENTS // len(learners))
            ]
            assert wait_until(lambda: probe(web, "healthz") == 0, seconds=20)
            # Some had no connection yet: libpq itself gives up after a while.
            outcomes = {type(request.exception()) for request in waiting}
    assert TimeoutError in outcomes
