"""The rules under which tasks run, and their time-table."""

import runpy
from datetime import UTC, datetime, timedelta

import pytest
import time_machine

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


LIGHT_TASKS = {
    "accounts.tasks.send_security_notices",
    "accounts.tasks.sweep_stale",
    "quizzes.api.tasks.sweep_idempotent_writes",
    "quizzes.audit.tasks.seal_audit_events",
    "quizzes.notifications.tasks.remind_of_study",
    "quizzes.notifications.tasks.remind_of_windows",
    "quizzes.notifications.tasks.send_notifications",
}


def test_what_may_take_minutes_waits_in_a_queue_of_its_own():
    celery.app.loader.import_default_modules()
    names = {name for name in celery.app.tasks if not name.startswith("celery.")}
    router = celery.app.amqp.router
    light = {name for name in names if router.route({}, name)["queue"].name == celery.LIGHT}
    assert light == LIGHT_TASKS
    heavy = {name for name in names if router.route({}, name)["queue"].name == celery.HEAVY}
    assert heavy == names - light


def test_what_is_sent_to_one_queue_reaches_no_other():
    queues = celery.app.amqp.queues
    bindings = {name: (queue.exchange.name, queue.routing_key) for name, queue in queues.items()}
    assert bindings == {name: (name, name) for name in (celery.LIGHT, celery.HEAVY)}


def test_every_rule_of_the_heavy_queue_is_for_a_task():
    celery.app.loader.import_default_modules()
    for rule in celery.HEAVY_TASKS:
        assert any(name.startswith(rule.removesuffix("*")) for name in celery.app.tasks), rule


def test_no_task_outlives_the_time_after_which_redis_hands_it_out_again():
    conf = celery.app.conf
    visible = conf.broker_transport_options["visibility_timeout"]
    assert conf.task_soft_time_limit < conf.task_time_limit < visible


def test_what_waits_is_done_every_minute_and_housekeeping_comes_every_hour():
    table = {
        entry["task"]: entry["schedule"].run_every.total_seconds()
        for entry in celery.app.conf.beat_schedule.values()
    }
    assert table == {
        "quizzes.imports.tasks.sweep_imports": 60,
        "quizzes.audit.tasks.seal_audit_events": 60,
        "accounts.tasks.send_security_notices": 60,
        "accounts.tasks.sweep_stale": 3600,
        "quizzes.api.tasks.sweep_idempotent_writes": 3600,
        "quizzes.notifications.tasks.remind_of_windows": 600,
        "quizzes.notifications.tasks.remind_of_study": 600,
        "quizzes.notifications.tasks.send_notifications": 60,
        "quizzes.privacy.tasks.apply_scheduled_retention": 3600,
        "quizzes.privacy.tasks.erase_guests": 3600,
        "quizzes.privacy.tasks.handle_data_requests": 60,
        "quizzes.results.tasks.continue_regrades": 15,
        "quizzes.results.tasks.make_daily_checkpoint": 60,
        "quizzes.statistics.tasks.update_statistics": 60,
    }


def test_no_message_expires_by_the_clock_of_another_machine():
    assert not any("options" in entry for entry in celery.app.conf.beat_schedule.values())


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_set_stops_no_sweep_and_brings_none_early(hours):
    every_minute = celery.every(60)
    last_run_at = every_minute.now()
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=hours)):
        due, seconds = every_minute.is_due(last_run_at)
        assert not due
        assert 50 < seconds <= 60
        due, _ = every_minute.is_due(last_run_at - timedelta(seconds=61))
        assert due


def test_every_task_of_the_time_table_exists():
    celery.app.loader.import_default_modules()
    scheduled = {entry["task"] for entry in celery.app.conf.beat_schedule.values()}
    assert scheduled <= set(celery.app.tasks)
