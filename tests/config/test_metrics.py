"""`/metrics`: for those with the token, true numbers, without a person in them."""

import os
import re
import subprocess
import sys
from datetime import timedelta

import pytest
from django.test import Client

from config import env
from config.metrics_files import remove_stale_files
from quizzes.attempts.models import Attempt
from quizzes.attempts.services import expire
from quizzes.lib import clock
from quizzes.results.checkpoints import make_checkpoint
from tests.attempt_helpers import finish, save_choice, start
from tests.factories import create_quiz
from tests.forged_rows import overwrite
from tests.users import logged_in_client
from tools.paths import ROOT

TOKEN = "a-token-of-thirty-two-characters"


@pytest.fixture
def counting(settings):
    settings.METRICS_TOKEN = TOKEN
    settings.MIDDLEWARE = ["config.metrics.measure_requests", *settings.MIDDLEWARE]


def scrape() -> dict[str, float]:
    """Return the value of each series by its name and labels."""
    answer = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return {series: float(value) for series, value in (line.rsplit(" ", 1) for line in lines)}


@pytest.mark.parametrize("sent", ["", "Bearer ", f"Bearer {TOKEN}x", TOKEN, "Bearer \xe4"])
def test_without_the_token_nothing_is_there(counting, db, sent):
    headers = {"Authorization": sent} if sent else {}
    assert Client().get("/metrics", headers=headers).status_code == 404


@pytest.mark.parametrize("sent", ["Bearer ", f"Bearer {TOKEN}"])
def test_where_no_token_is_set_nothing_is_there_and_nothing_counted(settings, users, a_quiz, sent):
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"Authorization": sent}).status_code == 404
    settings.METRICS_TOKEN = TOKEN
    before = scrape()
    settings.METRICS_TOKEN = ""
    save_choice(start(a_quiz, users.learner), 0, None)
    settings.METRICS_TOKEN = TOKEN
    name = 'ochenta_saves_total{status="accepted"}'
    assert scrape().get(name, 0) == before.get(name, 0)


@pytest.mark.django_db(transaction=True)
def test_saves_and_gradings_are_counted_once_they_are_committed(counting, users, questions):
    quiz = create_quiz(users, questions)
    before, now = scrape(), clock.now()
    attempt = start(quiz, users.learner, now - timedelta(seconds=20))
    save_choice(attempt, 0, None, now - timedelta(seconds=20))
    finish(attempt, now - timedelta(seconds=20))
    after = scrape()

    def grew(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert grew('ochenta_saves_total{status="accepted"}') == 1
    assert grew('ochenta_grading_seconds_count{reason="submitted"}') == 1
    assert grew('ochenta_grading_seconds_bucket{le="10.0",reason="submitted"}') == 0
    assert grew('ochenta_grading_seconds_bucket{le="30.0",reason="submitted"}') == 1


def test_requests_are_timed_by_the_name_of_their_route(counting, users):
    client = logged_in_client(users.learner)
    before = scrape()
    client.get("/")
    client.get("/no/such/page/")
    client.generic("BREW", "/")
    after = scrape()
    series = {name for name in after if after[name] != before.get(name, 0)}
    assert 'ochenta_request_seconds_count{method="GET",route="home",status="200"}' in series
    assert 'ochenta_request_seconds_count{method="GET",route="none",status="404"}' in series
    assert any('method="other"' in name for name in series)
    assert after['ochenta_request_database_seconds_sum{route="home"}'] > 0


def test_what_waits_is_told_with_its_age(counting, users, a_quiz):
    idle = scrape()
    assert idle["ochenta_attempts_overdue"] == idle["ochenta_checkpoint_seconds"] == 0
    attempt = start(a_quiz, users.learner, clock.now())
    past = clock.now() - timedelta(minutes=5)
    overwrite(Attempt.objects.all(), deadline_at=past, cutoff_at=past)
    make_checkpoint(now=past)
    overdue = scrape()
    assert overdue["ochenta_attempts_overdue"] == 1
    assert 300 <= overdue["ochenta_attempts_overdue_seconds"] < 400
    assert 300 <= overdue["ochenta_checkpoint_seconds"] < 400
    expire(attempts=Attempt.objects.filter(pk=attempt.pk), now=clock.now())
    ungraded = scrape()
    assert (ungraded["ochenta_attempts_overdue"], ungraded["ochenta_attempts_ungraded"]) == (0, 1)
    assert 300 <= ungraded["ochenta_attempts_ungraded_seconds"] < 400


def test_no_series_names_a_person_a_quiz_or_an_address(counting, users, a_quiz):
    attempt = start(a_quiz, users.learner, clock.now())
    logged_in_client(users.learner).get(f"/attempts/{attempt.uuid}/")
    text = "\n".join(scrape())
    assert not re.search(r"[0-9a-f]{8}-|@|127\.0", text)
    assert a_quiz.slug not in text


def test_a_scrape_takes_few_statements(counting, db, counted):
    with counted() as queries:
        scrape()
    assert len(queries) <= 12


def test_processes_of_one_machine_are_added_up(tmp_path):
    """Two processes count; a third, which counted nothing, tells both."""
    environment = os.environ | {
        "OCHENTA_DATA_DIR": str(tmp_path),
        "OCHENTA_METRICS_TOKEN": TOKEN,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    count = "from quizzes.lib import metrics; metrics.count_saves(['late', 'late'])"
    add = (
        "from prometheus_client import CollectorRegistry, generate_latest;"
        "from prometheus_client.multiprocess import MultiProcessCollector as Collector;"
        "registry = CollectorRegistry(); Collector(registry);"
        "print(generate_latest(registry).decode())"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", f"import django; django.setup(); {code}"],
            cwd=ROOT,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout
        for code in (count, count, add)
    ]
    assert 'ochenta_saves_total{status="late"} 4.0' in outputs[-1]


def test_counts_of_processes_that_ended_are_removed_at_the_start(tmp_path):
    ended, running = tmp_path / "counter_4194999.db", tmp_path / f"counter_{os.getpid()}.db"
    other = tmp_path / "notes.db"
    for path in (ended, running, other):
        path.touch()
    remove_stale_files(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([running, other])


def test_a_token_that_is_too_short_stops_the_start(monkeypatch):
    monkeypatch.setenv("OCHENTA_METRICS_TOKEN", "short")
    with pytest.raises(SystemExit, match="OCHENTA_METRICS_TOKEN must be 32 or more letters"):
        env.token("OCHENTA_METRICS_TOKEN")
