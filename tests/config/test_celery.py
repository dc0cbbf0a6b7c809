"""The rules under which tasks run, and their time-table."""

import runpy

import pytest

from config import celery


@pytest.fixture
def reloaded(monkeypatch):
    """Give a way to read the module anew under another environment; put back at the end."""

    def read(redis):
        monkeypatch.setenv("OCHENTA_REDIS_URL", redis)
        before = celery.app
        conf = runpy.run_path(celery.__file__)["app"].conf
        before.set_current()
        before.set_default()
        return conf

    return read


def test_without_redis_every_task_runs_at_once_in_the_caller(reloaded):
    conf = reloaded("")
    assert conf.task_always_eager is True
    assert conf.broker_url == "memory://"
    assert conf.task_eager_propagates is False


def test_with_redis_tasks_go_there(reloaded):
    conf = reloaded("redis://127.0.0.1:1/0")
    assert conf.task_always_eager is False
    assert conf.broker_url == "redis://127.0.0.1:1/0"


def test_a_dying_worker_gives_its_tasks_back():
    conf = celery.app.conf
    assert conf.task_acks_late is True
    assert conf.task_reject_on_worker_lost is True
    assert conf.worker_prefetch_multiplier == 1
    assert conf.task_ignore_result is True


def test_no_task_outlives_the_time_after_which_redis_hands_it_out_again():
    conf = celery.app.conf
    visible = conf.broker_transport_options["visibility_timeout"]
    assert conf.task_soft_time_limit < conf.task_time_limit < visible


def test_sweeps_come_every_minute_and_housekeeping_every_hour():
    table = {entry["task"]: entry["schedule"] for entry in celery.app.conf.beat_schedule.values()}
    assert table == {
        "quizzes.attempts.tasks.sweep_expired": 60,
        "quizzes.results.tasks.sweep_ungraded": 60,
        "quizzes.imports.tasks.sweep_imports": 60,
        "accounts.tasks.sweep_stale": 3600,
    }


def test_every_task_of_the_time_table_exists():
    celery.app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in celery.app.conf.beat_schedule.values()}
    assert scheduled <= set(celery.app.tasks)
