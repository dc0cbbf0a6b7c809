"""Redis absent from start to submit: the learners notice nothing."""

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from tests.faults.sites import Site
from tools import redis
from tools.faults import journal
from tools.faults.learners import Answer, Learner
from tools.processes import free_port

NOTICEABLE = 1.0
ATTEMPTS = "SELECT state, submission_reason FROM attempts_attempt"


@pytest.fixture(params=["closed", "mute"])
def redis_url(request) -> Iterator[str]:
    """Nobody at home; or somebody who takes the call and never says a word."""
    with closing(socket.socket()) as mute:
        mute.bind(("127.0.0.1", 0))
        if request.param == "mute":
            mute.listen(50)
        port = mute.getsockname()[1] if request.param == "mute" else free_port()
        yield f"redis://127.0.0.1:{port}/0"


def attempt(site: Site, learner: Learner, port: int) -> list[Answer]:
    """Start, page, save, submit, result."""
    return [
        *learner.begin(port, site.quiz),
        learner.save(port, learner.choose()),
        learner.ask(port, "POST", f"{learner.attempt}submit"),
        learner.ask(port, "GET", f"{learner.attempt}result"),
    ]


def test_without_redis_learners_notice_nothing(on_postgresql, redis_url):
    site = replace(on_postgresql, settings={"OCHENTA_REDIS_URL": redis_url})
    with site.served() as web:
        learners = [Learner(session, seed) for seed, session in enumerate(site.sessions)]
        attempts = [attempt(site, learner, web.port) for learner in learners]
    for answers in attempts:
        assert [answer.status for answer in answers] == [302, 200, 200, 302, 200]
    # Waiting for Redis would delay a step for everybody; a busy machine delays some.
    quickest = [min(answer.seconds for answer in step) for step in zip(*attempts, strict=True)]
    assert max(quickest) < NOTICEABLE
    assert journal.rows(site.url, ATTEMPTS) == [("graded", "submitted")] * len(attempts)


def test_to_wake_the_worker_through_a_frozen_redis_takes_a_moment_and_no_more(on_sqlite):
    try:
        with redis.throwaway() as url:
            site = replace(on_sqlite, settings={"OCHENTA_REDIS_URL": url})
            seconds, messages = site.call("tests.faults.waking")
    except redis.NoRedisError as reason:
        pytest.skip(f"it needs Redis: {reason}")
    assert seconds < 3
    # What was sent into the freeze may have come or not; a sweep would find its row.
    assert messages in {2, 3}
